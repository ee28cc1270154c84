// Package tictactoe is the 3×3 game: the smallest engine.Game, the model for a
// new one, and a calibration weight, since its every position is known.
//
// First plays x and moves first; a player never changes sides. Three in a row,
// column or diagonal win; a full board is a draw.
package tictactoe

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
	"github.com/ludozero/ludozero/internal/invariants"
)

// A cell is 3·row + column; row 0 is at the bottom, as in the cell's name.
//
//	3 | 6 7 8
//	2 | 3 4 5
//	1 | 0 1 2
//	    a b c
const (
	size  = 3
	cells = size * size
	full  = 1<<cells - 1
)

// lines are the winning sets of cells.
var lines = [8]uint16{0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

// lined has bit s of word s/64 set if the cells of set s hold a line.
var lined = func() (t [(full + 1) / 64]uint64) {
	for s := range uint16(full + 1) {
		for _, l := range lines {
			if s&l == l {
				t[s/64] |= 1 << (s % 64)
			}
		}
	}
	return t
}()

func hasLine(s uint16) bool { return lined[s/64]>>(s%64)&1 != 0 }

// State is a position: the cells of each side. Who moves and whether the game
// is over follow from them. The zero value is the start.
type State struct {
	kit.Plain
	stones [2]uint16
}

var _ engine.State = (*State)(nil)

func (s *State) taken() uint16 { return s.stones[0] | s.stones[1] }

// next is the side to move if the game is not over.
func (s *State) next() engine.Side {
	return engine.Side(bits.OnesCount16(s.taken()) & 1)
}

func (s *State) over() bool {
	return hasLine(s.stones[0]) || hasLine(s.stones[1]) || s.taken() == full
}

// Actor implements engine.State.
func (s *State) Actor() engine.Player {
	if s.over() {
		return engine.Nobody
	}
	return engine.Player(s.next())
}

// Side implements engine.State.
func (s *State) Side() engine.Side { return s.next() }

// Legal implements engine.State: the empty cells.
func (s *State) Legal(dst []engine.Action, _ *engine.History) []engine.Action {
	if s.over() {
		return dst
	}
	for free := full &^ s.taken(); free != 0; free &= free - 1 {
		dst = append(dst, engine.Action(bits.TrailingZeros16(free)))
	}
	return dst
}

// Apply implements engine.State.
func (s *State) Apply(a engine.Action, _ *engine.History) {
	if invariants.Enabled && (s.over() || a < 0 || a >= cells || s.taken()>>a&1 != 0) {
		panic("BUG: tictactoe: illegal action")
	}
	s.stones[s.next()] |= 1 << a
}

// Outcome implements engine.State.
func (s *State) Outcome() engine.Outcome {
	switch {
	case hasLine(s.stones[0]):
		return engine.Outcome{Over: true, Winner: engine.First, Reason: "line"}
	case hasLine(s.stones[1]):
		return engine.Outcome{Over: true, Winner: engine.Second, Reason: "line"}
	case s.taken() == full:
		return engine.Outcome{Over: true, Winner: engine.Nobody, Reason: "full"}
	}
	return engine.Outcome{}
}

// Turn implements engine.State.
func (s *State) Turn() int { return bits.OnesCount16(s.taken()) }

// Hash implements engine.State. It is one-to-one.
func (s *State) Hash() uint64 {
	return kit.Mix(uint64(s.stones[0]) | uint64(s.stones[1])<<16)
}

// EncodingHash implements engine.State. The position is all that Encode shows,
// and the stones alone decide whose turn it is.
func (s *State) EncodingHash() uint64 { return s.Hash() }

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { *s = *src.(*State) }

// Start implements engine.State.
func (s *State) Start(h *engine.History) {
	*s = State{}
	s.Begin(h)
}

// Begin implements engine.State. No position can recur, so none is entered.
func (s *State) Begin(h *engine.History) { h.Clear() }
