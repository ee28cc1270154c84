package report

import (
	_ "embed"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/report/figure"
	"github.com/ludozero/ludozero/report/sample"
)

//go:embed report.html.tmpl
var page string

var pageTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	// A sign of percent stays on the line of its number.
	"whole": func(text string) string { return strings.ReplaceAll(text, " %", "\u00a0%") },
}).Parse(page))

// pageView is what the template shows.
type pageView struct {
	*Report
	Sections []section
	Style    template.CSS
}

// SampleCSS is the style of sample games, if there are any.
func (v *pageView) SampleCSS() template.CSS {
	if v.Samples == nil {
		return ""
	}
	return sample.CSS
}

// At are the warnings to show at a chart.
func (v *pageView) At(chart string) (list []Warning) {
	for _, w := range v.Warnings {
		if chartOf[w.Code] == chart {
			list = append(list, w)
		}
	}
	return list
}

// WriteHTML writes the report as a page in one file, without scripts.
func (r *Report) WriteHTML(w io.Writer) error {
	v := pageView{Report: r, Sections: r.sections(), Style: figure.PageCSS}
	if v.Samples != nil { // after the section on games
		at := slices.IndexFunc(v.Sections, func(s section) bool { return s.ID == "games" }) + 1
		if at == 0 {
			at = len(v.Sections)
		}
		v.Sections = slices.Insert(v.Sections, at, section{ID: "samples", Title: "Sample games", Games: r.Samples.Games})
	}
	return pageTemplate.Execute(w, &v)
}

// Before are the tables before the charts on a page, After the others.
func (s section) Before() []table {
	if s.TableFirst {
		return s.Tables[:1]
	}
	return nil
}

func (s section) After() []table { return s.Tables[len(s.Before()):] }

// SVG is the picture for a page. Names in it are escaped.
func (c chart) SVG() template.HTML { return template.HTML(c.svg()) }

// Numbers is the table of all points of a chart, empty for one that is not over the
// run. A line without a point at a generation has an empty cell there.
func (c chart) Numbers() (t table) {
	if c.plain != "" {
		return t
	}
	x := c.axis()
	t.Head = []string{"generation", c.over.head()}
	for i := range c.lines {
		t.Head = append(t.Head, c.lines[i].name)
	}
	for i := range x.points {
		row := []string{x.points[i].label(), c.over.text(x.points[i].after)}
		for k := range c.lines {
			cell := ""
			for n := range c.lines[k].points {
				if q := &c.lines[k].points[n]; q.generation == x.points[i].generation {
					cell = cellText(&c, q)
				}
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
