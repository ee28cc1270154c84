package games

import (
	"strings"
	"testing"
)

func TestByName(t *testing.T) {
	for _, f := range All() {
		if got, err := All().ByName(f.Name); err != nil || got != f {
			t.Errorf("ByName(%q) = %v, %v", f.Name, got, err)
		}
		g, err := f.Parse("")
		if err != nil {
			t.Errorf("%s: default rules: %v", f.Name, err)
			continue
		}
		if g.Info().Name != f.Name {
			t.Errorf("family %s builds a game called %s", f.Name, g.Info().Name)
		}
	}
	if _, err := All().ByName("chess"); err == nil || !strings.Contains(err.Error(), "tictactoe") {
		t.Errorf("ByName(chess) = %v, want an error that lists the games", err)
	}
}

func TestNamesDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range All() {
		if seen[f.Name] {
			t.Errorf("two games are called %s", f.Name)
		}
		seen[f.Name] = true
	}
}
