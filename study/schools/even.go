package schools

import (
	"math"

	"github.com/ludozero/ludozero/stats/rating"
)

// even is the two-sided p-value of pairs of games between two who play alike: that
// the sum of points is as far from one half or further, if in every pair the two might
// as well have been exchanged. It is exact: every pair whose games do not cancel out
// counts its points for the one or the other, independently. Pairs must not repeat each
// other.
func even(pairs rating.PairCounts) float64 {
	// Half points beyond an even pair are 1 in n1 pairs and 2 in n2.
	n1, n2 := pairs[1]+pairs[3], pairs[0]+pairs[4]
	seen := pairs[3] - pairs[1] + 2*(pairs[4]-pairs[0])
	if seen < 0 {
		seen = -seen
	}
	one, two := binomial(n1), binomial(n2)
	p := 0.0
	for i := range one {
		for j := range two {
			if sum := 2*i - n1 + 2*(2*j-n2); sum >= seen || -sum >= seen {
				p += one[i] * two[j]
			}
		}
	}
	return min(1, p)
}

// binomial is the distribution of heads among n fair coins.
func binomial(n int) []float64 {
	list := make([]float64, n+1)
	all, _ := math.Lgamma(float64(n + 1))
	for k := range list {
		some, _ := math.Lgamma(float64(k + 1))
		rest, _ := math.Lgamma(float64(n - k + 1))
		list[k] = math.Exp(all - some - rest - float64(n)*math.Ln2)
	}
	return list
}
