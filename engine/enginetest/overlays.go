package enginetest

import (
	"maps"
	"reflect"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// checkOverlays checks what holds on the cells of a position: on the board, named, alike
// only if it has one name, the same from its packed bytes, and mapped by symmetries.
func (c *checker) checkOverlays(s engine.State) {
	d, ok := s.(engine.Overlaid)
	if !ok {
		return
	}
	l := d.Layout()
	overlays := d.AppendOverlays(nil)
	type looks struct {
		kind engine.OverlayKind
		side engine.Side
	}
	names := map[looks]string{}
	for i := range overlays {
		o := &overlays[i]
		cells := slices.Sorted(slices.Values(o.Cells))
		switch {
		case !slices.Contains([]engine.OverlayKind{engine.OverlayTint, engine.OverlayHatch, engine.OverlayRing, engine.OverlayLink}, o.Kind),
			o.Side < engine.NoSide, o.Side > 1, o.Name == "":
			c.fault(s, "picture: overlay %+v", *o)
			return
		case len(cells) == 0, o.Kind == engine.OverlayLink && len(cells) != 2, len(slices.Compact(slices.Clone(cells))) != len(cells):
			c.fault(s, "picture: overlay %q has the cells %v", o.Name, o.Cells)
			return
		case cells[0] < 0, cells[len(cells)-1] >= len(l.Cells):
			c.fault(s, "picture: overlay %q has a cell that is not on the board: %v of %d", o.Name, o.Cells, len(l.Cells))
			return
		}
		if other, ok := names[looks{o.Kind, o.Side}]; ok && other != o.Name {
			c.fault(s, "picture: overlays %q and %q of side %d look alike", other, o.Name, o.Side)
		}
		names[looks{o.Kind, o.Side}] = o.Name
	}
	if err := c.a.Unpack(s.Pack(nil)); err == nil && !reflect.DeepEqual(c.a.(engine.Overlaid).AppendOverlays(nil), overlays) {
		c.fault(s, "picture: unpacked, the position has other overlays")
	}
	for i := range c.info.Symmetries {
		if c.mapped>>i&1 != 0 {
			c.checkMappedOverlays(s, overlays, i)
		}
	}
}

// spread is how often each kind and side of overlay is on a cell, and at the other end of
// a link or -1.
type spread struct {
	kind       engine.OverlayKind
	side       engine.Side
	cell, with int
}

func spreadOf(overlays []engine.Overlay, to func(int) int) map[spread]int {
	t := map[spread]int{}
	for _, o := range overlays {
		for i, cell := range o.Cells {
			x := spread{o.Kind, o.Side, to(cell), -1}
			if o.Kind == engine.OverlayLink {
				x.with = to(o.Cells[1-i])
			}
			t[x]++
		}
	}
	return t
}

// checkMappedOverlays compares the overlays of the image with the mapped overlays.
func (c *checker) checkMappedOverlays(s engine.State, overlays []engine.Overlay, i int) {
	y := &c.info.Symmetries[i]
	l := s.(engine.Pictured).Layout()
	cell, whole := cellOfInput(l), true
	want := spreadOf(overlays, func(from int) int {
		in := l.Cells[from].Input
		whole = whole && in >= 0 // the tables do not say where other cells go
		return cell[image(y.Cells, max(in, 0))]
	})
	c.a.CopyFrom(s)
	c.a.Transform(i)
	got := spreadOf(c.a.(engine.Overlaid).AppendOverlays(nil), func(cell int) int { return cell })
	if whole && !maps.Equal(got, want) {
		c.fault(s, "picture: symmetry %q gives the overlays %v, want %v", y.Name, got, want)
	}
}

// checkTaken checks that what a mark of action a in s takes stands beside the board.
func (c *checker) checkTaken(s engine.State, a engine.Action, m *engine.Mark) {
	if m.From == nil {
		if m.Kind == engine.MarkTake {
			c.fault(s, "picture: %s takes nothing from beside the board: %+v", s.AppendAction(nil, a), *m)
		}
		return
	}
	if !slices.ContainsFunc(picturePieces(s), func(p engine.Piece) bool {
		return p.Cell < 0 && p.Side == m.From.Side && p.Kind == m.From.Kind
	}) {
		c.fault(s, "picture: %s takes a piece that is not beside the board: %+v", s.AppendAction(nil, a), *m.From)
	}
}
