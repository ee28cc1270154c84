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

// pageView is what the page shows, ready to be written.
type pageView struct {
	*Report
	Facts    [][2]string
	Sections []sectionView
	// Style is the style of all pages, CSS the style of sample games.
	Style, CSS template.CSS
}

// sectionView is a section of the page.
type sectionView struct {
	ID, Title     string
	Before, After []table
	Charts        []chartView
	Games         []template.HTML
}

// chartView is a chart with the numbers behind it.
type chartView struct {
	ID, Title, About string
	Warnings         []Warning // about the figure
	SVG              template.HTML
	Numbers          table
}

// WriteHTML writes the report as a page in one file, without scripts.
func (r *Report) WriteHTML(w io.Writer) error {
	v := pageView{Report: r, Facts: r.Facts(), Style: figure.PageCSS}
	for _, s := range r.sections() {
		v.Sections = append(v.Sections, r.view(&s))
	}
	if err := v.addSamples(); err != nil {
		return err
	}
	return pageTemplate.Execute(w, &v)
}

// addSamples inserts the sample games after the section on games.
func (v *pageView) addSamples() error {
	if v.Samples == nil {
		return nil
	}
	v.CSS = sample.CSS
	s := sectionView{ID: "samples", Title: "Sample games"}
	for _, g := range v.Samples.Games {
		fragment, err := g.HTML()
		if err != nil {
			return err
		}
		s.Games = append(s.Games, fragment)
	}
	at := slices.IndexFunc(v.Sections, func(s sectionView) bool { return s.ID == "games" }) + 1
	if at == 0 {
		at = len(v.Sections)
	}
	v.Sections = slices.Insert(v.Sections, at, s)
	return nil
}

// view makes a section ready.
func (r *Report) view(s *section) sectionView {
	v := sectionView{ID: s.id, Title: s.title, After: s.tables}
	if s.tableFirst {
		v.Before, v.After = s.tables[:1], s.tables[1:]
	}
	for i := range s.charts {
		c := &s.charts[i]
		view := chartView{ID: c.id, Title: c.title, About: c.about, Numbers: c.numbers()}
		view.SVG = template.HTML(c.svg()) // drawn here; names in it are escaped
		for _, w := range r.Warnings {
			if chartOf[w.Code] == c.id {
				view.Warnings = append(view.Warnings, w)
			}
		}
		v.Charts = append(v.Charts, view)
	}
	return v
}

// numbers is the table of all points of a chart, empty for one that is not over the
// run. A line without a point at a generation has an empty cell there.
func (c *chart) numbers() (t table) {
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
					cell = cellText(c, q)
				}
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
