package kit

import (
	"fmt"
	"strconv"

	"github.com/ludozero/ludozero/engine"
)

// A board of rows × cols squares has the cell cols·row + column; row 0 is at the bottom,
// where side 0 sits. A square is named as on a chessboard, by the letter of its column and
// the number of its row: b1 is cell 1.

// AppendSquare appends the name of a cell on a board of cols columns, at most 26.
func AppendSquare(dst []byte, cols, cell int) []byte {
	return strconv.AppendInt(append(dst, 'a'+byte(cell%cols)), int64(cell/cols)+1, 10)
}

// ParseSquare reads the name of a cell.
func ParseSquare(name string, rows, cols int) (cell int, err error) {
	if name != "" {
		col := int(name[0]) - 'a'
		row, err := strconv.Atoi(name[1:])
		if err == nil && col >= 0 && col < cols && row >= 1 && row <= rows && strconv.Itoa(row) == name[1:] {
			return cols*(row-1) + col, nil
		}
	}
	return 0, fmt.Errorf("square %.20q: want a1 to %s", name, AppendSquare(nil, cols, rows*cols-1))
}

// Grid is the layout of a board of rows × cols squares of two shades, whose inputs are
// their cells, with letters below and numbers to the left. Kinds and sides are for the
// caller to fill in, and zones if there are others than the plain one.
func Grid(rows, cols int) *engine.Layout {
	box := func(x, y, w, h float64) []engine.Point {
		return []engine.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + h}, {X: x, Y: y + h}}
	}
	l := &engine.Layout{
		Width: float64(cols), Height: float64(rows), Frame: box(0, 0, float64(cols), float64(rows)),
		Shapes: []engine.Shape{{Corners: box(-.5, -.5, 1, 1)}}, Zones: []engine.Zone{{Side: engine.NoSide}},
	}
	for cell := range rows * cols {
		row, col := cell/cols, cell%cols
		name := string(AppendSquare(nil, cols, cell))
		at := engine.Point{X: float64(col) + .5, Y: float64(rows-row) - .5}
		l.Cells = append(l.Cells, engine.Cell{Name: name, Center: at, Shade: (row + col) & 1, Input: cell})
		if row == 0 {
			l.Labels = append(l.Labels, engine.Label{Text: name[:1], At: engine.Point{X: at.X, Y: float64(rows) + .25}})
		}
		if col == 0 {
			l.Labels = append(l.Labels, engine.Label{Text: name[1:], At: engine.Point{X: -.25, Y: at.Y}})
		}
	}
	return l
}

// Symmetry maps a board of rows × cols squares by to, and the policy planes by planes,
// nil if each maps to itself. It is for games whose actions are numbered as the cells of
// their policy planes and whose observation has no input with a direction.
func Symmetry(name string, rows, cols int, to func(row, col int) (int, int), planes []int) engine.Symmetry {
	n := rows * cols
	if planes == nil {
		planes = []int{0}
	}
	y := engine.Symmetry{Name: name}
	for cell := range n {
		row, col := to(cell/cols, cell%cols)
		y.Cells = append(y.Cells, int32(cols*row+col))
	}
	for _, p := range planes {
		for _, cell := range y.Cells {
			y.Actions = append(y.Actions, engine.Action(n*p)+engine.Action(cell))
		}
	}
	return y
}

// Count lists 0 to n-1: the policy cells of a game whose actions are numbered as they are.
func Count(n int) []int32 {
	t := make([]int32, n)
	for i := range t {
		t[i] = int32(i)
	}
	return t
}

// HalfTurn maps each of n cells to where a half turn of the board takes it, for
// engine.Turner.
func HalfTurn(n int) []int32 {
	t := make([]int32, n)
	for i := range t {
		t[i] = int32(n - 1 - i)
	}
	return t
}

// Transpose mirrors a board of 64 cells, 8·row + column, so that rows become columns:
// blocks of one, two and four cells off the diagonal change places.
func Transpose(b uint64) uint64 {
	t := (b ^ b>>7) & 0x00aa00aa00aa00aa
	b ^= t ^ t<<7
	t = (b ^ b>>14) & 0x0000cccc0000cccc
	b ^= t ^ t<<14
	t = (b ^ b>>28) & 0x00000000f0f0f0f0
	return b ^ t ^ t<<28
}

// Offset is the cell some rows and columns away on a board of rows × cols, -1 beyond the
// edge.
func Offset(rows, cols, cell, byRows, byCols int) int {
	row, col := cell/cols+byRows, cell%cols+byCols
	if row < 0 || row >= rows || col < 0 || col >= cols {
		return -1
	}
	return cols*row + col
}
