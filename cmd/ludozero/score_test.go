package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/evaluation/yardstick"
	"github.com/ludozero/ludozero/train/run"
)

func TestScore(t *testing.T) {
	dir := t.TempDir()
	to := run.CheckpointDir(dir, 0)
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(weightFile(t, "connect4"), filepath.Join(to, run.WeightsFile)); err != nil {
		t.Fatal(err)
	}
	args := []string{"score", "random", "mcts:sims=8", "net:" + dir + ",sims=1", "--seed", "3"}
	table := decode[yardstick.Table](t, mustCall(t, append(args, "--json", "--workers", "1")...))
	if table.Game != "connect4" || table.Seed != 3 || table.Positions < 2000 || len(table.Scores) != 3 {
		t.Fatalf("score --json: %+v", table)
	}
	for i, s := range table.Scores {
		if s.All.Positions != table.Positions || s.All.Value < 0.3 || s.All.Value > 0.9 {
			t.Errorf("%s: %+v", s.Player, s.All)
		}
		if i == 1 && s.All.Low <= table.Scores[0].All.High {
			t.Errorf("rollouts, %+v, are no better than random, %+v", s.All, table.Scores[0].All)
		}
	}
	// The number of workers changes no result, and the text says the same.
	out := mustCall(t, append(args, "--workers", "3")...)
	var b strings.Builder
	if err := table.WriteText(&b); err != nil || b.String() != out {
		t.Errorf("score prints\n%s%v, want\n%s", out, err, b.String())
	}
}

// TestScoreOfRaces: the engine sees more of a race the deeper it looks.
func TestScoreOfRaces(t *testing.T) {
	table := decode[yardstick.Table](t, mustCall(t, "score", "--game", "konreh", "random", "alphabeta:depth=1", "alphabeta:depth=3", "--json"))
	if table.Game != "konreh" || table.Rules != "standard" || table.Positions < 300 || len(table.Scores) != 3 {
		t.Fatalf("score --json: %+v", table)
	}
	for i, s := range table.Scores {
		if len(s.Kinds) != 3 || len(s.Stages) != 5 || i > 0 && s.All.Low <= table.Scores[i-1].All.High {
			t.Errorf("%s: %+v", s.Player, s)
		}
	}
}

// TestScoreOfARun adds the players that a run is compared with.
func TestScoreOfARun(t *testing.T) {
	want := []string{"random", "net:" + run.CheckpointDir("r", 0) + ",sims=64", "mcts:sims=64", "mcts:sims=1000", "net:r,sims=1", "net:r,sims=64"}
	if got := usualPlayers("r"); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("players of a run: %q, want %q", got, want)
	}
	mustFail(t, 1, []string{"score", "--run", filepath.Join(t.TempDir(), "none")}, "none")
}

func TestScoreSaysWhatIsWrong(t *testing.T) {
	mustFail(t, 2, []string{"score"}, "no players")
	mustFail(t, 2, []string{"score", "random", "--workers", "-1"}, "--workers -1")
	mustFail(t, 2, []string{"score", "random", "--game", "tictactoe"}, "tictactoe: want connect4 or konreh")
	mustFail(t, 2, []string{"score", "random", "--game", "konreh", "--rules", "letter"}, "--rules letter: the positions of konreh are of rules standard")
	mustFail(t, 2, []string{"score", "random", "nonsense"}, `no kind "nonsense"`)
}
