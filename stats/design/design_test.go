package design

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/stats/rating"
	"pgregory.net/rapid"
)

// TestResolutions holds every design to the published resolution: Box, Hunter &
// Hunter 2005, table of useful two-level fractional factorials, and NIST Dataplot,
// dexres4; 0 is a full factorial.
func TestResolutions(t *testing.T) {
	for runs, want := range map[int][]int{
		8:  {0, 0, 0, 4, 3, 3},
		16: {0, 0, 0, 0, 5, 4, 4, 4, 3, 3, 3, 3, 3, 3},
		32: {0, 0, 0, 0, 0, 6, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
	} {
		if got := MostFactors(runs); got != len(want) {
			t.Errorf("MostFactors(%d) = %d, want %d", runs, got, len(want))
		}
		for i, resolution := range want {
			d, err := New(runs, i+1)
			if err != nil {
				t.Fatal(err)
			}
			if got := d.Resolution(); got != resolution {
				t.Errorf("%d factors in %d runs: resolution %d, want %d", i+1, runs, got, resolution)
			}
		}
	}
}

// TestNoResolutionIsHigher tries all choices of generators where there are few, and
// in 32 runs those for seven factors: resolution V is not to be had for them, and so
// not for more, since leaving a factor out lowers no resolution.
func TestNoResolutionIsHigher(t *testing.T) {
	for _, c := range []struct{ runs, factors int }{
		{8, 4}, {8, 5}, {8, 6}, {16, 5}, {16, 6}, {16, 7}, {16, 8}, {16, 9}, {16, 10}, {16, 11}, {16, 12}, {16, 13}, {16, 14}, {32, 6}, {32, 7},
	} {
		d, err := New(c.runs, c.factors)
		if err != nil {
			t.Fatal(err)
		}
		var candidates []word
		for w := range word(c.runs) {
			if bits.OnesCount32(uint32(w)) > 1 {
				candidates = append(candidates, w)
			}
		}
		best := 0
		other := &Factorial{runs: d.runs, basic: d.basic, columns: slices.Clone(d.columns)}
		var choose func(at, from int)
		choose = func(at, from int) {
			if at == len(other.columns) {
				best = max(best, other.Resolution())
				return
			}
			for i := from; i < len(candidates); i++ {
				other.columns[at] = candidates[i]
				choose(at+1, i+1)
			}
		}
		choose(d.basic, 0)
		if got := d.Resolution(); got != best {
			t.Errorf("%d factors in %d runs: resolution %d, there is one of %d", c.factors, c.runs, got, best)
		}
	}
}

// TestColumnsAreOrthogonal in all designs: each level and each combination of two
// factors is run equally often.
func TestColumnsAreOrthogonal(t *testing.T) {
	for runs := range generators {
		for factors := 1; factors <= MostFactors(runs); factors++ {
			d, err := New(runs, factors)
			if err != nil {
				t.Fatal(err)
			}
			for j := range factors {
				for i := range j + 1 {
					counts := map[[2]bool]int{}
					for run := range runs {
						counts[[2]bool{d.High(run, i), d.High(run, j)}]++
					}
					want := map[[2]bool]int{{true, true}: runs / 4, {true, false}: runs / 4, {false, true}: runs / 4, {false, false}: runs / 4}
					if i == j {
						want = map[[2]bool]int{{true, true}: runs / 2, {false, false}: runs / 2}
					}
					if fmt.Sprint(counts) != fmt.Sprint(want) {
						t.Fatalf("%d factors in %d runs: factors %d and %d have %v, want %v", factors, runs, i, j, counts, want)
					}
				}
			}
		}
	}
}

// TestFiltrationRate is the half fraction 2^(4-1) with D = ABC of Montgomery, Design
// and Analysis of Experiments, example 8-1 (the resin filtration rate), and its
// published effects. The interval is computed by hand from the three chains that
// the main effects leave over: s² = 2·(1² + 18.5² + 19²)/3 = 469.5.
func TestFiltrationRate(t *testing.T) {
	d, err := New(8, 4)
	if err != nil {
		t.Fatal(err)
	}
	// (1), ad, bd, ab, cd, ac, bc, abcd
	f, err := d.Fit([]float64{45, 100, 45, 65, 75, 60, 80, 96})
	if err != nil {
		t.Fatal(err)
	}
	half := 3.182446305284263 * 2 * math.Sqrt(469.5/8) // t of 3 degrees of freedom
	for i, want := range []float64{19, 1.5, 14, 16.5} {
		if !near(f.Effects[i], want, half) {
			t.Errorf("effect %d = %v, want %g ± %g", i, f.Effects[i], want, half)
		}
	}
	if !near(f.Mean, 70.75, half/2) || f.Freedom != 3 || math.Abs(f.Residual-math.Sqrt(469.5)) > 1e-9 {
		t.Errorf("mean %v, %d degrees of freedom, residual %g", f.Mean, f.Freedom, f.Residual)
	}
	want := []Interaction{ // AB + CD, AC + BD, BC + AD
		{Chain{Main: -1, Pairs: [][2]int{{0, 1}, {2, 3}}}, -1},
		{Chain{Main: -1, Pairs: [][2]int{{0, 2}, {1, 3}}}, -18.5},
		{Chain{Main: -1, Pairs: [][2]int{{1, 2}, {0, 3}}}, 19},
	}
	for i := range f.Chains {
		f.Chains[i].column = 0
	}
	if fmt.Sprint(f.Chains) != fmt.Sprint(want) {
		t.Errorf("interactions %v, want %v", f.Chains, want)
	}
}

// TestPilotPlant is the 2³ factorial with two runs of each combination of Box,
// Hunter & Hunter, chapter 5: temperature, concentration and catalyst on the yield,
// effects 23, -5 and 1.5, interactions 1.5, 10 and 0. The variance has two parts: of the
// runs of one combination (8 with 8 degrees of freedom) and of what the interactions
// leave over: (64 + 4·(1.5² + 10² + 0² + 0.5²))/12.
func TestPilotPlant(t *testing.T) {
	d, err := New(16, 3)
	if err != nil {
		t.Fatal(err)
	}
	f, err := d.Fit([]float64{59, 74, 50, 69, 50, 81, 46, 79, 61, 70, 58, 67, 54, 85, 44, 81})
	if err != nil {
		t.Fatal(err)
	}
	half := 2.1788128296634177 * 2 * math.Sqrt(474.0/12/16)
	for i, want := range []float64{23, -5, 1.5} {
		if !near(f.Effects[i], want, half) {
			t.Errorf("effect %d = %v, want %g ± %g", i, f.Effects[i], want, half)
		}
	}
	if f.Freedom != 12 || d.Resolution() != 0 || len(d.Generators()) != 0 {
		t.Errorf("%d degrees of freedom, resolution %d", f.Freedom, d.Resolution())
	}
	got := ""
	for _, c := range f.Chains {
		got += fmt.Sprint(c.Pairs, c.Value)
	}
	if got != "[[0 1]] 1.5[[0 2]] 10[[1 2]] 0" {
		t.Errorf("interactions %s", got)
	}
}

// TestChains of the 2^(8-4) design of resolution IV: 28 interactions in seven chains
// of four, none with a main effect; and of the 2^(5-2) of resolution III.
func TestChains(t *testing.T) {
	d, err := New(16, 8)
	if err != nil {
		t.Fatal(err)
	}
	chains := d.Chains()
	if len(chains) != 7 {
		t.Errorf("%d chains, want 7", len(chains))
	}
	for _, c := range chains {
		if c.Main != -1 || len(c.Pairs) != 4 {
			t.Errorf("chain %+v: want four interactions", c)
		}
	}
	if d, err = New(8, 5); err != nil {
		t.Fatal(err)
	}
	var text []string
	for _, c := range d.Chains() {
		text = append(text, fmt.Sprint(c.Main, c.Pairs))
	}
	// With 4 = 12 and 5 = 13, counted from 0 here.
	want := "0 [[1 3] [2 4]]; 1 [[0 3]]; 2 [[0 4]]; 3 [[0 1]]; 4 [[0 2]]; -1 [[1 2] [3 4]]; -1 [[2 3] [1 4]]"
	if got := strings.Join(text, "; "); got != want {
		t.Errorf("chains %s, want %s", got, want)
	}
	if got := fmt.Sprint(d.Generators()); got != "[{3 [0 1]} {4 [0 2]}]" {
		t.Errorf("generators %s", got)
	}
}

// TestEffectsAreFound: whatever the main effects, results that are their sum give
// them back without error.
func TestEffectsAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.SampledFrom([]int{8, 16, 32}).Draw(t, "runs")
		d, err := New(runs, rapid.IntRange(1, MostFactors(runs)).Draw(t, "factors"))
		if err != nil {
			t.Fatal(err)
		}
		y := make([]float64, runs)
		effects := make([]float64, d.Factors())
		for i := range effects {
			effects[i] = rapid.Float64Range(-100, 100).Draw(t, "effect")
			for run := range y {
				if d.High(run, i) {
					y[run] += effects[i]
				}
			}
		}
		f, err := d.Fit(y)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range effects {
			if math.Abs(f.Effects[i].Value-e) > 1e-9 || f.Residual > 1e-9 {
				t.Fatalf("effect %d = %v, want %g", i, f.Effects[i], e)
			}
		}
	})
}

// TestSleep is Student's own example (The Probable Error of a Mean, Biometrika 1908)
// as R's data set sleep has it: two drugs and ten patients, t.test(paired = TRUE)
// gives 1.58 with the interval 0.70 to 2.46.
func TestSleep(t *testing.T) {
	first := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2}
	second := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	e, err := Paired(second, first)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(e.Value-1.58) > 1e-9 || math.Abs(e.Low-0.7001142) > 1e-6 || math.Abs(e.High-2.4598858) > 1e-6 {
		t.Errorf("Paired = %v, want 1.58 (0.7001142 to 2.4598858)", e)
	}
	m, err := Mean(second)
	if err != nil || math.Abs(m.Value-2.33) > 1e-9 {
		t.Errorf("Mean = %v, %v, want 2.33", m, err)
	}
}

func TestRefusals(t *testing.T) {
	d, err := New(8, 3)
	if err != nil {
		t.Fatal(err)
	}
	_, short := d.Fit(make([]float64, 7))
	_, unknown := d.Fit([]float64{0, 0, math.Inf(1), 0, 0, 0, 0, 0})
	_, runs := New(12, 3)
	_, none := New(8, 0)
	_, factors := New(8, 7)
	_, single := Mean([]float64{1})
	_, odd := Paired([]float64{1, 2}, []float64{1})
	for want, err := range map[string]error{
		"7 results: want one of each of 8 runs":        short,
		"result 3 is +Inf: want a finite number":       unknown,
		"a design of 12 runs: want 8, 16 or 32":        runs,
		"a design of 0 factors: want 1 to 6 in 8 runs": none,
		"a design of 7 factors: want 1 to 6 in 8 runs": factors,
		"1 results: want at least 2":                   single,
		"2 and 1 results: want pairs":                  odd,
	} {
		if err == nil || err.Error() != want {
			t.Errorf("%v: want %q", err, want)
		}
	}
}

func near(e rating.Estimate, value, half float64) bool {
	return math.Abs(e.Value-value) < 1e-9 && math.Abs(e.Low-(value-half)) < 1e-6 && math.Abs(e.High-(value+half)) < 1e-6
}
