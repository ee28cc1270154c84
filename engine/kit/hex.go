package kit

import (
	"fmt"
	"math"
	"strconv"

	"github.com/ludozero/ludozero/engine"
)

// Way leads from one hex of a [Hex] to another: X in half hexes to the right as side 0
// sees it, Y in rows forward. The six neighbours are (±2, 0), (±1, 1) and (±1, -1).
type Way struct{ X, Y int }

// Hex is a board of hexagons that stand on a corner, in centred rows each of which is one
// longer or shorter than the one before. Hexes are numbered row by row from side 0's left.
// The board has the mirror X → -X and, if the rows read the same from both ends, the half
// turn by which side 1 sees it: hex i becomes Len()-1-i.
//
// On the grid of an observation a step to a side changes the column, and a step forward
// the row: to the right as well as to the front right by a column, to the front left by
// none. So a convolution sees all six neighbours.
type Hex struct {
	lengths []int
	at      []Way
	index   map[Way]int
	names   []string
	inputs  []int
	width   int
}

// NewHex describes a board by the lengths of its rows, side 0's first. Rows are named by
// the letters from a, hexes of a row by numbers from 1.
func NewHex(lengths ...int) *Hex {
	h := &Hex{lengths: lengths, index: map[Way]int{}}
	least, most := math.MaxInt, math.MinInt
	for r, n := range lengths {
		if r > 0 && n != lengths[r-1]-1 && n != lengths[r-1]+1 {
			panic(fmt.Sprintf("BUG: row %d of a board of hexes has %d after %d", r, n, lengths[r-1]))
		}
		for c := range n {
			at := Way{2*c - n + 1, r}
			h.index[at] = len(h.at)
			h.at = append(h.at, at)
			h.names = append(h.names, string(rune('a'+r))+strconv.Itoa(c+1))
			column := (at.X + at.Y + lengths[0]&1 + 1) >> 1
			h.inputs = append(h.inputs, column)
			least, most = min(least, column), max(most, column)
		}
	}
	h.width = most - least + 1
	for i, at := range h.at {
		h.inputs[i] += at.Y*h.width - least
	}
	return h
}

// Len is the number of hexes.
func (h *Hex) Len() int { return len(h.at) }

// Row is the row of a hex, from 0.
func (h *Hex) Row(hex int) int { return h.at[hex].Y }

// Way is the way from one hex to another.
func (h *Hex) Way(from, to int) Way {
	return Way{h.at[to].X - h.at[from].X, h.at[to].Y - h.at[from].Y}
}

// Next is the hex that a way leads to, -1 beyond the edge.
func (h *Hex) Next(from int, by Way) int {
	if to, ok := h.index[Way{h.at[from].X + by.X, h.at[from].Y + by.Y}]; ok {
		return to
	}
	return -1
}

// Mirror is the image of a hex under X → -X.
func (h *Hex) Mirror(hex int) int { return h.index[Way{-h.at[hex].X, h.at[hex].Y}] }

// Name is the name of a hex, Named the hex of a name or -1.
func (h *Hex) Name(hex int) string { return h.names[hex] }

// Named is the hex of a name, -1 for other words.
func (h *Hex) Named(name string) int {
	if len(name) < 2 {
		return -1
	}
	r := int(name[0]) - 'a'
	n, err := strconv.Atoi(name[1:])
	if err != nil || r < 0 || r >= len(h.lengths) || n < 1 || n > h.lengths[r] || strconv.Itoa(n) != name[1:] {
		return -1
	}
	return h.index[Way{2*n - 1 - h.lengths[r], r}]
}

// Grid is the size of the grid of an observation.
func (h *Hex) Grid() (height, width int) { return len(h.lengths), h.width }

// Input is where a hex stands on that grid, row·width + column.
func (h *Hex) Input(hex int) int { return h.inputs[hex] }

// Inputs maps the grid as image maps the hexes; cells without a hex stay.
func (h *Hex) Inputs(image func(hex int) int) []int32 {
	t := make([]int32, len(h.lengths)*h.width)
	for i := range t {
		t[i] = int32(i)
	}
	for hex, in := range h.inputs {
		t[in] = int32(h.inputs[image(hex)])
	}
	return t
}

// Layout is the picture of the board, a unit from a hex to the next, with the names of
// rows at their left ends. Zones, kinds and sides are for the caller to fill in.
func (h *Hex) Layout() *engine.Layout {
	radius, rise := 1/math.Sqrt(3), math.Sqrt(3)/2
	corners := make([]engine.Point, 6)
	for i := range corners {
		sin, cos := math.Sincos(float64(i) * math.Pi / 3)
		corners[i] = engine.Point{X: radius * sin, Y: -radius * cos}
	}
	longest, last := 0, len(h.lengths)-1
	for _, n := range h.lengths {
		longest = max(longest, n)
	}
	l := &engine.Layout{
		Width: float64(longest), Height: float64(last)*rise + 2*radius,
		Shapes: []engine.Shape{{Corners: corners}},
	}
	middle := l.Width / 2
	for hex, at := range h.at {
		center := engine.Point{X: middle + float64(at.X)/2, Y: radius + float64(last-at.Y)*rise}
		l.Cells = append(l.Cells, engine.Cell{Name: h.names[hex], Center: center, Shade: at.Y & 1, Input: h.inputs[hex]})
		if at.X == 1-h.lengths[at.Y] {
			l.Labels = append(l.Labels, engine.Label{Text: h.names[hex][:1], At: engine.Point{X: center.X - 1, Y: center.Y}})
		}
	}
	// The frame goes along the ends of the rows, up on the left and down on the right.
	for y := 0; y <= last; y++ {
		if y == 0 || y == last || (h.lengths[y]-h.lengths[y-1]) != (h.lengths[y+1]-h.lengths[y]) {
			half, at := float64(h.lengths[y])/2, radius+float64(last-y)*rise
			switch y {
			case 0:
				at += radius
			case last:
				at -= radius
			}
			l.Frame = append(l.Frame, engine.Point{X: middle - half, Y: at})
		}
	}
	for i := len(l.Frame) - 1; i >= 0; i-- {
		l.Frame = append(l.Frame, engine.Point{X: l.Width - l.Frame[i].X, Y: l.Frame[i].Y})
	}
	return l
}
