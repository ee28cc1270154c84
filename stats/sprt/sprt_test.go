package sprt

import (
	"math"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/stats/rating"
)

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// TestLLRAgainstFastchess holds the ratio to the figures that fastchess is
// tested with (Disservin/fastchess:app/tests/sprt_test.cpp, "logistic
// pentanomial" 1 and 2), which rest on Fishtest's LLRcalc.py. Fastchess keeps
// drawn pairs and split pairs apart and adds them up for the test.
func TestLLRAgainstFastchess(t *testing.T) {
	for _, c := range []struct {
		elo0, elo1 float64
		pairs      rating.PairCounts
		want       float64
	}{
		{0.5, 2.5, rating.PairCounts{223, 9863, 20279 + 1000, 10037, 246}, -3.07},
		{0, 2, rating.PairCounts{871, 26175, 55003 + 980, 26678, 821}, -4.98},
	} {
		test := Test{Elo0: c.elo0, Elo1: c.elo1, Alpha: 0.05, Beta: 0.05}
		if got := test.LLR(c.pairs, c.pairs.Pairs()); !near(got, c.want, 0.01) {
			t.Errorf("LLR(%v) of [%g, %g] = %.4f, want %.2f", c.pairs, c.elo0, c.elo1, got, c.want)
		}
		if s := test.State(c.pairs, c.pairs.Pairs()); s.Verdict != H0 || !near(s.Overshoot, -c.want-2.9444, 0.01) {
			t.Errorf("State(%v) = %+v, want H0", c.pairs, s)
		}
	}
}

// TestLLRByHand uses counts at two scores only, where the mean decides the whole
// distribution and the ratio is the binomial one: 60 pairs won, 40 lost, and
// expected scores ½ and 10/11 (400 Elo). What stands for the empty scores
// changes it by less than 0.01.
func TestLLRByHand(t *testing.T) {
	test := Test{Elo0: 0, Elo1: 400, Alpha: 0.05, Beta: 0.05}
	want := 60*math.Log(10.0/11/0.5) + 40*math.Log(1.0/11/0.5)
	if got := test.LLR(rating.PairCounts{40, 0, 0, 0, 60}, 100); !near(got, want, 0.01) {
		t.Errorf("LLR = %.4f, want %.4f", got, want)
	}
}

// TestMultiplierGivesTheMean checks the defining property: the distribution has
// the mean that was asked for and sums to one.
func TestMultiplierGivesTheMean(t *testing.T) {
	for _, n := range [][5]float64{{10, 20, 40, 20, 10}, {1e-3, 1e-3, 1e-3, 1e-3, 3}, {1e5, 1e-3, 1e-3, 1e-3, 1e-3}, {1, 1000, 3, 1e-3, 7}} {
		for _, s := range []float64{1e-4, 0.3, 0.5, 0.51, 0.9999} {
			total, sum, mean := 0.0, 0.0, 0.0
			for _, c := range n {
				total += c
			}
			x := multiplier(&n, s)
			for i, c := range n {
				a := float64(i) / 4
				p := c / total / (1 + x*(a-s))
				sum += p
				mean += p * a
			}
			if !near(sum, 1, 1e-6) || !near(mean, s, 1e-6) {
				t.Errorf("n = %v, s = %g: x = %g gives sum %g, mean %g", n, s, x, sum, mean)
			}
		}
	}
}

func TestLLRIsAntisymmetric(t *testing.T) {
	a := Test{Elo0: -5, Elo1: 15, Alpha: 0.05, Beta: 0.05}.LLR(rating.PairCounts{0, 2, 3, 5, 12}, 22)
	b := Test{Elo0: -15, Elo1: 5, Alpha: 0.05, Beta: 0.05}.LLR(rating.PairCounts{12, 5, 3, 2, 0}, 22)
	if !near(a, -b, 1e-9) || a == 0 {
		t.Errorf("LLR = %g, of the exchanged players %g", a, b)
	}
}

func TestRepeatedPairsAreNoEvidence(t *testing.T) {
	test := Test{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.05}
	once, many := rating.PairCounts{2, 4, 8, 6, 3}, rating.PairCounts{20, 40, 80, 60, 30}
	if a, b := test.LLR(once, 23), test.LLR(many, 23); !near(a, b, 1e-9) {
		t.Errorf("LLR of 23 pairs %g, of 230 that repeat them %g", a, b)
	}
	if got := test.LLR(rating.PairCounts{}, 0); got != 0 {
		t.Errorf("LLR of nothing = %g", got)
	}
}

func TestLLRDoesNotAllocate(t *testing.T) {
	test, pairs := Test{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.05}, rating.PairCounts{2, 4, 8, 6, 3}
	if n := testing.AllocsPerRun(100, func() { test.State(pairs, 23) }); n != 0 {
		t.Errorf("State allocates %g times", n)
	}
}

// TestBoundsByHand: ln 19 on both sides for 5 %.
func TestBoundsByHand(t *testing.T) {
	lower, upper := Test{Alpha: 0.05, Beta: 0.05}.Bounds()
	if !near(lower, -2.944439, 1e-6) || !near(upper, 2.944439, 1e-6) {
		t.Errorf("Bounds = %g, %g", lower, upper)
	}
	lower, upper = Test{Alpha: 0.01, Beta: 0.1}.Bounds()
	if !near(lower, math.Log(0.1/0.99), 1e-9) || !near(upper, math.Log(90), 1e-9) {
		t.Errorf("Bounds = %g, %g", lower, upper)
	}
}

func TestValidateNamesEveryFault(t *testing.T) {
	err := Test{Elo0: 5, Elo1: 5, Alpha: 0, Beta: 0.5}.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"elo0=5", "alpha=0:", "beta=0.5:"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
	if err := (Test{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}).Validate(); err != nil {
		t.Error(err)
	}
	if (Test{Elo0: 0, Elo1: math.NaN(), Alpha: 0.05, Beta: 0.05}).Validate() == nil {
		t.Error("NaN passes")
	}
	if (Test{Elo0: 0, Elo1: 1e-300, Alpha: 0.05, Beta: 0.05}).Validate() == nil {
		t.Error("hypotheses pass that expect the same score")
	}
	least := Test{Elo0: maxElo - minApart, Elo1: maxElo, Alpha: 0.05, Beta: 0.05}
	for _, l := range least.Forecast(PairVariance(0.5, 0, 0)) {
		if !(l.Mean > 1e11 && l.Quantile95 > l.Mean && l.Quantile95 < 1e25 && l.H1 > 0 && l.H1 < 1) {
			t.Errorf("forecast of hypotheses that are hardly apart: %+v", l)
		}
	}
}

// TestForecastByWald compares with the closed forms of Wald (1945) for
// alpha = beta = 5 %: at either hypothesis (0.9·ln 19)/(sigma²/2) pairs, in the
// middle (ln 19)²/sigma², and H1 accepted in 5, 50 and 95 %.
func TestForecastByWald(t *testing.T) {
	test := Test{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05}
	v := PairVariance(0.5, 0.5, 0)
	if v != 0.0625 {
		t.Fatalf("PairVariance = %g, want (1/4 - 1/8)/2", v)
	}
	d := rating.ScoreOf(10) - 0.5
	sigma2 := d * d / v
	ln19 := math.Log(19)
	f := test.Forecast(v)
	for i, want := range []Length{{0, 0.9 * ln19 / (sigma2 / 2), 0, 0.05}, {5, ln19 * ln19 / sigma2, 0, 0.5}, {10, 0.9 * ln19 / (sigma2 / 2), 0, 0.95}} {
		if !near(f[i].Mean, want.Mean, 0.001*want.Mean) || !near(f[i].H1, want.H1, 0.001) || f[i].Elo != want.Elo {
			t.Errorf("Forecast[%d] = %+v, want mean %.1f and H1 %g", i, f[i], want.Mean, want.H1)
		}
		if b := f[i]; !(b.Quantile95 > 1.5*b.Mean && b.Quantile95 < 4*b.Mean) {
			t.Errorf("Forecast[%d] = %+v: the quantile is not in a likely place", i, b)
		}
	}
}

// TestExitTimeIntegrates integrates the distribution of the time: the mean of
// a positive time is the integral of the probability of its being longer.
func TestExitTimeIntegrates(t *testing.T) {
	for _, b := range []brownian{{0.1, 0.2, 3, 6}, {0, 1, 2, 6}, {-0.3, 0.5, 1, 4}} {
		sum, step := 0.0, b.mean()/2000
		for x := step / 2; x < 30*b.mean(); x += step {
			sum += b.longer(x) * step
		}
		if !near(sum, b.mean(), 0.002*b.mean()) {
			t.Errorf("%+v: the distribution has mean %g, want %g", b, sum, b.mean())
		}
	}
}
