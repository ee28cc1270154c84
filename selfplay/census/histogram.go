package census

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Histogram counts how often each value was seen.
type Histogram map[int]int

// Spread describes a Histogram.
type Spread struct {
	Mean   float64 `json:"mean"`
	Min    float64 `json:"min"`
	P10    float64 `json:"p10"`
	Median float64 `json:"median"`
	P90    float64 `json:"p90"`
	Max    float64 `json:"max"`
}

// Spread describes h in units of which unit make 1. A quantile is the smallest
// value with that share of all at or below it.
func (h Histogram) Spread(unit float64) *Spread {
	if len(h) == 0 {
		return nil
	}
	values := slices.Sorted(maps.Keys(h))
	total, sum := 0, 0.0
	for _, v := range values {
		total += h[v]
		sum += float64(v) * float64(h[v])
	}
	quantile := func(q float64) float64 {
		need := int(math.Ceil(q * float64(total)))
		for _, v := range values {
			if need -= h[v]; need <= 0 {
				return float64(v) / unit
			}
		}
		return float64(values[len(values)-1]) / unit
	}
	return &Spread{
		Mean: sum / float64(total) / unit,
		Min:  float64(values[0]) / unit, Max: float64(values[len(values)-1]) / unit,
		P10: quantile(0.1), Median: quantile(0.5), P90: quantile(0.9),
	}
}

func (s *Spread) String() string {
	if s == nil {
		return "none"
	}
	return fmt.Sprintf("mean %.4g, median %.4g, 10 %% up to %.4g, 90 %% up to %.4g, %.4g to %.4g", s.Mean, s.Median, s.P10, s.P90, s.Min, s.Max)
}
