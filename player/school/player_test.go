package school

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

func describe(text string) (*player.Spec, error) {
	return player.Parse(text, map[string]player.Kind{KindName: Kind()})
}

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
		spec, err := describe(text)
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
		if _, err := describe(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): %v, want %q", text, err, want)
		}
	}
	spec, err := describe("school:none")
	if err != nil {
		t.Fatal(err)
	}
	other, err := connect4.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spec.New(other); err == nil || !strings.Contains(err.Error(), "plays konreh alone, not connect4") {
		t.Errorf("a player of Connect Four: %v", err)
	}
}

// TestControlIsTheEngine: without a doctrine, what the guide costs is all that differs
// from alphabeta.
func TestControlIsTheEngine(t *testing.T) {
	g := game(t, "")
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	var players [2]match.Player
	for i, text := range []string{"school:none", "alphabeta:depth=2"} {
		spec, err := describe(text)
		if err != nil {
			t.Fatal(err)
		}
		if players[i], err = spec.New(g); err != nil {
			t.Fatal(err)
		}
		if p, ok := players[i].(player.Limited); !ok || !p.CountsDepth() {
			t.Errorf("%s: it takes no limit of depth", text)
		}
	}
	for n := range uint64(30) {
		var chosen [2]engine.Action
		for i, p := range players {
			if err := p.NewGame(t.Context(), n); err != nil {
				t.Fatal(err)
			}
			a, err := p.Think(t.Context(), s, h, match.Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			chosen[i] = a.Choice
		}
		if chosen[0] != chosen[1] {
			t.Fatalf("%s: %d, the engine %d", s.AppendPosition(nil), chosen[0], chosen[1])
		}
		s.Apply(chosen[0], h)
	}
}
