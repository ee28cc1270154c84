package resample

import (
	"cmp"
	"math"
	"slices"
)

// Above is the one-sided p-value of the claim that the truth is above c: the
// probability of an estimate at least this large if the truth were c. It uses the
// distribution of the interval, and is 1 if the error is unknown.
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

// P is the two-sided p-value against 0, by the distribution of the interval; 1 if the
// error is unknown.
func (e *Estimate) P() float64 {
	if e.unknown() || math.IsNaN(e.Value) {
		return 1
	}
	return 2 * min(e.Above(0), 1-e.Above(0))
}

// unknown reports whether the error is unknown.
func (e *Estimate) unknown() bool { return e.Freedom <= 0 || math.IsNaN(e.Error) || e.Error == 0 }

// Holm adjusts the p-values of several tests, in their order: claiming every test whose
// adjusted value is at most α makes a false claim with probability at most α, however
// the tests depend on each other (Holm 1979).
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
