package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// A transcript is a game as it travels: what was played and what the searches found, and
// nothing that the rules tell. Its parts are, numbers as uvarints and floats as their bits:
//
//	beginning, an index; number of rows; for each row
//	    flags, kind of the policy target, Before, Action, the four values, Policy, Visits
//	After
//
// A list is preceded by its length. Transcripts are for programs of one build.

const (
	flagFull = 1 << iota
	flagResigns
)

// AppendTranscript appends the transcript of a game, of which rows are all. Their values are
// rounded already, as Row.Round does.
func AppendTranscript(dst []byte, rows []Row) []byte {
	if len(rows) == 0 {
		panic("BUG: a transcript of no rows")
	}
	dst = append(dst, byte(slices.Index(beginnings, rows[0].Beginning)))
	dst = binary.AppendUvarint(dst, uint64(len(rows)))
	for i := range rows {
		r := &rows[i]
		flags := byte(0)
		if r.Full {
			flags |= flagFull
		}
		if r.Resigns {
			flags |= flagResigns
		}
		dst = append(dst, flags, byte(slices.Index(policyKinds, r.PolicyKind)))
		dst = appendList(dst, r.Before)
		dst = binary.AppendUvarint(dst, uint64(r.Action))
		for _, v := range [...]float32{r.RootValue, r.RootDraw, r.NetworkValue, r.Surprise} {
			dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
		}
		dst = appendList(dst, r.Policy)
		dst = appendList(dst, r.Visits)
	}
	return appendList(dst, rows[len(rows)-1].After)
}

func appendList[T ~int32 | ~uint16](dst []byte, list []T) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list)))
	for _, v := range list {
		dst = binary.AppendUvarint(dst, uint64(v))
	}
	return dst
}

// transcript reads what AppendTranscript wrote. After the first fault all is zero.
type transcript struct {
	rest []byte
	err  error
}

var errTranscript = errors.New("a transcript that is cut off, or has too large a number")

func (t *transcript) fail() { t.rest, t.err = nil, errTranscript }

func (t *transcript) bytes(n int) []byte {
	if len(t.rest) < n {
		t.fail()
		return make([]byte, n)
	}
	b := t.rest[:n]
	t.rest = t.rest[n:]
	return b
}

func (t *transcript) number(most uint64) uint64 {
	v, n := binary.Uvarint(t.rest)
	if n <= 0 || v > most {
		t.fail()
		return 0
	}
	t.rest = t.rest[n:]
	return v
}

// word is one of list by its index.
func (t *transcript) word(list []string) string {
	i := int(t.bytes(1)[0])
	if i >= len(list) {
		t.fail()
		return ""
	}
	return list[i]
}

func (t *transcript) float() float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(t.bytes(4)))
}

// readList reads a list into the slab, which it grows, and returns that part; nil if empty.
func readList[T ~int32 | ~uint16](t *transcript, slab *[]T, most uint64) []T {
	n := int(t.number(uint64(len(t.rest)))) // each takes a byte at least
	if n == 0 {
		return nil
	}
	at := len(*slab)
	for range n {
		*slab = append(*slab, T(t.number(most)))
	}
	return (*slab)[at:len(*slab):len(*slab)]
}

// Restore plays a game again from its transcript and returns its rows, which are held to
// every rule of Row, and its end. of has what all its rows share besides the beginning: Run,
// Generation, GameNumber and Seed.
func (p *Replayer) Restore(of Row, g engine.Game, text []byte) (rows []Row, o engine.Outcome, err error) {
	info := g.Info()
	of.Game, of.Rules = info.Name, g.Rules()
	t := &transcript{rest: text}
	of.Beginning = t.word(beginnings)
	n := int(t.number(uint64(len(text))))
	p.visit, p.problems, p.ply, p.resigned = nil, nil, 0, false
	p.state.Start(p.past)
	var s slabs
	rows = make([]Row, 0, min(n, usualRows))
	for i := 0; i < n && t.err == nil; i++ {
		r := of
		flags := t.bytes(1)[0]
		r.Full, r.Resigns = flags&flagFull != 0, flags&flagResigns != 0
		r.PolicyKind = t.word(policyKinds)
		r.Before = readList(t, &s.actions, maxCode)
		r.Action = engine.Action(t.number(maxCode))
		r.RootValue, r.RootDraw, r.NetworkValue, r.Surprise = t.float(), t.float(), t.float(), t.float()
		r.Policy = readList(t, &s.policy, PolicyOne)
		r.Visits = readList(t, &s.visits, math.MaxInt32)
		if t.err == nil && (!p.applyAll(i, r.Before) || !p.decide(i, &r, &s)) {
			return nil, o, p.problems[0].Err
		}
		rows = append(rows, r)
	}
	after := readList(t, &s.actions, maxCode)
	switch {
	case t.err != nil || len(rows) == 0 || len(t.rest) > 0:
		return nil, o, errTranscript
	case !p.applyAll(n-1, after):
		return nil, o, p.problems[0].Err
	}
	last := &rows[n-1]
	last.After = after
	if p.resigned = last.Resigns && !p.state.Outcome().Over; p.resigned {
		p.loser = engine.Player(last.Player)
	}
	if o = p.Outcome(); !o.Over {
		return nil, o, fmt.Errorf("ply %d: the game is not over after its last action", p.ply)
	}
	s.fill(rows, &o, int32(p.state.Turn()))
	m := Meta{Format: FormatVersion, Game: of.Game, Head: Head{Run: of.Run, Generation: of.Generation}, FirstGame: of.GameNumber, LastGame: of.GameNumber}
	for _, x := range rowProblems(rows, info, &m, true) {
		return nil, o, fmt.Errorf("ply %d: %w", rows[x.Row].Ply, x.Err)
	}
	return rows, o, nil
}

// usualRows is more than most games have.
const usualRows = 256

// slabs hold the lists of the rows of a game.
type slabs struct {
	actions   []engine.Action
	policy    []uint16
	visits    []int32
	packed    []byte
	positions []byte
	ends      []int // of each row's part of positions
}

// decide fills in what the position tells of a decision and plays it.
func (p *Replayer) decide(row int, r *Row, s *slabs) bool {
	if a := p.state.Actor(); a != engine.First && a != engine.Second {
		p.report(row, "ply %d: a decision is recorded where %s acts", p.ply, a)
		return false
	}
	r.Ply, r.Turn, r.Player, r.Side = p.ply, int32(p.state.Turn()), int8(p.state.Actor()), int8(p.state.Side())
	at := len(s.actions)
	s.actions = p.state.Legal(s.actions, p.past)
	r.Legal = s.actions[at:len(s.actions):len(s.actions)]
	at = len(s.packed)
	s.packed = p.state.Pack(s.packed)
	r.Packed = s.packed[at:len(s.packed):len(s.packed)]
	s.positions = p.state.AppendPosition(s.positions)
	s.ends = append(s.ends, len(s.positions))
	if _, legal := slices.BinarySearch(r.Legal, r.Action); !legal {
		p.report(row, "action %d of ply %d is not possible: possible are %v", r.Action, p.ply, r.Legal)
		return false
	}
	p.ply++
	p.state.Apply(r.Action, p.past)
	if r.Resigns && p.state.Outcome().Over {
		p.report(row, "ply %d: resigns with the action that ends the game", r.Ply)
		return false
	}
	return true
}

// fill writes into all rows of a game what its end tells, and their positions.
func (s *slabs) fill(rows []Row, o *engine.Outcome, turns int32) {
	all, at := string(s.positions), 0
	for i := range rows {
		r := &rows[i]
		r.Position, at = all[at:s.ends[i]], s.ends[i]
		r.Outcome, r.Reason, r.TurnsLeft = int8(o.Value(engine.Player(r.Player))), o.Reason, turns-r.Turn
	}
}
