package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/evaluation"
	"github.com/ludozero/ludozero/model/nnue"
)

// fitEvaluationPlays fits an evaluation to the games of a run of tic-tac-toe, whole and
// interrupted, and plays by it. A run takes time, so that tests share one.
func fitEvaluationPlays(t *testing.T, run string) {
	t.Helper()
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.eval"), filepath.Join(dir, "two.eval")
	args := func(out, epochs string, more ...string) []string {
		return append([]string{"fit-evaluation", "--game", "tictactoe", "--run", run, "--units", "64", "--batch", "64", "--epochs", epochs, "--out", out}, more...)
	}
	r := decode[evaluation.Report](t, mustCall(t, args(one, "3", "--json")...))
	if r.Positions < 100 || r.HeldOut < 5 || r.HeldLoss < r.LeastLoss || r.HeldLoss > 0.75 || r.File != one {
		t.Errorf("of a run: %+v", r)
	}
	contains(t, mustCall(t, args(two, "3")...), " bytes in ", "held-out loss 0.", " above the least")
	first, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := os.ReadFile(two); err != nil || string(first) != string(second) {
		t.Errorf("the same command gives another file (%v)", err)
	}
	if _, err := os.Stat(two + ".fit"); !os.IsNotExist(err) {
		t.Errorf("the saved fit is left: %v", err)
	}
	out := mustCall(t, "match", "--game", "tictactoe", "nnue:"+one+",nodes=500", "random", "--pairs", "4")
	contains(t, out, "nnue:"+one+",nodes=500")
	mustFail(t, 1, []string{"match", "--game", "connect4", "nnue:" + one + ",depth=1", "random", "--pairs", "1"}, "evaluation is of tictactoe, not connect4")
	mustFail(t, 1, []string{"match", "--game", "tictactoe", "nnue:" + run + ",depth=1", "random", "--pairs", "1"}, run)
	games := []string{"--games", "40", "--depth", "1", "--random-turns", "2", "--from", "terms", "--from", one}
	own := decode[evaluation.Report](t, mustCall(t, args(two, "1", append(games, "--json")...)...))
	if own.Games != r.Games+80 || own.Positions+own.HeldOut < r.Positions+r.HeldOut+60 {
		t.Errorf("of a run and 80 games beside: %+v", own)
	}
	if _, card, err := nnue.Decode([]byte(read(t, two))); err != nil || !slices.Contains(card.Runs, "alphabeta") || len(card.Runs) != 2 || !strings.Contains(string(card.Training), `"games":{"number":40,"depth":1,"random_turns":2,"blunder":20,"from":["terms","evaluation `) {
		t.Errorf("the card of a run and 80 games: %+v, %v", card, err)
	}
	mustFail(t, 2, args(one, "1", "--from", two), "--from "+two+": it plays games, of which --games asks for none")
	mustFail(t, 1, args(one, "1", "--games", "1", "--from", run), run)
	mustFail(t, 2, args(one, "0"), "--epochs 0: want 1 to 1000")
	mustFail(t, 2, args(one, "1", "--units", "100"), "--units 100: want a multiple of 64")
	mustFail(t, 2, args(one, "1", "--result", "2"), "--result 2: want 0 to 1")
	if err := os.WriteFile(two+".fit", []byte("nothing"), 0o666); err != nil {
		t.Fatal(err)
	}
	mustFail(t, 1, args(two, "3"), "two.eval.fit: ", "delete it to fit anew")
	mustFail(t, 2, args(dir, "3"), "--out "+dir+": it is a folder")
	mustFail(t, 1, args(filepath.Join(dir, "none", "x.eval"), "3"), "x.eval: no file can be written in its folder: no such file or directory")
}
