package score

import (
	"slices"
	"testing"
)

// TestSpreadIsGeometric, with the first and the last of what there is.
func TestSpreadIsGeometric(t *testing.T) {
	var hundred []float64
	for i := range 100 {
		hundred = append(hundred, float64(i+1))
	}
	for _, c := range []struct {
		values []float64
		n      int
		want   []int
	}{
		{hundred, 1, []int{99}}, {hundred, 2, []int{0, 99}}, {hundred, 3, []int{0, 9, 99}}, {hundred, 5, []int{0, 2, 9, 31, 99}},
		{hundred[:3], 5, []int{0, 1, 2}}, {[]float64{0, 0, 0, 5}, 3, []int{0, 1, 3}}, {[]float64{1, 98, 99, 100}, 3, []int{0, 1, 3}}, {[]float64{1, 2, 3, 100}, 3, []int{0, 2, 3}},
		{[]float64{7}, 4, []int{0}},
	} {
		if got := spread(c.values, c.n); !slices.Equal(got, c.want) {
			t.Errorf("spread of %d values over %d points: %v, want %v", len(c.values), c.n, got, c.want)
		}
	}
}
