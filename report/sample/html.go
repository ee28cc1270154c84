package sample

import (
	"html/template"
	"io"
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

var page = template.Must(template.New("game").Parse(`<article class="lz-game">
<h3>{{.Heading}}</h3>
<p>{{.Facts}}.</p>
<ul>
{{range .Remarks}}<li>{{.}}</li>
{{end}}</ul>
{{with .Value}}<figure class="wide"><figcaption>The first player’s value: of the search (bold), of the network alone (dashed); the dot is the result, the numbers are those of the boards.</figcaption>
{{.}}</figure>
{{end}}<div>
{{range $b := .Boards}}<figure><figcaption>{{.Number}}. {{.Title}}</figcaption>
{{with .SVG}}{{.}}{{else}}<pre>{{$b.Text}}</pre>{{end}}</figure>
{{end}}</div>
<details><summary>All moves</summary>
<table>
<thead><tr><th>Turn</th><th>Side</th><th>Move</th><th>Notation</th>{{if $.Searched}}<th>Value</th><th>Share</th><th>Search preferred</th>{{end}}</tr></thead>
<tbody>
{{range .Rows}}<tr{{if .Swing}} class="swing"{{end}}><td class="n">{{.Turn}}</td><td>{{.Side}}</td><td>{{.Word}}</td><td>{{.Notation}}</td>{{if $.Searched}}<td class="n">{{.Value}}</td><td class="n">{{.Share}}</td><td>{{.Preferred}}</td>{{end}}</tr>
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

// pageRow is a move in the table.
type pageRow struct {
	Turn                    int
	Side, Word, Notation    string
	Value, Share, Preferred string
	Swing                   bool
}

type pageBoard struct {
	Number int
	Title  string
	SVG    template.HTML
	Text   string
}

// HTML is the game as a fragment for a page with CSS: remarks, the curve, boards and,
// folded, the table of moves. It loads nothing else and has no ids.
func (g *Game) HTML() (template.HTML, error) {
	p := struct {
		Heading, Facts string
		Remarks        []string
		Value          template.HTML
		Boards         []pageBoard
		Rows           []pageRow
		Searched       bool
	}{
		Heading: g.Heading(), Facts: g.facts(),
		// Curve and SVG escape what they are given.
		Value: template.HTML(g.Curve(false)),
	}
	for _, r := range g.Remarks {
		p.Remarks = append(p.Remarks, strings.ReplaceAll(r, " %", "\u00a0%")) // kept on one line
	}
	for i := range g.Moments {
		m := &g.Moments[i]
		b := pageBoard{Number: i + 1, Title: g.momentTitle(m), Text: m.Text}
		if m.Picture != nil {
			b.SVG = template.HTML(board.SVG(m.Picture, board.Options{NoStyle: true, UnitPixels: boardPixels}))
		}
		p.Boards = append(p.Boards, b)
	}
	for i := range g.Moves {
		m := &g.Moves[i]
		r := pageRow{Turn: m.Turn, Side: m.Side, Word: m.Word, Notation: m.Notation}
		if m.Player == "chance" {
			r.Side = "chance"
		}
		if s := m.Search; s != nil {
			p.Searched = true
			r.Value = signed(s.Value)
			r.Swing = g.Swing != nil && g.Swing.Move == i
			if s.ShareOf != "" {
				r.Share = percent(s.Share)
				if s.Best != m.Word {
					r.Preferred = s.Best + ", " + percent(s.BestShare)
				}
			}
		}
		p.Rows = append(p.Rows, r)
	}
	var b strings.Builder
	err := page.Execute(&b, p)
	return template.HTML(b.String()), err
}
