package school

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestDocs: docs/schools.md says of every word what the program says, and its example
// is a school.
func TestDocs(t *testing.T) {
	data, err := os.ReadFile("../../docs/schools.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	row := func(name, doc string) {
		if line := fmt.Sprintf("| `%s` | %s |\n", name, doc); !strings.Contains(text, line) {
			t.Errorf("no row %s", line)
		}
	}
	for _, f := range Features() {
		row(f.Name, f.Doc)
	}
	for _, x := range Extras() {
		row(x.Name, x.Doc)
	}
	for _, e := range Events() {
		row(e.Name, e.Doc)
	}
	_, example, _ := strings.Cut(text, "```yaml\n")
	example, _, _ = strings.Cut(example, "```")
	if _, err := Parse("hearth.yaml", []byte(example)); err != nil {
		t.Error(err)
	}
}
