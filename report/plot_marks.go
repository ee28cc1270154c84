package report

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// arrow is where the arrow of a point begins that has one end but no value; NaN for
// other points.
func (p *point) arrow() float64 {
	switch {
	case !math.IsNaN(p.v):
	case math.IsInf(p.high, 1) && !math.IsInf(p.low, 0):
		return p.low
	case math.IsInf(p.low, -1) && !math.IsInf(p.high, 0):
		return p.high
	}
	return math.NaN()
}

// bar is an interval at one place.
type bar struct {
	x, low, high float64
	style        draw.LineStyle
}

// Plot implements plot.Plotter.
func (b *bar) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.StrokeLine2(b.style, x(b.x), y(b.low), x(b.x), y(b.high))
}

// arrow says that a value is above or below a place.
type arrow struct {
	x, from float64
	up      bool
	style   draw.LineStyle
}

// The size of arrows.
const (
	arrowLength = 22
	arrowHead   = 5
)

// GlyphBoxes implements plot.GlyphBoxer: it keeps room for the arrow.
func (a *arrow) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	r := vg.Rectangle{Min: vg.Point{X: -arrowHead - 1, Y: 0}, Max: vg.Point{X: arrowHead + 1, Y: arrowLength + 1}}
	if !a.up {
		r.Min.Y, r.Max.Y = -arrowLength-1, 0
	}
	return []plot.GlyphBox{{X: p.X.Norm(a.x), Y: p.Y.Norm(a.from), Rectangle: r}}
}

// Plot implements plot.Plotter.
func (a *arrow) Plot(c draw.Canvas, p *plot.Plot) {
	across, height := p.Transforms(&c)
	x, from, to, turn := across(a.x), height(a.from), height(a.from)+arrowLength, vg.Length(-arrowHead)
	if !a.up {
		to, turn = from-arrowLength, arrowHead
	}
	c.StrokeLine2(a.style, x, from, x, to)
	c.StrokeLine2(a.style, x-3, from, x+3, from)
	c.StrokeLines(a.style, []vg.Point{{X: x - arrowHead, Y: to + turn}, {X: x, Y: to}, {X: x + arrowHead, Y: to + turn}})
}

// endLabels are the names of curves, right of the picture at the height of their
// last points, moved apart where they would overlap.
type endLabels struct {
	style text.Style
	names []string
	paint []color.Color
	at    []plotter.XY
}

// set moves the name of a curve to a point of it.
func (l *endLabels) set(name string, paint color.Color, at plotter.XY) {
	i := slices.Index(l.names, name)
	if i < 0 {
		i = len(l.names)
		l.names, l.paint, l.at = append(l.names, name), append(l.paint, paint), append(l.at, at)
	}
	l.at[i] = at
}

// longestLabel bounds names, which may be descriptions of players.
const longestLabel = 22

func cutLabel(name string) string {
	if r := []rune(name); len(r) > longestLabel {
		return string(r[:longestLabel-1]) + "…"
	}
	return name
}

// GlyphBoxes implements plot.GlyphBoxer: it keeps room for the names.
func (l *endLabels) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	var boxes []plot.GlyphBox
	for _, name := range l.names {
		boxes = append(boxes, plot.GlyphBox{X: 1, Y: 0.5, Rectangle: vg.Rectangle{Max: vg.Point{X: l.style.Width(cutLabel(name)) + 10, Y: 1}}})
	}
	return boxes
}

// Plot implements plot.Plotter.
func (l *endLabels) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	order := make([]int, len(l.names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return -int(math.Copysign(1, l.at[a].Y-l.at[b].Y)) })
	heights := make([]vg.Length, len(order))
	line := l.style.Font.Size * 1.15
	for n, i := range order { // from the top down, each below the one before
		heights[n] = min(max(y(l.at[i].Y), c.Min.Y+line/2), c.Max.Y-line/2)
		if n > 0 {
			heights[n] = min(heights[n], heights[n-1]-line)
		}
	}
	if last := len(order) - 1; last >= 0 && heights[last] < c.Min.Y {
		up := c.Min.Y - heights[last] // push back what fell below the picture
		for n := range heights {
			heights[n] = min(heights[n]+up, c.Max.Y-line*vg.Length(n))
		}
	}
	for n, i := range order {
		sty := l.style
		sty.Color, sty.XAlign, sty.YAlign = l.paint[i], draw.XLeft, draw.YCenter
		c.FillText(sty, vg.Point{X: c.Max.X + 8, Y: heights[n]}, cutLabel(l.names[i]))
	}
}
