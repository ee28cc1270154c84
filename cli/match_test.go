package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/clitest"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/rundir"
)

func openFamily(t testing.TB, name string) engine.Game {
	t.Helper()
	f, err := games.All().ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// weightFile writes the smallest network for a game, untrained.
func weightFile(t testing.TB, game string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), game+model.Extension)
	clitest.WriteWeights(t, path, game, 1)
	return path
}

func TestMatchOfEqualsIsEven(t *testing.T) {
	out := mustCall(t, "match", "--game", "tictactoe", "exact", "exact", "--pairs", "5", "--opening-turns", "0")
	for _, want := range []string{"A          exact\nB          exact\n", "0 won, 10 drawn, 0 lost", "50.0 %"} {
		if !strings.Contains(out, want) {
			t.Errorf("match says\n%swant %q", out, want)
		}
	}
}

func TestMatchJSON(t *testing.T) {
	net := weightFile(t, "tictactoe")
	args := []string{"match", "--game", "tictactoe", "net:" + net + ",sims=16", "random", "--pairs", "5", "--opening-turns", "1", "--seed", "3", "--json"}
	short := decode[match.Result](t, mustCall(t, args...))
	if short.Wins+short.Draws+short.Losses != 10 || short.A != hashedPlayer(args[3]) || short.B != "random" || short.Seed != 3 || short.Games != nil {
		t.Errorf("match --json: %+v", short)
	}
	// The number of workers changes no result.
	for _, workers := range []string{"1", "7"} {
		full := decode[match.Result](t, mustCall(t, append(args, "--games", "--workers", workers)...))
		if len(full.Games) != 10 || full.Tally != short.Tally || full.Score != short.Score {
			t.Errorf("%s workers: %d games, %v, want 10, %v", workers, len(full.Games), full.Tally, short.Tally)
		}
	}
}

// TestMatchFindsTheNetworkOfAFolder in a checkpoint and, the newest, in a run.
func TestMatchFindsTheNetworkOfAFolder(t *testing.T) {
	dir := t.TempDir()
	for generation, file := range []string{weightFile(t, "connect4"), weightFile(t, "tictactoe")} {
		to := rundir.CheckpointDir(dir, generation)
		if err := errors.Join(os.MkdirAll(to, 0o777), os.Rename(file, filepath.Join(to, rundir.WeightsFile))); err != nil {
			t.Fatal(err)
		}
	}
	args := func(path string) []string {
		return []string{"match", "--game", "tictactoe", "net:" + path + ",sims=4", "random", "--pairs", "3", "--json"}
	}
	want := decode[match.Result](t, mustCall(t, args(rundir.WeightsPath(dir, 1))...))
	for _, path := range []string{dir, rundir.CheckpointDir(dir, 1)} {
		if got := decode[match.Result](t, mustCall(t, args(path)...)); got.Tally != want.Tally {
			t.Errorf("%s: %v, want %v", path, got.Tally, want.Tally)
		}
	}
	mustFail(t, 1, args(rundir.CheckpointDir(dir, 0)), "network plays connect4, not tictactoe")
	empty := t.TempDir()
	mustFail(t, 1, args(empty), empty+" is no weight file, checkpoint or run")
}

// TestInterruptedMatch has one that would last for hours end soon, with what
// there is.
func TestInterruptedMatch(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errOut bytes.Buffer
	err := execute(ctx, []string{"match", "--game", "connect4", "mcts:sims=1000000", "random"}, nil, &out, &errOut)
	if shell.ExitCode(err) != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted match: %v, want context canceled", err)
	}
}
