package kernel

import (
	"math"
	"testing"
)

// TestGlobalPool holds the features of two masked positions to their formula,
// and the gradient to a difference quotient.
func TestGlobalPool(t *testing.T) {
	with(t, func(t *testing.T) {
		const batch, cells, c = 3, 30, 19
		scale := PoolScale{Centre: 8, Factor: 0.25}
		r := source(1)
		for _, mask := range [][]float32{nil, boardMask(r, batch, cells)} {
			x, dy := values(r, batch*cells*c), values(r, batch*3*c)
			y, want := make([]float32, batch*3*c), make([]float32, batch*3*c)
			for b := range batch {
				for j := range c {
					n, sum, top := 0.0, 0.0, math.Inf(-1)
					for cell := range cells {
						if mask == nil || mask[b*cells+cell] == 1 {
							v := float64(x[(b*cells+cell)*c+j])
							n, sum, top = n+1, sum+v, max(top, v)
						}
					}
					want[b*3*c+j] = float32(sum / n)
					want[b*3*c+c+j] = float32(sum / n * (math.Sqrt(n) - 8) * 0.25)
					want[b*3*c+2*c+j] = float32(top)
				}
			}
			GlobalPool(y, x, mask, batch, cells, c, scale)
			compare(t, "pooled", y, want, cells)

			// The map is piecewise linear: a small step gives the gradient but for
			// rounding, 2^-24 of features near 1/2 over a step of 2^-10.
			before, dx := dot(y, dy), make([]float32, len(x))
			GlobalPoolBackward(dx, append([]float32(nil), dy...), x, y, mask, batch, cells, c, scale)
			for i := 0; i < len(x); i += 7 {
				if old := x[i]; !ties(x, i, cells, c) {
					x[i] += 0x1p-10
					step := float64(x[i]) - float64(old)
					GlobalPool(y, x, mask, batch, cells, c, scale)
					if got := (dot(y, dy) - before) / step; math.Abs(got-float64(dx[i])) > 1e-3 {
						t.Fatalf("gradient %d is %g, difference quotient %g", i, dx[i], got)
					}
					x[i] = old
				}
			}
		}
	})
}

// ties tells whether another cell of the position has nearly the value of x[i]
// in the same channel, so that a step might move the maximum.
func ties(x []float32, i, cells, c int) bool {
	position := i / (cells * c) * cells * c
	for at := position + i%c; at < position+cells*c; at += c {
		if at != i && math.Abs(float64(x[at]-x[i])) < 0x1p-9 {
			return true
		}
	}
	return false
}

func TestGlobalPoolOfEqualValuesAndOfNothing(t *testing.T) {
	x, y := []float32{3, 3, 3, 3}, make([]float32, 3)
	GlobalPool(y, x, nil, 1, 4, 1, PoolScale{})
	dx := make([]float32, 4)
	GlobalPoolBackward(dx, []float32{0, 0, 1}, x, y, nil, 1, 4, 1, PoolScale{})
	if want := [4]float32{1, 0, 0, 0}; [4]float32(dx) != want {
		t.Errorf("gradient of the maximum of equals = %v, want %v", dx, want)
	}
	GlobalPool(y, x, make([]float32, 4), 1, 4, 1, PoolScale{})
	if want := [3]float32{}; [3]float32(y) != want {
		t.Errorf("pool of no cells = %v, want %v", y, want)
	}
}

// TestAddChannels also holds SumCells to be its adjoint.
func TestAddChannels(t *testing.T) {
	with(t, func(t *testing.T) {
		const batch, cells, c = 3, 9, 21
		r := source(2)
		for _, mask := range [][]float32{nil, boardMask(r, batch, cells)} {
			x, v, dy := values(r, batch*cells*c), values(r, batch*c), values(r, batch*cells*c)
			y, dv := make([]float32, len(x)), make([]float32, len(v))
			AddChannels(y, x, v, mask, batch, cells, c, true)
			for i := range y {
				want := max(x[i]+v[i/(cells*c)*c+i%c], 0)
				if mask != nil {
					want *= mask[i/c]
				}
				if y[i] != want {
					t.Fatalf("value %d is %g, want %g", i, y[i], want)
				}
			}
			AddChannels(y, make([]float32, len(x)), v, mask, batch, cells, c, false)
			SumCells(dv, dy, mask, batch, cells, c)
			if got, want := dot(dv, v), dot(dy, y); math.Abs(got-want) > 1e-5 {
				t.Errorf("<dv, v> = %g, <dy, y> = %g", got, want)
			}
		}
	})
}

func TestMaskClearsWhateverIsThere(t *testing.T) {
	nan := float32(math.NaN())
	y := []float32{1, nan, nan, 4, 5, 6}
	Mask(y, []float32{0, 1, 0}, 1, 3, 2)
	if y[0] != 0 || y[1] != 0 || y[2] == y[2] || y[3] != 4 || y[4] != 0 || y[5] != 0 {
		t.Errorf("masked = %v, want [0 0 NaN 4 0 0]", y)
	}
}

func TestNormAndPoolAllocateNothing(t *testing.T) {
	with(t, func(t *testing.T) {
		const batch, cells, c = 2, 30, 24
		r := source(3)
		mask := boardMask(r, batch, cells)
		x, y, dy := values(r, batch*cells*c), make([]float32, batch*cells*c), values(r, batch*cells*c)
		a, b, d, v := values(r, c), values(r, c), values(r, c), values(r, batch*c)
		p := values(r, batch*3*c)
		m, g := NewMoments(c), NewNormGrad(c)
		if n := testing.AllocsPerRun(3, func() {
			m.Add(x, mask, batch, cells)
			m.Finish(a, b, 1e-5)
			NormCoefficients(d, a, b, b, b, b)
			ScaleShift(y, x, a, b, x, mask, batch, cells, true)
			ReLUBackward(y, dy, y)
			g.Add(dy, y, x, a, b, mask, batch, cells)
			g.Coefficients(a, b, d, a, b, d, m.Count)
			NormBackward(y, dy, x, a, b, d, mask, batch, cells)
			GlobalPool(p, x, mask, batch, cells, c, PoolScale{})
			GlobalPoolBackward(y, p, x, p, mask, batch, cells, c, PoolScale{})
			AddChannels(y, x, v, mask, batch, cells, c, true)
			SumCells(v, y, mask, batch, cells, c)
		}); n != 0 {
			t.Errorf("%g allocations", n)
		}
	})
}
