package balance

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/stats/resample"
)

// TestSpreadTellsNetworksFromGames: of networks with a known deviation and games the spread
// is both together, and what is left without games is their own.
func TestSpreadTellsNetworksFromGames(t *testing.T) {
	rng := rand.New(seed.Stream(3, "spread", 0))
	const networks, games = 400, 100
	for _, own := range []float64{0, 0.05} {
		samples := make([]resample.Sample, networks)
		for k := range samples {
			p := 0.5 + own*rng.NormFloat64()
			s := resample.Sample{Share: true, Independent: games}
			for range games {
				v := 0.0
				if rng.Float64() < p {
					v = 1
				}
				s.Values = append(s.Values, v)
			}
			samples[k] = s
		}
		s := spreadOf("x", 0.02, samples, nil)
		if want := math.Hypot(own, 0.05); math.Abs(s.Between-want) > 0.15*want || math.Abs(s.Games-0.05) > 0.002 {
			t.Errorf("networks that differ by %g: %+v, want %g and 0.05", own, s, want)
		}
		both := spreadOf("x against x", 0.02, samples, samples)
		if math.Abs(both.Between-2*s.Between) > 1e-9 || math.Abs(both.Games-math.Sqrt2*s.Games) > 1e-9 {
			t.Errorf("a variant with itself: %+v, want twice %g and √2 of %g", both, s.Between, s.Games)
		}
		if own == 0 && s.Endless > 6 || own > 0 && (s.Endless < 20 || s.Networks < 40) {
			t.Errorf("networks that differ by %g: %+v", own, s)
		}
	}
}

// TestNetworksFor: Student's interval of 95 % is 2.262 deviations/√10 with ten networks.
func TestNetworksFor(t *testing.T) {
	half := 2.262 * 0.03 / math.Sqrt(10)
	if n := networksFor(0.03, half*1.001); n != 10 {
		t.Errorf("%d networks, want 10", n)
	}
	if n := networksFor(0.03, half*0.99); n != 11 {
		t.Errorf("%d networks, want 11", n)
	}
	if n := networksFor(0, 0.02); n != resample.MinClusters {
		t.Errorf("%d networks that agree, want %d", n, resample.MinClusters)
	}
}
