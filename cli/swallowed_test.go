package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestNoFlagIsSwallowed: what would do nothing beside other flags is refused, and so is a
// file that could not be written, before the work.
func TestNoFlagIsSwallowed(t *testing.T) {
	root := t.TempDir()
	run := tinyRun(t, filepath.Join(root, "run"), "--no-rating")
	for _, c := range []struct {
		code       int
		args, want string
	}{
		{2, "balance --game tictactoe --plan --json", "--json and --plan: want one of them"},
		{2, "sweep ../configs/sweeps/tictactoe.yaml --plan --json", "--json and --plan: want one of them"},
		{2, "fit-terms --game tictactoe RUN --rounds 3", "--rounds: it plays games, of which there are those at RUN"},
		{2, "fit-evaluation --game tictactoe --run RUN --depth 5 --out ROOT/x.eval", "--depth: it is of games that are played"},
		{2, "fit-evaluation --game tictactoe --rate 0 --out ROOT/x.eval", "--rate 0: want more"},
		{2, "bench --hours NaN", "--hours NaN: want 0 to 10000"},
		{1, "bench --out ROOT/none/x.json", "--out ROOT/none/x.json: no file can be written in its folder: no such file or directory"},
		{1, "fit-terms --game tictactoe RUN --out ROOT/none/x", "no file can be written"},
		{1, "report RUN --out ROOT/none/x", "no file can be written"},
		{2, "report RUN --out -", "--out -: want a file; one of that name is ./-"},
		{2, "data show RUN --game 1 --html -", "--html -: want a file"},
		{2, "data export RUN --format csv --out -", "--out -: want a file"},
		{2, "data cat RUN --game -1", "--game -1: want none below 0"},
		{2, "data reproduce RUN --game -1", "--game -1: want none below 0"},
		{2, "data reproduce RUN --games 0", "--games 0: want at least 1"},
		{2, "play --game tictactoe --first random --second random --against exact", "--against: who sits opposite"},
		{2, "play --game nonsense --lesson list", `no game "nonsense"`},
		{2, "play --game konreh --lesson list --rules nonsense", `konreh has no preset "nonsense"`},
		{2, "analyze --game knaw --luck --moves zz", "zz"},
		{2, "analyze --game konreh --player exact", "player exact: the game is too large to solve"},
		{2, "train --network konreh --run ROOT/new --set model.blocks=7", "--set model.blocks=7: --network konreh says it, 4"},
	} {
		here := strings.NewReplacer("ROOT", root, "RUN", run)
		mustFail(t, c.code, strings.Fields(here.Replace(c.args)), here.Replace(c.want))
	}
}
