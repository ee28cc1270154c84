package sprt_test

import (
	"flag"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/stats/rating/ratingtest"
	"github.com/ludozero/ludozero/stats/sprt"
)

// scripts/coverage.sh sets these.
var (
	tests   = flag.Int("tests", 0, "simulated sequential tests of each row; 0 is a few")
	runSeed = flag.Uint64("seed", 1, "seed of the simulation")
)

var cases = []struct {
	name string
	test sprt.Test
	w    ratingtest.World
}{
	{"no draws", sprt.Test{Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.05}, ratingtest.World{}},
	{"60 % draws, seat +50, openings favour a seat", sprt.Test{Elo0: 0, Elo1: 30, Alpha: 0.05, Beta: 0.05}, ratingtest.World{Draws: 0.6, Seat: 50, Opening: 0.6}},
	{"30 % draws, openings favour a player", sprt.Test{Elo0: -20, Elo1: 40, Alpha: 0.05, Beta: 0.1}, ratingtest.World{Draws: 0.3, Opening: -0.5}},
	{"no draws, 400 Elo", sprt.Test{Elo0: 300, Elo1: 400, Alpha: 0.05, Beta: 0.05}, ratingtest.World{}},
	{"few pairs", sprt.Test{Elo0: 0, Elo1: 200, Alpha: 0.05, Beta: 0.05}, ratingtest.World{Draws: 0.2}},
}

// differenceAt returns the difference of ratings that scores as elo does, over both seats.
func differenceAt(w ratingtest.World, elo float64) float64 {
	low, high := -3000.0, 3000.0
	for range 60 {
		d := (low + high) / 2
		_, d1, w1 := w.Outcome(d)
		l2, d2, _ := w.Outcome(-d)
		if (w1+d1/2+l2+d2/2)/2 < rating.ScoreOf(elo) {
			low = d
		} else {
			high = d
		}
	}
	return low
}

type outcome struct {
	pairs int
	h1    bool
}

// simulate runs tests with players of a true difference to their ends.
func simulate(t testing.TB, test sprt.Test, w ratingtest.World, elo float64, n int, name string) []outcome {
	d := differenceAt(w, elo)
	out := make([]outcome, n)
	workers := runtime.GOMAXPROCS(0)
	var group sync.WaitGroup
	for k := range workers {
		group.Go(func() {
			for i := k; i < n; i += workers {
				rng := rand.New(seed.Stream(*runSeed, "sprt "+name, uint64(i)))
				var counts rating.PairCounts
				for pairs := 1; ; pairs++ {
					first, second := w.Pair(d, rng)
					counts[first+second]++
					s := test.State(counts, pairs)
					if s.Verdict != sprt.Continue {
						out[i] = outcome{pairs, s.Verdict == sprt.H1}
						break
					}
					if pairs == 100000 {
						t.Errorf("%s: no end after %d pairs", name, pairs)
						break
					}
				}
			}
		})
	}
	group.Wait()
	return out
}

// pairVariance estimates the variance of a pair's score in the world from many pairs.
func pairVariance(w ratingtest.World, elo float64) float64 {
	rng := rand.New(seed.Stream(*runSeed, "pair variance", 0))
	d := differenceAt(w, elo)
	const n = 20000
	sum, squares := 0.0, 0.0
	for range n {
		first, second := w.Pair(d, rng)
		x := float64(first+second) / 4
		sum += x
		squares += x * x
	}
	return squares/n - sum*sum/n/n
}

// TestErrorRatesHold simulates whole tests at both hypotheses and between them:
// errors must not be more frequent than promised, but for what chance explains,
// and lengths must be about those that the forecast says.
func TestErrorRatesHold(t *testing.T) {
	n := *tests
	if n == 0 {
		n = 150
	}
	for _, c := range cases {
		middle := (c.test.Elo0 + c.test.Elo1) / 2
		v := pairVariance(c.w, middle)
		forecast := c.test.Forecast(v)
		for i, f := range forecast {
			runs := simulate(t, c.test, c.w, f.Elo, n, c.name)
			h1, sum := 0, 0.0
			lengths := make([]int, 0, n)
			for _, r := range runs {
				if r.h1 {
					h1++
				}
				sum += float64(r.pairs)
				lengths = append(lengths, r.pairs)
			}
			slices.Sort(lengths)
			share, mean := float64(h1)/float64(n), sum/float64(n)
			t.Logf("| %s | %g, %g, %g, %g | %g | %.1f %% | %.0f | %.0f | %d | %.0f |", c.name, c.test.Elo0, c.test.Elo1, c.test.Alpha, c.test.Beta,
				f.Elo, 100*share, mean, f.Mean, lengths[n*95/100], f.Quantile95)
			failed := []float64{share, 0, 1 - share}[i]
			limit := []float64{c.test.Alpha, 1, c.test.Beta}[i]
			if failed > limit+3*math.Sqrt(limit*(1-limit)/float64(n)) {
				t.Errorf("%s at %g Elo: %.1f %% wrong, want at most %.1f", c.name, f.Elo, 100*failed, 100*limit)
			}
			if mean < 0.5*f.Mean || mean > 1.7*f.Mean {
				t.Errorf("%s at %g Elo: %.0f pairs on average, %.0f forecast", c.name, f.Elo, mean, f.Mean)
			}
		}
	}
}
