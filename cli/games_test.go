package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/rules"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/report/rulebook"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

func TestGamesListsAll(t *testing.T) {
	text := mustCall(t, "games")
	list := decode[[]struct {
		Name, Doc string
		Presets   []string
	}](t, mustCall(t, "games", "--json"))
	if len(list) != len(games.All()) {
		t.Fatalf("%d games, want %d", len(list), len(games.All()))
	}
	for _, g := range list {
		if len(g.Presets) == 0 || g.Doc == "" {
			t.Errorf("%+v", g)
		}
		for _, word := range append(g.Presets, g.Name, g.Doc) {
			if !strings.Contains(text, word) {
				t.Errorf("the text does not name %q of the JSON:\n%s", word, text)
			}
		}
	}
}

// rulesDoc is the JSON form of rules.
type rulesDoc struct {
	Game, Rules string
	Presets     []struct {
		Name, Doc string
		Set       map[string]string
	}
	Options []struct {
		Name, Value, Default, Doc string
		Values                    []string
		Min, Max                  *int
		Form                      string // of data
	}
}

// TestRulesShowsOneCanonicalWord asks for one ruleset in several words.
func TestRulesShowsOneCanonicalWord(t *testing.T) {
	const want = "blitz,balance=pie,buyback=true"
	for _, word := range []string{want, "blitz,buyback=true,balance=pie", "blitz,seed=true,buyback=true,balance=pie,no_progress=30"} {
		doc := decode[rulesDoc](t, mustCall(t, "rules", "--game", "konreh", "--rules", word, "--json"))
		if doc.Game != "konreh" || doc.Rules != want {
			t.Errorf("%s: game %s, rules %s, want %s", word, doc.Game, doc.Rules, want)
		}
		value := map[string]string{}
		for _, o := range doc.Options {
			value[o.Name] = o.Value
			if (o.Values == nil) == (o.Min == nil) || (o.Min == nil) != (o.Max == nil) || o.Default == "" || o.Doc == "" {
				t.Errorf("option %+v: want values or a range, a default and an explanation", o)
			}
		}
		if value["balance"] != "pie" || value["no_progress"] != "30" || value["seed"] != "true" {
			t.Errorf("%s: values %v", word, value)
		}
		if text := mustCall(t, "rules", "--rules", word); !strings.Contains(text, `as they are under "`+want+`"`) {
			t.Errorf("%s: the text does not name the canonical word:\n%s", word, text)
		}
	}
	if doc := decode[rulesDoc](t, mustCall(t, "rules", "--game", "tictactoe", "--json")); doc.Rules != "standard" || len(doc.Options) != 0 {
		t.Errorf("tictactoe: %+v", doc)
	}
}

// TestEveryPresetIsARulesWord feeds what rules prints back to it.
func TestEveryPresetIsARulesWord(t *testing.T) {
	for _, f := range games.All() {
		for _, p := range f.Presets {
			doc := decode[rulesDoc](t, mustCall(t, "rules", "--game", f.Name, "--rules", p.Name, "--json"))
			if doc.Rules != p.Name {
				t.Errorf("%s: preset %s is %s", f.Name, p.Name, doc.Rules)
			}
		}
		for line := range strings.Lines(mustCall(t, "rules", "--game", f.Name)) {
			if n := len([]rune(line)); n > 100 || n > rulebook.TextWidth+1 && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%s: a line of %d characters: %s", f.Name, n, line)
			}
		}
	}
	mustFail(t, 2, []string{"rules", "--page", "--json"}, "--json: the page of rules is text")
	mustFail(t, 2, []string{"rules", "--section", "goal", "--json"}, "--json: the page of rules is text")
}

func TestShow(t *testing.T) {
	golden(t, "show-konreh.txt", mustCall(t, "show", "--game", "konreh"))
	golden(t, "show-konreh-moves.txt", mustCall(t, "show", "--game", "konreh", "--moves", "d1f1  h5f5 f7d7", "--color", "never"))
	golden(t, "show-konreh-color.txt", mustCall(t, "show", "--game", "konreh", "--rules", "micro", "--color", "always"))
	golden(t, "show-tictactoe-over.txt", mustCall(t, "show", "--game", "tictactoe", "--moves", "a1 b1 a2 b2 a3"))
}

// TestShownPositionIsReadBack continues from the position line that was shown.
func TestShownPositionIsReadBack(t *testing.T) {
	all := mustCall(t, "show", "--game", "connect4", "--moves", "4 4 3")
	lines := strings.Split(all, "\n")
	line := lines[3] // after three moves
	again := mustCall(t, "show", "--game", "connect4", "--position", line)
	if again != strings.Join(lines[3:], "\n") {
		t.Errorf("shown from %q:\n%swant\n%s", line, again, strings.Join(lines[3:], "\n"))
	}
}

func TestShowRefusesBadWords(t *testing.T) {
	mustFail(t, 2, []string{"show", "--moves", "d1f1 a1a9"}, `move 2, "a1a9"`)
	mustFail(t, 2, []string{"show", "--moves", "d1f1 d1f1"}, `move 2, "d1f1"`)
	mustFail(t, 2, []string{"show", "--game", "tictactoe", "--moves", "a1 b1 a2 b2 a3 c3"}, `move 6, "c3"`)
	mustFail(t, 2, []string{"show", "--position", "nonsense"}, `position "nonsense"`)
	mustFail(t, 2, []string{"show", "--game", "connect4", "--position", "nonsense"}, `position "nonsense"`)
	mustFail(t, 2, []string{"show", "--color", "blue"}, `--color "blue": want auto, always or never`)
}

// TestPerftOfKonreh has the numbers of the rules' page, section 12, which two
// independent programs agree on.
func TestPerftOfKonreh(t *testing.T) {
	for rules, want := range map[string]string{
		"standard":                    "8 64 432 4536 60160",
		"standard,balance=single":     "8 64 672 7096 85804",
		"standard,balance=pie":        "8 16 128 1344 14192",
		"standard,balance=pie-double": "8 16 128 864 9072",
		"standard,balance=double-pie": "8 64 432 864 9072",
		"letter":                      "8 64 432 4536 59672",
		"table":                       "8 64 432 4536 60160",
		"micro":                       "6 36 168 1436 15309",
	} {
		if got := mustCall(t, "perft", "--game", "konreh", "--rules", rules, "--depth", "5"); got != want+"\n" {
			t.Errorf("perft of %s: %swant %s", rules, got, want)
		}
	}
}

// TestPerftOfSmallGames: no game of Connect Four ends within six turns, and a
// column is not full before the seventh. Of the 255168 games of tic-tac-toe
// 1440, 5328, 47952, 72576 and 127872 end after 5, 6, 7, 8 and 9 turns, and
// finished games count on.
func TestPerftOfSmallGames(t *testing.T) {
	if got, want := mustCall(t, "perft", "--game", "connect4", "--depth", "6"), "7 49 343 2401 16807 117649\n"; got != want {
		t.Errorf("perft of connect4: %swant %s", got, want)
	}
	if got, want := mustCall(t, "perft", "--game", "tictactoe", "--depth", "9"), "9 72 504 3024 15120 56160 154944 255168 255168\n"; got != want {
		t.Errorf("perft of tictactoe: %swant %s", got, want)
	}
}

func TestPerftDivides(t *testing.T) {
	late := "8/8/8/r4Gb1/8/2B5/8/O7 A m H,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h1,k0 0 54"
	for _, args := range [][]string{
		{"--game", "konreh", "--depth", "4"},
		{"--game", "konreh", "--depth", "1"},
		{"--game", "konreh", "--rules", "letter", "--depth", "3", "--position", late},
		{"--game", "tictactoe", "--depth", "7"},
		{"--game", "connect4", "--depth", "4"},
	} {
		plain := mustCall(t, append([]string{"perft"}, args...)...)
		lines := strings.Split(strings.TrimSpace(mustCall(t, append([]string{"perft", "--divide"}, args...)...)), "\n")
		totals := strings.Fields(plain)
		if last := lines[len(lines)-1]; last != strings.TrimSpace(plain) {
			t.Errorf("%q: the last line is %q, want %q", args, last, plain)
		}
		sum, moves := 0, []string{}
		for _, line := range lines[:len(lines)-1] {
			var word string
			var n int
			if _, err := fmt.Sscanf(line, "%s %d", &word, &n); err != nil {
				t.Fatalf("%q: line %q: %v", args, line, err)
			}
			sum += n
			moves = append(moves, word)
		}
		slices.Sort(moves)
		if fmt.Sprint(sum) != totals[len(totals)-1] || fmt.Sprint(len(slices.Compact(moves))) != totals[0] {
			t.Errorf("%q: %d below %d moves, want %s below %s", args, sum, len(moves), totals[len(totals)-1], totals[0])
		}
	}
}

func TestPerftRefusesBadWords(t *testing.T) {
	for _, depth := range []string{"0", "-1"} {
		mustFail(t, 2, []string{"perft", "--depth", depth}, "--depth "+depth+": want at least 1")
	}
	mustFail(t, 2, []string{"perft", "--depth", "1.5"}, "--depth")
	mustFail(t, 2, []string{"perft", "--position", "nonsense"}, `position "nonsense"`)
}

func TestDoctorFindsHealthyGames(t *testing.T) {
	for name, perft := range map[string]string{"tictactoe": "[9 72 504]", "connect4": "[7 49 343]"} {
		args := []string{"doctor", "--game", name, "--games", "20", "--depth", "3"}
		out, errOut, err := call(t, "", args...)
		if err != nil || errOut != "" {
			t.Errorf("doctor of %s: %v, %q", name, err, errOut)
		}
		for _, want := range []string{"standard\n  perft " + perft + "\n", "20 random games", "no fault"} {
			if !strings.Contains(out, want) {
				t.Errorf("doctor of %s says\n%swant %q", name, out, want)
			}
		}
		list := decode[[]rules.Diagnosis](t, mustCall(t, append(args, "--json", "--rules", "standard")...))
		if len(list) != 1 || list[0].Random == nil || list[0].Random.Games != 20 || fmt.Sprint(list[0].Perft) != perft || len(list[0].Faults) != 0 {
			t.Errorf("doctor --json of %s: %+v", name, list)
		}
		if again := mustCall(t, args...); again != out {
			t.Errorf("doctor of %s says something else the second time", name)
		}
	}
}

func TestDoctorRefusesBadWords(t *testing.T) {
	mustFail(t, 2, []string{"doctor", "--games", "0", "--depth", "0"}, "--games 0, --depth 0: want at least 1")
	mustFail(t, 2, []string{"doctor", "--rules", "standard,nonsense=1"}, `no option "nonsense"`)
}
