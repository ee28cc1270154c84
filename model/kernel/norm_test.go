package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// boardMask draws a mask with at least one cell on the board of each position.
func boardMask(r *rand.Rand, batch, cells int) []float32 {
	m := make([]float32, batch*cells)
	for i := range m {
		if i%cells == 0 || r.IntN(4) > 0 {
			m[i] = 1
		}
	}
	return m
}

// TestRowKernelsAgree holds every variant to plain Go, at all tails of the
// channels up to four vectors and one, off alignment.
func TestRowKernelsAgree(t *testing.T) {
	for _, v := range variants()[1:] {
		for c := 1; c <= 4*16+1; c++ {
			for _, n := range []int{1, 2, 9} {
				r := source(c)
				arg := func(n int) []float32 { return values(r, n+c%5)[c%5:] }
				x, z, residual := arg(n*c), arg(n*c), arg(n*c)
				a, b, d := arg(c), arg(c), arg(c)
				check := func(name string, f func(k *rowKernels, y, s []float32)) {
					t.Helper()
					var got, want [2][]float32
					got[0], want[0] = arg(n*c), make([]float32, n*c)
					copy(want[0], got[0])
					got[1], want[1] = append([]float32(nil), d...), append([]float32(nil), d...)
					f(&v.rows, got[0], got[1])
					f(&generic.rows, want[0], want[1])
					for i := range got {
						compare(t, fmt.Sprintf("%s %s, %d rows of %d", v.name, name, n, c), got[i], want[i], n)
					}
				}
				check("affine", func(k *rowKernels, y, s []float32) { k.affine(y, x, a, b, nil, n, c, false) })
				check("affine relu", func(k *rowKernels, y, s []float32) { k.affine(y, x, a, b, nil, n, c, true) })
				check("affine residual", func(k *rowKernels, y, s []float32) { k.affine(y, x, a, b, residual, n, c, true) })
				check("affine in place", func(k *rowKernels, y, s []float32) { k.affine(y, y, a, b, y, n, c, true) })
				check("combine", func(k *rowKernels, y, s []float32) { k.combine(y, x, z, a, b, d, n, c) })
				check("addRow", func(k *rowKernels, y, s []float32) { k.addRow(y, x, a, n, c, false) })
				check("addRow relu", func(k *rowKernels, y, s []float32) { k.addRow(y, x, a, n, c, true) })
				check("sum", func(k *rowKernels, y, s []float32) { k.sum(s, x, n, c) })
				check("squares", func(k *rowKernels, y, s []float32) { k.squares(s, x, a, n, c) })
				check("reluProducts", func(k *rowKernels, y, s []float32) { k.reluProducts(s, slices.Clone(b), y, z, x, a, n, c) })
				check("reluProducts, means", func(k *rowKernels, y, t []float32) { k.reluProducts(slices.Clone(b), t, y, z, x, a, n, c) })
				check("poolGrad", func(k *rowKernels, y, s []float32) { k.poolGrad(y, x, a, x[(n-1)*c:], s, n, c) })
				same := slices.Repeat(x[:c], n) // the first row takes it all
				check("poolGrad, equal rows", func(k *rowKernels, y, s []float32) { k.poolGrad(y, same, a, same[:c], s, n, c) })
				check("max", func(k *rowKernels, y, s []float32) { k.max(s, x, n, c) })
				check("reluGrad", func(k *rowKernels, y, s []float32) { k.reluGrad(y, x, z) })
			}
		}
	}
}

func TestRowKernelsKeepNaN(t *testing.T) {
	with(t, func(t *testing.T) {
		nan := float32(math.NaN())
		for _, c := range []int{5, 37} {
			x, y, one, zero := make([]float32, c), make([]float32, c), make([]float32, c), make([]float32, c)
			for i := range one {
				one[i], x[i] = 1, nan
			}
			isNaN := func(name string) {
				t.Helper()
				for i, v := range y {
					if v == v {
						t.Errorf("%s: value %d is %g, want NaN", name, i, v)
					}
				}
			}
			active.rows.affine(y, x, one, zero, one, 1, c, true)
			isNaN("affine")
			active.rows.addRow(y, x, one, 1, c, true)
			isNaN("addRow")
			active.rows.max(y, x, 1, c)
			isNaN("max")
			copy(y, x)
			active.rows.sum(y, one, 1, c)
			isNaN("sum")
			// The gradient does not flow where the output is not positive, NaN included.
			active.rows.reluGrad(y, one, x)
			for i, v := range y {
				if v != 0 {
					t.Errorf("reluGrad: value %d is %g, want 0", i, v)
				}
			}
		}
	})
}

// TestMoments holds mean and variance to float64, with means a thousand times
// the deviation, and the merge of two parts to the whole.
func TestMoments(t *testing.T) {
	with(t, func(t *testing.T) {
		const batch, cells, c = 7, 42, 19
		r := source(1)
		for _, mask := range [][]float32{nil, boardMask(r, batch, cells)} {
			x := values(r, batch*cells*c)
			for i := range x {
				x[i] = x[i]*0.1 + float32(i%c)*5
			}
			whole, low, high := NewMoments(c), NewMoments(c), NewMoments(c)
			whole.Add(x, mask, batch, cells)
			low.Add(x[:3*cells*c], head(mask, 3*cells), 3, cells)
			high.Add(x[3*cells*c:], tail(mask, 3*cells), batch-3, cells)
			low.Merge(high)
			low.Merge(NewMoments(c))
			mean, invStd := make([]float32, c), make([]float32, c)
			for _, m := range []*Moments{whole, low} {
				m.Finish(mean, invStd, 1e-5)
				for j := range mean {
					n, s, q := 0.0, 0.0, 0.0
					for i := range batch * cells {
						if mask == nil || mask[i] == 1 {
							n++
							s += float64(x[i*c+j])
						}
					}
					for i := range batch * cells {
						if mask == nil || mask[i] == 1 {
							q += math.Pow(float64(x[i*c+j])-s/n, 2)
						}
					}
					// Values near 90 are rounded at 2^-18 while deviations are 0.03:
					// 10^-4 of them.
					want := 1 / math.Sqrt(q/n+1e-5)
					if m.Count != n || math.Abs(float64(mean[j])-s/n) > 2e-5 || math.Abs(float64(invStd[j])/want-1) > 2e-4 {
						t.Fatalf("channel %d: count %g mean %g invStd %g, want %g %g %g", j, m.Count, mean[j], invStd[j], n, s/n, want)
					}
				}
			}
			whole.Reset()
			if whole.Finish(mean, invStd, 1); whole.Count != 0 || mean[0] != 0 || invStd[0] != 1 {
				t.Errorf("empty moments: count %g, mean %g, invStd %g", whole.Count, mean[0], invStd[0])
			}
		}
	})
}

func head(s []float32, n int) []float32 {
	if s == nil {
		return nil
	}
	return s[:n]
}

func tail(s []float32, n int) []float32 {
	if s == nil {
		return nil
	}
	return s[n:]
}

// normLoss is Σ weight · (norm(x) + residual), computed in float64 on the board
// cells: the reference for the backward pass. What ReLU stops has weight 0, so
// that there is no kink for a difference quotient to stumble over.
func normLoss(weight, x, gamma, beta, residual, mask []float32, c int, epsilon float64) float64 {
	loss := 0.0
	on := func(i int) bool { return mask == nil || mask[i/c] == 1 }
	for j := range c {
		n, s, q := 0.0, 0.0, 0.0
		for i := j; i < len(x); i += c {
			if on(i) {
				n++
				s += float64(x[i])
			}
		}
		for i := j; i < len(x); i += c {
			if on(i) {
				q += math.Pow(float64(x[i])-s/n, 2)
			}
		}
		for i := j; i < len(x); i += c {
			if on(i) {
				z := (float64(x[i])-s/n)/math.Sqrt(q/n+epsilon)*float64(gamma[j]) + float64(beta[j]) + float64(residual[i])
				loss += float64(weight[i]) * z
			}
		}
	}
	return loss
}

// TestNormGradients holds the whole chain, ScaleShift with residual and ReLU,
// to central differences of the loss in float64.
func TestNormGradients(t *testing.T) {
	with(t, func(t *testing.T) {
		const batch, cells, c, epsilon = 3, 12, 9, 1e-5
		r := source(2)
		for _, mask := range [][]float32{nil, boardMask(r, batch, cells)} {
			n := batch * cells * c
			x, residual, weight := values(r, n), values(r, n), values(r, n)
			gamma, beta := values(r, c), values(r, c)
			mean, invStd, scale, shift := make([]float32, c), make([]float32, c), make([]float32, c), make([]float32, c)
			m := NewMoments(c)
			m.Add(x, mask, batch, cells)
			m.Finish(mean, invStd, epsilon)
			NormCoefficients(scale, shift, mean, invStd, gamma, beta)
			y := make([]float32, n)
			ScaleShift(y, x, scale, shift, residual, mask, batch, cells, true)
			open := append([]float32(nil), weight...)
			for i, v := range y {
				if v <= 0 {
					open[i] = 0
				}
			}
			if got, want := dot(y, weight), normLoss(open, x, gamma, beta, residual, mask, c, epsilon); math.Abs(got-want) > 1e-5 {
				t.Fatalf("loss %g, want %g", got, want)
			}

			dz, dx := make([]float32, n), make([]float32, n)
			copy(dz, weight)
			g, g2 := NewNormGrad(c), NewNormGrad(c)
			g.Add(dz[:cells*c], y[:cells*c], x[:cells*c], mean, invStd, head(mask, cells), 1, cells)
			g2.Add(dz[cells*c:], y[cells*c:], x[cells*c:], mean, invStd, tail(mask, cells), batch-1, cells)
			g.Merge(g2)
			a, b, d := make([]float32, c), make([]float32, c), make([]float32, c)
			g.Coefficients(a, b, d, mean, invStd, gamma, m.Count)
			NormBackward(dx, dz, x, a, b, d, mask, batch, cells)

			slope := func(p *float32) float64 {
				old, step := *p, float32(1e-3)
				loss := func(v float32) float64 {
					*p = v
					return normLoss(open, x, gamma, beta, residual, mask, c, epsilon)
				}
				up, down := loss(old+step), loss(old-step)
				*p = old
				return (up - down) / (float64(old+step) - float64(old-step))
			}
			hold := func(what string, got float64, p *float32) {
				t.Helper()
				// Differences of step 10^-3 err by its square times a third derivative
				// of order 10, and the step itself is rounded to 2^-24.
				if want := slope(p); math.Abs(got-want) > 5e-5*(1+math.Abs(want)) {
					t.Fatalf("%s: gradient %g, difference quotient %g", what, got, want)
				}
			}
			for i := range x {
				hold(fmt.Sprintf("x %d", i), float64(dx[i]), &x[i])
				if mask == nil || mask[i/c] == 1 {
					hold(fmt.Sprintf("residual %d", i), float64(dz[i]), &residual[i])
				} else if dz[i] != 0 {
					t.Fatalf("gradient %g off the board", dz[i])
				}
			}
			for j := range c {
				hold(fmt.Sprintf("gamma %d", j), g.DGamma[j], &gamma[j])
				hold(fmt.Sprintf("beta %d", j), g.DBeta[j], &beta[j])
			}
		}
	})
}
