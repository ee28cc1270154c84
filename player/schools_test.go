package player

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/konreh"
)

func TestSchoolIsParsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.yaml")
	if err := os.WriteFile(path, []byte("name: Own\nabout: A test.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"school:none":                  "school:none,depth=2",
		"school:ykrul":                 "school:cross-puncture,depth=2",
		"school:black-banner,weight=2": "school:cross-denial,depth=2,weight=2",
		"school:none,weight=0.50":      "school:none,depth=2,weight=0.5",
		"school:none,depth=3,weight=1": "school:none,depth=3",
		"school:" + path:               "school:" + path + ",depth=2",
	} {
		spec, err := Parse(text, nil)
		if err != nil || spec.Text != want {
			t.Errorf("Parse(%q) = %v, %v, want %q", text, spec, err, want)
			continue
		}
		if id, err := spec.Identity(); err != nil || !strings.HasPrefix(id, "school ") {
			t.Errorf("%s: identity %q, %v", text, id, err)
		}
	}
	for text, want := range map[string]string{
		"school":               "needs its ID first",
		"school:nobody":        `no school "nobody": want a path that ends in .yaml, or one of none, ykrul (cross-puncture), `,
		"school:./nobody.yaml": "no such file",
		"school:none,depth=7":  "depth=7",
		"school:none,weight=5": "weight=5",
	} {
		if _, err := Parse(text, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): %v, want %q", text, err, want)
		}
	}
	spec, err := Parse("school:none", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spec.New(game(t, &connect4.Family)); err == nil || !strings.Contains(err.Error(), "plays konreh alone, not connect4") {
		t.Errorf("a player of Connect Four: %v", err)
	}
}

// TestControlIsTheEngine: without a doctrine, what the guide costs is all that differs
// from alphabeta.
func TestControlIsTheEngine(t *testing.T) {
	g := game(t, &konreh.Family)
	s, h := played(t, g, "")
	control, engine := newPlayer(t, "school:none", g), newPlayer(t, "alphabeta:depth=2", g)
	for n := range uint64(30) {
		control.NewGame(t.Context(), n)
		engine.NewGame(t.Context(), n)
		a, err := choose(t.Context(), control, s, h)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := choose(t.Context(), engine, s, h); err != nil || a != b {
			t.Fatalf("%s: %d, the engine %d, %v", s.AppendPosition(nil), a, b, err)
		}
		s.Apply(a, h)
	}
}
