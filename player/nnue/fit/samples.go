package fit

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	model "github.com/ludozero/ludozero/model/nnue"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/player/nnue"
	"github.com/ludozero/ludozero/selfplay/record"
)

// Choice says which positions of games are learned from, and what they are worth.
type Choice struct {
	// Every says that of the decisions that begin a turn one in so many is taken.
	Every int `json:"every"`
	// All takes positions where a loud action changes the value, too; else they are left
	// to the quiescence of the search.
	All bool `json:"all"`
	// Result is the weight of a game's result beside the root value of the search, 0 to 1.
	// Rows of a teacher that gave no value have the result alone.
	Result float64 `json:"result"`
	// Seed draws the positions.
	Seed uint64 `json:"seed"`
}

// Samples are positions of recorded games of one family, under whatever rules, and what
// became of them. Not safe for concurrent use.
type Samples struct {
	Choice
	library record.Library
	game    string
	rulings map[string]*ruling

	// bits holds the set bits of both views of a position after the other, that of the side
	// to act first; ends[2i] and ends[2i+1] are where those of position i end.
	bits    []uint16
	ends    []uint32
	terms   []int16 // of all positions
	targets []float32
	games   []int32 // of each position
	count   int     // of games
	runs    map[string]bool
	rules   map[string]int // positions of each
}

// ruling is what samples of one ruleset need.
type ruling struct {
	inputs *nnue.Inputs
	view   *nnue.View
	engine *alphabeta.Engine
	state  engine.State
	set    []int32
}

// NewSamples returns a reader of games of family f.
func NewSamples(f *engine.Family, c Choice) *Samples {
	return &Samples{
		Choice: c, library: record.Library{Families: engine.Families{f}}, game: f.Name,
		rulings: map[string]*ruling{}, runs: map[string]bool{}, rules: map[string]int{},
	}
}

// Len is the number of positions, Games that of the games added.
func (m *Samples) Len() int { return len(m.targets) }

// Games is the number of games added.
func (m *Samples) Games() int { return m.count }

// Runs names the runs that the games are of, ascending.
func (m *Samples) Runs() (names []string) {
	for name := range m.runs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Rules are the shares of the rulesets, the largest first.
func (m *Samples) Rules() (shares []model.RulesShare) {
	for rules, n := range m.rules {
		shares = append(shares, model.RulesShare{Rules: rules, Share: float64(n) / float64(m.Len())})
	}
	slices.SortFunc(shares, func(a, b model.RulesShare) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Rules, b.Rules))
	})
	return shares
}

// Add takes positions of the shard at path: of decisions that begin a turn in which nothing
// is in danger, each in an image by a symmetry, of which none is preferred.
func (m *Samples) Add(path string) error {
	shard, err := record.OpenAny(path, func(game string) (*engine.Info, error) {
		if game != m.game {
			return nil, fmt.Errorf("its games are of %s: want %s", game, m.game)
		}
		return m.library.Info(game)
	})
	if err != nil {
		return err
	}
	rows, err := shard.Rows()
	if err != nil {
		return err
	}
	var rng *rand.Rand
	game, last := int64(-1), -1
	for i := range rows {
		r := &rows[i]
		if r.GameNumber != game {
			game, last = r.GameNumber, -1
			rng = rand.New(seed.Stream(m.Seed, "fit-evaluation rows", uint64(game)))
			m.runs[r.Run] = true
			m.count++
		}
		x, err := m.ruling(r.Rules)
		if err != nil {
			return fmt.Errorf("shard %s: row %d: %w", path, i+1, err)
		}
		if err := x.state.Unpack(r.Packed); err != nil {
			return fmt.Errorf("shard %s: row %d: %w", path, i+1, err)
		}
		begins := alphabeta.BeginsTurn(x.state, last)
		last = int(r.Turn)
		image := rng.IntN(bits.OnesCount32(x.state.SymmetryMask()))
		if !begins || rng.IntN(m.Every) > 0 || !m.All && !x.engine.Calm(x.state) {
			continue
		}
		mask := x.state.SymmetryMask()
		for range image {
			mask &= mask - 1
		}
		x.state.Transform(bits.TrailingZeros32(mask))
		m.add(x, m.target(r))
		m.rules[r.Rules]++
	}
	return nil
}

// target is the expected score of the side to act, from 0 to 1.
func (m *Samples) target(r *record.Row) float32 {
	value := float64(r.Outcome)
	if r.PolicyKind != record.PolicyTeacher || r.RootDraw != record.DrawUnknown {
		value = m.Result*value + (1-m.Result)*float64(r.RootValue)
	}
	return float32(0.5 + 0.5*value)
}

// add adds the state of x, unless it is in danger: what is threatened decides there.
func (m *Samples) add(x *ruling, target float32) {
	x.inputs.Look(x.state, x.view)
	if x.view.Danger && !m.All {
		return
	}
	for _, words := range [2][]uint64{x.view.Own, x.view.Other} {
		x.set = model.AppendBits(x.set[:0], words)
		for _, bit := range x.set {
			m.bits = append(m.bits, uint16(bit))
		}
		m.ends = append(m.ends, uint32(len(m.bits)))
	}
	for _, c := range x.view.Terms {
		m.terms = append(m.terms, int16(max(math.MinInt16, min(math.MaxInt16, c))))
	}
	m.targets, m.games = append(m.targets, target), append(m.games, int32(m.count-1))
}

func (m *Samples) ruling(rules string) (*ruling, error) {
	if x := m.rulings[rules]; x != nil {
		return x, nil
	}
	g, err := m.library.Game(m.game, rules)
	if err != nil {
		return nil, err
	}
	in, err := nnue.InputsOf(g)
	if err != nil {
		return nil, err
	}
	x := &ruling{inputs: in, view: in.NewView(), engine: alphabeta.New(g), state: g.NewState()}
	m.rulings[rules] = x
	return x, nil
}

// sample is a position as a network reads it.
type sample struct {
	own, other, terms []int32
	target            float32
}

// read sets s to position i of samples with that many terms each.
func (m *Samples) read(i, terms int, s *sample) {
	begin := uint32(0)
	if i > 0 {
		begin = m.ends[2*i-1]
	}
	s.own, s.other, s.terms = s.own[:0], s.other[:0], s.terms[:0]
	for _, bit := range m.bits[begin:m.ends[2*i]] {
		s.own = append(s.own, int32(bit))
	}
	for _, bit := range m.bits[m.ends[2*i]:m.ends[2*i+1]] {
		s.other = append(s.other, int32(bit))
	}
	for _, c := range m.terms[i*terms : (i+1)*terms] {
		s.terms = append(s.terms, int32(c))
	}
	s.target = m.targets[i]
}

// split returns the positions to learn from and those held out: of one game in held.
func (m *Samples) split() (learn, out []int32) {
	for i, game := range m.games {
		if game%held == held-1 {
			out = append(out, int32(i))
		} else {
			learn = append(learn, int32(i))
		}
	}
	return learn, out
}

// held says that one game in so many is held out.
const held = 20

// Digest identifies the positions and their targets.
func (m *Samples) Digest() string {
	h := sha256.New()
	for _, x := range []any{m.bits, m.ends, m.terms, m.targets, m.games} {
		if err := binary.Write(h, binary.LittleEndian, x); err != nil {
			panic("BUG: " + err.Error()) // of fixed size, into memory
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
