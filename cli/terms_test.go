package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/terms"
)

// TestFitTermsWritesWeightsThatPlay: of games played here, and of those of a run.
func TestFitTermsWritesWeightsThatPlay(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "weights.txt")
	out := mustCall(t, "fit-terms", "--game", "connect4", "--games", "60", "--depth", "1", "--rounds", "1", "--check", "5", "--start", "none", "--out", file)
	contains(t, out, "round 1: 60 games: first won ", "held-out loss 0.", "against the weights before: won ", "weights in ")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(text), "# fit-terms --game connect4 --rules standard --rounds 1 --games 60 --depth 1 --random-turns 16 --blunder 20 --start none --seed 1\n", "\nown_stones.0 ", "\ntempo ")
	again := mustCall(t, "fit-terms", "--game", "connect4", "--games", "60", "--depth", "1", "--rounds", "1", "--check", "5", "--start", "none")
	if !strings.HasSuffix(again, string(text)) {
		t.Error("the same seed gives other weights")
	}
	mustCall(t, "match", "--game", "connect4", "alphabeta:depth=1,terms="+file, "alphabeta:depth=1", "--pairs", "1")

	run := filepath.Join(dir, "run")
	mustCall(t, "train", "--config", "tictactoe/tiny", "--run", run, "--set", "generations=1", "--no-rating")
	r := decode[terms.Report](t, mustCall(t, "fit-terms", "--game", "tictactoe", run, "--start", "none", "--check", "0", "--json"))
	if len(r.Rounds) != 1 || r.Rounds[0].Samples < 50 || r.Rounds[0].HeldLoss <= 0 || len(r.Weights) != 2*9+2 {
		t.Errorf("of a run: %+v", r)
	}
	fitEvaluationPlays(t, run)
	mustFail(t, 1, []string{"fit-terms", "--game", "connect4", run}, "tictactoe")
	mustFail(t, 1, []string{"fit-terms", "--game", "tictactoe", "--start", file}, "weights.txt: line 4: ", "want own_stones.0 and 3 of its weights")
	mustFail(t, 2, []string{"fit-terms", "--game", "connect4", "--games", "4"}, "--games 4: want 5 to 1000000")
	mustFail(t, 2, []string{"fit-terms", "--game", "connect4", "--l2", "-1"}, "--l2 -1: want 0 to 1e+06")
}
