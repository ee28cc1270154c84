package kernel

import (
	"fmt"
	"math"
	"testing"
)

// variants16 lists the bfloat16 kernels that this machine runs, plain Go first.
func variants16() []*variant16 {
	var vs []*variant16
	for _, l := range levels() {
		if l.bfloat16 != nil {
			vs = append(vs, l.bfloat16)
		}
	}
	return vs
}

// with16 runs a test with each of them as the active one.
func with16(t *testing.T, f func(t *testing.T)) {
	for _, v := range variants16() {
		t.Run(v.name, func(t *testing.T) {
			defer func(old *variant16) { active16 = old }(active16)
			active16 = v
			f(t)
		})
	}
}

// conv16 is the shape with bfloat16.
func (s shape) conv16() ConvShape {
	c := s.conv()
	c.BFloat16 = true
	return c
}

func shapes16() []shape {
	var all []shape
	for _, s := range shapes() {
		if s.k == 3 {
			all = append(all, s)
		}
	}
	for side := MinSide; side <= MaxWidth; side++ { // whole groups of boards, and what is left
		all = append(all, shape{k: 3, h: 3, w: side, in: 66, out: 35, batch: 2*maxBoards + 1, residual: true})
	}
	return all
}

// maxBoards is more than the boards that any kernel takes together.
const maxBoards = 5

// TestBFloat16Rounds holds the rounding to the nearest of the two neighbours.
func TestBFloat16Rounds(t *testing.T) {
	r := source(1)
	for range 100000 {
		v := math.Float32frombits(r.Uint32())
		got := bfloat16(v)
		low := uint16(math.Float32bits(v) >> 16) // towards 0
		switch {
		case v != v:
			if g := wide(got); g == g {
				t.Fatalf("NaN %x becomes %g", math.Float32bits(v), g)
			}
		case math.Abs(float64(v)) < 0x1p-126:
			if got&0x7fff != 0 {
				t.Fatalf("%g becomes %g", v, wide(got))
			}
		case math.IsInf(float64(wide(low+1)), 0) || math.IsInf(float64(v), 0):
		default:
			below, above := math.Abs(float64(v)-float64(wide(low))), math.Abs(float64(wide(low+1))-float64(v))
			want := low
			if above < below || above == below && low%2 == 1 {
				want++
			}
			if got != want {
				t.Fatalf("%x becomes %x, want %x", math.Float32bits(v), got, want)
			}
		}
	}
	for v, want := range map[float32]uint16{1: 0x3f80, -2: 0xc000, float32(math.Inf(1)): 0x7f80, math.MaxFloat32: 0x7f80, 0x1p-126: 0x0080, -0x1p-127: 0x8000} {
		if got := bfloat16(v); got != want {
			t.Errorf("%g becomes %x, want %x", v, got, want)
		}
	}
}

// TestConv16MatchesDefinition holds plain Go to the formula, with operands
// rounded before.
func TestConv16MatchesDefinition(t *testing.T) {
	s := shape{k: 3, h: 4, w: 3, in: 37, out: 70, batch: 2}
	r := source(2)
	x, wt := values(r, s.batch*s.h*s.w*s.in), values(r, 9*s.in*s.out)
	bias, residual := values(r, s.out), values(r, s.batch*s.h*s.w*s.out)
	got, want := make([]float32, len(residual)), make([]float32, len(residual))
	Conv(got, x, s.batch, generic16.packed(wt, s.conv16(), false), bias, residual, true, nil)
	for _, v := range [][]float32{x, wt} {
		for i := range v {
			v[i] = wide(bfloat16(v[i]))
		}
	}
	Conv(want, x, s.batch, generic.pack(wt, s.conv(), false, direct), bias, residual, true, nil)
	compare(t, "generic", got, want, 9*s.in)
}

// TestConv16VariantsAgree holds every variant to plain Go, bit for bit.
func TestConv16VariantsAgree(t *testing.T) {
	for i, s := range shapes16() {
		r := source(i)
		cells := s.batch * s.h * s.w
		wt := values(r, 9*s.in*s.out)
		if s.adj {
			s.in, s.out = s.out, s.in
		}
		x := values(r, cells*s.in+1)[1:]
		x[0], x[len(x)-1] = 0x1p-130, 0x1.01p0 // a number too small, a tie
		pack := func(v *variant16) *Packed {
			c := s.conv16()
			if s.adj {
				c.In, c.Out = c.Out, c.In
			}
			return v.packed(wt, c, s.adj)
		}
		var bias, residual []float32
		switch {
		case s.bias && i%2 == 0:
			bias = values(r, s.out)
		case s.bias:
			bias = values(r, s.batch*s.out)
		}
		if s.residual {
			residual = values(r, cells*s.out)
		}
		want := make([]float32, cells*s.out)
		Conv(want, x, s.batch, pack(generic16), bias, residual, s.relu, nil)
		for _, v := range variants16()[1:] {
			p := pack(v)
			scratch := make([]float32, p.Scratch()+1)[1:]
			for j := range scratch {
				scratch[j] = float32(math.NaN())
			}
			got := make([]float32, cells*s.out)
			Conv(got, x, s.batch, p, bias, residual, s.relu, scratch)
			same(t, fmt.Sprintf("%s %v", v.name, s), got, want)
			if s.residual {
				copy(got, residual)
				Conv(got, x, s.batch, p, bias, got, s.relu, scratch)
				same(t, fmt.Sprintf("%s %v in place", v.name, s), got, want)
			}
		}
	}
}

// TestConv16SmallNumbers multiplies numbers whose products and sums leave the
// range of normal ones.
func TestConv16SmallNumbers(t *testing.T) {
	const c = 40
	s := shape{k: 3, h: 3, w: 3, in: c, out: c}
	r := source(3)
	x, wt := values(r, 9*c), values(r, 9*c*c)
	for i := range x {
		x[i] *= 0x1p-60
	}
	for i := range wt {
		wt[i] *= 0x1p-64
	}
	want := make([]float32, 9*c)
	Conv(want, x, 1, generic16.packed(wt, s.conv16(), false), nil, nil, false, nil)
	for _, v := range variants16()[1:] {
		p := v.packed(wt, s.conv16(), false)
		got := make([]float32, 9*c)
		Conv(got, x, 1, p, nil, nil, false, Alloc(p.Scratch()))
		same(t, v.name, got, want)
	}
}

// TestNaNComesThroughConv16 holds that a diverged network shows: NaN reaches
// the outputs near it and no others.
func TestNaNComesThroughConv16(t *testing.T) {
	with16(t, func(t *testing.T) {
		const h, w, in, out, batch = 6, 8, 4, 40, 2
		x, y := make([]float32, batch*h*w*in), make([]float32, batch*h*w*out)
		wt := values(source(5), 9*in*out)
		x[(h*w+1*w+1)*in+2] = float32(math.NaN())
		p := PackConv(wt, shape{k: 3, h: h, w: w, in: in, out: out}.conv16())
		Conv(y, x, batch, p, nil, nil, true, Alloc(p.Scratch()))
		for i, v := range y {
			b, row, col := i/out/w/h, i/out/w%h, i/out%w
			if near := b == 1 && row <= 2 && col <= 2; near != (v != v) {
				t.Fatalf("position %d, cell %d,%d channel %d is %g", b, row, col, i%out, v)
			}
		}
	})
}

// TestRepack16 checks that new weights take effect and cost no memory, and that
// a call costs none.
func TestRepack16(t *testing.T) {
	with16(t, func(t *testing.T) {
		r := source(6)
		s := shape{k: 3, h: 6, w: 7, in: 24, out: 41}.conv16()
		old, wt := values(r, 9*24*41), values(r, 9*24*41)
		x, y := values(r, 3*42*41), make([]float32, 3*42*41)
		for _, pack := range []func([]float32, ConvShape) *Packed{PackConv, PackConvAdjoint} {
			p, q := pack(old, s), pack(wt, s)
			scratch := Alloc(p.Scratch())
			if n := testing.AllocsPerRun(5, func() {
				p.Repack(wt)
				Conv(y[:3*42*p.Out], x[:3*42*p.In], 3, p, nil, nil, true, scratch)
			}); n != 0 {
				t.Errorf("%g allocations", n)
			}
			same(t, "packed again", p.half, q.half)
		}
	})
}
