// Package interval has the confidence interval of a share.
package interval

import "math"

// Normal95 is the number of standard errors of a two-sided interval of 95 %
// where the normal distribution holds.
const Normal95 = 1.959964

// Wilson is the score interval (Wilson 1927) for a share p, in [0, 1], seen in
// n > 0 trials, at z standard errors: where the hypothesis p0 lies within
// z·sqrt(p0(1-p0)/n) of p. It stays inside [0, 1] and keeps its width at shares
// of 0 and 1.
func Wilson(p, n, z float64) (low, high float64) {
	z2 := z * z / n
	centre := (p + z2/2) / (1 + z2)
	half := z / (1 + z2) * math.Sqrt(p*(1-p)/n+z2/(4*n))
	// Rounding must not push an end past what was seen or what is possible.
	return max(0, min(p, centre-half)), min(1, max(p, centre+half))
}
