package lab

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/stats/cluster"
)

// The smallest difference that a plan names is found in about four of five sheets.
func TestPlannedDifferencesAreFound(t *testing.T) {
	const games, tests, trials = 600, 120, 400
	rng := rand.New(rand.NewPCG(4, 1))
	share := func(p float64) cluster.Value {
		parts := make([]cluster.Part, games/2)
		for i := range games {
			parts[i/2].Add(indicator(rng.Float64() < p))
		}
		return cluster.Mean(parts, 1, true)
	}
	half := detectable(games, tests) / 2 // of a spread of ½, so that this is the difference of shares
	found := 0
	for range trials {
		a, b := share(0.5+half/2), share(0.5-half/2)
		if _, p := cluster.Difference(&a, &b); p*tests <= Significance {
			found++
		}
	}
	if got := float64(found) / trials; got < 0.74 || got > 0.88 { // 80 % and three standard errors
		t.Errorf("found in %.0f %% of %d sheets, want 80 %%", 100*got, trials)
	}
}
