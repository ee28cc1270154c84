package connect4

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// Row 0 of a plane is the bottom of the board.
//
// Beside the stones, networks see where either side would complete a line, which
// cells can be played to, and the rows that the zugzwang at the end of the game
// gives to the side to move: First plays last in columns of odd rows (counted
// from 1), Second in even rows, so that a line to be completed there
// decides the game when all else is full (Allis 1988, section 3.3).
var features = engine.Features{
	Planes: 6, Height: rows, Width: cols,
	Globals:   1,
	MaskPlane: -1,
	PlaneNames: []string{
		"own stones", "other stones",
		"cells that complete an own line", "cells that complete a line of the other side",
		"cells that can be played to", "rows of one's own by parity",
	},
	GlobalNames: []string{"stones / 42"},
}

// odd are the first, third and fifth row.
const odd = bottom * 0b010101

// planeCell maps a bit of the board to row·cols + column.
var planeCell = func() (t [stride * cols]uint8) {
	for col := range cols {
		for row := range rows {
			t[stride*col+row] = uint8(cols*row + col)
		}
	}
	return t
}()

// Encode implements engine.State.
func (s *State) Encode(planes, globals []float32) {
	clear(planes)
	taken := s.taken()
	own, other := s.stones[s.next()], s.stones[1-s.next()]
	parity := odd
	if s.next() == 1 {
		parity = board ^ odd
	}
	for i, b := range [...]uint64{own, other, Lines(own, taken), Lines(other, taken), (taken + bottom) & board, parity} {
		plane := planes[i*cells : (i+1)*cells]
		for ; b != 0; b &= b - 1 {
			plane[planeCell[bits.TrailingZeros64(b)]] = 1
		}
	}
	globals[0] = float32(s.turn) / cells
}

// symmetries are the identity and the mirror.
var symmetries = func() []engine.Symmetry {
	y := engine.Symmetry{Name: "mirror", Cells: make([]int32, cells), Actions: make([]engine.Action, cols)}
	for c := range cells {
		row, col := c/cols, c%cols
		y.Cells[c] = int32(row*cols + cols - 1 - col)
	}
	for c := range cols {
		y.Actions[c] = engine.Action(cols - 1 - c)
	}
	return []engine.Symmetry{{Name: "identity"}, y}
}()

// SymmetryMask implements engine.State: both, always.
func (s *State) SymmetryMask() uint32 { return 0b11 }

// Transform implements engine.State.
func (s *State) Transform(i int) {
	if i == 1 {
		s.stones[0] = mirror(s.stones[0])
		s.stones[1] = mirror(s.stones[1])
	}
}

func mirror(b uint64) uint64 {
	var m uint64
	for c := range cols {
		m |= b >> (stride * c) & column << (stride * (cols - 1 - c))
	}
	return m
}
