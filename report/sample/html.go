package sample

import (
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/report/board"
)

// CSS is the style of HTML, for the page that holds the fragments.
const CSS = board.CSS + curveCSS +
	`.lz-game figure{display:inline-block;vertical-align:bottom;margin:0 .6em 1em 0;max-width:100%}` +
	`.lz-game figcaption{max-width:20em;margin-bottom:.4em}` +
	`.lz-game .wide figcaption{max-width:none}` +
	`.lz-game table{border-collapse:collapse;font-size:.9em}` +
	`.lz-game th,.lz-game td{padding:.1em .7em .1em 0;text-align:left;vertical-align:top}` +
	`.lz-game td.n{text-align:right;font-variant-numeric:tabular-nums}` +
	`.lz-game tr.swing{font-weight:bold}`

// boardPixels is the length of a unit of a board: three boards fit side by side on a
// wide page.
const boardPixels = 26

var page = template.Must(template.New("game").Funcs(template.FuncMap{
	"signed": signed, "percent": percent, "inc": func(i int) int { return i + 1 },
	"whole": func(text string) string { return strings.ReplaceAll(text, " %", "\u00a0%") }, // kept on one line
}).Parse(`<article class="lz-game">
<h3>{{.Heading}}</h3>
<p>{{.Facts}}.</p>
<ul>
{{range .Remarks}}<li>{{whole .}}</li>
{{end}}</ul>
{{with .Value}}<figure class="wide"><figcaption>The first player’s value: of the search (bold), of the network alone (dashed); the dot is the result, the numbers are those of the boards.</figcaption>
{{.}}</figure>
{{end}}<div>
{{range $i, $m := .Moments}}<figure><figcaption>{{inc $i}}. {{$.TitleOf $i}}</figcaption>
{{with $m.SVG}}{{.}}{{else}}<pre>{{$m.Text}}</pre>{{end}}</figure>
{{end}}</div>
<details><summary>All moves</summary>
<table>
<thead><tr><th>Turn</th><th>Side</th><th>Move</th><th>Notation</th>{{if $.Searched}}<th>Value</th><th>Share</th><th>Search preferred</th>{{end}}</tr></thead>
<tbody>
{{range $i, $m := .Moves}}<tr{{if $.IsSwing $i}} class="swing"{{end}}><td class="n">{{.Turn}}</td><td>{{if eq .Player "chance"}}chance{{else}}{{.Side}}{{end}}</td><td>{{.Word}}</td><td>{{.Notation}}</td>{{if $.Searched}}<td class="n">{{with .Search}}{{signed .Value}}{{end}}</td><td class="n">{{with .Search}}{{if .ShareOf}}{{percent .Share}}{{end}}{{end}}</td><td>{{with .Search}}{{if and .ShareOf (ne .Best $m.Word)}}{{.Best}}, {{percent .BestShare}}{{end}}{{end}}</td>{{end}}</tr>
{{end}}</tbody>
</table>
</details>
</article>
`))

// WriteHTML writes games as a page in one file.
func WriteHTML(w io.Writer, title string, games []*Game) error {
	p := struct {
		Title string
		CSS   template.CSS
		Games []template.HTML
	}{Title: title, CSS: CSS}
	for _, g := range games {
		h, err := g.HTML()
		if err != nil {
			return err
		}
		p.Games = append(p.Games, h)
	}
	return whole.Execute(w, p)
}

var whole = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width,initial-scale=1"/>
<title>{{.Title}}</title>
<style>:root{color-scheme:light dark}body{font-family:system-ui,sans-serif;margin:1em auto;max-width:72em;padding:0 1em}{{.CSS}}</style>
</head>
<body>
<h1>{{.Title}}</h1>
{{range .Games}}{{.}}{{end}}</body>
</html>
`))

// fragment is a game for the template.
type fragment struct{ *Game }

func (f fragment) Facts() string { return f.facts() }

// Value is the curve, which escapes its texts.
func (f fragment) Value() template.HTML { return template.HTML(f.Curve(false)) }

func (f fragment) TitleOf(moment int) string { return f.momentTitle(&f.Moments[moment]) }

func (f fragment) IsSwing(move int) bool { return f.Swing != nil && f.Swing.Move == move }

func (f fragment) Searched() bool {
	return slices.ContainsFunc(f.Moves, func(m Move) bool { return m.Search != nil })
}

// SVG is the picture, which escapes its texts; empty if there is none.
func (m Moment) SVG() template.HTML {
	if m.Picture == nil {
		return ""
	}
	return template.HTML(board.SVG(m.Picture, board.Options{NoStyle: true, UnitPixels: boardPixels}))
}

// HTML is the game as a fragment for a page with CSS: remarks, the curve, boards and,
// folded, the table of moves. It loads nothing else and has no ids.
func (g *Game) HTML() (template.HTML, error) {
	var b strings.Builder
	err := page.Execute(&b, fragment{g})
	return template.HTML(b.String()), err
}
