package pawnrace

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var _ engine.Pictured = (*State)(nil)

var layout = func() *engine.Layout {
	l := kit.Grid(rows, cols)
	l.Kinds = []engine.PieceKind{{Name: "pawn", Letters: info.Sides, Colors: [2]string{"red", "blue"}}}
	l.Sides = info.Sides
	return l
}()

// Layout implements engine.Pictured.
func (s *State) Layout() *engine.Layout { return layout }

// AppendPieces implements engine.Pictured.
func (s *State) AppendPieces(dst []engine.Piece) []engine.Piece {
	for b := s.pawns[0] | s.pawns[1]; b != 0; b &= b - 1 {
		at := bits.TrailingZeros32(b)
		dst = append(dst, engine.Piece{Cell: at, Side: engine.Side(s.pawns[1] >> at & 1), Count: 1})
	}
	return dst
}

// AppendMarks implements engine.Pictured.
func (s *State) AppendMarks(dst []engine.Mark, a engine.Action, _ engine.State) []engine.Mark {
	from, to := s.ends(a)
	dst = append(dst, engine.Mark{Kind: engine.MarkMove, Side: s.next(), Cells: []int{from, to}})
	if s.pawns[1-s.next()]>>to&1 != 0 {
		dst = append(dst, engine.Mark{Kind: engine.MarkRemove, Side: s.next(), Cells: []int{to}})
	}
	return dst
}
