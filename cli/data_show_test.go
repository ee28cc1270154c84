package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/report/sample"
)

// TestDataShowsGames of a run, chosen or by number, in each of its forms.
func TestDataShowsGames(t *testing.T) {
	dir := recordedRun(t, 3)
	chosen := decode[[]sample.Game](t, mustCall(t, "data", "show", dir, "--json"))
	if len(chosen) < 2 {
		t.Fatalf("%d games chosen", len(chosen))
	}
	text := mustCall(t, "data", "show", dir)
	page := filepath.Join(t.TempDir(), "games.html")
	if out := mustCall(t, "data", "show", dir, "--html", page); out != "" {
		t.Errorf("with --html it prints %s", out)
	}
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for i := range chosen {
		heading := chosen[i].Heading()
		if !strings.Contains(strings.Join(strings.Fields(text), " "), heading) || !strings.Contains(string(html), "<h3>"+heading) {
			t.Errorf("%q is not in both forms", heading)
		}
	}
	number := chosen[1].Number
	one := decode[[]sample.Game](t, mustCall(t, "data", "show", dir, "--game", fmt.Sprint(number), "--json"))
	if len(one) != 1 || one[0].Number != number || len(one[0].Moves) != len(chosen[1].Moves) || one[0].Why != nil {
		t.Errorf("game %d by number: %+v", number, one)
	}
	mustFail(t, 1, []string{"data", "show", dir, "--game", "999999"}, "no game 999999", dir)
	mustFail(t, 2, []string{"data", "show", filepath.Join(dir, "nowhere")}, "nowhere")
	mustFail(t, 2, []string{"data", "show", dir, "--game", "-3"}, "--game -3")
	mustFail(t, 2, []string{"data", "show", dir, "--json", "--html", page}, "want one of them")
}

// TestDataShowsGamesOfMatches from their moves.
func TestDataShowsGamesOfMatches(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "match")
	mustCall(t, "match", "--game", "connect4", "minimax:depth=1", "random", "--pairs", "1", "--out", dir)
	text := mustCall(t, "data", "show", dir, "--game", "2")
	for _, want := range []string{"Game 2: random against minimax:depth=1", "Last position, after", "Start of the middle game", "\n1. "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "{") {
		t.Errorf("values of a game without searches:\n%s", text)
	}
	mustFail(t, 2, []string{"data", "show", dir}, "is a match", "--game")
	mustFail(t, 1, []string{"data", "show", dir, "--game", "3"}, "no game 3")
}
