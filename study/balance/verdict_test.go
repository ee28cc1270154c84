package balance

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/stats/resample"
)

// simulated are the games of networks of which the first player's score is δ above one
// half on average, each network's own by tau from there; a part is drawn.
func simulated(rng *rand.Rand, clusters, games int, delta, tau float64) []resample.Sample {
	const draws = 0.2
	samples := make([]resample.Sample, clusters)
	for k := range samples {
		p := min(1-draws/2, max(draws/2, 0.5+delta+tau*rng.NormFloat64())) // the score
		values := make([]float64, games)
		for i := range values {
			switch u := rng.Float64(); {
			case u < draws:
				values[i] = 0.5
			case u < draws/2+p:
				values[i] = 1
			}
		}
		samples[k] = resample.Sample{Values: values, Independent: games, Share: true}
	}
	return samples
}

// How often verdicts are wrong where the truth is known: at the border, where either
// would be, at most about one in 40 each.
func TestVerdictErrors(t *testing.T) {
	trials := 300
	if testing.Short() {
		trials = 60
	}
	const never = 0.0
	for i, c := range []struct {
		clusters, games int
		tau             float64
		variant, base   float64
		fairer, not     float64 // how often that may be said: 1 where it is right
		atLeast         float64 // how often the right thing has to be said
	}{
		{1, 400, 0, 0, 0, 0.025, 1, 0},              // both are even
		{1, 400, 0, 0.08, 0.10, 0.025, 0.025, 0},    // at the border
		{1, 400, 0, -0.08, 0.10, 0.025, 0.025, 0},   // on different sides
		{3, 300, 0.02, 0.08, 0.10, 0.025, 0.025, 0}, // networks that differ
		{1, 1000, 0, 0, 0.15, 1, never, 0.95},       // fairer by a lot
		{1, 1000, 0, -0.15, 0, never, 1, 0.95},      // less fair
		{5, 400, 0.02, 0, -0.15, 1, never, 0.9},     // the baseline favours the second player
		{3, 1000, 0.01, 0.10, 0.10, 0.025, 1, 0.1},  // alike: not fairer by 2 points
	} {
		rng := rand.New(rand.NewPCG(11, uint64(i)))
		said := map[Verdict]int{}
		covered := 0
		for range trials {
			v := simulated(rng, c.clusters, c.games, c.variant, c.tau)
			b := simulated(rng, c.clusters, c.games, c.base, c.tau)
			d, p := distance(v, b, 0.02, resample.Options{Replicates: 150, Seed: rng.Uint64()})
			verdict := verdictOf(d, 0.02)
			said[verdict]++
			if told := verdict != CannotTell; told != (p < 0.05) {
				t.Errorf("p = %g, and the interval %+v says: %s", p, d, verdict)
			}
			if truth := math.Abs(c.variant) - math.Abs(c.base); d.Low <= truth && truth <= d.High {
				covered++
			}
		}
		n := float64(trials)
		t.Logf("δ %g against %g: %v, covered %.3f", c.variant, c.base, said, float64(covered)/n)
		// What chance may add in one of a thousand tests.
		room := func(p float64) float64 { return p + 3.3*math.Sqrt(max(p, 0.01)*(1-p)/n) + 0.01 }
		if share := float64(said[Fairer]) / n; share > room(c.fairer) {
			t.Errorf("δ %g against %g: fairer in %.1f %%, want at most %.1f %%", c.variant, c.base, 100*share, 100*c.fairer)
		}
		if share := float64(said[NotFairer]) / n; share > room(c.not) {
			t.Errorf("δ %g against %g: not fairer in %.1f %%, want at most %.1f %%", c.variant, c.base, 100*share, 100*c.not)
		}
		right := said[Fairer]
		if c.not == 1 {
			right = said[NotFairer]
		}
		if share := float64(right) / n; share < c.atLeast-0.1 {
			t.Errorf("δ %g against %g: the right verdict in %.1f %%, want %.0f %%", c.variant, c.base, 100*share, 100*c.atLeast)
		}
		if share := float64(covered) / n; share < 0.94-3.3*math.Sqrt(0.94*0.06/n) {
			t.Errorf("δ %g against %g: %.1f %% of intervals hold the truth", c.variant, c.base, 100*share)
		}
	}
}

// Four variants are all at the border of the baseline: after the correction at most one
// family of verdicts in 20 has a wrong one, and without it more have.
func TestSeveralVerdictsAreCorrected(t *testing.T) {
	trials := 300
	if testing.Short() {
		trials = 60
	}
	rng := rand.New(rand.NewPCG(12, 1))
	alone, corrected := 0, 0
	for range trials {
		b := simulated(rng, 1, 300, 0.14, 0)
		var list []Comparison
		for k := range 4 {
			v := simulated(rng, 1, 300, 0.12*float64(1-2*(k%2)), 0)
			c := Comparison{Main: true}
			c.Distance, c.P = distance(v, b, 0.02, resample.Options{Replicates: 120, Seed: rng.Uint64()})
			c.Found = verdictOf(c.Distance, 0.02)
			c.Verdict = c.Found
			list = append(list, c)
		}
		correct(list)
		any := func(of func(*Comparison) Verdict) int {
			for i := range list {
				if of(&list[i]) != CannotTell {
					return 1
				}
			}
			return 0
		}
		alone += any(func(c *Comparison) Verdict { return c.Found })
		corrected += any(func(c *Comparison) Verdict { return c.Verdict })
	}
	n := float64(trials)
	t.Logf("some verdict of four is wrong in %.1f %% alone, %.1f %% corrected", 100*float64(alone)/n, 100*float64(corrected)/n)
	if share := float64(corrected) / n; share > 0.05+3.3*math.Sqrt(0.05*0.95/n) {
		t.Errorf("some of four verdicts is wrong in %.1f %%, want at most 5 %%", 100*share)
	}
	if corrected >= alone {
		t.Errorf("%d of %d families are wrong with the correction, %d without", corrected, trials, alone)
	}
}

func TestCorrectionKeepsToVerdicts(t *testing.T) {
	list := []Comparison{
		{Found: Fairer, Verdict: Fairer, P: 0.02, Main: true},
		{Found: NotFairer, P: 0.0001},
		{Found: NotFairer, Verdict: NoVerdict, P: 0.001, Main: true},
		{Found: NotFairer, Verdict: NotFairer, P: 0.03, Main: true},
	}
	correct(list)
	if c := list[1]; c.PHolm != nil || c.Verdict != "" {
		t.Errorf("a cross-check: %+v", c)
	}
	// Of three: 0.001 × 3, 0.02 × 2, 0.03 × 1 and no less than the one before.
	for i, want := range map[int]struct {
		p       float64
		verdict Verdict
	}{0: {0.04, Fairer}, 2: {0.003, NoVerdict}, 3: {0.04, NotFairer}} {
		if c := list[i]; math.Abs(*c.PHolm-want.p) > 1e-12 || c.Verdict != want.verdict {
			t.Errorf("comparison %d: p %g, %s; want %g, %s", i, *c.PHolm, c.Verdict, want.p, want.verdict)
		}
	}
	list = []Comparison{{Found: Fairer, Verdict: Fairer, P: 0.03, Main: true}, {Found: Fairer, Verdict: Fairer, P: 0.03, Main: true}}
	if correct(list); list[0].Verdict != CannotTell || list[0].Found != Fairer {
		t.Errorf("two at p = 0.03: %+v", list[0])
	}
}

func TestDistanceIsThatOfAbsoluteValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	opt := resample.Options{Replicates: 300, Seed: 1}
	for range 20 {
		v := simulated(rng, 3, 60, 0.3*rng.Float64()-0.15, 0.05)
		b := simulated(rng, 3, 60, 0.3*rng.Float64()-0.15, 0.05)
		d, _ := distance(v, b, 0.02, opt)
		want := math.Abs(meanOf(v)-0.5) - math.Abs(meanOf(b)-0.5)
		if math.Abs(d.Value-want) > 1e-12 || d.Low > d.Value || d.High < d.Value {
			t.Errorf("distance %+v, want %g inside its interval", d, want)
		}
		back, _ := distance(b, v, 0.02, opt)
		if math.Abs(back.Value+d.Value) > 1e-12 || math.Abs(back.Low+d.High) > 1e-12 || math.Abs(back.High+d.Low) > 1e-12 {
			t.Errorf("%+v one way, %+v the other", d, back)
		}
	}
}

func TestConditionAllowsAVerdictOnlyIfMet(t *testing.T) {
	matchOf := func(low, high float64) *match.Result {
		return &match.Result{Elo: rating.Estimate{Value: (low + high) / 2, Low: low, High: high}}
	}
	var checks []Check
	for name, m := range map[string]*match.Result{
		"met": matchOf(-29, 5), "stronger": matchOf(40, 80), "not met": matchOf(-90, -31), "not shown": matchOf(-60, 10),
	} {
		checks = append(checks, NewCheck(name, "a", "b", m))
	}
	for _, c := range []struct {
		variant, baseline, words string
		met                      bool
	}{
		{"met", "stronger", "met", true},
		{"met", "other", "met for the variant, not checked for the baseline", false},
		{"not met", "met", "not met for the variant, met for the baseline", false},
		{"not shown", "met", "not shown for the variant, met for the baseline", false},
		{"met", "not shown", "met for the variant, not shown for the baseline", false},
		{"one", "other", "not checked", false},
	} {
		if words, met := condition(checks, c.variant, c.baseline); words != c.words || met != c.met {
			t.Errorf("%s against %s: %q, met %t; want %q, %t", c.variant, c.baseline, words, met, c.words, c.met)
		}
	}
}

// TestReachIsAsWideAsIntervals: the plan's half width is about that of the intervals of
// games which first players win and lose alike, by networks that agree.
func TestReachIsAsWideAsIntervals(t *testing.T) {
	const games = 400
	for _, networks := range []int{1, 2, 5} {
		rng := rand.New(rand.NewPCG(3, uint64(networks)))
		mean := 0.0
		const trials = 20
		for trial := range trials {
			var sides [2][]resample.Sample
			for i := range sides {
				for range networks {
					s := resample.Sample{Share: true, Independent: games}
					for range games {
						s.Values = append(s.Values, float64(rng.IntN(2)))
					}
					sides[i] = append(sides[i], s)
				}
			}
			e := resample.Sum([]resample.Term{{Weight: 1, Samples: sides[0]}, {Weight: -1, Samples: sides[1]}}, resample.Options{Replicates: 200, Seed: uint64(trial)})
			mean += (e.High - e.Low) / 2 / trials
		}
		if got := reach(2./float64(games*networks), 1, networks); math.Abs(got/mean-1) > 0.25 {
			t.Errorf("%d networks: reach %.4f, intervals have %.4f", networks, got, mean)
		}
	}
	if one, four := reach(0.002, 1, 1), reach(0.002, 4, 1); four <= one {
		t.Errorf("four verdicts reach %g, one %g", four, one)
	}
}
