package enginetest

import (
	"cmp"
	"fmt"
	"math"
	"math/cmplx"
	"reflect"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// checkLayout checks that the board of a Pictured state can be drawn: every
// cell once, on the board, where symmetries and the other seat look for it.
func (c *checker) checkLayout() {
	d, ok := c.a.(engine.Pictured)
	if !ok {
		return
	}
	l := d.Layout()
	if l == nil || c.b.(engine.Pictured).Layout() != l {
		c.fault(nil, "two states of a ruleset have different layouts, or none")
		return
	}
	if len(l.Cells) == 0 || len(l.Frame) < 3 || len(l.Zones) == 0 || l.Zones[0].Name != "" || l.Sides != c.info.Sides {
		c.fault(nil, "layout: %d cells, a frame of %d corners, zones %v, sides %q: want cells, three corners or more, a first zone without a name, and the sides of Info", len(l.Cells), len(l.Frame), l.Zones, l.Sides)
		return
	}
	inside := func(p engine.Point, margin float64) bool {
		return p.X >= -margin && p.X <= l.Width+margin && p.Y >= -margin && p.Y <= l.Height+margin
	}
	for _, p := range l.Frame {
		if !inside(p, 0) {
			c.fault(nil, "layout: the frame has a corner at %v, outside of the extent of %g × %g", p, l.Width, l.Height)
		}
	}
	for _, x := range l.Labels {
		if x.Text == "" || !inside(x.At, .5) {
			c.fault(nil, "layout: label %q at %v: want a text at most half a unit outside of the extent of %g × %g", x.Text, x.At, l.Width, l.Height)
		}
	}
	for _, z := range l.Zones {
		if z.Color != "" && !slices.Contains(engine.Colors(), z.Color) {
			c.fault(nil, "layout: zone %s has colour %q, want one of %q or none", z.Name, z.Color, engine.Colors())
		}
	}
	c.checkKinds(l)
	if c.checkCells(l, inside) {
		c.checkLayoutSymmetry(l, engine.Turned(c.g))
	}
}

// checkKinds checks that kinds of pieces can be told apart by name and letter.
func (c *checker) checkKinds(l *engine.Layout) {
	names, letters := map[string]bool{}, map[string]bool{}
	for _, k := range l.Kinds {
		if k.Name == "" || k.Letters[0] == "" || k.Letters[0] == k.Letters[1] || names[k.Name] || letters[k.Letters[0]] || letters[k.Letters[1]] && k.Letters[1] != "" {
			c.fault(nil, "layout: kind %q with letters %q: want a name and letters of its own (the second is empty if no side owns such pieces)", k.Name, k.Letters)
		}
		if k.Pips < 0 || k.Pips > engine.MaxPips {
			c.fault(nil, "layout: kind %q with %d pips: want 0 to %d", k.Name, k.Pips, engine.MaxPips)
		}
		names[k.Name], letters[k.Letters[0]], letters[k.Letters[1]] = true, true, true
		for _, color := range k.Colors {
			if color != "" && !slices.Contains(engine.Colors(), color) {
				c.fault(nil, "layout: kind %s has colour %q, want one of %q or none", k.Name, color, engine.Colors())
			}
		}
	}
}

// checkCells checks that no two cells have a name, place or input in common. It returns
// whether all have a shape and a zone.
func (c *checker) checkCells(l *engine.Layout, inside func(engine.Point, float64) bool) bool {
	names, inputs := map[string]bool{}, map[int]bool{}
	for i, x := range l.Cells {
		if x.Name == "" || names[x.Name] {
			c.fault(nil, "layout: cell %d has no name of its own: %q", i, x.Name)
		}
		names[x.Name] = true
		if x.Shape < 0 || x.Shape >= len(l.Shapes) || x.Zone < 0 || x.Zone >= len(l.Zones) || x.Shade < 0 || x.Shade > 1 {
			c.fault(nil, "layout: cell %s has shape %d, zone %d, shade %d: want those of the lists, and shade 0 or 1", x.Name, x.Shape, x.Zone, x.Shade)
			return false
		}
		if x.Input < -1 || x.Input >= c.info.Features.Cells() || x.Input >= 0 && inputs[x.Input] {
			c.fault(nil, "layout: cell %s has no input of its own: %d", x.Name, x.Input)
		}
		inputs[x.Input] = true
		s := l.Shapes[x.Shape]
		if s.Radius < 0 || (s.Radius == 0) != (len(s.Corners) >= 3) {
			c.fault(nil, "layout: shape %d is neither a circle nor a polygon", x.Shape)
		}
		corners := append([]engine.Point{{X: s.Radius}, {X: -s.Radius}, {Y: s.Radius}, {Y: -s.Radius}}, s.Corners...)
		for _, p := range corners {
			if at := (engine.Point{X: x.Center.X + p.X, Y: x.Center.Y + p.Y}); !inside(at, 1e-9) {
				c.fault(nil, "layout: cell %s reaches %v, outside of the extent of %g × %g", x.Name, at, l.Width, l.Height)
				break
			}
		}
		for _, y := range l.Cells[:i] {
			if distance(x.Center, y.Center) < 0.5 {
				c.fault(nil, "layout: the centres of cells %s and %s are %.2f apart", x.Name, y.Name, distance(x.Center, y.Center))
			}
		}
	}
	return true
}

func distance(p, q engine.Point) float64 { return math.Hypot(p.X-q.X, p.Y-q.Y) }

// checkLayoutSymmetry checks that a symmetry which holds in some position, or a Turner's
// other seat, turns or mirrors the picture of the board as a whole, zones and outlines of
// cells included. Zones may take each other's place, as a whole.
func (c *checker) checkLayoutSymmetry(l *engine.Layout, table []int32) {
	if table == nil {
		return
	}
	cell := cellOfInput(l)
	var from, to []int
	zone, back := map[int]int{}, map[int]int{}
	for i, x := range l.Cells {
		if x.Input < 0 {
			continue
		}
		j, ok := cell[int(table[x.Input])]
		if !ok {
			c.fault(nil, "layout: cell %s is mapped to input %d, which no cell has", x.Name, table[x.Input])
			return
		}
		y := l.Cells[j]
		if z, ok := zone[x.Zone]; !ok {
			zone[x.Zone] = y.Zone
		} else if z != y.Zone {
			c.fault(nil, "layout: cell %s is mapped to %s, of another zone", x.Name, y.Name)
		}
		if z, ok := back[y.Zone]; !ok {
			back[y.Zone] = x.Zone
		} else if z != x.Zone {
			c.fault(nil, "layout: cell %s is mapped to %s, of another zone", x.Name, y.Name)
		}
		from, to = append(from, i), append(to, j)
	}
	c.checkMoved(l, from, to)
}

// checkMoved checks that one turn or reflection of the plane takes each cell of from to
// that of to.
func (c *checker) checkMoved(l *engine.Layout, from, to []int) {
	fault := ""
	for _, move := range movesOf(l, from, to) {
		bent, other := false, ""
		for i := range from {
			x, y := &l.Cells[from[i]], &l.Cells[to[i]]
			bent = bent || cmplx.Abs(move(place(x.Center))-place(y.Center)) > 1e-6
			if other == "" && !covers(l, x, y, move) {
				other = fmt.Sprintf("layout: cell %s is mapped to %s, which has another outline", x.Name, y.Name)
			}
		}
		switch {
		case bent:
		case other == "":
			return
		default:
			fault = other
		}
	}
	if len(from) > 0 {
		c.fault(nil, "%s", cmp.Or(fault, "layout: a symmetry, or the other seat, bends the board"))
	}
}

func place(p engine.Point) complex128 { return complex(p.X, p.Y) }

// movesOf are the turn and the reflection that take the first two cells of from to those
// of to, if the distances allow that.
func movesOf(l *engine.Layout, from, to []int) []func(complex128) complex128 {
	if len(from) == 0 {
		return nil
	}
	at, goal := place(l.Cells[from[0]].Center), place(l.Cells[to[0]].Center)
	turn, mirror := complex(1, 0), complex(1, 0)
	if len(from) > 1 {
		a, b := place(l.Cells[from[1]].Center)-at, place(l.Cells[to[1]].Center)-goal
		turn, mirror = b/a, b/cmplx.Conj(a)
	}
	return []func(complex128) complex128{
		func(p complex128) complex128 { return goal + turn*(p-at) },
		func(p complex128) complex128 { return goal + mirror*cmplx.Conj(p-at) },
	}
}

// covers reports whether one cell's outline, moved, equals another's.
func covers(l *engine.Layout, x, y *engine.Cell, move func(complex128) complex128) bool {
	s, t := &l.Shapes[x.Shape], &l.Shapes[y.Shape]
	if math.Abs(s.Radius-t.Radius) > 1e-9 || len(s.Corners) != len(t.Corners) {
		return false
	}
	for _, p := range s.Corners {
		moved := move(place(x.Center) + place(p))
		if !slices.ContainsFunc(t.Corners, func(q engine.Point) bool { return cmplx.Abs(place(y.Center)+place(q)-moved) < 1e-6 }) {
			return false
		}
	}
	return true
}

func cellOfInput(l *engine.Layout) map[int]int {
	t := map[int]int{}
	for i, x := range l.Cells {
		if x.Input >= 0 {
			t[x.Input] = i
		}
	}
	return t
}

// checkPicture checks the pieces of a Pictured position: in order, the same from
// its packed bytes, mapped by symmetries, and with a mark on every cell
// that an action changes.
func (c *checker) checkPicture(s engine.State, h *engine.History) {
	d, ok := s.(engine.Pictured)
	if !ok {
		return
	}
	l, pieces := d.Layout(), d.AppendPieces(nil)
	for i, p := range pieces {
		onBoard := p.Cell >= 0
		if p.Cell < -1 || p.Cell >= len(l.Cells) || p.Kind < 0 || p.Kind >= len(l.Kinds) || p.Side < engine.NoSide || p.Side > 1 ||
			p.Count < 1 || onBoard && p.Count != 1 {
			c.fault(s, "picture: piece %+v: want a cell and a kind of the layout, a side, and a count of 1 on the board", p)
			return
		}
		if !onBoard && p.Side == engine.NoSide && l.Shared == "" {
			c.fault(s, "picture: %s stands beside the board for both sides, and Layout.Shared does not say where", l.Kinds[p.Kind].Name)
		}
		if i > 0 && (onBoard && p.Cell < pieces[i-1].Cell || onBoard && pieces[i-1].Cell < 0) {
			c.fault(s, "picture: a piece on cell %d follows one on %d: want them by cell, then those beside the board", p.Cell, pieces[i-1].Cell)
		}
		for _, t := range p.Tags {
			if t.Text == "" {
				c.fault(s, "picture: a tag of the piece on cell %d says nothing", p.Cell)
			}
		}
	}
	if err := c.a.Unpack(s.Pack(nil)); err == nil && !reflect.DeepEqual(picturePieces(c.a), pieces) {
		c.fault(s, "picture: unpacked, the position has other pieces")
	}
	for i := range c.info.Symmetries {
		if c.mapped>>i&1 != 0 {
			c.checkMappedPieces(s, pieces, i)
		}
	}
	c.checkOverlays(s)
	mark := h.Len()
	c.before = standing(c.before, l, pieces)
	for _, a := range engine.AppendPossible(nil, new([]engine.Weighted), s, h) {
		c.a.CopyFrom(s)
		c.a.Apply(a, h)
		h.Truncate(mark)
		c.checkMarks(s, c.a, a, l)
	}
}

func picturePieces(s engine.State) []engine.Piece { return s.(engine.Pictured).AppendPieces(nil) }

// stand is what a piece is when its place and words are left out: words may name
// a cell.
type stand struct {
	kind, count, tags int
	side              engine.Side
}

func standOf(p engine.Piece) stand { return stand{p.Kind, p.Count, len(p.Tags), p.Side} }

// checkMappedPieces compares the picture of the image with the mapped picture.
func (c *checker) checkMappedPieces(s engine.State, pieces []engine.Piece, i int) {
	y := &c.info.Symmetries[i]
	l := s.(engine.Pictured).Layout()
	cell := cellOfInput(l)
	want := map[int][]stand{}
	for _, p := range pieces {
		to := p.Cell
		if to >= 0 {
			in := l.Cells[to].Input
			if in < 0 {
				return // the tables do not say where such a cell goes
			}
			to = cell[image(y.Cells, in)]
		}
		want[to] = append(want[to], standOf(p))
	}
	c.a.CopyFrom(s)
	c.a.Transform(i)
	got := map[int][]stand{}
	for _, p := range picturePieces(c.a) {
		got[p.Cell] = append(got[p.Cell], standOf(p))
	}
	if !reflect.DeepEqual(got, want) {
		c.fault(s, "picture: symmetry %q gives the pieces %v, want %v", y.Name, got, want)
	}
}

// checkMarks checks that the marks of a from s, whose pieces are in c.before, to t are on
// the board and show what changed.
func (c *checker) checkMarks(s, t engine.State, a engine.Action, l *engine.Layout) {
	marked := map[int]bool{}
	for _, m := range s.(engine.Pictured).AppendMarks(nil, a, t) {
		c.checkTaken(s, a, &m)
		if (len(m.Cells) == 0) != (m.Kind == engine.MarkTake) || (m.Kind == engine.MarkMove || m.Kind == engine.MarkStrike) && len(m.Cells) < 2 || m.Side < engine.NoSide || m.Side > 1 {
			c.fault(s, "picture: %s has the mark %+v: want a side and cells, of a move or strike two or more, none of what is taken beside the board", s.AppendAction(nil, a), m)
		}
		for _, x := range m.Cells {
			if x < 0 || x >= len(l.Cells) {
				c.fault(s, "picture: %s marks cell %d of %d", s.AppendAction(nil, a), x, len(l.Cells))
			}
			marked[x] = true
		}
	}
	c.after = standing(c.after, l, picturePieces(t))
	for cell := range l.Cells {
		if !marked[cell] && !slices.Equal(c.before[cell], c.after[cell]) {
			c.fault(s, "picture: %s changes cell %s without a mark", s.AppendAction(nil, a), l.Cells[cell].Name)
		}
	}
}

// standing returns what stands on each cell, in the memory of on.
func standing(on [][]stand, l *engine.Layout, pieces []engine.Piece) [][]stand {
	if len(on) != len(l.Cells) {
		on = make([][]stand, len(l.Cells))
	}
	for i := range on {
		on[i] = on[i][:0]
	}
	for _, p := range pieces {
		if p.Cell >= 0 && p.Cell < len(on) {
			x := standOf(p)
			x.tags = 0 // they change without a move
			on[p.Cell] = append(on[p.Cell], x)
		}
	}
	return on
}
