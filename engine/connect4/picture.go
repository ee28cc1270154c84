package connect4

import (
	"fmt"
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

var _ engine.Pictured = (*State)(nil)

// holeRadius is the radius of a hole in the board: as on the real one, the board
// shows between them.
const holeRadius = .42

// layout has the cells in the order of their bits. A cell is named by column and
// row, "4.1".
var layout = func() *engine.Layout {
	corner := func(x, y float64) engine.Point { return engine.Point{X: x, Y: y} }
	l := &engine.Layout{
		Width: cols, Height: rows,
		Frame:  []engine.Point{corner(0, 0), corner(cols, 0), corner(cols, rows), corner(0, rows)},
		Shapes: []engine.Shape{{Radius: holeRadius}},
		Zones:  []engine.Zone{{Side: engine.NoSide}},
		Kinds:  []engine.PieceKind{{Name: "stone", Letters: [2]string{"x", "o"}, Colors: [2]string{"red", "yellow"}}},
		Sides:  info.Sides,
	}
	for col := range cols {
		x := float64(col) + .5
		for row := range rows {
			l.Cells = append(l.Cells, engine.Cell{
				Name: fmt.Sprintf("%d.%d", col+1, row+1), Center: engine.Point{X: x, Y: rows - float64(row) - .5}, Input: cols*row + col,
			})
		}
		l.Labels = append(l.Labels, engine.Label{Text: string(rune('1' + col)), At: engine.Point{X: x, Y: rows + .25}})
	}
	return l
}()

// layoutCell is the index in the layout of a bit of the board.
func layoutCell(bit int) int { return rows*(bit/stride) + bit%stride }

// Layout implements engine.Pictured.
func (s *State) Layout() *engine.Layout { return layout }

// AppendPieces implements engine.Pictured.
func (s *State) AppendPieces(dst []engine.Piece) []engine.Piece {
	for rest := s.taken(); rest != 0; rest &= rest - 1 {
		bit := bits.TrailingZeros64(rest)
		dst = append(dst, engine.Piece{Cell: layoutCell(bit), Side: engine.Side(s.stones[1] >> bit & 1), Count: 1})
	}
	return dst
}

// AppendMarks implements engine.Pictured: the stone, and the lines of four that
// it makes.
func (s *State) AppendMarks(dst []engine.Mark, _ engine.Action, after engine.State) []engine.Mark {
	t, side := after.(*State), s.next()
	own := t.stones[side]
	stone := bits.TrailingZeros64(t.taken() &^ s.taken())
	dst = append(dst, engine.Mark{Kind: engine.MarkPlace, Side: side, Cells: []int{layoutCell(stone)}})
	for _, step := range [4]int{1, stride - 1, stride, stride + 1} {
		line := uint64(1) << stone
		for b := line; b != 0; {
			b = (b<<step | b>>step) & own &^ line
			line |= b
		}
		if bits.OnesCount64(line) < 4 {
			continue
		}
		m := engine.Mark{Kind: engine.MarkLine, Side: side}
		for ; line != 0; line &= line - 1 {
			m.Cells = append(m.Cells, layoutCell(bits.TrailingZeros64(line)))
		}
		dst = append(dst, m)
	}
	return dst
}
