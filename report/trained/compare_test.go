package trained

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/rundir"
)

// comparedRuns are two runs with numbers that are the same on every machine.
func comparedRuns() *Comparison {
	cfgA := configs.DefaultRun(games.All())
	cores, sum := 38*time.Minute, 2*38*60.0
	a := &Run{Path: "runs/a", State: StateFinished, Game: "konreh", Rules: "standard", Generation: 2, Elapsed: 20 * time.Minute, CoreTime: &cores, Config: cfgA}
	b := &Run{Path: "runs/b", State: StateRunning, Game: "konreh", Rules: "standard", Generation: 3, Elapsed: 95 * time.Minute, Origin: "a@2", CoreTime: &cores, Spent: &model.Spent{CoreSeconds: &sum}}
	m := func(generation int, after time.Duration) milestone {
		return milestone{generation, 100 * generation, 64 * generation, 5000 * generation, after,
			&rundir.SelfPlayEvent{Generation: generation - 1, PositionsPerSecond: 160, EvaluationsPerSecond: 9000, MeanTurns: 61.25, DrawRate: 0.25, FirstScore: 0.5},
			&rundir.TrainingEvent{Generation: generation - 1, StepsDone: 1, PolicyLoss: 2, ValueLoss: 1, TurnsLoss: 0.125, SamplesPerSecond: 1000}}
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
	return &Comparison{
		A:             comparedRun{*a, []milestone{m(1, 10*time.Minute), m(2, 20*time.Minute)}},
		B:             comparedRun{*b, []milestone{m(1, 5*time.Minute), lost, m(3, 90*time.Minute)}},
		Configuration: []KeyDifference{{"budget", "20m0s", "2h0m0s"}, {"rules", "standard", ""}},
		Ratings:       pairRatings(a, b),
	}
}

func TestCompareText(t *testing.T) {
	for by := range axes {
		var out strings.Builder
		if err := comparedRuns().Write(&out, by); err != nil {
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
	if err := c.Write(&out, "time"); err != nil {
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
	c.Ratings = pairRatings(&c.A.Run, &c.B.Run)
	out.Reset()
	c.printRatings(&out)
	if want := "warning: the scores against minimax:depth=2 do not compare: pairs 100 and 7\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("%swant %q", out.String(), want)
	}
	same := pairRatings(&c.A.Run, &c.A.Run)
	for _, p := range same {
		if p.A != p.B || len(p.Differ) != 0 {
			t.Errorf("a run beside itself: %+v", p)
		}
	}
}

// TestEveryConditionIsCompared changes each field of a rating that is neither a
// result nor one of the two players.
func TestEveryConditionIsCompared(t *testing.T) {
	a := &Run{Ratings: []rating{{Generation: 1, Opponent: "random", Game: "g", Rules: "r"}}}
	results := map[string]bool{"Generation": true, "Opponent": true, "Network": true, "Final": true, "Tally": true, "Score": true, "Elo": true}
	of := reflect.TypeFor[rating]()
	for i := range of.NumField() {
		name := of.Field(i).Name
		if results[name] {
			continue
		}
		b := &Run{Ratings: []rating{a.Ratings[0]}}
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

func TestSpans(t *testing.T) {
	for want, list := range map[string][]int{
		"": nil, "7": {7}, "0, 1": {0, 1}, "0 to 2": {0, 1, 2}, "0, 5, 10, 12 to 15, 17, 18": {0, 5, 10, 12, 13, 14, 15, 17, 18},
	} {
		if got := spans(list); got != want {
			t.Errorf("spans(%v) = %q, want %q", list, got, want)
		}
	}
}

// TestReplyLossIsShownWhereThereIsOne: a fourth loss with its heading, only if
// a network has the head.
func TestReplyLossIsShownWhereThereIsOne(t *testing.T) {
	c := comparedRuns()
	c.A.Generations[1].Training.ReplyLoss = 1.75
	var out strings.Builder
	if err := c.Write(&out, "generation"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"policy/value/turns/reply loss", "2.000 1.000 0.125 1.750", "2.000 1.000 0.125  "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the comparison lacks %q:\n%s", want, out.String())
		}
	}
	for _, reply := range []float64{0, 1.75} {
		out.Reset()
		r := &Run{Name: "a", State: StateFinished, Losses: &LossMeans{2, 1, 0.125, reply}, Ratings: []rating{}}
		if err := WriteList(&out, "runs", []*Run{r}); err != nil {
			t.Fatal(err)
		}
		if shown := strings.Contains(out.String(), "turns/reply loss") && strings.Contains(out.String(), " 1.750"); shown != (reply != 0) {
			t.Errorf("reply loss %g:\n%s", reply, out.String())
		}
	}
}
