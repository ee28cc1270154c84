package rating

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/stats/interval"
)

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// TestEloByHand holds the logistic curve to values computed by hand:
// 400·log10(3) for 75 %, 400·log10(9) for 90 %, and the tables' 200 points for
// about 76 %.
func TestEloByHand(t *testing.T) {
	for _, c := range []struct{ score, elo float64 }{
		{0.5, 0},
		{0.75, 190.8485},
		{0.9, 381.6970},
		{0.25, -190.8485},
		{10.0 / 11, 400},
		{0.7597469, 200},
	} {
		if got := EloOf(c.score); !near(got, c.elo, 1e-3) {
			t.Errorf("EloOf(%g) = %g, want %g", c.score, got, c.elo)
		}
		if got := ScoreOf(c.elo); !near(got, c.score, 1e-6) {
			t.Errorf("ScoreOf(%g) = %g, want %g", c.elo, got, c.score)
		}
	}
	if !math.IsInf(EloOf(1), 1) || !math.IsInf(EloOf(0), -1) {
		t.Errorf("EloOf(1) = %g, EloOf(0) = %g, want ±Inf", EloOf(1), EloOf(0))
	}
}

// TestScoreByHand works one interval out. 100 pairs 10, 20, 40, 20, 10: with
// half a pair at each end the mean is ½ and the variance
// (10.5·¼·2 + 20·1/16·2)/101 = 0.0767327, so 100·0.25/0.0767327 = 325.806
// trials; Student's quantile for 100 degrees of freedom is 1.983972.
func TestScoreByHand(t *testing.T) {
	low, high := interval.Wilson(0.5, 325.806, 1.983972)
	got := PairCounts{10, 20, 40, 20, 10}.Score(100)
	if got.Value != 0.5 || !near(got.Low, low, 1e-6) || !near(got.High, high, 1e-6) {
		t.Errorf("Score = %+v, want 0.5 from %.6f to %.6f", got, low, high)
	}
}

func TestScoreAtTheExtremes(t *testing.T) {
	for _, n := range []int{1, 5, 100, 1000} {
		all := PairCounts{0, 0, 0, 0, n}.Score(n)
		none := PairCounts{n, 0, 0, 0, 0}.Score(n)
		if all.High != 1 || all.Value != 1 || !(all.Low > 0 && all.Low < 1) {
			t.Errorf("%d pairs won: Score = %+v", n, all)
		}
		if !near(none.High, 1-all.Low, 1e-12) || none.Low != 0 {
			t.Errorf("%d pairs lost: Score = %+v, want the mirror of %+v", n, none, all)
		}
	}
	if got := (PairCounts{0, 0, 0, 0, 100}).Score(100); !near(got.Low, 0.9617, 0.001) {
		t.Errorf("100 pairs won: low = %.4f, want 0.962", got.Low)
	}
	// Pairs that all split say much, not everything.
	if got := (PairCounts{0, 0, 100, 0, 0}).Score(100); !(got.Low > 0.48 && got.Low < 0.495) {
		t.Errorf("100 split pairs: Score = %+v", got)
	}
}

func TestRepeatedPairsDoNotNarrowTheInterval(t *testing.T) {
	counts := PairCounts{20, 40, 80, 40, 20}
	wide, once := counts.Score(20), PairCounts{2, 4, 8, 4, 2}.Score(20)
	if wide != once {
		t.Errorf("Score of 200 pairs of which 20 are new = %+v, want that of the 20, %+v", wide, once)
	}
}

func TestScoreIsAntisymmetric(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		var p, q PairCounts
		for i := range p {
			p[i] = rng.IntN(30)
		}
		p[rng.IntN(5)]++
		for i := range p {
			q[4-i] = p[i]
		}
		a, b := p.Score(p.Pairs()), q.Score(q.Pairs())
		if !near(a.Value, 1-b.Value, 1e-12) || !near(a.Low, 1-b.High, 1e-9) || !near(a.High, 1-b.Low, 1e-9) {
			t.Fatalf("%v: %+v, mirrored %+v", p, a, b)
		}
		if !(a.Low <= a.Value && a.Value <= a.High && a.Low >= 0 && a.High <= 1) {
			t.Fatalf("%v: %+v is out of order", p, a)
		}
	}
}

// TestIntervalsCover simulates matches of players of known strength. Openings
// differ in whom they favour, which makes the games of a pair dependent. Of the
// 95 % intervals about 95 % must hold the truth: never under 93 %, and, to be of
// use, never much wider than the normal interval.
func TestIntervalsCover(t *testing.T) {
	matches := 2000
	if testing.Short() {
		matches = 600
	}
	for _, c := range []struct {
		name               string
		elo, draws, spread float64 // spread: of the openings' favour, in Elo
		pairs              int
	}{
		{"equal, no draws", 0, 0, 0, 100},
		{"equal, drawish, unbalanced openings", 0, 0.6, 300, 100},
		{"stronger", 100, 0.2, 100, 100},
		{"few pairs", 50, 0.3, 200, 20},
		{"much stronger", 500, 0.1, 100, 100},
		{"much stronger, few pairs", 400, 0, 0, 20},
	} {
		rng := rand.New(rand.NewPCG(7, uint64(c.pairs)))
		truth := expectedScore(c.elo, c.spread)
		covered, width, normal := 0, 0.0, 0.0
		for range matches {
			var p PairCounts
			for range c.pairs {
				favour := c.spread * rng.NormFloat64()
				half := 0
				for _, seat := range []float64{1, -1} {
					half += simulateGame(ScoreOf(c.elo+seat*favour), c.draws, rng)
				}
				p[half]++
			}
			e := p.Score(c.pairs)
			if e.Low <= truth && truth <= e.High {
				covered++
			}
			width += e.High - e.Low
			normal += 2 * 1.96 * p.standardError()
		}
		share := float64(covered) / float64(matches)
		t.Logf("%s: %.1f %% of intervals hold the truth %.3f; %.2f times the normal width", c.name, 100*share, truth, width/normal)
		if share < 0.925 {
			t.Errorf("%s: %.1f %% of 95 %% intervals hold the truth", c.name, 100*share)
		}
		if width > 1.5*normal {
			t.Errorf("%s: intervals are %.2f times as wide as normal ones", c.name, width/normal)
		}
	}
}

// standardError is the plain one of the mean, from the pairs' sample variance.
func (p PairCounts) standardError() float64 {
	n, v := float64(p.Pairs()), 0.0
	for i, c := range p {
		d := float64(i)/4 - p.Mean()
		v += float64(c) * d * d
	}
	return math.Sqrt(v / (n - 1) / n)
}

// expectedScore averages over the openings' favour by the trapezoid rule.
func expectedScore(elo, spread float64) float64 {
	sum, weight := 0.0, 0.0
	for z := -6.0; z <= 6; z += 0.01 {
		w := math.Exp(-z * z / 2)
		sum += w * (ScoreOf(elo+spread*z) + ScoreOf(elo-spread*z)) / 2
		weight += w
	}
	return sum / weight
}

// simulateGame returns the half points of a game with the expected score s, in
// which a share of what can be drawn is drawn.
func simulateGame(s, draws float64, rng *rand.Rand) int {
	d := 2 * draws * min(s, 1-s)
	switch x := rng.Float64(); {
	case x < s-d/2:
		return 2
	case x < s+d/2:
		return 1
	}
	return 0
}

func TestEstimateJSON(t *testing.T) {
	for _, c := range []struct {
		e    Estimate
		want string
	}{
		{Estimate{1, 0.5, 2}, `{"value":1,"low":0.5,"high":2}`},
		{Estimate{math.Inf(1), 3, math.Inf(1)}, `{"value":null,"low":3,"high":null}`},
		{Estimate{math.Inf(-1), math.Inf(-1), -3}, `{"value":null,"low":null,"high":-3}`},
		{Estimate{0, math.Inf(-1), math.Inf(1)}, `{"value":0,"low":null,"high":null}`},
	} {
		text, err := json.Marshal(c.e)
		if err != nil || string(text) != c.want {
			t.Errorf("Marshal(%+v) = %s, %v, want %s", c.e, text, err, c.want)
		}
		var back Estimate
		if err := json.Unmarshal(text, &back); err != nil || back != c.e {
			t.Errorf("Unmarshal(%s) = %+v, %v, want %+v", text, back, err, c.e)
		}
	}
}

func TestCorrelation(t *testing.T) {
	pairing := func(ll, lw, wl, ww int) *Pairing {
		return &Pairing{Pairs: [3][3]int{{ll, 0, lw}, {}, {wl, 0, ww}}}
	}
	for _, c := range []struct {
		p    *Pairing
		want Estimate
		ok   bool
	}{
		{pairing(10, 10, 10, 10), Estimate{0, -0.312, 0.312}, true},   // tanh(1.96/√37)
		{pairing(5, 20, 20, 5), Estimate{-0.6, -0.753, -0.386}, true}, // atanh 0.6 = 0.6931, ± 1.96/√47 = 0.2859
		{pairing(0, 8, 8, 0), Estimate{-1, -1, -0.825}, true},         // atanh 15/16 = 1.7168, - 1.96/√13 = 0.5436
		{&Pairing{Pairs: pairing(10, 10, 10, 10).Pairs, Repeated: 30}, Estimate{0, -0.63, 0.63}, true},
		{pairing(0, 0, 30, 0), Estimate{}, false},
		{pairing(1, 1, 1, 0), Estimate{}, false},
	} {
		got, ok := c.p.Correlation()
		if ok != c.ok || math.Abs(got.Value-c.want.Value) > 1e-9 || math.Abs(got.Low-c.want.Low) > 2e-3 || math.Abs(got.High-c.want.High) > 2e-3 {
			t.Errorf("%v: correlation %v %v, want %v %v", c.p.Pairs, got, ok, c.want, c.ok)
		}
	}
}

// TestCorrelationCovers the truth for pairs of three values, of seats that differ.
func TestCorrelationCovers(t *testing.T) {
	// Chances of A's half points moving first, by columns second.
	law := [3][3]float64{{0.05, 0.05, 0.25}, {0.05, 0.1, 0.1}, {0.2, 0.1, 0.1}}
	var mean, square [2]float64
	product := 0.0
	for i, row := range law {
		for j, p := range row {
			x, y := float64(i), float64(j)
			mean[0], mean[1] = mean[0]+p*x, mean[1]+p*y
			square[0], square[1], product = square[0]+p*x*x, square[1]+p*y*y, product+p*x*y
		}
	}
	truth := 2 * (product - mean[0]*mean[1]) / (square[0] + square[1] - mean[0]*mean[0] - mean[1]*mean[1])
	r := rand.New(rand.NewPCG(1, 2))
	const trials = 2000
	for _, n := range []int{30, 300} {
		covered := 0
		for range trials {
			var p Pairing
			for range n {
				u := r.Float64()
				k := 0
				for ; k < 8 && u >= law[k/3][k%3]; k++ {
					u -= law[k/3][k%3]
				}
				p.Pairs[k/3][k%3]++
			}
			if e, ok := p.Correlation(); ok && e.Low <= truth && truth <= e.High {
				covered++
			}
		}
		if share := float64(covered) / trials; share < 0.92 || share > 0.98 {
			t.Errorf("%d pairs: %.3f of the intervals hold %.3f, want about 0.95", n, share, truth)
		}
	}
}
