package connect4

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// Row 0 of a plane is the bottom of the board.
var features = engine.Features{
	Planes: 2, Height: rows, Width: cols,
	Globals:     1,
	MaskPlane:   -1,
	PlaneNames:  []string{"own stones", "other stones"},
	GlobalNames: []string{"stones / 42"},
}

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
	own := s.next()
	for b := s.stones[own]; b != 0; b &= b - 1 {
		planes[planeCell[bits.TrailingZeros64(b)]] = 1
	}
	for b := s.stones[1-own]; b != 0; b &= b - 1 {
		planes[cells+int(planeCell[bits.TrailingZeros64(b)])] = 1
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
