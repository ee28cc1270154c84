package kernel

import (
	"math"
	"slices"
	"testing"
)

// TestOptimizerVariantsAgree: bit for bit, at all tails, off alignment.
func TestOptimizerVariantsAgree(t *testing.T) {
	c := AdamW{Beta1: 0.9, Gain1: 0.1, Beta2: 0.999, Gain2: 0.001, Keep: 0.99999, Rate: 1e-3, Epsilon: 1e-8}
	for n := 1; n <= 4*16+1; n++ {
		r := source(n)
		arg := func() []float32 { return values(r, n+n%5)[n%5:] }
		value, grad, m, v := arg(), arg(), arg(), arg()
		for i := range v {
			v[i] *= v[i]
		}
		if n > 3 {
			grad[n-2], v[n-2] = 0, 0
			grad[n-1] = 1e-30 // a square below what float32 can hold
		}
		want := [][]float32{slices.Clone(value), slices.Clone(m), slices.Clone(v)}
		adamWGeneric(want[0], grad, want[1], want[2], &c)
		for _, k := range variants() {
			got := [][]float32{slices.Clone(value), slices.Clone(m), slices.Clone(v)}
			k.optimizer.adamW(got[0], grad, got[1], got[2], &c)
			for i := range got {
				if !slices.Equal(got[i], want[i]) {
					t.Fatalf("%s: %d values: vector %d is %v, want %v", k.name, n, i, got[i], want[i])
				}
			}
		}
	}
}

// TestSquares holds every variant to the order of the sums, and the order to
// a plain sum.
func TestSquares(t *testing.T) {
	var want []float64
	with(t, func(t *testing.T) {
		var got []float64
		for n := range 5*squareSums + 1 {
			x := values(source(n), n+1)[1:]
			plain := 0.0
			for _, v := range x {
				plain += float64(v) * float64(v)
			}
			var q Squares
			q.Add(x[:n/3])
			q.Add(x[n/3:])
			s := q.Sum()
			if math.Abs(s-plain) > 1e-14*plain {
				t.Fatalf("%d values: %g, want %g", n, s, plain)
			}
			got = append(got, s)
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("sums %v, want %v", got, want)
		}
		var infinite, nan Squares
		infinite.Add([]float32{1, float32(math.Inf(1))})
		nan.Add([]float32{float32(math.NaN()), 1})
		if !math.IsInf(infinite.Sum(), 1) || !math.IsNaN(nan.Sum()) {
			t.Errorf("sums %g with infinity, %g with NaN", infinite.Sum(), nan.Sum())
		}
	})
}
