package tictactoe

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var _ engine.Pictured = (*State)(nil)

var layout = func() *engine.Layout {
	l := kit.Grid(size, size)
	l.Kinds = []engine.PieceKind{{Name: "stone", Letters: [2]string{"x", "o"}, Colors: [2]string{"red", "blue"}}}
	l.Sides = info.Sides
	return l
}()

// Layout implements engine.Pictured.
func (s *State) Layout() *engine.Layout { return layout }

// AppendPieces implements engine.Pictured.
func (s *State) AppendPieces(dst []engine.Piece) []engine.Piece {
	for rest := s.taken(); rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros16(rest)
		dst = append(dst, engine.Piece{Cell: c, Side: engine.Side(s.stones[1] >> c & 1), Count: 1})
	}
	return dst
}

// AppendMarks implements engine.Pictured.
func (s *State) AppendMarks(dst []engine.Mark, a engine.Action, after engine.State) []engine.Mark {
	side := s.next()
	dst = append(dst, engine.Mark{Kind: engine.MarkPlace, Side: side, Cells: []int{int(a)}})
	for _, l := range lines {
		if after.(*State).stones[side]&l != l {
			continue
		}
		m := engine.Mark{Kind: engine.MarkLine, Side: side}
		for rest := l; rest != 0; rest &= rest - 1 {
			m.Cells = append(m.Cells, bits.TrailingZeros16(rest))
		}
		dst = append(dst, m)
	}
	return dst
}
