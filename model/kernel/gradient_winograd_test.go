package kernel

import (
	"fmt"
	"math"
	"testing"
)

// by returns v's gradient of a shape, by Winograd or not whatever v prefers.
func by(v *variant, s shape, winograd bool) *WeightGradient {
	g := v.weightGradient(s.conv())
	g.boards = 0
	if winograd {
		g.boards = g.block()
	}
	return g
}

// addWeightGradient is Add with scratch of its own.
func addWeightGradient(g *WeightGradient, dw, x, dy []float32, batch int) {
	g.Add(dw, x, dy, batch, make([]float32, g.Scratch()))
}

// TestWinogradWeightGradient holds both methods of every variant to the
// definition. Lavin and Gray's matrices magnify rounding: the values of the
// transformed tiles are up to 100 and 225 times those of x and dy, and of their
// products, as large as that, cancels what the last transformation divides by.
// The error found here is at most 3·10⁻⁶ of the largest sum; the bound is
// 10⁻⁵. A wrong tap or channel is off by the order of 1.
func TestWinogradWeightGradient(t *testing.T) {
	for i, s := range shapes() {
		if s.k == 1 {
			continue
		}
		s.batch = 1 + i%5*3
		r := source(i)
		cells := s.batch * s.h * s.w
		x, dy := values(r, cells*s.in+1)[1:], values(r, cells*s.out)
		start := values(r, 9*s.in*s.out)
		want := append([]float32(nil), start...)
		generic.gradWeights(want, x, dy, s.batch, s.h, s.w, 3, s.in, s.out)
		largest := 1.0
		for j := range want {
			largest = max(largest, math.Abs(float64(want[j]-start[j])))
		}
		for _, v := range variants() {
			g := by(v, s, true)
			got := append([]float32(nil), start...)
			scratch := values(r, g.Scratch())
			g.Add(got, x, dy, s.batch, scratch)
			for j := range want {
				if d := math.Abs(float64(got[j])-float64(want[j])) / largest; !(d <= 1e-5) {
					t.Fatalf("%s %v: value %d is %g, want %g: off by %g of the largest", v.name, s, j, got[j], want[j], d)
				}
			}
		}
	}
}

// BenchmarkWeightGradientMethods compares the methods, which
// WeightGradient.prefersWinograd chooses from.
func BenchmarkWeightGradientMethods(b *testing.B) {
	for _, v := range variants()[1:] {
		for _, side := range []int{3, 4, 5, 6, 7, 8, 9, 11, 13} {
			for _, c := range []int{8, 16, 24, 32, 48, 64, 128} {
				if testing.Short() && (c > 16 || side > 5) {
					continue
				}
				for _, winograd := range []bool{false, true} {
					s := shape{k: 3, h: side, w: side, in: c, out: c, batch: 32}
					g := by(v, s, winograd)
					b.Run(fmt.Sprintf("%s/%dx%d_%d/winograd=%t/preferred=%t", v.name, side, side, c, winograd, g.prefersWinograd()), func(b *testing.B) {
						r := source(1)
						cells := s.batch * s.h * s.w
						x, dy, dw := Alloc(cells*s.in), Alloc(cells*s.out), Alloc(9*s.in*s.out)
						copy(x, values(r, len(x)))
						copy(dy, values(r, len(dy)))
						scratch := Alloc(g.Scratch())
						flops := 2 * float64(s.batch*tapsOnBoard(3, s.h, s.w)*s.in*s.out)
						report(b, v, flops, func() { g.Add(dw, x, dy, s.batch, scratch) })
					})
				}
			}
		}
	}
}
