package export

import (
	"bytes"
	_ "embed" // the template
	"fmt"
	"strings"
	"text/template"

	"github.com/ludozero/ludozero/engine/manual"
)

//go:embed readme.tmpl
var readmeText string

var readmeTemplate = template.Must(template.New("readme").Funcs(template.FuncMap{
	"percent": func(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) },
	"shape": func(t Tensor) string {
		s := "[batch"
		for _, n := range t.Shape {
			s += fmt.Sprintf(", %d", n)
		}
		return s + "]"
	},
	"below": func(markdown string) string { // headings one level further down
		return strings.ReplaceAll("\n"+markdown, "\n#", "\n##")[1:]
	},
}).Parse(readmeText))

// readme is the page of a card, whose inputs the game's document explains.
func (c *Card) readme(game *manual.Document) []byte {
	var b bytes.Buffer
	page := struct {
		*Card
		Game *manual.Document
	}{c, game}
	if err := readmeTemplate.Execute(&b, page); err != nil {
		panic("BUG: " + err.Error())
	}
	return b.Bytes()
}
