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
	// Style is that of all pages, CSS that of the sample games.
	Style, CSS template.CSS
}

// sectionView is a section with its tables.
type sectionView struct {
	ID, Title string
	Before    []tableView
	Charts    []chartView
	After     []tableView
	Games     []template.HTML
}

// chartView is a chart with the numbers behind it.
type chartView struct {
	ID, Title, About string
	// Warnings are about the figure.
	Warnings []Warning
	SVG      template.HTML
	Numbers  tableView
}

// tableView is a table: heads, rows whose first Left cells are text, and what to
// say of it.
type tableView struct {
	Title string
	Left  int
	Head  []string
	Rows  [][]string
	Notes []string
}

func newTable(title string, left int, rows [][]string, notes ...string) tableView {
	return tableView{title, left, rows[0], rows[1:], notes}
}

// WriteHTML writes the report as a page that needs nothing else: no file, no
// address, no script.
func (r *Report) WriteHTML(w io.Writer) error {
	v := pageView{Report: r, Facts: r.facts(), Style: figure.PageCSS}
	for _, s := range r.sections() {
		v.Sections = append(v.Sections, r.view(&s))
	}
	if err := v.addSamples(); err != nil {
		return err
	}
	return pageTemplate.Execute(w, &v)
}

// addSamples puts the sample games behind the section on games.
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
	v := sectionView{ID: s.id, Title: s.title}
	switch s.id {
	case "strength":
		notes := []string{r.Strength.conditions()}
		if r.Strength.NoElo != "" {
			notes = append(notes, "No Elo: "+r.Strength.NoElo+".")
		}
		v.Before = append(v.Before, newTable("", 2, r.Strength.matchRows(), notes...))
		v.After = append(v.After, newTable(r.ratedTitle(), 0, r.ratedRows(), r.ratedText()))
		if rows := r.Strength.eloRows(); rows != nil {
			v.After = append(v.After, newTable("Ratings", 1, rows, r.Strength.seatText()))
		}
	case "games":
		v.After = r.gameTables()
	case "health":
		if r.Reliability != nil {
			v.After = append(v.After, newTable("Reliability of values", 1, r.Reliability.rows(), r.Reliability.text()))
		}
	}
	for i := range s.charts {
		c := &s.charts[i]
		v.Charts = append(v.Charts, chartView{
			ID: c.id, Title: c.title, About: c.about,
			SVG: template.HTML(c.svg()), // drawn here; names in it are escaped
		})
		for _, w := range r.Warnings {
			if chartOf[w.Code] == c.id {
				v.Charts[i].Warnings = append(v.Charts[i].Warnings, w)
			}
		}
		if c.plain == "" {
			v.Charts[i].Numbers = c.numbers()
		}
	}
	return v
}

// gameTables are those of the games of self-play.
func (r *Report) gameTables() []tableView {
	list := []tableView{newTable("How games end", 1, r.endRows())}
	g := r.Games
	if g == nil {
		return list
	}
	list = append(list, newTable("Results by player and by side", 1, g.seatRows(), g.readText()))
	if rows, never := g.useRows(); len(rows) > 1 {
		list = append(list, newTable("Use of the rules", 1, rows, neverText(never)...))
	} else if text := g.formText(); text != "" {
		list[len(list)-1].Notes = append(list[len(list)-1].Notes, text)
	}
	return list
}

// numbers is the table of all points of a chart. Lines of which a generation has
// no point have an empty cell there.
func (c *chart) numbers() tableView {
	x := c.axis()
	t := tableView{Left: 0, Head: []string{"generation", c.over.head()}}
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
