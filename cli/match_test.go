package cli

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
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
	writeWeights(t, path, game, 1)
	return path
}

// writeWeights writes the smallest network for a game, untrained, to path, with a card
// that names rules.
func writeWeights(t testing.TB, path, game string, seed uint64, rules ...string) {
	t.Helper()
	info := openFamily(t, game).Info()
	n := model.Network{Shape: plan.Shape(info), Config: model.Config{
		Blocks: 1, Channels: 8, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 16,
	}}
	w := model.NewWeights(n)
	w.Init(rand.New(rand.NewPCG(seed, 2)))
	card := model.Card{Identity: plan.Identity(info)}
	for _, r := range rules {
		card.Rules = append(card.Rules, model.RulesShare{Rules: r, Share: 1 / float64(len(rules))})
	}
	if err := model.Save(path, w, card); err != nil {
		t.Fatal(err)
	}
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

// TestMatchSaysAllThatIsWrong wants both players' faults at once, before a game.
func TestMatchSaysAllThatIsWrong(t *testing.T) {
	damaged := weightFile(t, "tictactoe")
	b, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(damaged, b, 0o666); err != nil {
		t.Fatal(err)
	}
	cut := weightFile(t, "tictactoe")
	if err := os.WriteFile(cut, b[:len(b)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	foreign := weightFile(t, "connect4")
	net := func(path string) string { return "net:" + path + ",sims=2" }
	for _, c := range []struct {
		code int
		a, b string
		want []string
	}{
		{2, "nonsense", "other", []string{`no kind "nonsense"`, `no kind "other"`, "exact, mcts, minimax, net, random, school, solver"}},
		{2, "mcts:sims=0", "random:x=1", []string{"sims=0: want 1 to", `no option "x"`}},
		{2, "net:", net("missing"), []string{"needs its PATH", "no file or folder missing"}},
		{1, net("missing"), net("missing too"), []string{"no file or folder missing,", "no file or folder missing too,", "no shipped network of that name: want a path, or connect4 or konreh"}},
		{1, net(damaged), net(cut), []string{damaged, cut, "not a whole and unaltered tensor file"}},
		{1, "random", net(foreign), []string{foreign, "network plays connect4, not tictactoe"}},
	} {
		mustFail(t, c.code, []string{"match", "--game", "tictactoe", c.a, c.b, "--pairs", "1"}, c.want...)
	}
}

func TestMatchRefusesImpossibleNumbers(t *testing.T) {
	mustFail(t, 2, []string{"match", "random", "random", "--pairs", "0", "--workers", "-1", "--opening-turns", "-2"},
		"pairs=0", "workers=-1", "opening_turns=-2")
	mustFail(t, 2, []string{"match", "random", "random", "--games"}, "--games: it belongs to --json")
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
