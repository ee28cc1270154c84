package kernel

import (
	"math"
	"testing"
)

// TestSegmentsCoverTheAxis checks that each cell belongs to one segment of 2 to
// 4, and that segments which need a point come first.
func TestSegmentsCoverTheAxis(t *testing.T) {
	for side := MinSide; side <= MaxHeight; side++ {
		next, size := 0, 4
		for i, s := range segments(side) {
			if s.start != next || s.size > size || s.size < 2 || s.low != (i == 0) || s.high != (s.start+s.size == side) {
				t.Errorf("segment %d of %d is %+v", i, side, s)
			}
			next, size = s.start+s.size, s.size
		}
		if next != side {
			t.Errorf("segments of %d end at %d", side, next)
		}
	}
}

// TestWinogradOnEveryBoard compares with the direct method on all boards, with
// a batch of two blocks or more on some.
func TestWinogradOnEveryBoard(t *testing.T) {
	with(t, func(t *testing.T) {
		for h := MinSide; h <= MaxHeight; h++ {
			for w := MinSide; w <= MaxWidth; w++ {
				s := shape{k: 3, h: h, w: w, in: 5, out: 19, batch: 2}
				r := source(h*100 + w)
				x, residual := values(r, s.batch*h*w*s.in), values(r, s.batch*h*w*s.out)
				wt, bias := values(r, 9*s.in*s.out), values(r, s.out)
				want, got := make([]float32, len(residual)), make([]float32, len(residual))
				conv(want, x, s.batch, generic.pack(wt, s.conv(), false, direct), bias, residual, true)
				conv(got, x, s.batch, active.pack(wt, s.conv(), false, byWinograd), bias, residual, true)
				compare(t, s.String(), got, want, winogradTerms(s.in))
			}
		}
	})
}

// TestWinogradBatchMayBeAny holds weights that were packed for calls of one and of
// seven positions to those for many, bit for bit.
func TestWinogradBatchMayBeAny(t *testing.T) {
	with(t, func(t *testing.T) {
		const batch = 19
		s := ConvShape{K: 3, In: 9, Out: 40, H: 6, W: 7}
		r := source(8)
		x, wt := values(r, batch*s.H*s.W*s.In), values(r, 9*s.In*s.Out)
		want, got := make([]float32, batch*s.H*s.W*s.Out), make([]float32, batch*s.H*s.W*s.Out)
		conv(want, x, batch, active.pack(wt, s, false, byWinograd), nil, nil, false)
		for _, usual := range []int{1, 7} {
			s.Batch = usual
			p := active.pack(wt, s, false, byWinograd)
			if p.winograd.block != usual {
				t.Errorf("blocks of %d, want %d", p.winograd.block, usual)
			}
			conv(got, x, batch, p, nil, nil, false)
			for i, v := range got {
				if math.Float32bits(v) != math.Float32bits(want[i]) {
					t.Fatalf("usually %d: value %d is %g, want %g", usual, i, v, want[i])
				}
			}
		}
	})
}

// TestWinogradError states how many digits Winograd loses: its error's root mean
// square is at most 4 times that of the direct method, for weights of any size.
// Seen are 3 to 3.5 times with 8 channels, 2 to 2.5 with 64, and 1.2e-6 of the
// outputs' root mean square with 128.
func TestWinogradError(t *testing.T) {
	with(t, func(t *testing.T) {
		for _, side := range []int{5, 6, 8} {
			for _, c := range []int{8, 64, 128} {
				s := shape{k: 3, h: side, w: side, in: c, out: 24, batch: 2}
				r := source(side + c)
				x, wt := values(r, s.batch*side*side*s.in), values(r, 9*s.in*s.out)
				for i := range wt {
					wt[i] *= 1e-3
				}
				exact := exactConv(x, wt, s)
				var errors [2]float64
				for m := range errors {
					y := make([]float32, len(exact))
					conv(y, x, s.batch, active.pack(wt, s.conv(), false, method(m)), nil, nil, false)
					sum, all := 0.0, 0.0
					for i, v := range exact {
						sum += (float64(y[i]) - v) * (float64(y[i]) - v)
						all += v * v
					}
					errors[m] = math.Sqrt(sum / all)
				}
				if !(errors[1] <= 4*errors[0]) {
					t.Errorf("%v: root mean square error of Winograd %.2g, direct %.2g", s, errors[1], errors[0])
				}
			}
		}
	})
}

// exactConv is the formula in float64.
func exactConv(x, wt []float32, s shape) []float64 {
	y := make([]float64, s.batch*s.h*s.w*s.out)
	for i := range y {
		b, row, col, o := i/s.out/s.w/s.h, i/s.out/s.w%s.h, i/s.out%s.w, i%s.out
		for t := range 9 {
			r, c := row+t/3-1, col+t%3-1
			if r < 0 || r >= s.h || c < 0 || c >= s.w {
				continue
			}
			for k, v := range x[((b*s.h+r)*s.w+c)*s.in:][:s.in] {
				y[i] += float64(v) * float64(wt[(t*s.in+k)*s.out+o])
			}
		}
	}
	return y
}
