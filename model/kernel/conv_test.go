package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// values returns n numbers in [-0.5, 0.5).
func values(r *rand.Rand, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = r.Float32() - 0.5
	}
	return s
}

func source(seed int) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), 7)) }

// winogradTerms is the number of terms that a direct sum would have if it erred
// as much as Winograd's does, see TestWinogradError.
func winogradTerms(in int) int { return 4*9*in + 32 }

// with runs a test with each variant that this machine has as the active one.
func with(t *testing.T, f func(t *testing.T)) {
	for _, v := range variants() {
		t.Run(v.name, func(t *testing.T) {
			defer func(old *variant) { active = old }(active)
			active = v
			f(t)
		})
	}
}

// compare holds got against want, sums of terms products of numbers of size 1/2
// and less, taken in different order or with fused products. Each addition errs
// by at most 2^-24 of a running sum that is itself of order 1, and the bound
// below is a third of what the worst case of two such sums would allow. A wrong
// tap or channel is off by a thousand times as much.
func compare(t *testing.T, what string, got, want []float32, terms int) {
	t.Helper()
	tolerance := 4 * float64(terms+8) / 12 * 0x1p-23
	for i := range want {
		if d := math.Abs(float64(got[i]) - float64(want[i])); !(d <= tolerance) {
			t.Fatalf("%s: value %d is %g, want %g ± %g", what, i, got[i], want[i], tolerance)
		}
	}
}

// conv is Conv with scratch that holds what no one may read.
func conv(y, x []float32, batch int, p *Packed, bias, residual []float32, relu bool) {
	scratch := make([]float32, p.Scratch())
	for i := range scratch {
		scratch[i] = float32(math.NaN())
	}
	Conv(y, x, batch, p, bias, residual, relu, scratch)
}

// shape is one case of a convolution.
type shape struct {
	k, h, w, in, out, batch   int
	bias, residual, relu, adj bool
	method                    method // where a test tries both
}

func (s shape) conv() ConvShape { return ConvShape{K: s.k, In: s.in, Out: s.out, H: s.h, W: s.w} }

func (s shape) String() string {
	return fmt.Sprintf("k%d %dx%d %d->%d batch %d bias %t residual %t relu %t adjoint %t",
		s.k, s.h, s.w, s.in, s.out, s.batch, s.bias, s.residual, s.relu, s.adj)
}

// shapes covers every height and every width of boards, every tail of the channels, and
// the row counts of products around the tiles.
func shapes() []shape {
	var all []shape
	for side := MinSide; side <= MaxWidth; side++ {
		all = append(all,
			shape{k: 3, h: MinSide + MaxHeight - side, w: side, in: 8, out: 40, batch: 1, bias: true, relu: true},
			shape{k: 3, h: 3, w: side, in: 5, out: 27, batch: 2, residual: true})
	}
	for side := MinSide; side <= MaxHeight; side++ {
		all = append(all, shape{k: 3, h: side, w: 7, in: 6, out: 16, batch: 2, bias: true, residual: true, relu: true, adj: true})
	}
	for c := 8; c <= 72; c += 8 {
		all = append(all,
			shape{k: 3, h: 6, w: 7, in: c, out: 80 - c, batch: 1, bias: true, residual: true, relu: true},
			shape{k: 3, h: 8, w: 8, in: 80 - c, out: c, batch: 1, adj: true},
			shape{k: 1, h: 6, w: 7, in: c, out: 80 - c, batch: 2, bias: true})
	}
	for c := 1; c <= 4*16+1; c++ {
		all = append(all,
			shape{k: 3, h: 3, w: 8, in: c, out: 3, batch: 1, relu: true},
			shape{k: 3, h: 3, w: 4, in: 3, out: c, batch: 1, bias: true, residual: true},
			shape{k: 1, h: 1, w: 1, in: 70 - c, out: c, batch: 13, bias: true, residual: true, relu: true, adj: c%2 == 0},
			shape{k: 1, h: 1, w: 1, in: 9, out: 33, batch: c, bias: true})
	}
	return all
}

// TestConvVariantsAgree holds every variant and method to the direct method in
// plain Go.
func TestConvVariantsAgree(t *testing.T) {
	for i, s := range shapes() {
		r := source(i)
		cells := s.batch * s.h * s.w
		w := values(r, s.k*s.k*s.in*s.out)
		if s.adj {
			s.in, s.out = s.out, s.in // the packing turns them round
		}
		x := values(r, cells*s.in+1)[1:] // off any vector's alignment
		pack := func(v *variant, m method) *Packed {
			c := s.conv()
			if s.adj {
				c.In, c.Out = c.Out, c.In
			}
			return v.pack(w, c, s.adj, m)
		}
		var bias, residual []float32
		if s.bias {
			bias = values(r, s.out)
		}
		if s.residual {
			residual = values(r, cells*s.out)
		}
		want := make([]float32, cells*s.out)
		conv(want, x, s.batch, pack(generic, direct), bias, residual, s.relu)
		for _, v := range variants() {
			for m, terms := range map[method]int{direct: 9 * s.in, byWinograd: winogradTerms(s.in)} {
				if m == byWinograd && s.k != 3 {
					continue
				}
				got := make([]float32, cells*s.out)
				p := pack(v, m)
				conv(got, x, s.batch, p, bias, residual, s.relu)
				what := fmt.Sprintf("%s %v %v", v.name, m, s)
				compare(t, what, got, want, terms)
				if s.residual {
					copy(got, residual)
					conv(got, x, s.batch, p, bias, got, s.relu)
					compare(t, what+" in place", got, want, terms)
				}
			}
		}
	}
}

func TestWeightGradientVariantsAgree(t *testing.T) {
	for i, s := range shapes() {
		r := source(i)
		cells := s.batch * s.h * s.w
		x, dy := values(r, cells*s.in+1)[1:], values(r, cells*s.out)
		start := values(r, s.k*s.k*s.in*s.out)
		want := append([]float32(nil), start...)
		generic.gradWeights(want, x, dy, s.batch, s.h, s.w, s.k, s.in, s.out)
		for _, v := range variants()[1:] {
			got := append([]float32(nil), start...)
			v.gradWeights(got, x, dy, s.batch, s.h, s.w, s.k, s.in, s.out)
			compare(t, fmt.Sprintf("%s %v", v.name, s), got, want, cells)
		}
	}
}

// TestConvMatchesDefinition holds plain Go to the formula, in float64.
func TestConvMatchesDefinition(t *testing.T) {
	const batch, h, w, in, out, k = 2, 4, 3, 5, 70, 3
	r := source(1)
	x, wt, bias, residual := values(r, batch*h*w*in), values(r, 9*in*out), values(r, out), values(r, batch*h*w*out)
	got := make([]float32, batch*h*w*out)
	conv(got, x, batch, generic.pack(wt, ConvShape{K: k, In: in, Out: out, H: h, W: w}, false, direct), bias, residual, true)
	want := make([]float32, len(got))
	for i := range want {
		b, row, col, o := i/out/w/h, i/out/w%h, i/out%w, i%out
		s := float64(bias[o]) + float64(residual[i])
		for t := range 9 {
			y, z := row+t/3-1, col+t%3-1
			for c := 0; c < in && y >= 0 && y < h && z >= 0 && z < w; c++ {
				s += float64(x[((b*h+y)*w+z)*in+c]) * float64(wt[(t*in+c)*out+o])
			}
		}
		want[i] = float32(max(s, 0))
	}
	compare(t, "generic", got, want, 9*in)
}

func dot(a, b []float32) float64 {
	s := 0.0
	for i := range a {
		s += float64(a[i]) * float64(b[i])
	}
	return s
}

// TestConvBackwardIsAdjoint holds the two gradients against the forward pass,
// which is linear in x and in w: <dy, Conv(x, w)> = <dx, x> = <dw, w>.
func TestConvBackwardIsAdjoint(t *testing.T) {
	with(t, func(t *testing.T) {
		for _, c := range []struct {
			k int
			m method
		}{{1, direct}, {3, direct}, {3, byWinograd}} {
			const batch, h, w, in, out = 3, 6, 7, 24, 40
			k := c.k
			r := source(k)
			x, dy, wt := values(r, batch*h*w*in), values(r, batch*h*w*out), values(r, k*k*in*out)
			y, dx, dw := make([]float32, len(dy)), make([]float32, len(x)), make([]float32, len(wt))
			s := ConvShape{K: k, In: in, Out: out, H: h, W: w}
			adjoint := active.pack(wt, s, true, c.m)
			scratch := make([]float32, adjoint.Scratch())
			conv(y, x, batch, active.pack(wt, s, false, c.m), nil, nil, false)
			ConvBackwardInput(dx, dy, batch, adjoint, false, scratch)
			addWeightGradient(NewWeightGradient(s), dw, x, dy, batch)
			want := dot(dy, y)
			for name, got := range map[string]float64{"<dx, x>": dot(dx, x), "<dw, w>": dot(dw, wt)} {
				// Ten thousand roundings of numbers near 1 at 2^-24, at random signs.
				if diff := math.Abs(got - want); diff > 1e-4 {
					t.Errorf("k %d %v: %s = %g, <dy, y> = %g", k, c.m, name, got, want)
				}
			}
			twice := append([]float32(nil), dx...)
			ConvBackwardInput(twice, dy, batch, adjoint, true, scratch)
			for i := range dx {
				dx[i] *= 2
			}
			compare(t, "accumulated", twice, dx, k*k*out)
		}
	})
}

// TestRepack checks that new weights take effect and cost no memory.
func TestRepack(t *testing.T) {
	with(t, func(t *testing.T) {
		r := source(3)
		const k, in, out = 3, 7, 41
		old, w := values(r, k*k*in*out), values(r, k*k*in*out)
		shape := ConvShape{K: k, In: in, Out: out, H: 6, W: 7}
		for i := range 4 {
			adjoint, m := i%2 == 1, method(i/2)
			p, q := active.pack(old, shape, adjoint, m), active.pack(w, shape, adjoint, m)
			if n := testing.AllocsPerRun(10, func() { p.Repack(w) }); n != 0 {
				t.Errorf("Repack allocates %g times", n)
			}
			for i := range q.data {
				if p.data[i] != q.data[i] {
					t.Fatalf("packed value %d is %g, want %g", i, p.data[i], q.data[i])
				}
			}
		}
	})
}

// TestPlaceAndBatchDoNotMatter holds the results of single positions to those
// of the same positions in a batch, bit for bit.
func TestPlaceAndBatchDoNotMatter(t *testing.T) {
	with(t, func(t *testing.T) {
		for _, s := range []shape{
			{k: 3, h: 8, w: 8, in: 16, out: 48, batch: 5},
			{k: 3, h: 6, w: 7, in: 9, out: 40, batch: 5},
			{k: 3, h: 8, w: 8, in: 16, out: 48, batch: 41, method: byWinograd},
			{k: 3, h: 5, w: 13, in: 9, out: 40, batch: 29, method: byWinograd},
			{k: 1, h: 6, w: 7, in: 32, out: 27, batch: 5},
			{k: 1, h: 1, w: 1, in: 96, out: 67, batch: 41},
		} {
			r := source(4)
			cells := s.h * s.w
			x, bias := values(r, s.batch*cells*s.in), values(r, s.out)
			p := active.pack(values(r, s.k*s.k*s.in*s.out), s.conv(), false, s.method)
			all, one := make([]float32, s.batch*cells*s.out), make([]float32, cells*s.out)
			conv(all, x, s.batch, p, bias, nil, true)
			for b := range s.batch {
				conv(one, x[b*cells*s.in:][:cells*s.in], 1, p, bias, nil, true)
				for i, v := range one {
					if math.Float32bits(v) != math.Float32bits(all[b*cells*s.out+i]) {
						t.Fatalf("%v: position %d, value %d: %g alone, %g in the batch", s, b, i, v, all[b*cells*s.out+i])
					}
				}
			}
		}
	})
}

// TestBiasOfEachPosition holds a batch in which every position has a bias of its
// own to the positions alone, bit for bit.
func TestBiasOfEachPosition(t *testing.T) {
	with(t, func(t *testing.T) {
		for _, s := range []shape{
			{k: 3, h: 6, w: 7, in: 9, out: 40, batch: 9},
			{k: 3, h: 6, w: 7, in: 9, out: 40, batch: 9, method: byWinograd},
			{k: 1, h: 6, w: 7, in: 9, out: 27, batch: 3},
			{k: 1, h: 1, w: 1, in: 96, out: 67, batch: 15},
		} {
			r := source(7)
			in, out := s.h*s.w*s.in, s.h*s.w*s.out
			x, bias, residual := values(r, s.batch*in), values(r, s.batch*s.out), values(r, s.batch*out)
			p := active.pack(values(r, s.k*s.k*s.in*s.out), s.conv(), false, s.method)
			for _, residual := range [][]float32{nil, residual} {
				all, one := make([]float32, s.batch*out), make([]float32, out)
				conv(all, x, s.batch, p, bias, residual, false)
				for b := range s.batch {
					var part []float32
					if residual != nil {
						part = residual[b*out:][:out]
					}
					conv(one, x[b*in:][:in], 1, p, bias[b*s.out:][:s.out], part, false)
					for i, v := range one {
						if math.Float32bits(v) != math.Float32bits(all[b*out+i]) {
							t.Fatalf("%v: position %d, value %d: %g alone, %g in the batch", s, b, i, v, all[b*out+i])
						}
					}
				}
			}
		}
	})
}

// TestNaNAndInfinityComeThrough holds what a diverged network shows: a value
// that is not a number must not become 0 on the way. The direct method keeps it
// where it belongs; Winograd spreads it over the tiles that read it, and makes
// infinity NaN.
func TestNaNAndInfinityComeThrough(t *testing.T) {
	with(t, func(t *testing.T) {
		nan, inf := float32(math.NaN()), float32(math.Inf(1))
		const h, w, in, out = 4, 9, 4, 40
		r := source(5)
		wt := make([]float32, 9*in*out)
		for i := range wt {
			wt[i] = 1
		}
		s := ConvShape{K: 3, In: in, Out: out, H: h, W: w}
		for _, relu := range []bool{false, true} {
			x := values(r, h*w*in)
			y := make([]float32, h*w*out)
			x[(1*w+1)*in+2] = nan
			x[(3*w+8)*in] = inf
			conv(y, x, 1, active.pack(wt, s, false, direct), nil, nil, relu)
			for i, v := range y {
				row, col := i/out/w, i/out%w
				nearNaN := row <= 2 && col <= 2
				nearInf := row >= 2 && col >= 7
				if nearNaN != (v != v) || nearInf != math.IsInf(float64(v), 1) {
					t.Fatalf("relu %t: cell %d,%d channel %d is %g", relu, row, col, i%out, v)
				}
			}
			conv(y, x, 1, active.pack(wt, s, false, byWinograd), nil, nil, relu)
			for i, v := range y { // the columns are 3 + 3 + 3
				row, col := i/out/w, i/out%w
				near := row <= 2 && col <= 2 || row >= 2 && col >= 7
				far := col >= 3 && col <= 5
				if finite := v-v == 0; near && finite || far && !finite {
					t.Fatalf("Winograd, relu %t: cell %d,%d channel %d is %g", relu, row, col, i%out, v)
				}
			}
		}
	})
}

func TestConvAllocatesNothing(t *testing.T) {
	with(t, func(t *testing.T) {
		const batch, h, w, c = 2, 6, 7, 40
		r := source(6)
		x, y, wt := values(r, batch*h*w*c), make([]float32, batch*h*w*c), values(r, 9*c*c)
		bias, dw := values(r, c), make([]float32, 9*c*c)
		s := ConvShape{K: 3, In: c, Out: c, H: h, W: w}
		p, q := active.pack(wt, s, false, byWinograd), active.pack(wt, s, true, direct)
		s.K = 1
		one := PackConv(wt[:c*c], s)
		direct, winograd := by(active, shape{k: 3, h: h, w: w, in: c, out: c}, false), by(active, shape{k: 3, h: h, w: w, in: c, out: c}, true)
		scratch := make([]float32, max(p.Scratch(), q.Scratch(), one.Scratch(), winograd.Scratch()))
		if n := testing.AllocsPerRun(3, func() {
			p.Repack(wt)
			q.Repack(wt)
			Conv(y, x, batch, p, bias, x, true, scratch)
			Conv(y, x, batch, one, bias, nil, true, scratch)
			ConvBackwardInput(y, x, batch, q, true, scratch)
			direct.Add(dw, x, y, batch, scratch)
			winograd.Add(dw, x, y, batch, scratch)
			ConvBackwardBias(bias, x, batch*h*w, c)
		}); n != 0 {
			t.Errorf("%g allocations", n)
		}
	})
}

func TestWrongLengthsPanic(t *testing.T) {
	board := ConvShape{K: 3, In: 4, Out: 4, H: 3, W: 3}
	pack := func(s ConvShape) *Packed { return PackConv(make([]float32, s.K*s.K*s.In*s.Out), s) }
	p := pack(board)
	s := func(n int) []float32 { return make([]float32, n) }
	for name, f := range map[string]func(){
		"short x":          func() { conv(s(36), s(35), 1, p, nil, nil, false) },
		"long y":           func() { conv(s(37), s(36), 1, p, nil, nil, false) },
		"short bias":       func() { conv(s(36), s(36), 1, p, s(3), nil, false) },
		"short residual":   func() { conv(s(36), s(36), 1, p, nil, s(4), false) },
		"negative batch":   func() { conv(nil, nil, -1, p, nil, nil, false) },
		"short weights":    func() { PackConv(s(143), board) },
		"small board":      func() { pack(ConvShape{K: 3, In: 4, Out: 4, H: 2, W: 3}) },
		"large board":      func() { pack(ConvShape{K: 3, In: 4, Out: 4, H: 3, W: 14}) },
		"window of 5":      func() { pack(ConvShape{K: 5, In: 4, Out: 4, H: 6, W: 6}) },
		"forward for back": func() { ConvBackwardInput(s(36), s(36), 1, p, false, s(p.Scratch())) },
		"short dw":         func() { addWeightGradient(NewWeightGradient(board), s(1), s(36), s(36), 1) },
		"gradient of 5":    func() { NewWeightGradient(ConvShape{K: 5, In: 4, Out: 4, H: 6, W: 6}) },
		"short scratch":    func() { by(active, shape{k: 3, h: 4, w: 4, in: 4, out: 4}, true).Add(s(144), s(64), s(64), 1, s(100)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
