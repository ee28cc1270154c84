package lab

import (
	"math"
	"testing"

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
	// Half of the pairs are no evidence: the error is that of the other half.
	half := sixty
	half.Repeated = 500
	if x, y := half.elo(), sixty.elo(); math.Abs(x.Error/y.Error-math.Sqrt2) > 0.02 {
		t.Errorf("errors %g and %g: want a ratio of √2", x.Error, y.Error)
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
