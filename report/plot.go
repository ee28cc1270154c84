package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/report/figure"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// dotsUpTo is how many points of a line get a dot each: more would run together.
const dotsUpTo = 40

// svg draws the chart for a page.
func (c *chart) svg() string {
	low, high := c.ends()
	p := figure.New(c.unit, c.share, low, high)
	x := c.axis()
	p.X.Label.Text, p.X.Min, p.X.Max = x.label, x.from, x.to
	p.X.Tick.Marker = plot.ConstantTicks(x.ticks())
	labels := &endLabels{style: p.Y.Tick.Label}
	for i := range c.lines {
		c.draw(p, &x, i, labels)
	}
	if len(c.lines) > 1 {
		p.Add(labels)
	}
	return figure.Draw(p, c.ID, c.Title, c.description())
}

// draw adds line i with its band.
func (c *chart) draw(p *plot.Plot, x *acrossAxis, i int, labels *endLabels) {
	l := &c.lines[i]
	paint := figure.Palette[i%len(figure.Palette)]
	stroke := draw.LineStyle{Color: paint, Width: 1.6, Dashes: figure.Dashes[(i+i/len(figure.Palette))%len(figure.Dashes)]} // a sixth curve has the first colour and other dashes
	if l.bound {
		stroke.Color, stroke.Width, stroke.Dashes = figure.Ink, 0.9, []vg.Length{2, 2}
	}
	for _, run := range known(l.points) {
		var up, down, curve plotter.XYs
		for k := range run {
			q := &run[k]
			at := x.of(q)
			curve = append(curve, plotter.XY{X: at, Y: q.v})
			if !math.IsNaN(q.low) && !math.IsNaN(q.high) {
				up = append(up, plotter.XY{X: at, Y: min(q.high, p.Y.Max)})
				down = append(down, plotter.XY{X: at, Y: max(q.low, p.Y.Min)})
			}
		}
		if len(up) == 1 { // an interval without width would not be seen
			p.Add(&bar{up[0].X, down[0].Y, up[0].Y, draw.LineStyle{Color: paint, Width: 1}})
		} else if len(up) > 1 {
			slices.Reverse(down)
			band := &plotter.Polygon{XYs: []plotter.XYs{append(up, down...)}, Color: figure.Faded(paint)}
			p.Add(band)
		}
		p.Add(&plotter.Line{XYs: curve, LineStyle: stroke})
		if len(l.points) <= dotsUpTo && !l.bound || len(curve) == 1 {
			p.Add(&plotter.Scatter{XYs: curve, GlyphStyle: draw.GlyphStyle{Color: paint, Radius: 2, Shape: draw.CircleGlyph{}}})
		}
		labels.set(l.name, stroke.Color, curve[len(curve)-1])
	}
	for k := range l.points {
		if q := &l.points[k]; !math.IsNaN(q.arrow()) {
			p.Add(&arrow{x.of(q), q.arrow(), math.IsInf(q.high, 1), draw.LineStyle{Color: paint, Width: 1.6}})
		}
	}
}

// known cuts points apart where a value is missing.
func known(points []point) (runs [][]point) {
	start := -1
	for i := range points {
		missing := math.IsNaN(points[i].v)
		if !missing && start < 0 {
			start = i
		}
		if missing && start >= 0 {
			runs = append(runs, points[start:i])
			start = -1
		}
	}
	if start >= 0 {
		runs = append(runs, points[start:])
	}
	return runs
}

// description says in words what is to be seen.
func (c *chart) description() string {
	if c.plain != "" {
		return c.About
	}
	var parts []string
	for i := range c.lines {
		l := &c.lines[i]
		var first, last *point
		for k := range l.points {
			if q := &l.points[k]; !math.IsNaN(q.v) {
				if first == nil {
					first = q
				}
				last = q
			}
		}
		if first != last {
			parts = append(parts, fmt.Sprintf("%s: from %s in generation %d to %s in generation %d", l.name, c.text(first.v), first.generation, c.text(last.v), last.generation))
		} else {
			parts = append(parts, fmt.Sprintf("%s: %s in generation %d", l.name, c.text(last.v), last.generation))
		}
	}
	return fmt.Sprintf("%s, in %s. %s. The table below has the numbers.", c.Title, c.unit, strings.Join(parts, "; "))
}
