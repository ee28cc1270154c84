package cluster

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s = %.6g, want %.6g", what, got, want)
	}
}

// Student's own example (1908): additional sleep of ten patients by two drugs. R's t.test
// says of the first mean 0.75, -0.53 to 2.03, and of the difference between the two,
// unpaired, -1.58 with p = 0.07939 and -3.365 to 0.205.
func TestStudentsSleep(t *testing.T) {
	parts := func(x ...float64) (list []Part) {
		for _, v := range x {
			list = append(list, Part{v, 1})
		}
		return list
	}
	a := Mean(parts(0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2), 1, false)
	b := Mean(parts(1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4), 1, false)
	e := a.Estimate()
	near(t, "mean", e.Value, 0.75, 1e-9)
	near(t, "low", e.Low, -0.529789, 1e-4)
	near(t, "high", e.High, 2.029789, 1e-4)
	d, p := Difference(&a, &b)
	near(t, "difference", d.Value, -1.58, 1e-9)
	near(t, "low", d.Low, -3.365483, 1e-4)
	near(t, "high", d.High, 0.205483, 1e-4)
	near(t, "p", p, 0.07939414, 1e-6)
}

func TestWhatIsNotKnown(t *testing.T) {
	same := Mean([]Part{{3, 1}, {3, 1}, {3, 1}}, 1, false)
	other := Mean([]Part{{5, 1}, {4, 1}, {5, 1}}, 1, false)
	if e := same.Estimate(); e.Value != 3 || !math.IsInf(e.Low, -1) {
		t.Errorf("equal values: %v, want no interval", e)
	}
	alone := Mean([]Part{{9, 1}}, 1, false)
	if _, p := Difference(&alone, &other); p != 1 {
		t.Errorf("p = %g of one cluster, want 1", p)
	}
	if none := Mean([]Part{{}, {}}, 1, true); !math.IsNaN(none.Value) || none.Known() {
		t.Errorf("of nothing: %+v", none)
	}
	if repeated := Mean([]Part{{0, 1}, {1, 1}, {0, 1}, {1, 1}}, 0.25, true); repeated.Known() {
		t.Errorf("four clusters that are one: %+v", repeated)
	}
	if all := Mean([]Part{{2, 2}, {2, 2}, {2, 2}}, 1, true); all.Value != 1 || !all.Known() || all.Estimate().Low > 0.8 {
		t.Errorf("six games won: %v, want an interval that three pairs allow", all.Estimate())
	}
}

// Intervals of shares and of means over decisions hold the truth in 95 %, and differences
// between equal sources are called out in 5 %. Clusters are pairs whose games depend on each
// other.
func TestCoverage(t *testing.T) {
	const trials = 2000
	rng := rand.New(rand.NewPCG(3, 7))
	draw := func(p float64, pairs int) (shares, decisions []Part) {
		for range pairs {
			common := rng.Float64() // of both games
			var s, d Part
			for range 2 {
				luck := rng.Float64()
				if rng.IntN(2) == 0 {
					luck = common
				}
				if luck < p {
					s.Add(1)
				} else {
					s.Add(0)
				}
				for range 5 + rng.IntN(10) {
					d.Add(luck + rng.NormFloat64())
				}
			}
			shares, decisions = append(shares, s), append(decisions, d)
		}
		return shares, decisions
	}
	for _, c := range []struct {
		p     float64
		pairs int
	}{{0.5, 20}, {0.5, 200}, {0.02, 100}, {0.1, 50}} {
		held, called := [2]int{}, [2]int{}
		for range trials {
			s, d := draw(c.p, c.pairs)
			s2, d2 := draw(c.p, c.pairs)
			for i, x := range [][2]Value{{Mean(s, 1, true), Mean(s2, 1, true)}, {Mean(d, 1, false), Mean(d2, 1, false)}} {
				if e := x[0].Estimate(); e.Low <= [2]float64{c.p, 0.5}[i] && e.High >= [2]float64{c.p, 0.5}[i] {
					held[i]++
				}
				if _, p := Difference(&x[0], &x[1]); p <= 0.05 {
					called[i]++
				}
			}
		}
		for i, what := range []string{"share", "mean over decisions"} {
			t.Logf("%s of %g, %d pairs: %.3f held, %.3f called out", what, c.p, c.pairs, float64(held[i])/trials, float64(called[i])/trials)
			if h := float64(held[i]) / trials; h < 0.93 {
				t.Errorf("%s of %g, %d pairs: %.3f of the intervals hold the truth", what, c.p, c.pairs, h)
			}
			if f := float64(called[i]) / trials; f > 0.066 { // 5 % and three standard errors
				t.Errorf("%s of %g, %d pairs: %.3f of equal ones are called different", what, c.p, c.pairs, f)
			}
		}
	}
}

// What is the same in all clusters of one side or of both is found to differ from what the
// other side has, by as many clusters as that takes.
func TestWhatNeverVariesDiffers(t *testing.T) {
	all := func(x float64, clusters int) Value {
		parts := make([]Part, clusters)
		for i := range parts {
			parts[i].Add(x)
		}
		return Mean(parts, 1, false)
	}
	for _, c := range []struct {
		clusters int
		p        float64
	}{{2, 2. / 6}, {3, 2. / 20}, {5, 2. / 252}} {
		a, b := all(1, c.clusters), all(2, c.clusters)
		d, p := Difference(&a, &b)
		near(t, "p", p, c.p, 1e-9)
		if d.Value != -1 || !math.IsInf(d.High, 1) {
			t.Errorf("%v, want -1 without an interval", d)
		}
		if _, p := Difference(&a, &a); p != 1 {
			t.Errorf("p = %g of what is the same, want 1", p)
		}
	}
	never, used := all(0, 300), Mean(oneIn(300, 14), 1, false)
	d, p := Difference(&used, &never)
	exact := math.Pow(2, 1-14) // that 14 clusters of 600 are all on one side
	if p < exact/4 || p > exact*4 || d.Low < 0.02 || d.High > 0.08 {
		t.Errorf("14 of 300 against none: %v, p = %g, want about %g", d, p, exact)
	}
	// A few clusters, of which one is rare, do not differ from many without it.
	few := Mean(oneIn(3, 1), 1, false)
	if _, p := Difference(&few, &never); p < 3./303 {
		t.Errorf("p = %g of 1 of 3 against none of 300", p)
	}
}

// oneIn are clusters of one game, in the first n of which something happened.
func oneIn(clusters, n int) []Part {
	parts := make([]Part, clusters)
	for i := range parts {
		parts[i].Count = 1
		if i < n {
			parts[i].Sum = 1
		}
	}
	return parts
}

// Equal sources of what is rare, so that one side often has none of it, are called out in
// 5 %, whatever numbers of clusters the sides have.
func TestWhatIsRareIsNotCalledOut(t *testing.T) {
	const trials = 3000
	rng := rand.New(rand.NewPCG(3, 7))
	draw := func(rate float64, clusters int) Value {
		parts := make([]Part, clusters)
		for i := range parts {
			parts[i].Count = 2
			for rng.Float64() < rate {
				parts[i].Sum++
			}
		}
		return Mean(parts, 1, false)
	}
	for _, c := range []struct {
		rate float64
		a, b int
	}{{0.01, 300, 300}, {0.01, 300, 20}, {0.003, 300, 300}, {0.05, 20, 20}, {0.2, 3, 300}, {0.05, 5, 100}} {
		called, far := 0, 0
		for range trials {
			a, b := draw(c.rate, c.a), draw(c.rate, c.b)
			_, p := Difference(&a, &b)
			if p <= 0.05 {
				called++
			}
			if p <= 0.001 {
				far++
			}
		}
		t.Logf("%+v: %.3f called out, %d of %d with p below 0.001", c, float64(called)/trials, far, trials)
		if f := float64(called) / trials; f > 0.062 { // 5 % and three standard errors
			t.Errorf("%+v: %.3f of equal ones are called different", c, f)
		}
		if far > 10 { // 3 and four standard errors
			t.Errorf("%+v: %d of %d equal ones have a p below 0.001", c, far, trials)
		}
	}
}

// Of counts that few clusters have many of, intervals end too low: what is known to be
// wrong with them, so that the pages say it as it is.
func TestBurstsAreKnownTooWell(t *testing.T) {
	const trials, pairs, truth = 1000, 50, 0.2
	rng := rand.New(rand.NewPCG(3, 7))
	held := 0
	for range trials {
		parts := make([]Part, pairs)
		for i := range parts {
			parts[i].Count = 2
			for range 2 {
				for more := rng.Float64() < 0.02; more; more = rng.Float64() < 0.9 { // ten in the mean
					parts[i].Sum++
				}
			}
		}
		v := Mean(parts, 1, false)
		if e := v.Estimate(); e.Low <= truth && truth <= e.High {
			held++
		}
	}
	if h := float64(held) / trials; h < 0.79 || h > 0.88 {
		t.Errorf("%.3f of the intervals hold the truth, the pages say 83 %%", h)
	}
}
