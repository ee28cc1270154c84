package cli

import (
	"bytes"
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model"
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
	c := decode[comparison](t, mustCall(t, "runs", "compare", a, b, "--json"))
	if after := tree(t, filepath.Dir(a)); after != before {
		t.Errorf("comparing changed the runs:\n%s\nbefore:\n%s", after, before)
	}
	if c.A.Name != "a" || c.B.Name != "b" || c.A.State != stateFinished || c.Match != nil {
		t.Errorf("sides %+v, %+v, match %v", c.A.trainedRun, c.B.trainedRun, c.Match)
	}
	want := []keyDifference{{"seed", "1", "7"}, {"generations", "1", "2"}, {"train.batch", "32", "16"}, {"evaluation.simulations", "16", "4"},
		{"evaluation.opponents", "[random]", "[exact, random]"}, {"evaluation.match.seed", "1", "3"}}
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

// comparedRuns are two runs with numbers that are the same on every machine.
func comparedRuns() *comparison {
	cfgA := configs.DefaultRun(games.All())
	cores, sum := 38*time.Minute, 2*38*60.0
	a := &trainedRun{Path: "runs/a", State: stateFinished, Game: "konreh", Rules: "standard", Generation: 2, Elapsed: 20 * time.Minute, CoreTime: &cores, cfg: cfgA}
	b := &trainedRun{Path: "runs/b", State: stateRunning, Game: "konreh", Rules: "standard", Generation: 3, Elapsed: 95 * time.Minute, Origin: "a@2", CoreTime: &cores, Spent: &model.Spent{CoreSeconds: &sum}}
	m := func(generation int, after time.Duration) milestone {
		return milestone{generation, 100 * generation, 64 * generation, 5000 * generation, after,
			&rundir.SelfPlayEvent{Generation: generation - 1, PositionsPerSecond: 160, EvaluationsPerSecond: 9000, MeanTurns: 61.25, DrawRate: 0.25, FirstScore: 0.5},
			&rundir.TrainingEvent{Generation: generation - 1, PolicyLoss: 2, ValueLoss: 1, TurnsLoss: 0.125, SamplesPerSecond: 1000}}
	}
	lost := m(2, 15*time.Minute)
	lost.SelfPlay, lost.Training = nil, nil // by a kill
	rated := func(generation int, opponent string, pairs, simulations, turns int, score float64) rating {
		return rating{Generation: generation, Opponent: opponent, Game: "konreh", GameVersion: 1, Rules: "standard", Simulations: simulations,
			Pairs: pairs, OpeningTurns: 4, MaxTurns: turns, Seed: 1, Tally: match.Tally{Wins: pairs, Draws: pairs},
			Score: match.Estimate{Value: score, Low: score - 0.125, High: score + 0.125}}
	}
	a.Ratings = []rating{rated(2, "random", 100, 64, 600, 0.75), rated(0, "random", 100, 64, 600, 0.5), rated(2, "minimax:depth=2", 100, 64, 600, 0.5)}
	b.Ratings = []rating{rated(1, "random", 50, 128, 0, 0.75), rated(0, "random", 50, 128, 0, 0.5), rated(1, "mcts:sims=200", 50, 128, 0, 0.25)}
	return &comparison{
		A:             comparedRun{*a, []milestone{m(1, 10*time.Minute), m(2, 20*time.Minute)}},
		B:             comparedRun{*b, []milestone{m(1, 5*time.Minute), lost, m(3, 90*time.Minute)}},
		Configuration: []keyDifference{{"budget", "20m0s", "2h0m0s"}, {"rules", "standard", ""}},
		Ratings:       pairRatings(a, b),
	}
}

func TestCompareText(t *testing.T) {
	for by, x := range axes {
		var out strings.Builder
		if err := comparedRuns().print(&out, x); err != nil {
			t.Fatal(err)
		}
		golden(t, "runs-compare-"+by+".txt", out.String())
	}
}

// TestCompareWithLittleToSay has runs of the same configuration without a
// network, and one warning that is only about some opponents.
func TestCompareWithLittleToSay(t *testing.T) {
	c := comparedRuns()
	c.Configuration, c.Ratings = nil, nil
	c.A.Generations, c.B.Generations = nil, nil
	var out strings.Builder
	if err := c.print(&out, axes["time"]); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nthe configurations are the same\n", "\nA has not trained one generation\nB has not trained one generation\n",
		"\nneither run has been measured against opponents\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%swant %q", out.String(), want)
		}
	}
	c = comparedRuns()
	c.B.Ratings = append([]rating{}, c.A.Ratings...)
	c.B.Ratings[2].Pairs = 7
	c.Ratings = pairRatings(&c.A.trainedRun, &c.B.trainedRun)
	out.Reset()
	c.printRatings(&out)
	if want := "warning: the scores against minimax:depth=2 do not compare: pairs 100 and 7\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("%swant %q", out.String(), want)
	}
	same := pairRatings(&c.A.trainedRun, &c.A.trainedRun)
	for _, p := range same {
		if p.A != p.B || len(p.Differ) != 0 {
			t.Errorf("a run beside itself: %+v", p)
		}
	}
}

// TestEveryConditionIsCompared changes each field of a rating that is neither a
// result nor one of the two players.
func TestEveryConditionIsCompared(t *testing.T) {
	a := &trainedRun{Ratings: []rating{{Generation: 1, Opponent: "random", Game: "g", Rules: "r"}}}
	results := map[string]bool{"Generation": true, "Opponent": true, "Network": true, "Final": true, "Tally": true, "Score": true, "Elo": true}
	of := reflect.TypeFor[rating]()
	for i := range of.NumField() {
		name := of.Field(i).Name
		if results[name] {
			continue
		}
		b := &trainedRun{Ratings: []rating{a.Ratings[0]}}
		switch f := reflect.ValueOf(&b.Ratings[0]).Elem().Field(i); {
		case f.CanInt():
			f.SetInt(5)
		case f.CanUint():
			f.SetUint(5)
		default:
			f.SetString("other")
		}
		if p := pairRatings(a, b); len(p) != 1 || len(p[0].Differ) != 1 {
			t.Errorf("%s: %+v, want one warning", name, p)
		}
	}
}

func TestMarks(t *testing.T) {
	x := axes["generation"]
	upTo := func(n int) []milestone {
		var list []milestone
		for g := range n {
			list = append(list, milestone{Generation: g + 1})
		}
		return list
	}
	for _, c := range []struct {
		a, b int
		want []int64
	}{
		{0, 5, nil},
		{1, 1, []int64{1}},
		{3, 5, []int64{1, 2, 3, 5}},
		{12, 12, []int64{1, 2, 3, 4, 6, 7, 8, 9, 10, 12}},
		{40, 100, []int64{4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 100}},
	} {
		if got := x.marks(upTo(c.a), upTo(c.b)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("marks of %d and %d generations are %v, want %v", c.a, c.b, got, c.want)
		}
		if got := x.marks(upTo(c.b), upTo(c.a)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("marks of %d and %d generations are %v, want %v", c.b, c.a, got, c.want)
		}
	}
	long := []milestone{{Elapsed: math.MaxInt64}}
	if got := axes["time"].marks(long, long); len(got) != marksInCommon || got[9] != math.MaxInt64 || got[0] != math.MaxInt64/10 {
		t.Errorf("marks of an endless run: %v", got)
	}
}

func TestCompareMatch(t *testing.T) {
	a, b := twoRuns(t)
	args := []string{"runs", "compare", a, b, "--match", "3"}
	got := decode[comparison](t, mustCall(t, append(args, "--json")...)).Match
	player := func(dir string, generation int) string {
		return "net:" + rundir.WeightsPath(dir, generation) + ",sims=16"
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
	missing := filepath.Join(root, "missing")
	for _, c := range []struct {
		code int
		args []string
		want []string
	}{
		{2, []string{a}, []string{"accepts 2 arg(s), received 1"}},
		{2, []string{a, a, "--by", "day"}, []string{`--by "day": want time or generation`}},
		{2, []string{a, a, "--match", "-1"}, []string{"--match -1: want a number of pairs"}},
		{2, []string{missing, none}, []string{missing + ": it is not the folder of a run", none + ": it is not the folder of a run"}},
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

// TestReplyLossIsShownWhereThereIsOne: a fourth loss with its heading, only if
// a network has the head.
func TestReplyLossIsShownWhereThereIsOne(t *testing.T) {
	c := comparedRuns()
	c.A.Generations[1].Training.ReplyLoss = 1.75
	var out strings.Builder
	if err := c.print(&out, axes["generation"]); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"policy/value/turns/reply loss", "2.000 1.000 0.125 1.750", "2.000 1.000 0.125  "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the comparison lacks %q:\n%s", want, out.String())
		}
	}
	for _, reply := range []float64{0, 1.75} {
		out.Reset()
		r := &trainedRun{Name: "a", State: stateFinished, Losses: &lossMeans{2, 1, 0.125, reply}, Ratings: []rating{}}
		if err := printRuns(&out, "runs", []*trainedRun{r}); err != nil {
			t.Fatal(err)
		}
		if shown := strings.Contains(out.String(), "turns/reply loss") && strings.Contains(out.String(), " 1.750"); shown != (reply != 0) {
			t.Errorf("reply loss %g:\n%s", reply, out.String())
		}
		text := trainingText(&rundir.TrainingEvent{PolicyLoss: 2, ReplyLoss: reply})
		if strings.Contains(text, " reply 1.750") != (reply != 0) {
			t.Errorf("training line %q with reply loss %g", text, reply)
		}
	}
}
