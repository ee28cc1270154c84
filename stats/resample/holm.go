package resample

import (
	"cmp"
	"math"
	"slices"
)

// Above is how often, in [0, 1], a sum as large as this or larger would be
// estimated if the truth were c: the one-sided p-value of the claim that it is above
// c, by the distribution that the interval goes by. 1 if nothing is known about
// the error.
func (e *Estimate) Above(c float64) float64 {
	if e.unknown() {
		return 1
	}
	p := student(e.Freedom).Survival((e.Value - c) / e.Error)
	if e.meansError > 0 && e.Value > c {
		p = max(p, student(e.meansFreedom).Survival((e.Value-c)/e.meansError))
	}
	return p
}

// unknown tells whether there is no error to go by.
func (e *Estimate) unknown() bool { return e.Freedom <= 0 || math.IsNaN(e.Error) || e.Error == 0 }

// Holm adjusts the p-values of several tests, in their order, so that whoever claims
// those whose adjusted value is at most α claims anything wrong with a probability of
// at most α, however the tests depend on each other (Holm 1979).
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = min(1, max(least, float64(len(p)-rank)*p[i]))
		adjusted[i] = least
	}
	return adjusted
}
