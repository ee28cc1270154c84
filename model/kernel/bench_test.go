package kernel

import (
	"fmt"
	"testing"
	"time"
)

// peakGFLOPS times the multiply-add loop of v for about 20 ms.
func peakGFLOPS(v *variant) float64 {
	const n = 1 << 22
	best := 0.0
	for range 5 {
		start := time.Now()
		flops := v.fma(n)
		best = max(best, float64(flops)/time.Since(start).Seconds()/1e9)
	}
	return best
}

// report states the speed in useful operations: taps off the board are not
// counted, since no variant computes them. The peak is taken just before and
// just after the benchmark, because the clock of a shared machine wanders.
func report(b *testing.B, v *variant, flops float64, f func()) {
	peak := peakGFLOPS(v)
	for b.Loop() {
		f()
	}
	rate := flops * float64(b.N) / b.Elapsed().Seconds() / 1e9
	peak = max(peak, peakGFLOPS(v))
	b.ReportMetric(rate, "GFLOP/s")
	b.ReportMetric(100*rate/peak, "%peak")
	b.ReportMetric(0, "ns/op")
}

// tapsOnBoard counts pairs of pixel and tap.
func tapsOnBoard(k, h, w int) int {
	if k == 1 {
		return h * w
	}
	return (3*h - 2) * (3*w - 2)
}

func benchShapes() []shape {
	return []shape{
		{k: 3, h: 8, w: 8, in: 64, out: 64, batch: 1},
		{k: 3, h: 8, w: 8, in: 64, out: 64, batch: 64},
		{k: 3, h: 8, w: 8, in: 48, out: 48, batch: 64},
		{k: 3, h: 8, w: 8, in: 32, out: 32, batch: 64},
		{k: 3, h: 6, w: 7, in: 64, out: 64, batch: 64},
		{k: 3, h: 6, w: 7, in: 32, out: 32, batch: 64},
		{k: 3, h: 3, w: 3, in: 32, out: 32, batch: 64},
		{k: 3, h: 13, w: 13, in: 64, out: 64, batch: 16},
		{k: 1, h: 8, w: 8, in: 64, out: 32, batch: 64},
		{k: 1, h: 1, w: 1, in: 1024, out: 64, batch: 64},
		{k: 1, h: 1, w: 1, in: 1024, out: 64, batch: 1},
	}
}

// BenchmarkConv3x3 measures the forward pass; the input gradient is the same
// code. Products and linear layers are listed with it. Winograd does the work of
// so many operations with fewer, and may pass the peak.
func BenchmarkConv3x3(b *testing.B) {
	var shapes []shape
	for _, s := range benchShapes() {
		shapes = append(shapes, s)
		if s.k == 3 {
			s.method = byWinograd
			shapes = append(shapes, s)
		}
	}
	for _, v := range variants() {
		for _, s := range shapes {
			b.Run(fmt.Sprintf("%s/k%d_%dx%d_%d-%d_batch%d/%v", v.name, s.k, s.h, s.w, s.in, s.out, s.batch, s.method), func(b *testing.B) {
				r := source(1)
				cells := s.batch * s.h * s.w
				x, y := Alloc(cells*s.in), Alloc(cells*s.out)
				copy(x, values(r, len(x)))
				bias := values(r, s.out)
				p := v.pack(values(r, s.k*s.k*s.in*s.out), s.conv(), false, s.method)
				scratch := Alloc(p.Scratch())
				flops := 2 * float64(s.batch*tapsOnBoard(s.k, s.h, s.w)*s.in*s.out)
				report(b, v, flops, func() { Conv(y, x, s.batch, p, bias, nil, true, scratch) })
			})
		}
	}
}

// BenchmarkConv16 measures the bfloat16 kernels beside the float32 ones of the
// same level, as BenchmarkConv3x3 does, but as multiples of that level's
// float32 peak.
func BenchmarkConv16(b *testing.B) {
	for _, l := range levels() {
		for _, s := range benchShapes() {
			if s.k != 3 || l.bfloat16 == nil {
				continue
			}
			for _, p := range []*Packed{
				l.float.pack(make([]float32, 9*s.in*s.out), s.conv(), false, l.float.method(s.conv())),
				l.bfloat16.packed(make([]float32, 9*s.in*s.out), s.conv16(), false),
			} {
				name := "float32"
				if p.BFloat16 {
					name = "bfloat16"
				}
				b.Run(fmt.Sprintf("%s/%dx%d_%d-%d_batch%d/%s", l.name, s.h, s.w, s.in, s.out, s.batch, name), func(b *testing.B) {
					r := source(1)
					cells := s.batch * s.h * s.w
					x, y, scratch := Alloc(cells*s.in), Alloc(cells*s.out), Alloc(p.Scratch())
					copy(x, values(r, len(x)))
					bias := values(r, s.out)
					flops := 2 * float64(s.batch*tapsOnBoard(3, s.h, s.w)*s.in*s.out)
					report(b, l.float, flops, func() { Conv(y, x, s.batch, p, bias, nil, true, scratch) })
				})
			}
		}
	}
}

func BenchmarkWeightGradient(b *testing.B) {
	for _, v := range variants() {
		for _, s := range benchShapes() {
			b.Run(fmt.Sprintf("%s/k%d_%dx%d_%d-%d_batch%d", v.name, s.k, s.h, s.w, s.in, s.out, s.batch), func(b *testing.B) {
				r := source(1)
				cells := s.batch * s.h * s.w
				x, dy, dw := Alloc(cells*s.in), Alloc(cells*s.out), Alloc(s.k*s.k*s.in*s.out)
				copy(x, values(r, len(x)))
				copy(dy, values(r, len(dy)))
				flops := 2 * float64(s.batch*tapsOnBoard(s.k, s.h, s.w)*s.in*s.out)
				report(b, v, flops, func() { v.gradWeights(dw, x, dy, s.batch, s.h, s.w, s.k, s.in, s.out) })
			})
		}
	}
}

// BenchmarkNorm measures what a layer of a training step does besides its
// convolutions: moments, normalisation with residual and ReLU, and their
// backward pass. One convolution of this shape, forward and backward, is 7.1 M
// multiply-adds a position.
func BenchmarkNorm(b *testing.B) {
	const batch, cells, c = 32, 64, 64
	for _, v := range variants() {
		b.Run(v.name, func(b *testing.B) {
			defer func(old *variant) { active = old }(active)
			active = v
			r := source(1)
			x, y, dz := Alloc(batch*cells*c), Alloc(batch*cells*c), Alloc(batch*cells*c)
			copy(x, values(r, len(x)))
			mean, invStd, scale, shift, d := make([]float32, c), make([]float32, c), make([]float32, c), make([]float32, c), make([]float32, c)
			m, g := NewMoments(c), NewNormGrad(c)
			for b.Loop() {
				m.Reset()
				m.Add(x, nil, batch, cells)
				m.Finish(mean, invStd, 1e-5)
				NormCoefficients(scale, shift, mean, invStd, mean, mean)
				ScaleShift(y, x, scale, shift, x, nil, batch, cells, true)
				g.Reset()
				g.Add(dz, y, x, mean, invStd, nil, batch, cells)
				g.Coefficients(scale, shift, d, mean, invStd, mean, m.Count)
				NormBackward(y, dz, x, scale, shift, d, nil, batch, cells)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batch, "ns/position")
			b.ReportMetric(0, "ns/op")
		})
	}
}
