package resample

import (
	"math"
	"math/rand/v2"
	"testing"
)

// near demands got within a share of want.
func near(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if !(math.Abs(got-want) <= share*math.Abs(want)) {
		t.Errorf("%s = %.4g, want %.4g within %.0f %%", what, got, want, 100*share)
	}
}

// Of one cluster and plain values the interval is Student's. His own example
// (1908): additional sleep of ten patients, of which R's t.test says 1.58, 0.70 to 2.46.
func TestOneSampleIsStudents(t *testing.T) {
	sleep := []float64{1.2, 2.4, 1.3, 1.3, 0, 1.0, 1.8, 0.8, 4.6, 1.4}
	e := Sum([]Term{{1, []Sample{{Values: sleep, Independent: 10}}}}, Options{Replicates: 20_000, Seed: 1})
	near(t, "mean", e.Value, 1.58, 1e-9)
	near(t, "low end", e.Low, 0.7001142, 0.03)
	near(t, "high end", e.High, 2.4598858, 0.01)
	if e.Freedom != 9 || e.Basis != Games {
		t.Errorf("%g degrees of freedom about %s, want 9 about games", e.Freedom, e.Basis)
	}
}

// Of balanced clusters the variance has a closed form: with s² the variance of the
// K cluster means and w the mean variance of one of them, s²/K + w/(K-1).
func TestTwoStagesHaveTheirClosedForm(t *testing.T) {
	values := [][]float64{{1, 2, 3, 6}, {2, 2, 5, 7}, {0, 1, 1, 2}, {4, 4, 5, 9}}
	var samples []Sample
	var means []float64
	within := 0.0
	for _, v := range values {
		s := Sample{Values: v, Independent: len(v)}
		samples, means = append(samples, s), append(means, s.Mean())
		within += variance(v) / float64(len(v)-1) / 4
	}
	e := Sum([]Term{{1, samples}}, Options{Replicates: 40_000, Seed: 2})
	between := variance(means) * 4 / 3
	near(t, "variance", e.Error*e.Error, between/4+within/3, 0.03)
	near(t, "mean", e.Value, mean(means), 1e-9)
	if e.Basis != Networks || e.Freedom <= 3 || e.Freedom > 12+3 {
		t.Errorf("%g degrees of freedom about %s", e.Freedom, e.Basis)
	}
}

// If games are nothing beside the differences between networks, the interval is
// that of the cluster means: here of 1, 2, 3 with t(2) = 4.303.
func TestDegreesOfFreedomFallToTheClusters(t *testing.T) {
	var samples []Sample
	for k := range 3 {
		v := make([]float64, 200)
		for i := range v {
			v[i] = float64(k+1) + 0.01*float64(i%2)
		}
		samples = append(samples, Sample{Values: v, Independent: len(v)})
	}
	e := Sum([]Term{{1, samples}}, Options{Replicates: 20_000, Seed: 3})
	near(t, "half width", e.High-e.Value, 4.303/math.Sqrt(3), 0.03)
	near(t, "degrees of freedom", e.Freedom, 2, 0.05)
}

// A difference is taken within networks: what they have in common drops out.
func TestDifferencesArePaired(t *testing.T) {
	sample := func(level, spread float64) Sample {
		v := make([]float64, 100)
		for i := range v {
			v[i] = level + spread*float64(i%2)
		}
		return Sample{Values: v, Independent: 100}
	}
	a := []Sample{sample(10, 0.1), sample(20, 0.1), sample(30, 0.1)}
	b := []Sample{sample(9, 0.1), sample(19, 0.1), sample(29, 0.1)}
	alone := Sum([]Term{{1, a}}, Options{Seed: 4})
	difference := Sum([]Term{{1, a}, {-1, b}}, Options{Seed: 4})
	near(t, "difference", difference.Value, 1, 1e-9)
	if difference.Error > alone.Error/50 {
		t.Errorf("error of the difference %g, of one side %g", difference.Error, alone.Error)
	}
}

func TestRepeatedGamesAreNoEvidence(t *testing.T) {
	v := make([]float64, 400)
	for i := range v {
		v[i] = float64(i % 2)
	}
	all := Sum([]Term{{1, []Sample{{Values: v, Independent: 400, Share: true}}}}, Options{Replicates: 4000, Seed: 5})
	few := Sum([]Term{{1, []Sample{{Values: v, Independent: 100, Share: true}}}}, Options{Replicates: 4000, Seed: 5})
	near(t, "ratio of errors", few.Error/all.Error, 2, 0.05)
	if few.Value != all.Value {
		t.Errorf("repeated games moved the estimate from %g to %g", all.Value, few.Value)
	}
}

// Weights change how much games count, and leave as much evidence as that many games of
// equal weights.
func TestWeightedGames(t *testing.T) {
	v, equal, half, repeats := make([]float64, 400), make([]float64, 400), make([]float64, 400), make([]bool, 400)
	for i := range v {
		v[i], equal[i] = float64(i%2), 3
		if half[i] = 2; i >= 200 {
			half[i] = 0
		}
		repeats[i] = i >= 100
	}
	for _, c := range []struct {
		weights     []float64
		independent int
	}{{equal, 400}, {half, 200}} {
		s := Weighted(v, c.weights, make([]bool, 400), true)
		e := Sum([]Term{{1, []Sample{s}}}, Options{Replicates: 4000, Seed: 5})
		if s.Independent != c.independent || e.Value != 0.5 {
			t.Errorf("%d games of evidence, mean %g; want %d and 0.5", s.Independent, e.Value, c.independent)
		}
		near(t, "error", e.Error, 0.5/math.Sqrt(float64(c.independent)), 0.05)
	}
	if s := Weighted([]float64{1, 0, 0.5}, []float64{3, 1, 0}, make([]bool, 3), true); s.Mean() != 0.75 || s.Independent != 1 || len(s.Values) != 2 {
		t.Errorf("of weights 3, 1 and 0: %+v, mean %g", s, s.Mean())
	}
	if s := Weighted(v, equal, repeats, true); s.Independent != 100 {
		t.Errorf("%d games of evidence of 100 that repeat none", s.Independent)
	}
	e := Sum([]Term{{1, []Sample{Weighted([]float64{1, 0}, []float64{3e4, 1e4}, make([]bool, 2), true)}}}, Options{Replicates: 4000, Seed: 6})
	if e.Value != 0.75 || e.Low > 0 || e.High < 1 {
		t.Errorf("two games: %v, want an interval that says nothing", e.Estimate)
	}
}

// 60 games that all end alike still have an error; the rule of three says that the
// other result may come up in 5 % of games.
// TestVarianceOfWeightedGames: games that count twice are as those that are there twice.
func TestVarianceOfWeightedGames(t *testing.T) {
	twice := Sample{Values: []float64{0, 1, 1, 0.5, 0.5}, Independent: 3}
	w := Weighted([]float64{0, 1, 0.5, 7}, []float64{1, 2, 2, 0}, make([]bool, 4), false)
	w.Independent = 3
	if got, want := w.Variance(), twice.Variance(); math.Abs(got-want) > 1e-12 || math.Abs(want-(0.36+2*0.16+2*0.01)/5/3) > 1e-12 {
		t.Errorf("variance %g, want %g", got, want)
	}
}

func TestShareOfOneKeepsAnError(t *testing.T) {
	v := make([]float64, 60)
	for i := range v {
		v[i] = 1
	}
	e := Sum([]Term{{1, []Sample{{Values: v, Independent: 60, Share: true}}}}, Options{Replicates: 4000, Seed: 6})
	if e.Value != 1 || e.Low > 0.99 || e.Low < 0.95 {
		t.Errorf("60 of 60: %g, %g to %g", e.Value, e.Low, e.High)
	}
	once := Sum([]Term{{1, []Sample{{Values: v, Independent: 1, Share: true}}}}, Options{Seed: 6})
	if once.Low > 0 {
		t.Errorf("one game 60 times: %g to %g, want an interval that says nothing", once.Low, once.High)
	}
	if plain := Sum([]Term{{1, []Sample{{Values: v, Independent: 1}}}}, Options{Seed: 6}); !math.IsInf(plain.Low, -1) {
		t.Errorf("the spread of one value is not known: %v", plain)
	}
	if plain := Sum([]Term{{1, []Sample{{Values: v, Independent: 60}}}}, Options{Seed: 6}); !math.IsInf(plain.Low, -1) || !math.IsInf(plain.High, 1) {
		t.Errorf("60 equal values do not tell how much others differ: %v", plain)
	}
}

// How often intervals hold the truth, for networks that differ by tau and games won
// by the first player as often as the network's own share. Wider than 95 % is
// allowed where networks hardly differ (the package comment says why).
func TestCoverage(t *testing.T) {
	trials := 400
	if testing.Short() {
		trials = 150
	}
	// 94 %, as intervals by one standard error have at such shares, less what
	// chance may take away from so many trials in one of a thousand tests.
	low := 0.94 - 3.3*math.Sqrt(0.94*0.06/float64(trials))
	for i, c := range []struct {
		clusters, games int
		tau             float64
	}{
		{3, 100, 0},
		{3, 100, 0.03},
		{3, 100, 0.1},
		{3, 400, 0.15},
		{5, 100, 0.05},
		{10, 50, 0.1},
		{1, 200, 0}, // about games of that network
	} {
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		covered := 0
		for range trials {
			samples := make([]Sample, c.clusters)
			for k := range samples {
				p := min(1, max(0, 0.55+c.tau*rng.NormFloat64()))
				v := make([]float64, c.games)
				for i := range v {
					if rng.Float64() < p {
						v[i] = 1
					}
				}
				samples[k] = Sample{Values: v, Independent: c.games, Share: true}
			}
			e := Sum([]Term{{1, samples}}, Options{Replicates: 200, Seed: rng.Uint64()})
			if e.Low <= 0.55 && 0.55 <= e.High {
				covered++
			}
		}
		share := float64(covered) / float64(trials)
		t.Logf("%d networks, %d games, tau %g: %.3f", c.clusters, c.games, c.tau, share)
		if share < low {
			t.Errorf("%d networks, %d games each, networks differ by %g: %.1f %% of intervals hold the truth, want %.0f %% or more", c.clusters, c.games, c.tau, 100*share, 100*low)
		}
	}
}

// Networks whose means are normal, with so little error of games that nothing else is to
// be known: their interval is Student's of the means, however alike they happen to be.
func TestNormalCoverage(t *testing.T) {
	const trials = 3000
	rng := rand.New(rand.NewPCG(11, 3))
	covered := 0
	for trial := range trials {
		samples := make([]Sample, 3)
		var means []float64
		for k := range samples {
			// The means of four games each have the variance 1 of their errors, and 31 in all.
			mean, v := math.Sqrt(30)*rng.NormFloat64(), make([]float64, 4)
			for i := range v {
				v[i] = mean + 2*rng.NormFloat64()
			}
			samples[k] = Sample{Values: v, Independent: 4}
			means = append(means, samples[k].Mean())
		}
		e := Sum([]Term{{1, samples}}, Options{Replicates: 100, Seed: uint64(trial)})
		if e.Low <= 0 && 0 <= e.High {
			covered++
		}
		if least := 4.3026 * math.Sqrt(variance(means)/2); e.High-e.Value < least*0.9999 {
			t.Fatalf("of means %v: ± %g, Student's is ± %g", means, e.High-e.Value, least)
		}
		if p := e.Above(e.Low); math.Abs(p-0.025) > 1e-6 {
			t.Fatalf("p at the low end is %g, want that of the interval, 0.025", p)
		}
	}
	// 95 %, less three standard errors of 0.4.
	if share := float64(covered) / trials; share < 0.938 {
		t.Errorf("%.1f %% of intervals hold the truth", 100*share)
	}
}
