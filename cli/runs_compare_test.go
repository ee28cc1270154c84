package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/trained"
	"github.com/ludozero/ludozero/train/rundir"
)

// twoRuns trains two that differ in the seed and the batch, of which the second
// is measured otherwise.
func twoRuns(t testing.TB) (a, b string) {
	t.Helper()
	root := t.TempDir()
	a, b = filepath.Join(root, "a"), filepath.Join(root, "b")
	mustCall(t, tiny(b, "--set", "seed=7", "--set", "train.batch=16", "--set", "generations=2", "--set", "evaluation.opponents=[exact, random]",
		"--set", "evaluation.simulations=4", "--set", "evaluation.match.seed=3")...)
	return tinyRun(t, a), b
}

func TestCompareJSON(t *testing.T) {
	a, b := twoRuns(t)
	before := tree(t, filepath.Dir(a))
	c := decode[trained.Comparison](t, mustCall(t, "runs", "compare", a, b, "--json"))
	if after := tree(t, filepath.Dir(a)); after != before {
		t.Errorf("comparing changed the runs:\n%s\nbefore:\n%s", after, before)
	}
	if c.A.Name != "a" || c.B.Name != "b" || c.A.State != trained.StateFinished || c.Match != nil {
		t.Errorf("sides %+v, %+v, match %v", c.A.Run, c.B.Run, c.Match)
	}
	want := []trained.KeyDifference{{Key: "seed", A: "1", B: "7"}, {Key: "generations", A: "1", B: "2"}, {Key: "train.batch", A: "32", B: "16"}, {Key: "evaluation.simulations", A: "16", B: "4"},
		{Key: "evaluation.opponents", A: "[random]", B: "[exact, random]"}, {Key: "evaluation.match.seed", A: "1", B: "3"}}
	if !reflect.DeepEqual(c.Configuration, want) {
		t.Errorf("configuration %v, want %v", c.Configuration, want)
	}
	if len(c.A.Generations) != 1 || len(c.B.Generations) != 2 {
		t.Fatalf("generations %+v, %+v, want one and two", c.A.Generations, c.B.Generations)
	}
	for i, m := range c.B.Generations {
		s, err := rundir.ReadState(b, i+1)
		if err != nil {
			t.Fatal(err)
		}
		if m.Generation != i+1 || m.Step != s.Step || m.Games != s.Games || m.Positions != s.Rows || m.Elapsed != s.Elapsed {
			t.Errorf("generation %+v, state %+v", m, s)
		}
		if m.SelfPlay.Generation != i || m.SelfPlay.Games != 8 || m.Training.Generation != i || m.Training.Step != m.Step {
			t.Errorf("generation %d was made of %+v and %+v", i+1, m.SelfPlay, m.Training)
		}
	}
	type line struct {
		opponent      string
		untrained     bool
		a, b          bool
		differ        string
		ratingOfAAndB [2]int
	}
	var got []line
	for _, p := range c.Ratings {
		l := line{opponent: p.Opponent, untrained: p.Untrained, a: p.A != nil, b: p.B != nil, differ: strings.Join(p.Differ, ", ")}
		if l.a && l.b {
			l.ratingOfAAndB = [2]int{p.A.Generation, p.B.Generation}
		}
		got = append(got, l)
	}
	const differ = "simulations 16 and 4, seed 1 and 3"
	if want := []line{
		{"random", false, true, true, differ, [2]int{1, 2}}, {"random", true, true, true, differ, [2]int{0, 0}},
		{"exact", false, false, true, "", [2]int{}}, {"exact", true, false, true, "", [2]int{}},
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("ratings %+v, want %+v", got, want)
	}
}

func TestCompareMatch(t *testing.T) {
	a, b := twoRuns(t)
	args := []string{"runs", "compare", a, b, "--match", "3"}
	got := decode[trained.Comparison](t, mustCall(t, append(args, "--json")...)).Match
	player := func(dir string, generation int) string {
		return hashedPlayer("net:" + rundir.WeightsPath(dir, generation) + ",sims=16")
	}
	if got == nil || got.A != player(a, 1) || got.B != player(b, 2) || got.Pairs.Pairs() != 3 || got.Games != nil || got.Seed != 1 || got.OpeningTurns != 0 {
		t.Fatalf("match %+v", got)
	}
	same := decode[match.Result](t, mustCall(t, "match", "--game", "tictactoe", got.A, got.B, "--pairs", "3", "--opening-turns", "0", "--json"))
	if !reflect.DeepEqual(&same, got) {
		t.Errorf("match %+v, want that of ludozero match, %+v", got, same)
	}
	text := mustCall(t, args...)
	for _, want := range []string{"train.batch ", "\nA          " + got.A, "\nB          " + got.B, "\ngames      6 in 3 pairs", "A's score "} {
		if !strings.Contains(text, want) {
			t.Errorf("compare prints\n%swant %q", text, want)
		}
	}
}

// TestInterruptedCompare leaves the comparison, without the match.
func TestInterruptedCompare(t *testing.T) {
	a, b := twoRuns(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, more := range []string{"--by=time", "--json"} {
		var out, errOut bytes.Buffer
		err := execute(ctx, []string{"runs", "compare", a, b, "--match", "1000000", more}, nil, &out, &errOut)
		if shell.ExitCode(err) != 1 || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want context canceled", more, err)
		}
		if !strings.Contains(out.String(), "train.batch") || strings.Contains(out.String(), `"match"`) {
			t.Errorf("%s: interrupted, it prints\n%s", more, out.String())
		}
	}
}

func TestCompareRefuses(t *testing.T) {
	root := t.TempDir()
	a := tinyRun(t, filepath.Join(root, "a"), "--no-rating")
	none, begun := filepath.Join(root, "none"), filepath.Join(root, "begun")
	makeDir(t, none)
	makeDir(t, filepath.Join(begun, "shards"))
	for _, c := range []struct {
		code int
		args []string
		want []string
	}{
		{2, []string{a}, []string{"accepts 2 arg(s), received 1"}},
		{2, []string{a, a, "--by", "time", "--json"}, []string{"--by and --json: want one of them"}},
		{2, []string{none, begun}, []string{none + ": it is not", begun + ": it has not begun"}},
		{1, []string{a, begun}, []string{"run " + begun + ": it has not begun"}},
	} {
		mustFail(t, c.code, append([]string{"runs", "compare"}, c.args...), c.want...)
	}
	other := filepath.Join(root, "other")
	mustCall(t, "train", "--config", "../configs/connect4/tiny.yaml", "--run", other, "--no-rating", "--set", "generations=1",
		"--set", "games_per_generation=2", "--set", "self_play.search.simulations=2")
	mustFail(t, 1, []string{"runs", "compare", a, other, "--match", "1"},
		"no match: A plays tictactoe, rules standard; B plays connect4, rules", "want the same")
	if out := mustCall(t, "runs", "compare", a, other); !strings.Contains(out, "\ngame ") {
		t.Errorf("runs of two games compare without a match:\n%s", out)
	}
}

// TestHostileNames: control characters in the names of folders reach no terminal.
func TestHostileNames(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a\x1b[31m\x07"), filepath.Join(dir, "b")
	tinyRun(t, a)
	if err := os.CopyFS(b, os.DirFS(a)); err != nil {
		t.Fatal(err)
	}
	match := []string{"match", "--game", "tictactoe", "net:" + a + ",sims=1", "random", "--pairs", "1", "--out", filepath.Join(dir, "games\x1b[31m\x07")}
	for _, args := range [][]string{
		{"runs", "compare", a, b}, {"runs", dir}, {"runs", a}, {"runs", "health", a}, {"report", a}, {"report", a, "--text"}, {"train", "--run", a, "--set", "generations=3"}, {"train", "--from", a, "--run", a + "2"}, match, match,
		{"analyze", "--game", "tictactoe", "--player", match[3]}, {"play", "--game", "tictactoe", "--first", match[3], "--second", "random"}, {"export", "--model", a, "--out", a + "3"},
		{"openings", "--game", "tictactoe", "--balance", match[3], "--count", "1", "--margin", "1"}, {"data", "export", a, "--out", a + ".csv"}, {"balance", "--game", "tictactoe", "--players", match[3], "--plan"},
	} {
		if out := mustCall(t, args...); strings.ContainsAny(out, "\x1b\x07") || args[1] != "health" && !strings.Contains(out, `\x1b[31m\a`) {
			t.Errorf("%q prints %q", args, out)
		}
	}
}
