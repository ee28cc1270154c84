package sheet

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/ludozero/ludozero/report/figure"
)

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
