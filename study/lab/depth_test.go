package lab

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/stats/cluster"
	"github.com/ludozero/ludozero/stats/rating"
)

// Steps that each score 60 % are rungs, and a step that nobody lost a game in has an end.
func TestDepthOfSteps(t *testing.T) {
	even := Step{Pairs: rating.PairCounts{100, 200, 400, 200, 100}}
	sixty := Step{Pairs: rating.PairCounts{0, 200, 400, 200, 200}} // 600 points of 1000
	c := Climb{Steps: []Step{sixty, sixty, sixty}}
	list := c.figures()
	for i, want := range []float64{rating.EloOf(0.6), 3} {
		f := &list[i]
		if e := f.Estimate(); math.Abs(e.Value-want) > want/100 || e.Low > want || e.High < want || e.High-e.Low > want/2 || f.Games != 6000 {
			t.Errorf("%s: %v in %d games, want %.2f", f.Measure, e, f.Games, want)
		}
	}
	c.Steps = []Step{even, even}
	for _, f := range c.figures() {
		if e := f.Estimate(); math.Abs(e.Value) > 1e-9 || e.Low >= 0 || e.High <= 0 {
			t.Errorf("%s of equal players: %v", f.Measure, e)
		}
	}
	whitewash := Step{Pairs: rating.PairCounts{4: 100}}
	if e := whitewash.elo(); !e.Known() || e.Value < 500 || e.Value > 1200 {
		t.Errorf("100 pairs won: %+v", e)
	}
	// A step of which nothing is known leaves nothing known of the climb.
	unknown := sixty
	unknown.Repeated = unknown.Pairs.Pairs() - 1
	c.Steps = []Step{sixty, unknown, sixty}
	for _, f := range c.figures() {
		if e := f.Estimate(); !math.IsInf(e.High, 1) {
			t.Errorf("%s with a step whose pairs are all the same: %v, want no interval", f.Measure, e)
		}
	}
	// Half of the pairs are no evidence: the error is that of the other half.
	half := sixty
	half.Repeated = 500
	if x, y := half.elo(), sixty.elo(); math.Abs(x.Error/y.Error-math.Sqrt2) > 0.02 {
		t.Errorf("errors %g and %g: want a ratio of √2", x.Error, y.Error)
	}
}

// Intervals of depth hold, and equal climbs are not called different, however lopsided the
// steps are, whatever is drawn, and though games of a pair depend on each other.
func TestDepthHoldsTheTruth(t *testing.T) {
	const trials = 400
	rng := rand.New(rand.NewPCG(3, 7))
	for _, c := range []struct {
		wins, draws, alike float64
		pairs              int
	}{
		{0.5, 0, 0, 100},
		{0.7, 0.3, 0, 100},
		{0.97, 0, 0, 100},
		{0.5, 0.98, 0, 100},
		{0.9, 0, 0.8, 100},
		{0.97, 0, 0, 20},
		{0.6, 0.5, 0, 6},
	} {
		game := func() int { // half points
			switch {
			case rng.Float64() < c.draws:
				return 1
			case rng.Float64() < c.wins:
				return 2
			}
			return 0
		}
		depth := func() cluster.Value {
			climb := Climb{Steps: make([]Step, 5)}
			for i := range climb.Steps {
				for range c.pairs {
					first := game()
					second := first
					if rng.Float64() >= c.alike {
						second = game()
					}
					climb.Steps[i].Pairs[first+second]++
				}
			}
			return climb.figures()[0].Value
		}
		truth, held, called := rating.EloOf(c.draws/2+(1-c.draws)*c.wins), 0, 0
		for range trials {
			a, b := depth(), depth()
			if e := a.Estimate(); e.Low <= truth && truth <= e.High {
				held++
			}
			if _, p := cluster.Difference(&a, &b); p <= 0.05 {
				called++
			}
		}
		t.Logf("%+v: %.0f Elo; held %.3f, called out %.3f", c, truth, float64(held)/trials, float64(called)/trials)
		if h := float64(held) / trials; h < 0.92 { // 95 % less three standard errors
			t.Errorf("%+v: %.3f of the intervals hold %.0f Elo", c, h, truth)
		}
		if f := float64(called) / trials; f > 0.083 {
			t.Errorf("%+v: %.3f of equal climbs are called different", c, f)
		}
	}
}

func TestDoubled(t *testing.T) {
	for text, want := range map[string]string{"net:konreh,sims=4": "net:konreh,sims=32", "alphabeta:nodes=100": "alphabeta:nodes=800", "mcts:sims=2,cap=20": "mcts:sims=16,cap=20"} {
		if got, err := doubled(text, 3); err != nil || got != want {
			t.Errorf("%s becomes %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"random", "alphabeta:depth=3", "alphabeta:nodes=999999999"} {
		if got, err := doubled(text, 3); err == nil {
			t.Errorf("%s becomes %s", text, got)
		}
	}
}
