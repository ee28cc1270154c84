package tictactoe

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var features = engine.Features{
	Planes: 2, Height: size, Width: size,
	Globals:     1,
	MaskPlane:   -1,
	PlaneNames:  []string{"own stones", "other stones"},
	GlobalNames: []string{"stones / 9"},
}

// Encode implements engine.State.
func (s *State) Encode(planes, globals []float32) {
	clear(planes)
	own := s.next()
	for b := s.stones[own]; b != 0; b &= b - 1 {
		planes[bits.TrailingZeros16(b)] = 1
	}
	for b := s.stones[1-own]; b != 0; b &= b - 1 {
		planes[cells+bits.TrailingZeros16(b)] = 1
	}
	globals[0] = float32(s.Turn()) / cells
}

// symmetries are the eight of the square. Bit 0 of an index mirrors left and
// right, bit 1 bottom and top, bit 2 then exchanges rows and columns.
var symmetries = func() []engine.Symmetry {
	list := []engine.Symmetry{{Name: "identity"}}
	for i, name := range []string{"mirror", "flip", "half turn", "diagonal", "quarter turn right", "quarter turn left", "antidiagonal"} {
		list = append(list, kit.Symmetry(name, size, size, func(row, col int) (int, int) {
			bit := i + 1
			if bit&1 != 0 {
				col = size - 1 - col
			}
			if bit&2 != 0 {
				row = size - 1 - row
			}
			if bit&4 != 0 {
				row, col = col, row
			}
			return row, col
		}, nil))
	}
	return list
}()

// SymmetryMask implements engine.State: all, always.
func (s *State) SymmetryMask() uint32 { return 1<<len(symmetries) - 1 }

// Transform implements engine.State.
func (s *State) Transform(i int) {
	to := symmetries[i].Cells
	if to == nil {
		return
	}
	for side, b := range s.stones {
		var image uint16
		for ; b != 0; b &= b - 1 {
			image |= 1 << to[bits.TrailingZeros16(b)]
		}
		s.stones[side] = image
	}
}
