package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Intervals is a plot of numbers with their intervals: groups along the horizontal
// axis, and in each group a point of every series.
type Intervals struct {
	ID, Title string
	// Unit names the vertical axis; Share says that 1 is written as 100 %.
	Unit  string
	Share bool
	// Groups are the names along the axis, on several lines if they have newlines.
	Groups []string
	// Slanted writes them upwards, for many long ones.
	Slanted bool
	Series  []Series
	// Reference is where a line is drawn across, with a band of Margin on both
	// sides; none if it is not a number.
	Reference, Margin float64
}

// Series is a point for each group.
type Series struct {
	Name   string
	Points []Point
}

// Point is a value with its interval. What is not a number is not drawn.
type Point struct{ Value, Low, High float64 }

// glyphs are what series are told apart by besides colours, and signs the
// characters that look like them in a legend.
var (
	glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}}
	signs  = []string{"●", "■", "▲", "○", "□"}
)

// LegendItem is a series in a legend.
type LegendItem struct {
	Sign, Name string
	// Color is a variable of the page.
	Color string
}

// Add adds a point to a series in a group; either is new if it has another name than
// those before.
func (v *Intervals) Add(group, series string, p Point) {
	at := slices.IndexFunc(v.Series, func(s Series) bool { return s.Name == series })
	if at < 0 {
		at = len(v.Series)
		v.Series = append(v.Series, Series{Name: series})
	}
	in := slices.Index(v.Groups, group)
	if in < 0 {
		in = len(v.Groups)
		v.Groups = append(v.Groups, group)
	}
	points := &v.Series[at].Points
	for len(*points) <= in { // groups in which the series has no point
		*points = append(*points, Point{math.NaN(), math.NaN(), math.NaN()})
	}
	(*points)[in] = p
}

// Legend lists the series; the page writes it beside the plot.
func (v *Intervals) Legend() []LegendItem {
	list := make([]LegendItem, len(v.Series))
	for i := range v.Series {
		list[i] = LegendItem{signs[i%len(signs)], v.Series[i].Name, fmt.Sprintf("var(--c%d)", i%len(Palette)+1)}
	}
	return list
}

// groupWidth is the part of the room of a group that its points share: they are nearer to
// each other than to those of the next group.
const groupWidth = 0.6

// SVG draws the plot for a page.
func (v *Intervals) SVG() string {
	low, high := v.ends()
	p := New(v.Unit, v.Share, low, high)
	p.X.Min, p.X.Max = -0.5, float64(len(v.Groups))-0.5
	p.X.Tick.Length = 0
	var names []plot.Tick
	for i, g := range v.Groups {
		names = append(names, plot.Tick{Value: float64(i), Label: g})
	}
	p.X.Tick.Marker = plot.ConstantTicks(names)
	if v.Slanted {
		p.X.Tick.Label.Rotation = math.Pi / 3
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = text.XRight, text.YCenter
	}
	v.addReference(p)
	for i := range v.Series {
		v.addSeries(p, i)
	}
	return Draw(p, v.ID, v.Title, v.description())
}

// addReference adds the line that values are compared with, and its band.
func (v *Intervals) addReference(p *plot.Plot) {
	if math.IsNaN(v.Reference) {
		return
	}
	left, right := p.X.Min, p.X.Max
	if v.Margin > 0 {
		low, high := max(v.Reference-v.Margin, p.Y.Min), min(v.Reference+v.Margin, p.Y.Max)
		p.Add(&plotter.Polygon{
			XYs:   []plotter.XYs{{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: left, Y: high}}},
			Color: Faded(Palette[2]),
		})
	}
	p.Add(&plotter.Line{
		XYs:       plotter.XYs{{X: left, Y: v.Reference}, {X: right, Y: v.Reference}},
		LineStyle: draw.LineStyle{Color: Ink, Width: 0.9, Dashes: []vg.Length{2, 2}},
	})
}

// addSeries adds the points of series i with bars for their intervals.
func (v *Intervals) addSeries(p *plot.Plot, i int) {
	paint := Palette[i%len(Palette)]
	shift := 0.0
	if n := len(v.Series); n > 1 {
		shift = groupWidth * (float64(i) - float64(n-1)/2) / float64(n)
	}
	for g, q := range v.Series[i].Points {
		x := float64(g) + shift
		if !math.IsNaN(q.Low) && !math.IsNaN(q.High) {
			p.Add(&plotter.Line{
				XYs:       plotter.XYs{{X: x, Y: max(q.Low, p.Y.Min)}, {X: x, Y: min(q.High, p.Y.Max)}},
				LineStyle: draw.LineStyle{Color: paint, Width: 1.6},
			})
		}
		if !math.IsNaN(q.Value) {
			p.Add(&plotter.Scatter{XYs: plotter.XYs{{X: x, Y: q.Value}}, GlyphStyle: draw.GlyphStyle{Color: paint, Radius: 3.2, Shape: glyphs[i%len(glyphs)]}})
		}
	}
}

// ends are the ends of the vertical axis: everything that is drawn, with a margin.
func (v *Intervals) ends() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	take := func(x float64) {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			low, high = min(low, x), max(high, x)
		}
	}
	take(v.Reference)
	take(v.Reference - v.Margin)
	take(v.Reference + v.Margin)
	for i := range v.Series {
		for _, q := range v.Series[i].Points {
			take(q.Value)
			take(q.Low)
			take(q.High)
		}
	}
	if low > high {
		return 0, 1
	}
	margin := max(high-low, math.Abs(high)/10, 1e-9) / 20
	return low - margin, high + margin
}

// description says in words what is to be seen.
func (v *Intervals) description() string {
	number := func(x float64) string {
		if v.Share {
			return fmt.Sprintf("%.1f %%", 100*x)
		}
		return fmt.Sprintf("%.3g", x)
	}
	var parts []string
	for i := range v.Series {
		for g, q := range v.Series[i].Points {
			if math.IsNaN(q.Value) {
				continue
			}
			text := fmt.Sprintf("%s, %s: %s", strings.ReplaceAll(v.Groups[g], "\n", " "), v.Series[i].Name, number(q.Value))
			if !math.IsNaN(q.Low) && !math.IsNaN(q.High) {
				text += fmt.Sprintf(" (%s to %s)", number(q.Low), number(q.High))
			}
			parts = append(parts, text)
		}
	}
	return fmt.Sprintf("%s, in %s. %s.", v.Title, v.Unit, strings.Join(parts, "; "))
}
