package board

import (
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// dress is how the overlays of a side look: in the colour of its pieces if all have one
// that the other side's have not, else light for side 0 and dark for side 1; grey for
// neither. The directions of hatching differ, too.
type dress struct {
	fill, line string
	hatch      []engine.Point // directions
}

const diagonal = math.Sqrt2 / 2

func dressOf(l *engine.Layout, side engine.Side) dress {
	rising, falling := engine.Point{X: diagonal, Y: -diagonal}, engine.Point{X: diagonal, Y: diagonal}
	look := dress{"#8d8d8d", "#5a5a5a", []engine.Point{rising, falling}}
	switch side {
	case 0:
		look = dress{"#f2a93b", "#a86400", []engine.Point{rising}}
	case 1:
		look = dress{"#2f5d9b", "#17375f", []engine.Point{falling}}
	}
	if color := sideColor(l, side); color != "" {
		look.fill, look.line = tints[color].strong, tints[color].dark
	}
	return look
}

// sideColor is the colour that all pieces of a side have and none of the other's, "" if
// there is none.
func sideColor(l *engine.Layout, side engine.Side) string {
	if side == engine.NoSide || len(l.Kinds) == 0 {
		return ""
	}
	color := l.Kinds[0].Colors[side]
	for _, k := range l.Kinds {
		if k.Colors[side] != color || k.Colors[1-side] == color {
			return ""
		}
	}
	return color
}

// overlays draws the overlays of some kinds.
func (c *canvas) overlays(l *engine.Layout, list []engine.Overlay, kinds ...engine.OverlayKind) {
	for i := range list {
		if slices.Contains(kinds, list[i].Kind) {
			c.overlay(l, &list[i])
		}
	}
}

func (c *canvas) overlay(l *engine.Layout, o *engine.Overlay) {
	look := dressOf(l, o.Side)
	var d strings.Builder
	switch o.Kind {
	case engine.OverlayTint:
		for _, cell := range o.Cells {
			d.WriteString(c.outline(l, cell, .92))
		}
		c.printf(`<path fill="%s" fill-opacity=".4" stroke="%s" stroke-opacity=".8" stroke-width="%s" d="%s"/>`+"\n", look.fill, look.line, c.n(.045), d.String())
		return
	case engine.OverlayHatch:
		for _, cell := range o.Cells {
			for _, along := range look.hatch {
				d.WriteString(c.hatch(l, cell, along))
			}
		}
		c.printf(`<path fill="none" stroke="%s" stroke-opacity=".8" stroke-width="%s" d="%s"/>`+"\n", look.line, c.n(.04), d.String())
		return
	case engine.OverlayRing:
		for _, cell := range o.Cells {
			d.WriteString(c.circle(l.Cells[cell].Center, cellRadius(l, cell)+.03))
		}
	case engine.OverlayLink:
		d.WriteString("M" + c.at(l.Cells[o.Cells[0]].Center) + "L" + c.at(l.Cells[o.Cells[1]].Center))
	}
	c.printf(`<path fill="none" stroke="%s" stroke-width="%s" stroke-linecap="round" d="%s"/>`, haloColor, c.n(.14), d.String())
	c.printf(`<path fill="none" stroke="%s" stroke-width="%s" stroke-dasharray="%s %s" d="%s"/>`+"\n", look.line, c.n(.08), c.n(.16), c.n(.1), d.String())
}

// hatch is the lines over a cell in a direction, a unit vector. Those of neighbouring
// cells meet.
func (c *canvas) hatch(l *engine.Layout, cell int, along engine.Point) string {
	const apart, scale = .22, .9
	center, s := l.Cells[cell].Center, &l.Shapes[l.Cells[cell].Shape]
	// A point is split into how far it is along and across the lines.
	split := func(p engine.Point) (u, v float64) { return p.X*along.X + p.Y*along.Y, p.Y*along.X - p.X*along.Y }
	join := func(u, v float64) engine.Point {
		return engine.Point{X: u*along.X - v*along.Y, Y: u*along.Y + v*along.X}
	}
	us, vs := make([]float64, len(s.Corners)), make([]float64, len(s.Corners))
	for i, p := range s.Corners {
		us[i], vs[i] = split(engine.Point{X: center.X + scale*p.X, Y: center.Y + scale*p.Y})
	}
	middle, low := split(center)
	high := low
	if s.Radius > 0 {
		low, high = low-scale*s.Radius, high+scale*s.Radius
	} else {
		low, high = slices.Min(vs), slices.Max(vs)
	}
	var d strings.Builder
	for v := math.Ceil(low/apart) * apart; v < high; v += apart {
		var ends []float64
		if s.Radius > 0 {
			half := math.Sqrt(max(0, scale*s.Radius*scale*s.Radius-(v-(low+high)/2)*(v-(low+high)/2)))
			ends = []float64{middle - half, middle + half}
		}
		for i := range us {
			j := (i + 1) % len(us)
			if (vs[i] <= v) != (vs[j] <= v) {
				ends = append(ends, us[i]+(us[j]-us[i])*(v-vs[i])/(vs[j]-vs[i]))
			}
		}
		slices.Sort(ends)
		for i := 0; i+1 < len(ends); i += 2 {
			d.WriteString("M" + c.at(join(ends[i], v)) + "L" + c.at(join(ends[i+1], v)))
		}
	}
	return d.String()
}

// Sign is a small picture of how overlays of a kind and side look, with their name.
type Sign struct {
	Text  string `json:"text"`
	Drawn string `json:"drawn"`
}

// signLayout has two cells for signs of the overlays of l.
func signLayout(l *engine.Layout, at engine.Point) *engine.Layout {
	const r = .3
	return &engine.Layout{
		Kinds:  l.Kinds,
		Shapes: []engine.Shape{{Corners: box(r, r)}},
		Cells:  []engine.Cell{{Center: at}, {Center: engine.Point{X: at.X + .3, Y: at.Y - .3}}, {Center: engine.Point{X: at.X - .3, Y: at.Y + .3}}},
	}
}

// sign draws how an overlay of a layout looks, .7 units wide and high, around a point.
func (c *canvas) sign(l *engine.Layout, o engine.Overlay, at engine.Point) {
	o.Cells = []int{0}
	if o.Kind == engine.OverlayLink {
		o.Cells = []int{1, 2}
	}
	c.overlay(signLayout(l, at), &o)
}

// Signs explain the overlays of a picture, each name once.
func Signs(p *engine.Picture) (list []Sign) {
	for _, o := range differing(p) {
		c := &canvas{unit: DefaultUnitPixels, x: -.4, y: -.4}
		c.open(engine.Point{X: -.4, Y: -.4}, engine.Point{X: .4, Y: .4}, `aria-hidden="true"`)
		c.sign(p.Layout, o, engine.Point{})
		c.printf("</svg>")
		list = append(list, Sign{o.Words(p.Layout), c.buf.String()})
	}
	return list
}

// differing are the overlays of a picture that look different from those before.
func differing(p *engine.Picture) (list []engine.Overlay) {
	for _, o := range p.Overlays {
		if !slices.ContainsFunc(list, func(x engine.Overlay) bool { return x.Kind == o.Kind && x.Side == o.Side }) {
			list = append(list, o)
		}
	}
	return list
}
