package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/cli/clitest"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/train/rundir"
)

// unknownRules is a preset that the shipped network of a game was not trained on,
// whichever network that is.
func unknownRules(t *testing.T, game string) string {
	t.Helper()
	s, err := builtinEnv().Players.Shipped(game)
	if err != nil {
		t.Fatal(err)
	}
	family, err := games.All().ByName(game)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range family.Presets {
		g, err := family.Parse(p.Name)
		if err != nil {
			t.Fatal(err)
		}
		if trained, err := s.TrainedOn(g); err != nil {
			t.Fatal(err)
		} else if !trained {
			return g.Rules()
		}
	}
	t.Skipf("the shipped network %s was trained on every preset", game)
	return ""
}

// TestPlayOutOfTheBox: nobody says who plays.
func TestPlayOutOfTheBox(t *testing.T) {
	t.Chdir(t.TempDir())
	matches, err := zoo.EvaluationMatches("konreh")
	if err != nil {
		t.Fatal(err)
	}
	konreh, why := "net:konreh,sims=400\n", ""
	if matches.At(100*time.Millisecond).Score > 0.5 { // each new network may change it
		konreh, why = "nnue:konreh,nodes=50000\n", "nnue:konreh,nodes=50000 plays: with 100 ms a decision it scored "
	}
	contains(t, atTable(t, []string{"quit"}), "konreh, standard\n", "second player, B: "+konreh+why)
	out := atTable(t, []string{"4", "hint", "quit"}, "--game", "connect4")
	contains(t, out, "second player, o: net:connect4,sims=400\n", "  1. x 4", "  2. o ", "value ", "--second net:connect4,sims=400")
	contains(t, atTable(t, []string{"quit"}, "--game", "connect4", "--second", "you"), "first player, x: net:connect4,sims=400\n")
	contains(t, atTable(t, []string{"hint"}, "--game", "connect4", "--first", "you", "--second", "you"), "net:connect4,sims=400\nplays    ")

	contains(t, atTable(t, []string{"quit"}, "--rules", "standard,max_turns=50"), "second player, B: "+konreh)
	contains(t, atTable(t, []string{"quit"}, "--rules", "tutor"), "second player, B: net:konreh,sims=400\n`help`")
	contains(t, atTable(t, []string{"quit"}, "--game", "knaw"), "second player, north: nnue:knaw,nodes=50000\n`help`")
	contains(t, atTable(t, []string{"quit"}, "--game", "tictactoe"), "second player, o: mcts:sims=1000")

	// A run of that name here is not in the way.
	if err := os.MkdirAll(filepath.Dir(rundir.WeightsPath("connect4", 1)), 0o777); err != nil {
		t.Fatal(err)
	}
	clitest.WriteWeights(t, rundir.WeightsPath("connect4", 1), "connect4", 1)
	contains(t, atTable(t, []string{"quit"}, "--game", "connect4"), "second player, o: net:shipped:connect4,sims=400\n")
}

// TestPlayByRulesThatTheNetworkDoesNotKnow: it does not play them by default, and
// that is said; also not where there is none.
func TestPlayByRulesThatTheNetworkDoesNotKnow(t *testing.T) {
	t.Chdir(t.TempDir())
	rules := unknownRules(t, "konreh")
	const instead = "The shipped network konreh was not trained on these rules: mcts:sims=1000 plays instead of net:konreh,sims=400.\n"
	contains(t, atTable(t, []string{"quit"}, "--rules", rules), "second player, B: mcts:sims=1000", instead)
	for _, args := range [][]string{
		{"--rules", rules, "--against", "random"}, {"--rules", rules, "--first", "you", "--second", "you"}, {"--game", "tictactoe"},
		{"--rules", rules, "--against", "net:konreh,sims=2"},
	} {
		if out := atTable(t, []string{"quit"}, args...); strings.Contains(out, "The shipped network") {
			t.Errorf("play %q speaks of a network that nobody asked for:\n%s", args, out)
		}
	}
}

// TestAnalyzeOutOfTheBox: nobody says who is asked. Other rules than those of the
// network are refused, for one position as for single lines.
func TestAnalyzeOutOfTheBox(t *testing.T) {
	t.Chdir(t.TempDir())
	contains(t, mustCall(t, "analyze", "--game", "connect4", "--moves", "112233"), "asked: net:connect4,sims=400\n", "plays    4\n")
	contains(t, mustCall(t, "analyze", "--game", "tictactoe"), "asked: alphabeta:nodes=300000\n")
	mustFail(t, 2, []string{"analyze", "--player", ""}, `no kind ""`)
	rules := unknownRules(t, "konreh")
	mustFail(t, 2, []string{"analyze", "--rules", rules}, "not trained on "+rules+": want --player mcts:sims=1000, or --player net:konreh,sims=400 all the same")
	other := `"preset":"` + rules + `"`
	out, _, err := call(t, `{"id":1}`+"\n"+`{"id":2,`+other+`}`+"\n"+`{"id":3,"options":["max_turns=50"]}`, "analyze", "--jsonl")
	if a := answers(t, out); shell.ExitCode(err) != 1 || len(a) != 3 || len(a[0].Policy) == 0 || !strings.Contains(a[1].Error, "not trained on "+rules) || a[1].Policy != nil || len(a[2].Policy) == 0 {
		t.Errorf("analyze --jsonl: %v\n%s", err, out)
	}
	out, _, err = call(t, `{`+other+`}`, "analyze", "--jsonl", "--player", "net:konreh,sims=2")
	if a := answers(t, out); err != nil || a[0].Error != "" || len(a[0].Policy) == 0 {
		t.Errorf("a network that is asked for by name does not say what it thinks of any rules: %v\n%s", err, out)
	}
}
