package health

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestRulesAreDocumented: the table of warnings has every rule with its severity
// and when it begins to hold, and no other.
func TestRulesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/health.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "\n## Warnings\n")
	rest, _, _ = strings.Cut(rest, "\n## ")
	table := map[string][]string{}
	for line := range strings.Lines(rest) {
		if cells := strings.Split(strings.Trim(line, "| \n"), " | "); strings.HasPrefix(line, "| `") && len(cells) == 5 {
			table[strings.Trim(cells[0], "`")] = cells
		}
	}
	for _, r := range rules {
		c := table[r.code]
		if len(c) == 0 || c[1] != string(r.severity) || c[3] != fmt.Sprintf("%d, %d", r.from, r.streak) {
			t.Errorf("rule %s, %s, %d, %d: the table has %q", r.code, r.severity, r.from, r.streak, c)
		}
	}
	if len(table) != len(rules) {
		t.Errorf("the table has %d rules, want %d", len(table), len(rules))
	}
}
