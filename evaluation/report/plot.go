package report

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Size of a plot in points, which are the pixels of a page at its full width. It
// is small, so that its text can be read where the page is narrow.
const (
	plotWidth  = 460
	plotHeight = 250
	plotText   = 10
)

// dotsUpTo is how many points of a line get a dot each: more would run together.
const dotsUpTo = 40

// The colours of a plot stand for variables of the page, which has others for
// dark screens. The five of the curves are Okabe and Ito's, which colour-blind
// people can tell apart; curves also differ in their dashes.
var (
	ink     = color.RGBA{0x11, 0x12, 0x13, 255}
	faint   = color.RGBA{0xd1, 0xd2, 0xd3, 255}
	palette = []color.RGBA{{0x00, 0x72, 0xb2, 255}, {0xd5, 0x5e, 0x00, 255}, {0x00, 0x9e, 0x73, 255}, {0xcc, 0x79, 0xa7, 255}, {0xe6, 0x9f, 0x00, 255}}
	dashes  = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}, {4, 2}}
)

// faded is a colour through which a curve and other bands can be seen. Its parts
// are rounded up, so that the canvas, which divides by the opacity again and cuts
// off, writes exactly the colour that the page has a variable for.
type faded color.RGBA

// bandOpacity is that of faded colours, of 0xffff.
const bandOpacity = 0x3030

// RGBA implements color.Color.
func (f faded) RGBA() (r, g, b, a uint32) {
	part := func(x uint8) uint32 { return (uint32(x)*bandOpacity + 254) / 255 }
	return part(f.R), part(f.G), part(f.B), bandOpacity
}

// svg draws the chart for a page.
func (c *chart) svg() string {
	p := plot.New()
	p.BackgroundColor = nil
	style(&p.X)
	style(&p.Y)
	x := c.axis()
	p.X.Label.Text, p.Y.Label.Text = x.label, c.unit
	p.X.Min, p.X.Max = x.from, x.to
	p.X.Tick.Marker = plot.ConstantTicks(x.ticks())
	p.Y.Min, p.Y.Max = c.ends()
	p.Y.Tick.Marker = plot.TickerFunc(c.ticks)
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color, grid.Horizontal.Width = faint, 0.6
	p.Add(grid)
	labels := &endLabels{style: p.Y.Tick.Label}
	for i := range c.lines {
		c.draw(p, &x, i, labels)
	}
	if len(c.lines) > 1 {
		p.Add(labels)
	}
	canvas := vgsvg.New(plotWidth, plotHeight)
	p.Draw(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		panic("BUG: a buffer refuses to be written to: " + err.Error())
	}
	return c.inline(b.String())
}

// style sets the looks of an axis.
func style(a *plot.Axis) {
	sans := font.Font{Typeface: "Liberation", Variant: "Sans", Size: plotText}
	a.Color, a.Width, a.Padding = ink, 0.8, 4
	a.Label.TextStyle.Font, a.Label.TextStyle.Color, a.Label.Padding = sans, ink, 3
	a.Tick.Label.Font, a.Tick.Label.Color = sans, ink
	a.Tick.Color, a.Tick.Width, a.Tick.Length = ink, 0.8, 4
}

// draw adds line i with its band.
func (c *chart) draw(p *plot.Plot, x *acrossAxis, i int, labels *endLabels) {
	l := &c.lines[i]
	paint := palette[i%len(palette)]
	stroke := draw.LineStyle{Color: paint, Width: 1.6, Dashes: dashes[(i+i/len(palette))%len(dashes)]} // a sixth curve has the first colour and other dashes
	if l.bound {
		stroke.Color, stroke.Width, stroke.Dashes = ink, 0.9, []vg.Length{2, 2}
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
			band := &plotter.Polygon{XYs: []plotter.XYs{append(up, down...)}, Color: faded(paint)}
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

// fontStyle is what the canvas says of a font but for its size; the page has it.
var fontStyle = regexp.MustCompile(`font-family:[^;]*;font-variant:[^;]*;font-weight:[^;]*;font-style:[^;]*;`)

// inline makes a drawing of the canvas part of a page: without a head of its own,
// with its title and what it shows for those who do not see it, and with the
// page's colours.
func (c *chart) inline(drawn string) string {
	_, body, _ := strings.Cut(drawn, "<svg")
	_, body, _ = strings.Cut(body, ">")
	body = fontStyle.ReplaceAllString(body, "")
	variables := []string{hex(ink), "var(--ink)", hex(faint), "var(--grid)"}
	for i, p := range palette {
		variables = append(variables, hex(p), fmt.Sprintf("var(--c%d)", i+1))
	}
	body = strings.NewReplacer(variables...).Replace(body)
	return fmt.Sprintf(`<svg class="plot" viewBox="0 0 %d %d" role="img" aria-labelledby="%s-t %s-d"><title id="%s-t">%s</title><desc id="%s-d">%s</desc>%s`,
		plotWidth, plotHeight, c.id, c.id, c.id, html.EscapeString(c.title), c.id, html.EscapeString(c.description()), body)
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// description says in words what is to be seen.
func (c *chart) description() string {
	if c.plain != "" {
		return c.about
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
	return fmt.Sprintf("%s, in %s. %s. The table below has the numbers.", c.title, c.unit, strings.Join(parts, "; "))
}
