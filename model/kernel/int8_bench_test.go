package kernel

import (
	"fmt"
	"testing"
	"time"
)

// peakGOPS times the dot-product loop of v for about 20 ms.
func peakGOPS(v *variant8) float64 {
	const n = 1 << 22
	best := 0.0
	for range 5 {
		start := time.Now()
		operations := v.dot(n)
		best = max(best, float64(operations)/time.Since(start).Seconds()/1e9)
	}
	return best
}

// BenchmarkConv8 measures convolutions with residual, products and linear
// layers, as BenchmarkConv3x3 does: in useful operations, and as a share of the
// peak taken just before and just after.
func BenchmarkConv8(b *testing.B) {
	for _, v := range variants8() {
		for _, s := range benchShapes() {
			b.Run(fmt.Sprintf("%s/k%d_%dx%d_%d-%d_batch%d", v.name, s.k, s.h, s.w, s.in, s.out, s.batch), func(b *testing.B) {
				r := source(1)
				cells := s.batch * s.h * s.w
				x, y := Alloc8(cells*s.in), Alloc8(cells*s.out)
				copy(x, bytes(r, len(x)))
				residual := bytes(r, len(y))
				scale, bias := scales(r, s.out, s.k*s.k*s.in), values(r, s.out)
				p := v.packed(weights8(r, s.k*s.k*s.in*s.out), s.k, s.in, s.out)
				peak := peakGOPS(v)
				for b.Loop() {
					Conv8(y, x, s.batch, s.h, s.w, p, scale, bias, residual, 0.5)
				}
				operations := 2 * float64(s.batch*tapsOnBoard(s.k, s.h, s.w)*s.in*s.out)
				rate := operations * float64(b.N) / b.Elapsed().Seconds() / 1e9
				peak = max(peak, peakGOPS(v))
				b.ReportMetric(rate, "GOP/s")
				b.ReportMetric(100*rate/peak, "%peak")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkRows8 measures what surrounds the convolutions of a network of 64
// channels on 8×8, one position at a time. One convolution of this size takes
// 6.0 M operations.
func BenchmarkRows8(b *testing.B) {
	const cells, c, planes = 64, 64, 48
	for _, v := range variants8() {
		r := source(1)
		x, y, f := bytes(r, cells*c), Alloc8(cells*c), values(r, cells*c)
		for _, s := range []struct {
			name string
			f    func()
		}{
			{"GlobalPool8", func() { GlobalPool8(f[:3*c], x, nil, 1, cells, c, 1, PoolScale{}) }},
			{"AddChannels8", func() { AddChannels8(y, x, f[:c], nil, 1, cells, c, 0.5) }},
			{"QuantizePlanes8", func() { QuantizePlanes8(y[:cells*planes], f[:planes*cells], f[:planes], 1, planes, cells, planes) }},
		} {
			b.Run(v.name+"/"+s.name, func(b *testing.B) {
				defer func(old *variant8) { active8 = old }(active8)
				active8 = v
				for b.Loop() {
					s.f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/position")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
