package tictactoe

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

var _ engine.Pictured = (*State)(nil)

var layout = func() *engine.Layout {
	corner := func(x, y float64) engine.Point { return engine.Point{X: x, Y: y} }
	l := &engine.Layout{
		Width: size, Height: size,
		Frame:  []engine.Point{corner(0, 0), corner(size, 0), corner(size, size), corner(0, size)},
		Shapes: []engine.Shape{{Corners: []engine.Point{corner(-.5, -.5), corner(.5, -.5), corner(.5, .5), corner(-.5, .5)}}},
		Zones:  []engine.Zone{{Side: engine.NoSide}},
		Kinds:  []engine.PieceKind{{Name: "stone", Letters: [2]string{"x", "o"}, Colors: [2]string{"red", "blue"}}},
		Sides:  info.Sides,
	}
	for c := range cells {
		row, col := c/size, c%size
		at := engine.Point{X: float64(col) + .5, Y: size - float64(row) - .5}
		name := string(new(State).AppendAction(nil, engine.Action(c)))
		l.Cells = append(l.Cells, engine.Cell{Name: name, Center: at, Shade: (row + col) & 1, Input: c})
		if row == 0 {
			l.Labels = append(l.Labels, engine.Label{Text: name[:1], At: engine.Point{X: at.X, Y: size + .25}})
		}
		if col == 0 {
			l.Labels = append(l.Labels, engine.Label{Text: name[1:], At: engine.Point{X: -.25, Y: at.Y}})
		}
	}
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
