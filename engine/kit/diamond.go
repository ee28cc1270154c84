package kit

import "github.com/ludozero/ludozero/engine"

// Diamond is a board of size × size squares stood on a corner: the square of row and
// column 0 is at the bottom, where side 0 sits, rows go up to the left and columns up to
// the right. The cell of a square is size·row + column, its input stride·row + column;
// its name is two characters, those of the row and of the column, which also stand at
// both ends of each. Zones, kinds and sides are for the caller to fill in.
func Diamond(size, stride int, name func(row, col int) string) *engine.Layout {
	// Half the diagonal of a square in tenths of a unit, so that an edge is about one.
	const half = 7
	tenths := func(x, y int) engine.Point { return engine.Point{X: float64(x) / 10, Y: float64(y) / 10} }
	end := 2 * size * half
	l := &engine.Layout{
		Width: float64(end) / 10, Height: float64(end) / 10,
		Frame:  []engine.Point{tenths(end/2, 0), tenths(end, end/2), tenths(end/2, end), tenths(0, end/2)},
		Shapes: []engine.Shape{{Corners: []engine.Point{tenths(0, -half), tenths(half, 0), tenths(0, half), tenths(-half, 0)}}},
	}
	for row := range size {
		for col := range size {
			x, y := (size-row+col)*half, (2*size-1-row-col)*half
			text := name(row, col)
			l.Cells = append(l.Cells, engine.Cell{Name: text, Center: tenths(x, y), Shade: (row + col) & 1, Input: stride*row + col})
			const off = 6
			label := func(text string, dx, dy int) {
				l.Labels = append(l.Labels, engine.Label{Text: text, At: tenths(x+dx, y+dy)})
			}
			if col == 0 {
				label(text[:1], -off, off)
			}
			if col == size-1 {
				label(text[:1], off, -off)
			}
			if row == 0 {
				label(text[1:], off, off)
			}
			if row == size-1 {
				label(text[1:], -off, -off)
			}
		}
	}
	return l
}
