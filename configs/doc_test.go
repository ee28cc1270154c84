package configs

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/train/plan"
)

// TestEveryKeyIsDocumented holds the tables of docs/configuration.md to the
// settings: the same keys, each once, with their defaults.
func TestEveryKeyIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	section := ""
	row := regexp.MustCompile("^\\| `([^`]*)` \\|(?: `([^`]*)`)? \\| [^|]+ \\|$")
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSpace(line)
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			section = heading + "."
			if heading == "The run" {
				section = ""
			}
		}
		if m := row.FindStringSubmatch(line); m != nil {
			got = append(got, fmt.Sprintf("%s%s: %s", section, m[1], m[2]))
		} else if strings.HasPrefix(line, "| `") {
			t.Errorf("%s: want | `key` | `default` | meaning |, or nothing where the default is empty", line)
		}
	}
	var want []string
	for _, l := range leaves(reflect.TypeFor[Run]()) {
		want = append(want, l.key+": "+text(reflect.ValueOf(DefaultRun(games.All())).FieldByIndex(l.index)))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("not in the tables, or elsewhere: %s", w)
			}
		}
		for _, g := range got {
			if !slices.Contains(want, g) {
				t.Errorf("no such key or default: %s", g)
			}
		}
		t.Errorf("the tables have %d keys, the settings %d; want each once", len(got), len(want))
	}
	for _, entry := range []reflect.Type{reflect.TypeFor[plan.RulesWeight](), reflect.TypeFor[plan.Growth]()} {
		for _, l := range leaves(entry) {
			if !strings.Contains(string(page), "`"+l.key+"`") {
				t.Errorf("key %s of an entry of %v is not mentioned", l.key, entry)
			}
		}
	}
}
