package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report/sample"
)

// textColumns is the width of the text form.
const textColumns = 80

// textRows bounds the rows of a table in the text form.
const textRows = 10

// WriteJSON writes the report as it is, indented.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText writes the report for people, in lines of at most 80 columns unless a
// word is longer.
func (r *Report) WriteText(w io.Writer) error {
	t := &textWriter{}
	t.line("%s: %s, rules %s", r.Run.Name, r.Run.Game, r.Run.Rules)
	t.line("")
	for _, warning := range r.Warnings {
		t.paragraph("", warning.String())
	}
	if len(r.Warnings) > 0 {
		t.line("")
	}
	for _, sentence := range r.Headline {
		t.paragraph("", sentence)
	}
	t.heading("What was trained")
	for _, row := range r.Facts() {
		t.paragraph(fmt.Sprintf("%-15s", row[0]), row[1])
	}
	for _, s := range r.sections() {
		t.heading(s.Title)
		if !s.TableFirst {
			t.charts(s.Charts)
		}
		for i := range s.Tables {
			if i > 0 || !s.TableFirst {
				t.line("")
			}
			t.table(&s.Tables[i])
		}
		if s.TableFirst {
			t.charts(s.Charts)
		}
	}
	t.samples(r.Samples)
	_, err := io.WriteString(w, wording.Plain(t.b.String()))
	return err
}

// samples writes the remarks on the sample games. Their boards and moves would fill
// hundreds of lines.
func (t *textWriter) samples(c *sample.Choice) {
	if c == nil {
		return
	}
	t.heading("Sample games")
	for _, g := range c.Games {
		t.paragraph("", g.Heading())
		for _, remark := range g.Remarks {
			t.paragraph("- ", remark)
		}
	}
	t.paragraph("", "Their boards and moves are in the page.")
}

// About says how severe the warning is and which generations it concerns.
func (w *Warning) About() string {
	kind := "Warning"
	if w.Severe {
		kind = "Alarm"
	}
	switch {
	case w.Last == 0:
	case w.First == w.Last:
		kind += fmt.Sprintf(", generation %d", w.Last)
	default:
		kind += fmt.Sprintf(", generations %d to %d", w.First, w.Last)
	}
	if w.Past {
		kind += ", no longer"
	}
	return kind + ":"
}

// String is the whole warning.
func (w *Warning) String() string { return w.About() + " " + w.Text }

// textWriter collects lines.
type textWriter struct{ b strings.Builder }

func (t *textWriter) line(format string, args ...any) {
	t.b.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

func (t *textWriter) heading(title string) {
	t.line("\n%s\n%s", title, strings.Repeat("-", utf8.RuneCountInString(title)))
}

// paragraph breaks text into lines; what follows the first is indented as name.
func (t *textWriter) paragraph(name, text string) {
	indent := strings.Repeat(" ", utf8.RuneCountInString(name))
	t.b.WriteString(wording.Wrap(words(text), textColumns, name, indent))
}

// words splits a text; a sign of percent or error stays with its number.
func words(text string) []string {
	var list []string
	for _, word := range strings.Fields(text) {
		if n := len(list); n > 0 && (word[0] == '%' || word == "±" || strings.HasSuffix(list[n-1], " ±")) {
			list[n-1] += " " + word
			continue
		}
		list = append(list, word)
	}
	return list
}

// table writes a table with its notes. One of keys that is too wide for a line goes
// on below, after the keys again.
func (t *textWriter) table(b *table) {
	rows := slices.Insert(slices.Clone(b.Rows), 0, b.Head)
	for next := b.Keys; b.Keys > 0 && next < len(b.Head); {
		part := make([][]string, len(rows))
		for i, row := range rows {
			part[i] = slices.Clone(row[:b.Keys])
		}
		if next > b.Keys {
			t.line("")
		}
		for first := next; next < len(b.Head); next++ {
			more := make([][]string, len(rows))
			for i := range rows {
				more[i] = append(slices.Clone(part[i]), rows[i][next])
			}
			if next > first && width(more) > textColumns {
				break
			}
			part = more
		}
		t.rows(b.Left, part)
	}
	if b.Keys == 0 && len(b.Rows) > 0 {
		t.rows(b.Left, rows)
	}
	for _, note := range b.Notes {
		t.paragraph("", note)
	}
}

// rows writes rows of equal length, the first left columns to the left, the others
// to the right.
func (t *textWriter) rows(left int, rows [][]string) {
	for _, line := range wording.Columns(rows, func(k int) bool { return k < left }) {
		t.line("%s", line)
	}
}

// charts writes tables of charts. Curves with the same points share a table.
func (t *textWriter) charts(list []chart) {
	var rows [][]string
	var points []point
	flush := func() {
		if rows != nil {
			t.line("")
			t.rows(0, rows)
		}
		rows = nil
	}
	for i := range list {
		c := &list[i]
		if c.tabled {
			continue
		}
		for k := range c.lines {
			l := &c.lines[k]
			marks := marks(l.points)
			cells := []string{l.name}
			for _, at := range marks {
				cells = append(cells, cellText(c, &l.points[at]))
			}
			if rows != nil && (!samePoints(points, l.points) || width(rows)+2+width([][]string{cells}) > textColumns) {
				flush()
			}
			if rows == nil {
				points = l.points
				rows = [][]string{{"generation", c.over.head()}}
				for _, at := range marks {
					rows = append(rows, []string{l.points[at].label(), c.over.text(l.points[at].after)})
				}
			}
			for n := range rows {
				rows[n] = append(rows[n], cells[n])
			}
		}
	}
	flush()
}

// cellText is a value with its interval.
func cellText(c *chart, p *point) string {
	text := c.text(p.v)
	if in := c.interval(p); in != "" {
		text += " (" + in + ")"
	}
	return text
}

// width is the width of a table; a single row counts as one column.
func width(rows [][]string) int {
	total := 0
	if len(rows) == 1 {
		for _, cell := range rows[0] {
			total = max(total, utf8.RuneCountInString(cell))
		}
		return total
	}
	for k := range rows[0] {
		most := 0
		for _, row := range rows {
			most = max(most, utf8.RuneCountInString(row[k]))
		}
		total += most + 2
	}
	return total - 2
}

func samePoints(a, b []point) bool {
	return slices.EqualFunc(a, b, func(x, y point) bool { return x.generation == y.generation && x.after == y.after })
}

// marks are the numbers of at most textRows points.
func marks(points []point) []int { return evenly(len(points), textRows) }

// evenly returns at most most of the numbers from 0 to n-1, evenly spaced, with the
// first and the last.
func evenly(n, most int) []int {
	var list []int
	for i := range min(n, most) {
		at := i
		if n > most {
			at = i * (n - 1) / (most - 1)
		}
		list = append(list, at)
	}
	return list
}
