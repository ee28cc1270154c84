package resample

import (
	"math"
	"math/rand/v2"
	"testing"
)

// With one decision a game a ratio is a mean, whose interval is Student's: as in
// TestOneSampleIsStudents.
func TestRatioOfSingleDecisionsIsStudents(t *testing.T) {
	var parts []Part
	for _, v := range []float64{1.2, 2.4, 1.3, 1.3, 0, 1.0, 1.8, 0.8, 4.6, 1.4} {
		parts = append(parts, Part{v, 1})
	}
	e := Ratios([]RatioTerm{{1, parts}}, Options{Replicates: 20_000, Seed: 1})
	near(t, "mean", e.Value, 1.58, 1e-9)
	near(t, "low end", e.Low, 0.7001142, 0.03)
	near(t, "high end", e.High, 2.4598858, 0.01)
	near(t, "p", e.P(), 0.002833, 0.1) // R's t.test
}

// Decisions of a game that are all alike are the evidence of one.
func TestRatioDrawsWholeGames(t *testing.T) {
	var single, many []Part
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		v := rng.NormFloat64()
		single, many = append(single, Part{v, 1}), append(many, Part{100 * v, 100})
	}
	a := Ratios([]RatioTerm{{1, single}}, Options{Seed: 3})
	b := Ratios([]RatioTerm{{1, many}}, Options{Seed: 3})
	if math.Abs(a.Low-b.Low) > 1e-12 || math.Abs(a.High-b.High) > 1e-12 {
		t.Errorf("%v with one decision a game, %v with a hundred", a.Estimate, b.Estimate)
	}
}

// What both terms share within games falls out of their difference.
func TestRatioTermsAreDrawnTogether(t *testing.T) {
	var x, y []Part
	rng := rand.New(rand.NewPCG(5, 2))
	for range 60 {
		shared := 10 * rng.NormFloat64()
		x, y = append(x, Part{shared + 1 + 0.1*rng.NormFloat64(), 1}), append(y, Part{shared, 1})
	}
	e := Ratios([]RatioTerm{{1, x}, {-1, y}}, Options{Seed: 3})
	if e.Error > 0.05 || e.Low > 1 || e.High < 1 {
		t.Errorf("difference %v with error %g, want 1 within a few hundredths", e.Estimate, e.Error)
	}
}

// The interval holds the truth as often as it says, with few games of very different
// sizes.
func TestRatioCoverage(t *testing.T) {
	const trials = 400
	rng := rand.New(rand.NewPCG(7, 7))
	hit := 0
	for trial := range trials {
		var parts []Part
		for range 15 {
			n, game := 1+rng.IntN(4), rng.NormFloat64()
			p := Part{Count: float64(n)}
			for range n {
				p.Sum += 0.3 + game + rng.NormFloat64()
			}
			parts = append(parts, p)
		}
		if e := Ratios([]RatioTerm{{1, parts}}, Options{Replicates: 200, Seed: uint64(trial)}); e.Low <= 0.3 && 0.3 <= e.High {
			hit++
		}
	}
	// Three standard errors around 95 % are 3.3 points; Student's interval of a ratio
	// is a little too narrow with games of unequal size.
	if share := float64(hit) / trials; share < 0.905 || share > 0.985 {
		t.Errorf("the interval holds the truth in %.1f %%", 100*share)
	}
}

func TestRatioOfTooLittle(t *testing.T) {
	if e := Ratios([]RatioTerm{{1, []Part{{3, 2}, {}}}}, Options{}); e.Value != 1.5 || !math.IsInf(e.Low, -1) || e.P() != 1 {
		t.Errorf("of one game: %v, p %g", e.Estimate, e.P())
	}
	if e := Ratios([]RatioTerm{{1, []Part{{}, {}}}}, Options{}); !math.IsNaN(e.Value) || e.P() != 1 {
		t.Errorf("of none: %v, p %g", e.Estimate, e.P())
	}
}
