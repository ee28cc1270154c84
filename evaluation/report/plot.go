package report

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
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
	stroke := draw.LineStyle{Color: paint, Width: 1.6, Dashes: dashes[i%len(dashes)]}
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
		if len(l.points) <= dotsUpTo && !l.bound {
			p.Add(&plotter.Scatter{XYs: curve, GlyphStyle: draw.GlyphStyle{Color: paint, Radius: 2, Shape: draw.CircleGlyph{}}})
		}
		labels.set(l.name, stroke.Color, curve[len(curve)-1])
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

// ends are those of the vertical axis: the chart's, or that of all values
// and of what of their intervals is not much wider.
func (c *chart) ends() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	values := [2]float64{low, high}
	each := func(do func(*point)) {
		for i := range c.lines {
			for k := range c.lines[i].points {
				if q := &c.lines[i].points[k]; !math.IsNaN(q.v) {
					do(q)
				}
			}
		}
	}
	each(func(q *point) { values = [2]float64{min(values[0], q.v), max(values[1], q.v)} })
	room := max(values[1]-values[0], math.Abs(values[1])/10, 1e-9)
	low, high = values[0], values[1]
	each(func(q *point) {
		if q.low >= values[0]-2*room {
			low = min(low, q.low)
		}
		if q.high <= values[1]+2*room {
			high = max(high, q.high)
		}
	})
	margin := max(high-low, math.Abs(high)/10, 1e-9) / 20
	low, high = low-margin, high+margin
	if !math.IsNaN(c.low) {
		low = c.low
	}
	if !math.IsNaN(c.high) {
		high = c.high
	}
	if !(low < high) {
		high = low + 1
	}
	return low, high
}

// ticks writes the marks of the vertical axis.
func (c *chart) ticks(low, high float64) []plot.Tick {
	step := nice((high - low) / 5)
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	if c.share {
		digits = max(0, digits-2)
	}
	var list []plot.Tick
	for k := math.Ceil(low/step - 1e-9); k*step <= high+step*1e-9; k++ {
		v := k*step + 0 // not a negative zero
		label := grouped(int64(math.Round(v)))
		switch {
		case c.share:
			label = fmt.Sprintf("%.*f %%", digits, 100*v)
		case digits > 0:
			label = strconv.FormatFloat(v, 'f', digits, 64)
		}
		list = append(list, plot.Tick{Value: v, Label: strings.Replace(label, "-", "−", 1)})
	}
	return list
}

// nice is the next of 1, 2, 5, 10, … times a power of ten from x on.
func nice(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, k := range []float64{1, 2, 5} {
		if k*power >= x*(1-1e-9) {
			return k * power
		}
	}
	return 10 * power
}

// acrossAxis is the horizontal axis: time spent learning with the generations
// reached, generations alone where there was hardly time, or values.
type acrossAxis struct {
	label    string
	from, to float64
	points   []point // by generation, each once
	times    []point
	unit     time.Duration // 0: no time
	plain    bool
}

// axis chooses the axis of the chart.
func (c *chart) axis() acrossAxis {
	if c.plain != "" {
		return acrossAxis{label: c.plain, from: -1, to: 1, plain: true}
	}
	x := acrossAxis{label: "generation", times: c.times}
	for i := range c.lines {
		for _, q := range c.lines[i].points {
			at, found := slices.BinarySearchFunc(x.points, q, func(a, b point) int { return a.generation - b.generation })
			if !found {
				x.points = slices.Insert(x.points, at, q)
			}
		}
	}
	last := &x.points[len(x.points)-1]
	switch t := last.learned; {
	case t >= 3*time.Hour:
		x.unit, x.label = time.Hour, "hours of learning, and the generation reached"
	case t >= 3*time.Minute:
		x.unit, x.label = time.Minute, "minutes of learning, and the generation reached"
	case t >= 10*time.Second:
		x.unit, x.label = time.Second, "seconds of learning, and the generation reached"
	}
	x.to = x.of(last)
	return x
}

// of is the place of a point on the axis.
func (x *acrossAxis) of(q *point) float64 {
	switch {
	case x.plain:
		return q.across
	case x.unit == 0:
		return float64(q.generation)
	}
	return q.learned.Seconds() / x.unit.Seconds()
}

// ticks are some five marks.
func (x *acrossAxis) ticks() []plot.Tick {
	step := nice(max(x.to-x.from, 1e-9) / 5)
	if x.unit == 0 && !x.plain {
		step = max(1, step)
	}
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var list []plot.Tick
	for k := math.Ceil(x.from/step - 1e-9); k*step <= x.to+step*1e-9; k++ {
		v := k*step + 0
		label := strings.Replace(strconv.FormatFloat(v, 'f', digits, 64), "-", "−", 1)
		if x.unit != 0 {
			generation := 0
			for i := range x.times {
				if q := &x.times[i]; x.of(q) <= v*(1+1e-9) {
					generation = q.generation
				}
			}
			label += fmt.Sprintf("\ngen %d", generation)
		}
		list = append(list, plot.Tick{Value: v, Label: label})
	}
	return list
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

// longestLabel cuts names, which may be any player's description.
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
