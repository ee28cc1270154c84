package diamondchess

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// phase says what a turn has come to.
type phase uint8

const (
	phaseSetup  phase = iota // a piece is set up
	phaseStart               // a turn begins
	phasePack                // more cani of a pack may move
	phaseSecond              // the second move
	phaseStrike              // the khtsoyis may strike again
	phases
)

var phaseNames = [phases]string{"setup", "start", "pack", "second", "strike"}

// State is a position. Side 0 is always First. Squares are 8·row + column for both
// sides.
type State struct {
	kit.Plain
	game   *Game
	pieces [2][kinds]uint64
	// at is 1 + kind + kinds·side of the piece on a square that is no zi ri, else 0.
	at    [squares]uint8
	spent [2]uint64 // squares of a side's gormoror and rassimel that have absorbed a hit
	moved uint64    // squares of pieces but the zi ri that have moved this turn
	pack  uint64    // squares of cani that may still move in the pack
	// by two and three are the members of pack whose allowance is at least that.
	two, three uint64
	flown      bool // the zi ri has moved this turn
	second     bool // this is the second move of the turn
	phase      phase
	side       uint8
	strikes    uint8 // that the khtsoyis has left
	passes     uint8 // forced passes in a row
	seen       uint8 // earlier turns that began with this position
	turn       uint16
	quiet      int16 // turns in a row without an effect; -1 after one, until the turn ends
}

var _ engine.State = (*State)(nil)

// The reasons for which a game ends.
const (
	reasonTown       = "town"
	reasonRepetition = "repetition"
	reasonQuiet      = "no-capture"
	reasonLength     = "max-turns"
	reasonPasses     = "no-move"
)

// endings are their names on the rules page.
var endings = map[string]string{
	reasonTown: "town taken", reasonQuiet: "no capture", reasonLength: "length", reasonPasses: "two passes",
}

// occupied are the squares of all pieces but zi ri.
func (s *State) occupied() uint64 { return s.of(0) | s.of(1) }

// of are the squares of a side's pieces but the zi ri.
func (s *State) of(side uint8) (b uint64) {
	for _, k := range s.pieces[side][:ziri] {
		b |= k
	}
	return b
}

func (s *State) zis() uint64 { return s.pieces[0][ziri] | s.pieces[1][ziri] }

// kindAt is the kind of the piece but zi ri on a square, and its side; the kind is -1 if
// there is none.
func (s *State) kindAt(sq int) (kind int, side uint8) {
	x := int(s.at[sq]) - 1
	if x >= kinds {
		return x - kinds, 1
	}
	return x, 0
}

func (s *State) put(side uint8, kind, sq int) {
	s.pieces[side][kind] |= 1 << sq
	if kind != ziri {
		s.at[sq] = 1 + uint8(kind) + kinds*side
	}
}

func (s *State) remove(side uint8, kind, sq int) {
	s.pieces[side][kind] &^= 1 << sq
	if kind != ziri {
		s.at[sq] = 0
		s.spent[side] &^= 1 << sq
	}
}

// placed is how many pieces a side has set up.
func (s *State) placed(side uint8) int {
	n := 0
	for _, b := range s.pieces[side][cani:] {
		n += bits.OnesCount64(b)
	}
	return n
}

// Actor implements engine.State.
func (s *State) Actor() engine.Player {
	if s.Outcome().Over {
		return engine.Nobody
	}
	return engine.Player(s.side)
}

// Side implements engine.State.
func (s *State) Side() engine.Side { return engine.Side(s.side) }

// Outcome implements engine.State.
func (s *State) Outcome() engine.Outcome {
	switch {
	case s.pieces[0][town] == 0:
		return engine.Outcome{Over: true, Winner: engine.Second, Reason: reasonTown}
	case s.pieces[1][town] == 0:
		return engine.Outcome{Over: true, Winner: engine.First, Reason: reasonTown}
	case s.phase != phaseStart:
		return engine.Outcome{}
	case int(s.seen)+1 >= s.game.repetition:
		return engine.Outcome{Over: true, Winner: engine.Nobody, Reason: reasonRepetition}
	case int(s.quiet) >= s.game.noCapture:
		return engine.Outcome{Over: true, Winner: engine.Nobody, Reason: reasonQuiet}
	case int(s.turn) >= s.game.maxTurns:
		return engine.Outcome{Over: true, Winner: engine.Nobody, Reason: reasonLength}
	case s.passes >= 2:
		return engine.Outcome{Over: true, Winner: engine.Nobody, Reason: reasonPasses}
	}
	return engine.Outcome{}
}

// Turn implements engine.State: setting a piece up is a turn too.
func (s *State) Turn() int {
	switch {
	case s.phase == phaseSetup:
		return s.placed(0) + s.placed(1)
	case s.game.listed:
		return int(s.turn)
	}
	return 2*toPlace + int(s.turn)
}

// keyWords is the size of a position's key in a History.
const keyWords = 2*kinds + 2

// key is what makes two beginnings of a turn the same position.
func (s *State) key() (k [keyWords]uint64) {
	copy(k[:], s.pieces[0][:])
	copy(k[kinds:], s.pieces[1][:])
	k[2*kinds] = s.spent[0] | s.spent[1]
	k[2*kinds+1] = uint64(s.side)
	return k
}

// Hash implements engine.State.
func (s *State) Hash() uint64 {
	k := s.key()
	h := uint64(0)
	for i, w := range k {
		if w != 0 {
			h += kit.Mix(w ^ uint64(i)*0x9e3779b97f4a7c15)
		}
	}
	if s.phase == phaseStart {
		return kit.Mix(h)
	}
	for i, w := range [...]uint64{s.moved, s.pack, s.two, s.three, uint64(s.phase) | uint64(s.strikes)<<8 | asBit(s.flown)<<16 | asBit(s.second)<<17} {
		h += kit.Mix(w ^ uint64(i+keyWords)*0x9e3779b97f4a7c15)
	}
	return kit.Mix(h)
}

func asBit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { *s = *src.(*State) }

// Start implements engine.State.
func (s *State) Start(h *engine.History) {
	*s = State{game: s.game}
	for side := range uint8(2) {
		s.put(side, town, homes[side])
		if s.game.listed {
			for i, k := range listed {
				s.put(side, k, fill[side][i])
			}
			s.phase = phaseStart
		}
	}
	s.Begin(h)
}

// Begin implements engine.State.
func (s *State) Begin(h *engine.History) {
	h.Clear()
	s.enter(h)
}

// enter pushes the position if a turn begins with it, and returns how often it was there
// before.
func (s *State) enter(h *engine.History) int {
	if s.phase != phaseStart {
		return 0
	}
	k := s.key()
	return h.Push(s.Hash(), k[:]) - 1
}
