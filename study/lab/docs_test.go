package lab

import (
	"os"
	"strings"
	"testing"
)

// The page for designers has a row for each measure.
func TestMeasuresAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/design-lab.md")
	if err != nil {
		t.Fatal(err)
	}
	var list []Measure
	for _, more := range [][]Measure{gameMeasures(), pooledMeasures(), curveMeasures(), depthMeasures(), {endMeasure("x"), kindMeasure("x", 0)}} {
		list = append(list, more...)
	}
	if len(list) < 15 {
		t.Errorf("%d measures, want 15 or more", len(list))
	}
	for _, m := range list {
		name, _, _ := strings.Cut(m.Name, ":")
		if !strings.Contains(string(page), "\n| "+name+" | ") {
			t.Errorf("no row for %s", m.Name)
		}
		if m.Definition == "" || m.Source == "" || m.Unit == "" {
			t.Errorf("%s: %q, %q, %q: want unit, definition and source", m.Name, m.Unit, m.Definition, m.Source)
		}
	}
}
