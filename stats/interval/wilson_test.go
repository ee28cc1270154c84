package interval

import (
	"math"
	"testing"
)

// TestWilsonByHand uses p = 0.5, n = 100, z = 2: centre 0.5 and half width
// 2/1.04·sqrt(0.0025 + 0.0001) = 0.098058.
func TestWilsonByHand(t *testing.T) {
	for _, c := range []struct{ p, n, z, low, high float64 }{
		{0.5, 100, 2, 0.401942, 0.598058},
		{1, 96, 2, 0.96, 1},
		{0, 96, 2, 0, 0.04},
	} {
		low, high := Wilson(c.p, c.n, c.z)
		if math.Abs(low-c.low) > 1e-6 || math.Abs(high-c.high) > 1e-6 {
			t.Errorf("Wilson(%g, %g, %g) = %.6f, %.6f, want %.6f, %.6f", c.p, c.n, c.z, low, high, c.low, c.high)
		}
	}
}
