package export

import (
	"bytes"
	_ "embed" // the template
	"fmt"
	"strings"
	"text/template"
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

func (c *Card) readme() []byte {
	var b bytes.Buffer
	if err := readmeTemplate.Execute(&b, c); err != nil {
		panic("BUG: " + err.Error())
	}
	return b.Bytes()
}
