// Package connect4 is Connect Four on the usual board of 6 rows and 7 columns,
// a calibration weight: it is solved, and fast enough to be played by the
// million. Four in a row, column or diagonal win; a full board is a draw.
package connect4

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
	"github.com/ludozero/ludozero/internal/invariants"
)

// A cell is bit 7·column + row; row 0 is at the bottom. The seventh bit of a
// column is never a stone: it keeps shifted lines from wrapping into the next
// column, and gives a full column's carry a place.
//
//	    6 13 20 27 34 41 48
//	6 | 5 12 19 26 33 40 47
//	5 | 4 11 18 25 32 39 46
//	4 | 3 10 17 24 31 38 45
//	3 | 2  9 16 23 30 37 44
//	2 | 1  8 15 22 29 36 43
//	1 | 0  7 14 21 28 35 42
//	    1  2  3  4  5  6  7
const (
	rows   = 6
	cols   = 7
	stride = rows + 1
	cells  = rows * cols

	bottom uint64 = 1 | 1<<7 | 1<<14 | 1<<21 | 1<<28 | 1<<35 | 1<<42
	top    uint64 = bottom << (rows - 1)
	board  uint64 = bottom * (1<<rows - 1)
	column uint64 = 1<<rows - 1
)

func hasFour(b uint64) bool {
	m := b & (b >> stride) // horizontal
	r := m & (m >> (2 * stride))
	m = b & (b >> (stride - 1)) // falling
	r |= m & (m >> (2 * (stride - 1)))
	m = b & (b >> (stride + 1)) // rising
	r |= m & (m >> (2 * (stride + 1)))
	m = b & (b >> 1) // vertical
	r |= m & (m >> 2)
	return r != 0
}

// Lines are the empty cells in which a stone would complete a line of four for
// the owner of b, whether it can be played now or not. taken are all stones.
func Lines(b, taken uint64) uint64 {
	r := b << 1 & (b << 2) & (b << 3) // on top of three
	return (r | across(b, stride) | across(b, stride-1) | across(b, stride+1)) & (board ^ taken)
}

// across are the cells that complete three of b in the direction of d, with
// rubbish outside the board.
func across(b uint64, d uint) uint64 {
	// Pairs below and above a cell; with them the cell beyond the third or the
	// gap before it.
	low, high := b<<d&(b<<(2*d)), b>>d&(b>>(2*d))
	return low&(b<<(3*d)|b>>d) | high&(b<<d|b>>(3*d))
}

// State is a position. First is always x and moves first. The zero value is
// the start.
type State struct {
	kit.Plain
	stones [2]uint64
	turn   uint8 // stones on the board
	status status
}

type status uint8

const (
	open  status = iota
	four         // the side that moved last has four in a line
	drawn        // the board is full
)

var _ engine.State = (*State)(nil)

func (s *State) taken() uint64 { return s.stones[0] | s.stones[1] }

// Stones has the stones of First and of Second, laid out as the drawing at the top of
// this file has it.
func (s *State) Stones() (first, second uint64) { return s.stones[0], s.stones[1] }

// next is the side to move if the game is not over.
func (s *State) next() engine.Side { return engine.Side(s.turn & 1) }

// Actor implements engine.State.
func (s *State) Actor() engine.Player {
	if s.status != open {
		return engine.Nobody
	}
	return engine.Player(s.next())
}

// Side implements engine.State.
func (s *State) Side() engine.Side { return s.next() }

// Legal implements engine.State: the columns that are not full, by number.
func (s *State) Legal(dst []engine.Action, _ *engine.History) []engine.Action {
	if s.status != open {
		return dst
	}
	for free := top &^ s.taken(); free != 0; free &= free - 1 {
		dst = append(dst, engine.Action(bits.TrailingZeros64(free)/stride))
	}
	return dst
}

// Apply implements engine.State.
func (s *State) Apply(a engine.Action, _ *engine.History) {
	if invariants.Enabled && (s.status != open || a < 0 || a >= cols || s.taken()&(top&(column<<(stride*a))) != 0) {
		panic("BUG: connect4: illegal action")
	}
	taken := s.taken()
	own := &s.stones[s.turn&1]
	// Adding the column's bottom bit carries up to its lowest empty cell.
	*own |= (taken + 1<<(stride*a)) & (column << (stride * a)) &^ taken
	s.turn++
	switch {
	case hasFour(*own):
		s.status = four
	case s.turn == cells:
		s.status = drawn
	}
}

// Outcome implements engine.State.
func (s *State) Outcome() engine.Outcome {
	switch s.status {
	case four:
		return engine.Outcome{Over: true, Winner: engine.Player(1 - s.next()), Reason: "four"}
	case drawn:
		return engine.Outcome{Over: true, Winner: engine.Nobody, Reason: "full"}
	}
	return engine.Outcome{}
}

// Turn implements engine.State.
func (s *State) Turn() int { return int(s.turn) }

// key is a number of 49 bits that no other position has: in every column the
// stones of First, below a 1 just above the topmost stone.
func (s *State) key() uint64 { return s.taken() + bottom + s.stones[0] }

// Hash implements engine.State. It is one-to-one.
func (s *State) Hash() uint64 { return kit.Mix(s.key()) }

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
