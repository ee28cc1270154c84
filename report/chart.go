package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/report/sample"
	"github.com/ludozero/ludozero/stats/rating"
)

// chart is curves over the run, which the text form shows as a table and the page as a
// picture.
type chart struct {
	ID string // a word, unique in a report
	// Title names the chart, unit the vertical axis.
	Title, unit string
	About       string // how to read it, in sentences
	lines       []line
	// low and high are the ends of the axis; NaN fits them to the data.
	low, high float64
	// span is how much the axis shows at least.
	span float64
	// digits is how many are written behind the point; share writes 1 as 100 %.
	digits int
	share  bool
	// tabled says that a table of the section has the figures, so that the text form
	// leaves the chart out.
	tabled bool
	// plain, if not empty, names a horizontal axis of values from -1 to 1 in place of
	// the course of the run.
	plain string
	// over is what the horizontal axis counts; times are the places of generations on
	// it.
	over  cost
	times []point
}

// line is one curve of a chart.
type line struct {
	name   string
	points []point
	// bound marks a limit to compare others with.
	bound bool
}

// point is a value, with its interval if low or high is finite.
type point struct {
	// first and generation are the first and last generation.
	generation   int
	first        int
	after        time.Duration // the cost of the run by then, as chart.over counts
	v, low, high float64
	across       float64 // the place on the axis of a plain chart
}

// label names the generations of the point.
func (p *point) label() string {
	if p.first < p.generation {
		return fmt.Sprintf("%d–%d", p.first, p.generation)
	}
	return fmt.Sprint(p.generation)
}

// section is charts and tables under a heading.
type section struct {
	ID, Title string
	Charts    []chart
	Tables    []table
	// TableFirst says that the tables stand before the charts, on a page only the
	// first of them.
	TableFirst bool
	Games      []*sample.Game
}

// table is rows under heads, and what to say of them.
type table struct {
	// Title is for the page, where other tables stand near.
	Title string
	// Left counts the columns of text; numbers stand to the right.
	Left int
	// Keys, if above 0, counts the columns that the text form repeats where the table
	// is too wide for a line and goes on below.
	Keys  int
	Head  []string
	Rows  [][]string
	Notes []string
}

func (c *chart) text(v float64) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "-∞"
	case c.share:
		return fmt.Sprintf("%.*f %%", c.digits, 100*v)
	}
	return fmt.Sprintf("%.*f", c.digits, v)
}

// interval writes the interval of a point, "" for none.
func (c *chart) interval(p *point) string {
	if p.low == p.high || math.IsNaN(p.v) && math.IsInf(p.low, 0) && math.IsInf(p.high, 0) || math.IsNaN(p.low) || math.IsNaN(p.high) {
		return ""
	}
	scale := 1.0
	if c.share {
		scale = 100
	}
	end := func(v float64) string {
		if math.IsInf(v, 0) {
			return "?"
		}
		return fmt.Sprintf("%.*f", c.digits, scale*v)
	}
	return end(p.low) + " to " + end(p.high)
}

func (r *Report) figure(name string, of func(*Stage) Number) line {
	return r.curve(name, func(s *Stage) rating.Estimate {
		return rating.Estimate{Value: float64(of(s)), Low: math.NaN(), High: math.NaN()}
	})
}

// figures are the curves of columns by their names. A floor is a limit.
func (r *Report) figures(names ...string) []line {
	var list []line
	for _, name := range names {
		at := slices.IndexFunc(columns, func(c column) bool { return c.name == name })
		l := r.figure(name, func(s *Stage) Number { return *columns[at].to(&s.Figures) })
		l.bound = strings.HasSuffix(name, " floor")
		list = append(list, l)
	}
	return list
}

func (r *Report) curve(name string, of func(*Stage) rating.Estimate) line {
	l := line{name: name}
	for i := range r.Course {
		s := &r.Course[i]
		e := of(s)
		l.points = append(l.points, point{generation: s.Last, first: s.First, after: s.Learned, v: e.Value, low: e.Low, high: e.High})
	}
	return l
}

// parts is the curve of an estimate of the parts of the recorded games, up to the
// newest with enough games. As with stages, a generation stands for the games that it learned
// from, which the network before it played.
func (r *Report) parts(name string, of func(*GamesPart) rating.Estimate) line {
	l := line{name: name}
	newest := r.Games.newest()
	for i := range r.Games.Parts {
		p := &r.Games.Parts[i]
		if p.First > newest.First {
			break
		}
		e := of(p)
		l.points = append(l.points, point{generation: p.Last + 1, first: p.First + 1, after: p.Learned, v: e.Value, low: e.Low, high: e.High})
	}
	return l
}

// empty reports whether a line has no number.
func (l *line) empty() bool {
	for i := range l.points {
		if !math.IsNaN(l.points[i].v) {
			return false
		}
	}
	return true
}

// drop leaves out lines without numbers, charts without lines and sections
// without charts.
func drop(list []section) []section {
	var out []section
	for _, s := range list {
		var charts []chart
		for _, c := range s.Charts {
			var lines []line
			for _, l := range c.lines {
				if !l.empty() {
					lines = append(lines, l)
				}
			}
			// A limit alone says nothing.
			if c.lines = lines; len(lines) > 0 && !(len(lines) == 1 && lines[0].bound) {
				charts = append(charts, c)
			}
		}
		if s.Charts = charts; len(charts) > 0 {
			out = append(out, s)
		}
	}
	return out
}
