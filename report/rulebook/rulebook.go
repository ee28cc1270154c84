// Package rulebook writes a page of rules for people: as HTML for a browser, as text
// for a terminal, and as Markdown with pictures as files for the documentation. All
// text of the page is escaped.
package rulebook

import (
	"fmt"
	"html"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/guide"
	"github.com/ludozero/ludozero/report/board"
)

// unitPixels is the size of the boards of a page, less than that of a board to play on.
const unitPixels = 26

// HTML writes a page of rules as elements for the body of a page. Headings have the
// page's anchors as their ids.
func HTML(f *engine.Family, rules string) (string, error) {
	p, err := guide.ParsePage(rules)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, x := range p.Blocks {
		switch x.Kind {
		case guide.Heading:
			fmt.Fprintf(&b, "<h%d id=\"%s\">%s</h%d>\n", x.Level, html.EscapeString(x.ID), spans(x.Lines[0]), x.Level)
		case guide.Paragraph:
			fmt.Fprintf(&b, "<p>%s</p>\n", spans(x.Lines[0]))
		case guide.List, guide.Numbers:
			tag := "ul"
			if x.Kind == guide.Numbers {
				tag = "ol"
			}
			fmt.Fprintf(&b, "<%s>\n", tag)
			for _, line := range x.Lines {
				fmt.Fprintf(&b, "<li>%s</li>\n", spans(line))
			}
			fmt.Fprintf(&b, "</%s>\n", tag)
		case guide.Table:
			b.WriteString("<table>\n")
			for i, row := range x.Rows {
				b.WriteString("<tr>")
				for _, cell := range row {
					if i == 0 {
						fmt.Fprintf(&b, `<th scope="col">%s</th>`, spans(cell))
					} else {
						fmt.Fprintf(&b, "<td>%s</td>", spans(cell))
					}
				}
				b.WriteString("</tr>\n")
			}
			b.WriteString("</table>\n")
		case guide.Figure:
			_, picture, whyNot, err := x.Picture.Set(f)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "<figure>%s<figcaption>%s", board.SVG(picture, board.Options{NoStyle: true, UnitPixels: unitPixels}), html.EscapeString(x.Picture.Caption))
			if claims := spans(claims(x.Picture, whyNot)); claims != "" {
				fmt.Fprintf(&b, " %s", claims)
			}
			b.WriteString("</figcaption></figure>\n")
		}
	}
	return b.String(), nil
}

func spans(l guide.Line) string {
	var b strings.Builder
	for _, s := range l {
		text := html.EscapeString(s.Text)
		switch {
		case s.Bold:
			text = "<strong>" + text + "</strong>"
		case s.Code:
			text = "<code>" + text + "</code>"
		case s.Link != "":
			text = `<a href="#` + s.Link + `">` + text + "</a>"
		}
		b.WriteString(text)
	}
	return b.String()
}

// claims says which moves a picture names, and why those are illegal that are.
func claims(p *guide.Picture, whyNot []string) (line guide.Line) {
	list := func(text string, words, why []string) {
		for i, word := range words {
			if i == 0 {
				line = append(line, guide.Span{Text: text})
			} else {
				line = append(line, guide.Span{Text: ", "})
			}
			line = append(line, guide.Span{Text: word, Code: true})
			if why != nil && why[i] != "" {
				line = append(line, guide.Span{Text: " (" + why[i] + ")"})
			}
		}
		if len(words) > 0 {
			line = append(line, guide.Span{Text: "."})
		}
	}
	list("Allowed: ", p.Legal, nil)
	if len(p.Legal) > 0 && len(p.Illegal) > 0 {
		line = append(line, guide.Span{Text: " "})
	}
	list("Not allowed: ", p.Illegal, whyNot)
	return line
}

// Markdown writes a page of rules for the documentation, with its pictures as files
// name-1.svg and so on, below folder as seen from the page.
func Markdown(f *engine.Family, rules, folder, name string) (text string, pictures map[string][]byte, err error) {
	p, err := guide.ParsePage(rules)
	if err != nil {
		return "", nil, err
	}
	pictures = map[string][]byte{}
	var b strings.Builder
	rest := p.Blocks
	next := func(kind guide.BlockKind) *guide.Block {
		for rest[0].Kind != kind {
			rest = rest[1:]
		}
		block := &rest[0]
		rest = rest[1:]
		return block
	}
	inside := false
	for line := range strings.Lines(rules) {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == guide.Fence:
			inside = true
			x := next(guide.Figure).Picture
			_, picture, whyNot, err := x.Set(f)
			if err != nil {
				return "", nil, err
			}
			file := fmt.Sprintf("%s-%d.svg", name, len(pictures)+1)
			pictures[file] = board.SVG(picture, board.Options{UnitPixels: unitPixels})
			fmt.Fprintf(&b, "![%s](%s/%s)\n\n%s", x.Caption, folder, file, x.Caption)
			for i, s := range claims(x, whyNot) {
				if i == 0 {
					b.WriteString(" ")
				}
				if s.Code {
					s.Text = "`" + s.Text + "`"
				}
				b.WriteString(s.Text)
			}
			b.WriteString("\n")
		case inside:
			inside = trimmed != "```"
		case strings.HasPrefix(line, "#"):
			x := next(guide.Heading)
			line, _, _ = strings.Cut(strings.TrimSuffix(line, "\n"), " {#")
			if x.Level > 1 {
				fmt.Fprintf(&b, "<a id=\"%s\"></a>\n", x.ID)
			}
			b.WriteString(line + "\n")
		default:
			b.WriteString(line)
		}
	}
	return b.String(), pictures, nil
}
