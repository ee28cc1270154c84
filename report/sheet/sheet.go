// Package sheet is what the reports of experiments are made of: sentences, tables
// and plots, and their text, CSV and one page of HTML that needs nothing else. It
// knows nothing of what they say.
package sheet

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report/figure"
	"github.com/ludozero/ludozero/stats/rating"
)

// Report is the result of an experiment for people.
type Report struct {
	// Title heads it; Under says below it what it is about, in a few words.
	Title, Under string
	// Summary says in sentences what was found.
	Summary []string
	Plots   []Plot
	Tables  []Table
	// Conditions are what the games were played with.
	Conditions string
	// Command is what repeats it.
	Command string
}

// Table is rows under heads. The first Left columns are text.
type Table struct {
	ID, Title string
	Left      int
	Head      []string
	Rows      [][]string
	Notes     []string
}

// Plot is a plot of intervals with a sentence on how to read it.
type Plot struct {
	*figure.Intervals
	About string
}

// textColumns is where sentences wrap; tables are as wide as they are.
const textColumns = 100

// WriteText writes all but the plots for a terminal.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n\n", r.Title, r.Under)
	for _, sentence := range r.Summary {
		b.WriteString(wording.Wrap(strings.Fields(sentence), textColumns, "", ""))
	}
	for _, t := range r.Tables {
		fmt.Fprintf(&b, "\n%s\n", t.Title)
		tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, row := range append([][]string{t.Head}, t.Rows...) {
			fmt.Fprintf(tw, "  %s\n", strings.Join(row, "\t"))
		}
		tw.Flush()
		for _, n := range t.Notes {
			b.WriteString(wording.Wrap(strings.Fields(n), textColumns, "", ""))
		}
	}
	fmt.Fprintln(&b)
	b.WriteString(wording.Wrap(strings.Fields(r.Conditions), textColumns, "", ""))
	fmt.Fprintf(&b, "\nThe same again: %s\n", r.Command)
	_, err := io.WriteString(w, wording.Plain(b.String()))
	return err
}

// Cell writes an estimate with its interval in a table; scale is what it is
// multiplied by.
func Cell(e rating.Estimate, scale float64, format string) string {
	if math.IsInf(e.Low, 0) && math.IsInf(e.High, 0) {
		return infinite(fmt.Sprintf(format, scale*e.Value))
	}
	return infinite(fmt.Sprintf(format+" ("+format+" to "+format+")", scale*e.Value, scale*e.Low, scale*e.High))
}

// YesNo writes a truth value.
func YesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// Probability writes a p-value.
func Probability(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// PValue writes a p-value in a sentence: p = 0.123, or p < 0.001.
func PValue(p float64) string {
	if p < 0.001 {
		return "p " + Probability(p)
	}
	return "p = " + Probability(p)
}

// infinite writes infinity as a sign.
func infinite(text string) string { return strings.ReplaceAll(text, "Inf", "∞") }

// PointOf is an estimate on a plot, whose axis ends where the data do; what is infinite is
// not on it.
func PointOf(e rating.Estimate) figure.Point {
	q := figure.Point{Value: e.Value, Low: e.Low, High: e.High}
	if math.IsInf(q.Value, 0) {
		q.Value = math.NaN()
	}
	if math.IsInf(q.Low, 0) || math.IsInf(q.High, 0) {
		q.Low, q.High = math.NaN(), math.NaN()
	}
	return q
}

//go:embed sheet.html.tmpl
var page string

var pageTemplate = template.Must(template.New("sheet").Funcs(template.FuncMap{
	// A sign of percent stays on the line of its number.
	"whole": func(text string) string { return strings.ReplaceAll(text, " %", "\u00a0%") },
}).Parse(page))

// plotView is a plot as the page shows it.
type plotView struct {
	Title, About string
	Drawing      template.HTML
	Items        []legendView
}

type legendView struct {
	Sign, Name string
	Style      template.CSS
}

// WriteHTML writes the report as a page that needs nothing else: no file, no address,
// no script.
func (r *Report) WriteHTML(w io.Writer) error {
	v := struct {
		*Report
		Style template.CSS
		Plots []plotView
	}{Report: r, Style: figure.PageCSS}
	for _, p := range r.Plots {
		x := plotView{Title: p.Title, About: p.About, Drawing: template.HTML(p.SVG())} // drawn here; names in it are escaped
		for _, item := range p.Legend() {
			x.Items = append(x.Items, legendView{item.Sign, item.Name, template.CSS("color: " + item.Color)})
		}
		v.Plots = append(v.Plots, x)
	}
	return pageTemplate.Execute(w, &v)
}
