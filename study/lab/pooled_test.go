package lab

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/stats/cluster"
)

// heldAndCalled says how many of the intervals of draw hold the truth, and how many of two
// that are alike are called different.
func heldAndCalled(t *testing.T, what string, truth float64, draw func() Figure) {
	t.Helper()
	const trials = 400
	held, called := 0, 0
	for range trials {
		a, b := draw(), draw()
		if a.Games == 0 || b.Games == 0 {
			t.Fatalf("%s: nothing is said", what)
		}
		if e := a.Estimate(); e.Low <= truth && truth <= e.High {
			held++
		}
		if _, p := cluster.Difference(&a.Value, &b.Value); p <= 0.05 {
			called++
		}
	}
	t.Logf("%s, %.3f: held %.3f, called out %.3f", what, truth, float64(held)/trials, float64(called)/trials)
	if h := float64(held) / trials; h < 0.91 { // small samples and chance
		t.Errorf("%s: %.3f of the intervals hold %.3f", what, h, truth)
	}
	if f := float64(called) / trials; f > 0.085 {
		t.Errorf("%s: %.3f of equal ones are called different", what, f)
	}
}

func TestOpeningsHoldTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	for _, c := range []struct {
		what  string
		of    int // openings
		share func(i int) float64
	}{
		{"equal openings", 200, func(int) float64 { return 1 }},
		{"Zipf's", 100, func(i int) float64 { return 1 / float64(i+1) }},
		{"two, of which one is rare", 2, func(i int) float64 { return 0.95 - 0.9*float64(i) }},
	} {
		var upTo []float64
		sum, squares := 0.0, 0.0
		for i := range c.of {
			p := c.share(i)
			sum, squares = sum+p, squares+p*p
			upTo = append(upTo, sum)
		}
		heldAndCalled(t, c.what, -math.Log2(squares/sum/sum), func() (f Figure) {
			const games = 200
			var list []Game
			for i := range games {
				x, k := sum*rng.Float64(), 0
				for x > upTo[k] {
					k++
				}
				list = append(list, Game{Pair: i/2 + 1, Opening: string(rune('0' + k))})
			}
			openings(list, games/2, &f)
			return f
		})
	}
}

// Of luck that decides as much of normally distributed results as its correlation says.
func TestLuckHoldsTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	for _, r := range []float64{0, 0.2, 0.5, 0.9} {
		// Results are 0 or 1: Pearson's correlation with the sign of a normal variable.
		truth := r * r * 2 / math.Pi
		heldAndCalled(t, "luck", truth, func() (f Figure) {
			const games = 100
			var list []Game
			for i := range games {
				x := rng.NormFloat64()
				won := indicator(r*x+math.Sqrt(1-r*r)*rng.NormFloat64() > 0)
				list = append(list, Game{Pair: i/2 + 1, First: won, Curve: &Curve{Luck: &x}})
			}
			explained(list, games/2, &f)
			return f
		})
	}
}
