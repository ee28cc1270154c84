// Package board draws pictures of positions as SVG: small, self-contained,
// without scripts, fonts or ids, so that a page can hold any number of them.
//
// Sides differ by light and dark, kinds of pieces by shape and letter, moves have
// arrows and outlines: a picture is readable in black and white and with colour
// blindness. The board keeps its light colours in dark mode; the texts around it
// take the colour of the page. The colours are near the palette of Okabe and Ito,
// Color Universal Design (2008).
package board

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// Options say how to draw a picture.
type Options struct {
	// UnitPixels is the length of a unit of the layout in pixels; 0 is
	// DefaultUnitPixels.
	UnitPixels float64
	// NoStyle leaves out the style element, for a page that has CSS itself.
	NoStyle bool
	// Flipped puts side 1 at the bottom.
	Flipped bool
	// Bare draws the board and its labels alone, for a page that shows the rest around
	// it and lays targets over the cells. Its viewBox is the plane of the Layout,
	// scaled by the attribute data-unit. The elements of a piece have the attribute
	// data-on, the index of its cell, so that the page can move them.
	Bare bool
}

// DefaultUnitPixels makes a board of eight squares about 450 pixels wide.
const DefaultUnitPixels = 40

// Class is the class of the svg element.
const Class = "lz-board"

// CSS is the style of pictures: texts around the board take the colour of the page,
// which is light in dark mode. Without CSS they are dark.
const CSS = `.lz-board{color:#222;max-width:100%;height:auto}` +
	`@media(prefers-color-scheme:dark){.lz-board{color:#e6e6e6}}` +
	`@media print{.lz-board{color:#000}}`

// Colours of the board and of marks.
const (
	frameFill   = "#8a7650"
	frameStroke = "#4c4028"
	signColor   = "#7a6a45"
	fromColor   = "#c9b3e6"
	markColor   = "#5b1a8b"
	haloColor   = "#fff"
)

// shades are the colours of cells by zone, then shade. Zones beyond the last reuse
// them, except those of the plain zone.
var shades = [][2]string{
	{"#f7f1e1", "#e6dabd"}, {"#c3dcec", "#b3d0e3"}, {"#f3d9a4", "#f3d9a4"}, {"#d5d0c8", "#d5d0c8"}, {"#d5d0c8", "#d5d0c8"},
}

// canvas collects the elements of a picture. Lengths are in units until they
// are written.
type canvas struct {
	buf  bytes.Buffer
	unit float64
	// x and y are the top left corner of the picture in the layout's plane.
	x, y float64
	// apart draws each piece by elements of its own.
	apart bool
}

// tenths is a length in tenths of a pixel, the precision of the output.
func (c *canvas) tenths(units float64) int { return int(math.Round(units * c.unit * 10)) }

func tenths(n int) string { return strconv.FormatFloat(float64(n)/10, 'f', -1, 64) }

// n writes a length in pixels.
func (c *canvas) n(units float64) string { return tenths(c.tenths(units)) }

func (c *canvas) at(p engine.Point) string { return c.n(p.X-c.x) + " " + c.n(p.Y-c.y) }

func (c *canvas) printf(format string, args ...any) { fmt.Fprintf(&c.buf, format, args...) }

// text writes a text whose middle, or start, is at p.
func (c *canvas) text(p engine.Point, size float64, text string) {
	c.printf(`<text x="%s" y="%s">%s</text>`, c.n(p.X-c.x), c.n(p.Y+.36*size-c.y), escape(text))
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", " ")

func escape(s string) string { return escaper.Replace(s) }

// SVG draws a picture. The result depends on the arguments alone.
func SVG(p *engine.Picture, o Options) []byte {
	c := &canvas{unit: o.UnitPixels, apart: o.Bare}
	if c.unit <= 0 {
		c.unit = DefaultUnitPixels
	}
	if o.Flipped {
		p = flip(p)
	}
	bottom := engine.Side(0)
	if o.Flipped {
		bottom = 1
	}
	f := newFrame(p, bottom)
	if o.Bare {
		f.min, f.max = extent(p.Layout)
		c.open(f.min, f.max, fmt.Sprintf(`data-unit="%g"`, c.unit))
	} else {
		c.x, c.y = f.min.X, f.min.Y
		c.open(f.min, f.max, `role="img"`)
		c.printf("<title>%s</title><desc>%s</desc>", escape(Title(p)), escape(Describe(p)))
	}
	if !o.NoStyle {
		c.printf("<style>%s</style>", CSS)
	}
	c.printf("\n")
	c.board(p)
	c.overlays(p.Layout, p.Overlays, engine.OverlayTint)
	c.highlights(p)
	c.overlays(p.Layout, p.Overlays, engine.OverlayHatch, engine.OverlayLink)
	c.pieces(p)
	c.overlays(p.Layout, p.Overlays, engine.OverlayRing)
	c.marks(p)
	c.tags(p)
	c.labels(p.Layout)
	if !o.Bare {
		c.surround(p, &f)
	}
	c.printf("</svg>\n")
	return c.buf.Bytes()
}

// open begins an svg element that shows the plane from min to max.
func (c *canvas) open(min, max engine.Point, attributes string) {
	width, height := c.n(max.X-min.X), c.n(max.Y-min.Y)
	c.printf(`<svg xmlns="http://www.w3.org/2000/svg" class="%s" %s width="%s" height="%s" viewBox="%s %s %s" font-family="system-ui,'DejaVu Sans',Arial,sans-serif" color="#222">`,
		Class, attributes, width, height, c.at(min), width, height)
}

// flip turns a picture by half a circle.
func flip(p *engine.Picture) *engine.Picture {
	q, l := *p, *p.Layout
	q.Layout = &l
	turn := func(p *engine.Point) { *p = engine.Point{X: l.Width - p.X, Y: l.Height - p.Y} }
	l.Frame = changed(l.Frame, turn)
	l.Cells = changed(l.Cells, func(c *engine.Cell) { turn(&c.Center) })
	l.Labels = changed(l.Labels, func(t *engine.Label) { turn(&t.At) })
	l.Shapes = changed(l.Shapes, func(s *engine.Shape) {
		s.Corners = changed(s.Corners, func(p *engine.Point) { p.X, p.Y = -p.X, -p.Y })
	})
	return &q
}

// changed is a copy of a list with each element changed.
func changed[T any](list []T, change func(*T)) []T {
	list = slices.Clone(list)
	for i := range list {
		change(&list[i])
	}
	return list
}

// board draws the frame, the cells and the signs of zones on empty cells.
func (c *canvas) board(p *engine.Picture) {
	l := p.Layout
	c.printf(`<path fill="%s" stroke="%s" stroke-width="%s" stroke-linejoin="round" d="%s"/>`,
		frameFill, frameStroke, c.n(.12), c.polygon(l.Frame, engine.Point{}))
	for z := range l.Zones {
		for shade := range 2 {
			var d strings.Builder
			for i := range l.Cells {
				if cell := &l.Cells[i]; cell.Zone == z && cell.Shade == shade {
					d.WriteString(c.outline(l, i, 1))
				}
			}
			if d.Len() > 0 {
				i, edge := z, .02
				if z > 0 { // visible without colours, and around a piece
					edge = .06
				}
				if i >= len(shades) {
					i = 1 + (z-1)%(len(shades)-1)
				}
				fill := shades[i][shade]
				if color := l.Zones[z].Color; color != "" {
					fill = tints[color].light
				}
				c.printf(`<path fill="%s" stroke="%s" stroke-width="%s" d="%s"/>`, fill, frameStroke, c.n(edge), d.String())
			}
		}
	}
	c.printf("\n")
	taken := occupied(p)
	const size = .5
	c.printf(`<g fill="%s" font-size="%s" text-anchor="middle">`, signColor, c.n(size))
	for i, cell := range l.Cells {
		if sign := l.Zones[cell.Zone].Sign; sign != "" && !taken[i] {
			at := cell.Center
			if sign == "*" || sign == "^" { // these characters are high in their line
				at.Y += .15
			}
			c.text(at, size, sign)
		}
	}
	c.printf("</g>\n")
}

// outline is the path of a cell, scaled about its centre.
func (c *canvas) outline(l *engine.Layout, cell int, scale float64) string {
	x := &l.Cells[cell]
	s := &l.Shapes[x.Shape]
	if s.Radius > 0 {
		return c.circle(x.Center, s.Radius*scale)
	}
	corners := make([]engine.Point, len(s.Corners))
	for i, p := range s.Corners {
		corners[i] = engine.Point{X: p.X * scale, Y: p.Y * scale}
	}
	return c.polygon(corners, x.Center)
}

func (c *canvas) circle(at engine.Point, r float64) string {
	return fmt.Sprintf("M%sa%s %s 0 1 0 %s 0a%s %s 0 1 0 %s 0z",
		c.at(engine.Point{X: at.X - r, Y: at.Y}), c.n(r), c.n(r), c.n(2*r), c.n(r), c.n(r), c.n(-2*r))
}

// polygon is the path of corners around a point: the first, then relative steps, which
// are shorter. Steps are differences of rounded points, so that cells meet.
func (c *canvas) polygon(corners []engine.Point, around engine.Point) string {
	var b strings.Builder
	lastX, lastY := 0, 0
	for i, p := range corners {
		x, y := c.tenths(p.X+around.X-c.x), c.tenths(p.Y+around.Y-c.y)
		b.WriteByte("Ml"[min(i, 1)])
		b.WriteString(tenths(x - lastX))
		if y >= lastY {
			b.WriteByte(' ') // otherwise the sign separates them
		}
		b.WriteString(tenths(y - lastY))
		lastX, lastY = x, y
	}
	return b.String() + "z"
}

// occupied marks the cells with a piece.
func occupied(p *engine.Picture) []bool {
	t := make([]bool, len(p.Layout.Cells))
	for _, x := range p.Pieces {
		if x.Cell >= 0 {
			t[x.Cell] = true
		}
	}
	return t
}
