package pawnrace

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// A square is bit 5·row + column. Side x sits at the bottom and goes up; side o sees the
// board turned, so that it goes up too.
//
//	5 | 20 21 22 23 24
//	4 | 15 16 17 18 19
//	3 | 10 11 12 13 14
//	2 |  5  6  7  8  9
//	1 |  0  1  2  3  4
//	     a  b  c  d  e
const (
	rows, cols = 5, 5
	cells      = rows * cols
	board      = 1<<cells - 1
	lowRow     = 1<<cols - 1
	leftColumn = board / lowRow

	pawns = 2 * cols // of a side at the start
)

// far is the row on which each side wins.
var far = [2]uint32{lowRow << (cells - cols), lowRow}

// steps are what a pawn's three steps, ahead to the left, ahead and ahead to the right,
// add to its square. Action cells·step + square is the step of the pawn there, as the
// acting side sees the board: the policy head has a plane for each step.
var steps = [3]int{cols - 1, cols, cols + 1}

const numActions = 3 * cells

// The reasons for which a game ends.
const (
	reasonFar      = "far row"
	reasonCaptured = "no pawns"
)

// State is a position. Side x begins, and the sides move in turn.
type State struct {
	kit.Plain
	game  *Game
	pawns [2]uint32 // of each side, as side x sees the board
	turn  uint8     // finished turns
}

var (
	_ engine.State    = (*State)(nil)
	_ engine.Swapper  = (*State)(nil)
	_ engine.Material = (*State)(nil)
)

func (s *State) next() engine.Side { return engine.Side(s.turn & 1) }

// turnBoard is a set of squares as the other side sees it.
func turnBoard(b uint32) uint32 { return bits.Reverse32(b) >> (32 - cells) }

// seen are the pawns of the side to move and of the other, as the side to move sees them.
func (s *State) seen() (own, other uint32) {
	if s.next() == 1 {
		return turnBoard(s.pawns[1]), turnBoard(s.pawns[0])
	}
	return s.pawns[0], s.pawns[1]
}

// Legal implements engine.State.
func (s *State) Legal(dst []engine.Action, _ *engine.History) []engine.Action {
	if s.Outcome().Over {
		return dst
	}
	own, other := s.seen()
	ahead := board &^ own
	if !s.game.captureAhead {
		ahead &^= other
	}
	from := [3]uint32{
		own &^ leftColumn & (board &^ own >> steps[0]),
		own & (ahead >> steps[1]),
		own &^ (leftColumn << (cols - 1)) & (board &^ own >> steps[2]),
	}
	for step, b := range from {
		for ; b != 0; b &= b - 1 {
			dst = append(dst, engine.Action(cells*step+bits.TrailingZeros32(b)))
		}
	}
	return dst
}

// ends are the squares of a step as side x sees the board.
func (s *State) ends(a engine.Action) (from, to int) {
	from = int(a) % cells
	to = from + steps[int(a)/cells]
	if s.next() == 1 {
		return cells - 1 - from, cells - 1 - to
	}
	return from, to
}

// Apply implements engine.State.
func (s *State) Apply(a engine.Action, _ *engine.History) {
	side := s.next()
	from, to := s.ends(a)
	s.pawns[side] ^= 1<<from | 1<<to
	s.pawns[1-side] &^= 1 << to
	s.turn++
}

// Outcome implements engine.State. A game has no draws, and a pawn can always move: the
// foremost has no pawn of its own side ahead.
func (s *State) Outcome() engine.Outcome {
	switch {
	case s.pawns[0]&far[0] != 0:
		return engine.Outcome{Over: true, Winner: engine.First, Reason: reasonFar}
	case s.pawns[1]&far[1] != 0:
		return engine.Outcome{Over: true, Winner: engine.Second, Reason: reasonFar}
	case s.pawns[0] == 0:
		return engine.Outcome{Over: true, Winner: engine.Second, Reason: reasonCaptured}
	case s.pawns[1] == 0:
		return engine.Outcome{Over: true, Winner: engine.First, Reason: reasonCaptured}
	}
	return engine.Outcome{}
}

// Actor implements engine.State.
func (s *State) Actor() engine.Player {
	if s.Outcome().Over {
		return engine.Nobody
	}
	return engine.Player(s.next())
}

// Side implements engine.State.
func (s *State) Side() engine.Side { return s.next() }

// Turn implements engine.State.
func (s *State) Turn() int { return int(s.turn) }

// Hash implements engine.State.
func (s *State) Hash() uint64 {
	return kit.Mix(uint64(s.pawns[0]) | uint64(s.pawns[1])<<cells | uint64(s.next())<<(2*cells))
}

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { *s = *src.(*State) }

// Start implements engine.State.
func (s *State) Start(h *engine.History) {
	const two = lowRow | lowRow<<cols
	*s = State{game: s.game, pawns: [2]uint32{two, turnBoard(two)}}
	s.Begin(h)
}

// Begin implements engine.State. A game with a rule about repetition pushes the position
// here and in Apply.
func (s *State) Begin(h *engine.History) { h.Clear() }

// Swap implements engine.Swapper.
func (s *State) Swap() bool {
	s.pawns[0], s.pawns[1] = turnBoard(s.pawns[1]), turnBoard(s.pawns[0])
	s.turn ^= 1
	return true
}

// Material implements engine.Material.
func (s *State) Material(p engine.Player) float32 { return float32(bits.OnesCount32(s.pawns[p])) }
