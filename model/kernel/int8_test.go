package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// forced8 are variants that use kernels even where others are faster.
var forced8 []*variant8

// variants8 lists the int8 kernels that this machine runs, plain Go first.
func variants8() []*variant8 {
	var vs []*variant8
	for _, l := range levels() {
		if !slices.Contains(vs, l.int8) {
			vs = append(vs, l.int8)
		}
	}
	return append(vs, forced8...)
}

// with8 runs a test with each of them as the active one.
func with8(t *testing.T, f func(t *testing.T)) {
	for _, v := range variants8() {
		t.Run(v.name, func(t *testing.T) {
			defer func(old *variant8) { active8 = old }(active8)
			active8 = v
			f(t)
		})
	}
}

// bytes returns activations, a third of them 0 as after a ReLU, the largest
// one among them.
func bytes(r *rand.Rand, n int) []uint8 {
	s := make([]uint8, n)
	for i := range s {
		switch v := r.IntN(384); v {
		case 256:
			s[i] = 255
		default:
			s[i] = uint8(min(v, 256))
		}
	}
	return s
}

// weights8 returns weights from -127 to 127.
func weights8(r *rand.Rand, n int) []int8 {
	s := make([]int8, n)
	for i := range s {
		s[i] = int8(r.IntN(255) - 127)
	}
	return s
}

// scales returns factors that bring sums of so many terms to about 100.
func scales(r *rand.Rand, n, terms int) []float32 {
	s := values(r, n)
	for i := range s {
		s[i] = (s[i] + 1) * 100 / (80 * 73 * float32(math.Sqrt(float64(terms))))
	}
	return s
}

func same[T uint8 | uint16 | float32](t *testing.T, what string, got, want []T) {
	t.Helper()
	for i := range want {
		if math.Float32bits(float32(got[i])) != math.Float32bits(float32(want[i])) {
			t.Fatalf("%s: value %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// TestConv8MatchesDefinition holds plain Go to the formula. The sums are taken
// in int64 and finished in float64; where the float32 steps could round to the
// other side of a half, either side will do.
func TestConv8MatchesDefinition(t *testing.T) {
	const batch, h, w, in, out, k = 2, 4, 3, 5, 70, 3
	r := source(1)
	x, wt, residual := bytes(r, batch*h*w*in), weights8(r, 9*in*out), bytes(r, batch*h*w*out)
	scale, bias := scales(r, out, 9*in), values(r, batch*out)
	for i := range bias {
		bias[i] *= 50
	}
	const rs = 0.4
	y, f := make([]uint8, batch*h*w*out), make([]float32, batch*h*w*out)
	p := generic8.packed(wt, k, in, out)
	Conv8(y, x, batch, h, w, p, scale, bias, residual, rs)
	Conv8Float(f, x, batch, h, w, p, scale, bias[:out], false)
	for i := range y {
		b, row, col, o := i/out/w/h, i/out/w%h, i/out%w, i%out
		sum := int64(0)
		for t := range 9 {
			v, z := row+t/3-1, col+t%3-1
			for c := 0; c < in && v >= 0 && v < h && z >= 0 && z < w; c++ {
				sum += int64(x[((b*h+v)*w+z)*in+c]) * int64(wt[(t*in+c)*out+o])
			}
		}
		product := float64(sum) * float64(scale[o])
		if want := product + float64(bias[o]); math.Abs(float64(f[i])-want) > 1e-4 {
			t.Fatalf("float %d is %g, want %g", i, f[i], want)
		}
		want := max(0, min(255, product+float64(bias[b*out+o])+float64(residual[i])*rs))
		if math.Abs(float64(y[i])-want) > 0.5+1e-4 {
			t.Fatalf("byte %d is %d, want %g", i, y[i], want)
		}
	}
}

// TestSaturate holds the rounding to that of package math on every kind of
// number.
func TestSaturate(t *testing.T) {
	for _, v := range []float32{0, -0.1, 0.5, 1.5, 2.5, 0.49999997, 254.5, 255.5, 255.4, 1e30,
		float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.Copysign(0, -1)), 127.49999} {
		if got, want := saturate(v), uint8(math.RoundToEven(max(0, min(255, float64(v))))); got != want {
			t.Errorf("saturate(%g) = %d, want %d", v, got, want)
		}
	}
	if got := saturate(float32(math.NaN())); got != 0 {
		t.Errorf("saturate(NaN) = %d, want 0", got)
	}
	r := source(2)
	for range 100000 {
		v := r.Float32() * 300
		if got, want := saturate(v), uint8(math.RoundToEven(min(255, float64(v)))); got != want {
			t.Fatalf("saturate(%g) = %d, want %d", v, got, want)
		}
	}
}

func TestQuantizeWeights8(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	const out = 5
	w := []float32{
		0.5, 0, nan, 1, 3,
		-1, 0, 1, -inf, -0.012,
		0.25, 0, 1, 2, 1.5,
	}
	q, scale := make([]int8, len(w)), make([]float32, out)
	QuantizeWeights8(q, scale, w, out)
	if s := scale[0]; s != 1./127 || scale[1] != 0 || scale[4] != 3./127 {
		t.Errorf("scales %v", scale)
	}
	if scale[2] == scale[2] || scale[3] == scale[3] {
		t.Errorf("channels with NaN and Inf have scales %v", scale)
	}
	// 63.5 goes to the even 64, 31.75 to 32.
	for i, want := range []int8{64, 0, 0, 0, 127, -127, 0, 0, 0, -1, 32, 0, 0, 0, 64} {
		if q[i] != want {
			t.Errorf("weight %d is %d, want %d", i, q[i], want)
		}
	}
	r := source(3)
	w = values(r, 1000*out)
	q = make([]int8, len(w))
	QuantizeWeights8(q, scale, w, out)
	for i, v := range w {
		s := float64(scale[i%out])
		if d := math.Abs(float64(q[i])*s - float64(v)); d > s*0.5000001 {
			t.Fatalf("weight %d: %g became %d units of %g", i, v, q[i], s)
		}
	}
}

// bias8 is how a convolution gets its bias.
var bias8 = []string{"none", "channel", "position"}

// TestConv8VariantsAgree holds every variant to plain Go, bit for bit.
func TestConv8VariantsAgree(t *testing.T) {
	for i, s := range shapes() {
		r := source(i)
		cells := s.batch * s.h * s.w
		wt := weights8(r, s.k*s.k*s.in*s.out)
		x := bytes(r, cells*s.in+1)[1:] // off any vector's alignment
		scale := scales(r, s.out, s.k*s.k*s.in)
		var bias []float32
		kind := bias8[i%3]
		switch kind {
		case "channel":
			bias = values(r, s.out)
		case "position":
			bias = values(r, s.batch*s.out)
		}
		for j := range bias {
			bias[j] *= 100
		}
		var residual []uint8
		if s.residual {
			residual = bytes(r, cells*s.out)
		}
		want, wantFloats := make([]uint8, cells*s.out), make([]float32, cells*s.out)
		p := generic8.packed(wt, s.k, s.in, s.out)
		Conv8(want, x, s.batch, s.h, s.w, p, scale, bias, residual, 0.7)
		Conv8Float(wantFloats, x, s.batch, s.h, s.w, p, scale, bias, s.relu)
		for _, v := range variants8()[1:] {
			what := fmt.Sprintf("%s %v bias of %s", v.name, s, kind)
			got, gotFloats := make([]uint8, len(want)), make([]float32, len(want))
			p := v.packed(wt, s.k, s.in, s.out)
			Conv8(got, x, s.batch, s.h, s.w, p, scale, bias, residual, 0.7)
			same(t, what, got, want)
			Conv8Float(gotFloats, x, s.batch, s.h, s.w, p, scale, bias, s.relu)
			same(t, what+" floats", gotFloats, wantFloats)
			if s.residual {
				copy(got, residual)
				Conv8(got, x, s.batch, s.h, s.w, p, scale, bias, got, 0.7)
				same(t, what+" in place", got, want)
			}
		}
	}
}

// TestConv8Extremes holds the largest sums of 512 channels, 4608 · 255 · ±127,
// and those of MaxTerms terms, which a bound of int16 on the way or an overflow
// would change.
func TestConv8Extremes(t *testing.T) {
	with8(t, func(t *testing.T) {
		for _, s := range []shape{
			{k: 3, h: 3, w: 3, in: 512, out: 33, batch: 1},
			{k: 1, h: 1, w: 1, in: MaxTerms, out: 17, batch: 1},
		} {
			x := make([]uint8, s.h*s.w*s.in)
			for i := range x {
				x[i] = 255
			}
			wt := make([]int8, s.k*s.k*s.in*s.out)
			for i := range wt {
				wt[i] = int8(127 - 254*(i%s.out%2))
			}
			scale := make([]float32, s.out)
			for o := range scale {
				scale[o] = 1
			}
			y := make([]float32, s.h*s.w*s.out)
			p := PackConv8(wt, s.k, s.in, s.out)
			Conv8Float(y, x, 1, s.h, s.w, p, scale, nil, false)
			for i, v := range y {
				taps := 1
				if s.k == 3 {
					row, col := i/s.out/s.w, i/s.out%s.w
					taps = (3 - abs(row-1)) * (3 - abs(col-1))
				}
				want := float32(taps * s.in * 255 * (127 - 254*(i%s.out%2)))
				if v != want {
					t.Fatalf("%v: value %d is %g, want %g", s, i, v, want)
				}
			}
			b := make([]uint8, len(y))
			Conv8(b, x, 1, s.h, s.w, p, scale, nil, nil, 0)
			for i, v := range b {
				if want := uint8(255 * (1 - i%s.out%2)); v != want {
					t.Fatalf("%v: byte %d is %d, want %d", s, i, v, want)
				}
			}
		}
	})
}

func abs(i int) int { return max(i, -i) }

// TestConv8OddNumbers holds what numbers outside all reason become: NaN is 0 as
// a byte and stays NaN as a float, infinities are bounded.
func TestConv8OddNumbers(t *testing.T) {
	with8(t, func(t *testing.T) {
		nan, inf := float32(math.NaN()), float32(math.Inf(1))
		const in, out = 4, 40
		x, wt := []uint8{1, 2, 3, 4}, make([]int8, in*out)
		for i := range wt {
			wt[i] = 1
		}
		scale := make([]float32, out)
		bytes, floats := make([]uint8, out), make([]float32, out)
		for _, c := range []struct {
			scale float32
			want  uint8
		}{{nan, 0}, {inf, 255}, {-inf, 0}, {1e20, 255}, {-1e20, 0}, {25.4, 254}, {0.25, 2}, {0.05, 0}} {
			for o := range scale {
				scale[o] = c.scale
			}
			p := PackConv8(wt, 1, in, out)
			Conv8(bytes, x, 1, 1, 1, p, scale, nil, nil, 0)
			Conv8Float(floats, x, 1, 1, 1, p, scale, nil, true)
			for o := range out {
				want := max(0, 10*c.scale)
				if bytes[o] != c.want || floats[o] != want && want == want || (floats[o] != floats[o]) != (want != want) {
					t.Fatalf("scale %g: channel %d is %d and %g, want %d and %g", c.scale, o, bytes[o], floats[o], c.want, want)
				}
			}
		}
	})
}

// TestConv8NegativeZero holds that a product of -0 is 0 without a bias, too.
func TestConv8NegativeZero(t *testing.T) {
	with8(t, func(t *testing.T) {
		const h, w, in, out = 3, 3, 16, 40
		scale := make([]float32, out)
		for o := range scale {
			scale[o] = -1
		}
		for _, k := range []int{1, 3} {
			y := make([]float32, h*w*out)
			Conv8Float(y, make([]uint8, h*w*in), 1, h, w, PackConv8(make([]int8, k*k*in*out), k, in, out), scale, nil, false)
			same(t, fmt.Sprintf("window of %d", k), y, make([]float32, len(y)))
		}
	})
}

// TestConv8PlaceAndBatchDoNotMatter holds single positions to the same ones in
// a batch.
func TestConv8PlaceAndBatchDoNotMatter(t *testing.T) {
	with8(t, func(t *testing.T) {
		for _, s := range []shape{
			{k: 3, h: 8, w: 8, in: 16, out: 48, batch: 5},
			{k: 1, h: 6, w: 7, in: 32, out: 27, batch: 5},
			{k: 1, h: 1, w: 1, in: 96, out: 67, batch: 41},
		} {
			r := source(4)
			cells := s.h * s.w
			x, bias := bytes(r, s.batch*cells*s.in), values(r, s.batch*s.out)
			scale := scales(r, s.out, s.k*s.k*s.in)
			p := PackConv8(weights8(r, s.k*s.k*s.in*s.out), s.k, s.in, s.out)
			all, one := make([]float32, s.batch*cells*s.out), make([]float32, cells*s.out)
			Conv8Float(all, x, s.batch, s.h, s.w, p, scale, bias, false)
			for b := range s.batch {
				Conv8Float(one, x[b*cells*s.in:][:cells*s.in], 1, s.h, s.w, p, scale, bias[b*s.out:][:s.out], false)
				same(t, fmt.Sprintf("%v: position %d", s, b), one, all[b*cells*s.out:][:len(one)])
			}
		}
	})
}

// TestConv8AllocatesNothing leaves out AMX under the race detector, which has
// sync.Pool forget what it is given at times.
func TestConv8AllocatesNothing(t *testing.T) {
	with8(t, func(t *testing.T) {
		if raceDetector && strings.HasPrefix(active8.name, "amx") {
			return
		}
		const batch, h, w, c = 2, 6, 7, 40
		r := source(6)
		x, y, v := bytes(r, batch*h*w*c), make([]uint8, batch*h*w*c), make([]float32, batch*h*w*c)
		scale, bias, pooled := scales(r, c, 9*c), values(r, batch*c), make([]float32, batch*3*c)
		mask := make([]float32, batch*h*w)
		p, one := PackConv8(weights8(r, 9*c*c), 3, c, c), PackConv8(weights8(r, c*c), 1, c, c)
		if n := testing.AllocsPerRun(3, func() {
			Conv8(y, x, batch, h, w, p, scale, bias, x, 1)
			Conv8(y, x, batch, h, w, one, scale, nil, nil, 0)
			Conv8Float(v, x, batch, h, w, p, scale, bias, true)
			QuantizePlanes8(y, v, bias[:c], batch, c, h*w, c)
			GlobalPool8(pooled, x, mask, batch, h*w, c, 1, PoolScale{})
			AddChannels8(y, x, bias, mask, batch, h*w, c, 1)
		}); n != 0 {
			t.Errorf("%g allocations", n)
		}
	})
}

func TestWrongLengthsOf8Panic(t *testing.T) {
	p := PackConv8(make([]int8, 9*4*4), 3, 4, 4)
	b := func(n int) []uint8 { return make([]uint8, n) }
	f := func(n int) []float32 { return make([]float32, n) }
	for name, call := range map[string]func(){
		"short x":        func() { Conv8(b(36), b(35), 1, 3, 3, p, f(4), nil, nil, 0) },
		"long y":         func() { Conv8(b(37), b(36), 1, 3, 3, p, f(4), nil, nil, 0) },
		"no scale":       func() { Conv8(b(36), b(36), 1, 3, 3, p, nil, nil, nil, 0) },
		"bias of one":    func() { Conv8(b(72), b(72), 2, 3, 3, p, f(4), f(7), nil, 0) },
		"short residual": func() { Conv8(b(36), b(36), 1, 3, 3, p, f(4), nil, b(4), 0) },
		"short floats":   func() { Conv8Float(f(35), b(36), 1, 3, 3, p, f(4), nil, false) },
		"small board":    func() { Conv8(b(24), b(24), 1, 2, 3, p, f(4), nil, nil, 0) },
		"window of 2":    func() { PackConv8(make([]int8, 16), 2, 2, 2) },
		"too many terms": func() { PackConv8(make([]int8, MaxTerms+1), 1, MaxTerms+1, 1) },
		"weight of -128": func() { PackConv8([]int8{-128}, 1, 1, 1) },
		"few weights":    func() { PackConv8(make([]int8, 8), 3, 1, 1) },
		"ragged weights": func() { QuantizeWeights8(make([]int8, 5), f(2), f(5), 2) },
		"few channels":   func() { QuantizePlanes8(b(18), f(27), f(3), 1, 3, 9, 2) },
		"short pool":     func() { GlobalPool8(f(5), b(18), nil, 1, 9, 2, 1, PoolScale{}) },
		"short channels": func() { AddChannels8(b(18), b(18), f(1), nil, 1, 9, 2, 1) },
		"short mask":     func() { Mask8(b(18), f(8), 1, 9, 2) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

func TestPeakInt8CountsItsWork(t *testing.T) {
	with8(t, func(t *testing.T) {
		if n := PeakInt8(1 << 12); n < 1<<12 {
			t.Errorf("PeakInt8(4096) = %d operations", n)
		}
	})
}
