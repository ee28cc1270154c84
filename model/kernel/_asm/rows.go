package main

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func (g *gen) vectors(n int) []reg.VecVirtual {
	vs := make([]reg.VecVirtual, n)
	for i := range vs {
		vs[i] = g.v()
	}
	return vs
}

// rowKernel goes over n rows of c channels, one vector of channels after the
// other:
//
//	for each vector of channels, the last one masked
//	    begin: read what is per channel
//	    for each row: row
//	    end: write what is per channel
//
// channel names the arguments of length c, cell those of n·c, both of floats,
// and bytes those of n·c bytes.
type rowKernel struct {
	name, signature, doc string
	channel, cell, bytes []string
	setup                func()
	begin, row, end      func(m *mask, at func(name string) operand.Mem)
}

func (g *gen) rowKernel(k rowKernel) {
	g.function(k.name, k.signature, k.doc+" See _asm/rows.go.")
	if k.setup != nil {
		k.setup()
	}
	// place holds the arguments of the present vector of channels, walk those
	// of the present row.
	place, walk := map[string]reg.GPVirtual{}, map[string]reg.GPVirtual{}
	for _, name := range k.channel {
		place[name] = g.arg(name)
	}
	for _, name := range slices.Concat(k.cell, k.bytes) {
		place[name] = g.arg(name)
		walk[name] = g.GP64()
	}
	perChannel := func(name string) operand.Mem { return operand.Mem{Base: place[name]} }
	perCell := func(name string) operand.Mem { return operand.Mem{Base: walk[name]} }
	channels, rows, stride := g.arg("c"), g.GP64(), g.arg("c")
	g.SHLQ(operand.Imm(2), stride)
	var byteStride reg.GPVirtual
	if k.bytes != nil {
		byteStride = g.arg("c")
	}

	pass := func(m *mask, loop string) {
		if k.begin != nil {
			k.begin(m, perChannel)
		}
		for _, name := range slices.Concat(k.cell, k.bytes) {
			g.MOVQ(place[name], walk[name])
		}
		g.MOVQ(g.argMem("n"), rows)
		g.Label(loop)
		k.row(m, perCell)
		for _, name := range k.cell {
			g.ADDQ(stride, walk[name])
		}
		for _, name := range k.bytes {
			g.ADDQ(byteStride, walk[name])
		}
		g.DECQ(rows)
		g.JNZ(operand.LabelRef(loop))
		if k.end != nil {
			k.end(m, perChannel)
		}
	}
	g.SUBQ(operand.Imm(uint64(g.lanes)), channels)
	g.JL(operand.LabelRef("last"))
	g.Label("full")
	pass(nil, "row")
	for _, name := range slices.Concat(k.channel, k.cell) {
		g.ADDQ(operand.Imm(uint64(g.bytes())), place[name])
	}
	for _, name := range k.bytes {
		g.ADDQ(operand.Imm(uint64(g.lanes)), place[name])
	}
	g.SUBQ(operand.Imm(uint64(g.lanes)), channels)
	g.JGE(operand.LabelRef("full"))
	g.Label("last")
	g.ADDQ(operand.Imm(uint64(g.lanes)), channels)
	g.JZ(operand.LabelRef("done"))
	tail := g.lanesBelow(channels)
	tail.count = channels
	pass(tail, "tailrow")
	g.Label("done")
	g.VZEROUPPER()
	g.RET()
}

func rows(g *gen) {
	g.affine()
	g.combine()
	g.addRow()
	g.reductions()
	g.reluGrad()
}

// affine: y = max(floor, x·a + b + residual), the residual left out if nil.
// Without one the caller repeats x in its place, so that there is always an
// address to step, and the flag says not to add it.
func (g *gen) affine() {
	var floor reg.VecVirtual
	a, b := g.v(), g.v()
	g.rowKernel(rowKernel{
		name:      "affine",
		signature: "func(n int, c int, y *float32, x *float32, a *float32, b *float32, residual *float32, add int, relu int)",
		doc:       "computes max(floor, x·a + b + residual); residual is not added if add is 0.",
		channel:   []string{"a", "b"},
		cell:      []string{"y", "x", "residual"},
		setup:     func() { floor = g.floor() },
		begin: func(m *mask, at func(string) operand.Mem) {
			g.load(m, at("a"), a)
			g.load(m, at("b"), b)
		},
		row: func(m *mask, at func(string) operand.Mem) {
			v := g.v()
			g.load(m, at("x"), v)
			g.VFMADD213PS(b, a, v)
			summed := g.label("summed")
			g.CMPQ(g.argMem("add"), operand.Imm(0))
			g.JEQ(operand.LabelRef(summed))
			g.add(m, at("residual"), v)
			g.Label(summed)
			g.VMAXPS(v, floor, v)
			g.store(m, v, at("y"))
		},
	})
}

func (g *gen) combine() {
	a, b, d := g.v(), g.v(), g.v()
	g.rowKernel(rowKernel{
		name:      "combine",
		signature: "func(n int, c int, y *float32, x *float32, z *float32, a *float32, b *float32, d *float32)",
		doc:       "computes y = x·a + (z·b + d).",
		channel:   []string{"a", "b", "d"},
		cell:      []string{"y", "x", "z"},
		begin: func(m *mask, at func(string) operand.Mem) {
			g.load(m, at("a"), a)
			g.load(m, at("b"), b)
			g.load(m, at("d"), d)
		},
		row: func(m *mask, at func(string) operand.Mem) {
			x, z := g.v(), g.v()
			g.load(m, at("z"), z)
			g.load(m, at("x"), x)
			g.VFMADD213PS(d, b, z)
			g.VFMADD231PS(a, x, z)
			g.store(m, z, at("y"))
		},
	})
}

func (g *gen) addRow() {
	var floor reg.VecVirtual
	v := g.v()
	g.rowKernel(rowKernel{
		name:      "addRow",
		signature: "func(n int, c int, y *float32, x *float32, v *float32, relu int)",
		doc:       "computes y = max(floor, x + v).",
		channel:   []string{"v"},
		cell:      []string{"y", "x"},
		setup:     func() { floor = g.floor() },
		begin:     func(m *mask, at func(string) operand.Mem) { g.load(m, at("v"), v) },
		row: func(m *mask, at func(string) operand.Mem) {
			x := g.v()
			g.load(m, at("x"), x)
			g.VADDPS(v, x, x)
			g.VMAXPS(x, floor, x)
			g.store(m, x, at("y"))
		},
	})
}

// reductions keep one sum or maximum a channel, in the order of the rows.
func (g *gen) reductions() {
	s, t, mean := g.v(), g.v(), g.v()
	read := func(m *mask, at func(string) operand.Mem) { g.load(m, at("s"), s) }
	write := func(m *mask, at func(string) operand.Mem) { g.store(m, s, at("s")) }
	g.rowKernel(rowKernel{
		name:      "sum",
		signature: "func(n int, c int, s *float32, x *float32)",
		doc:       "computes s += Σ x.",
		channel:   []string{"s"}, cell: []string{"x"},
		begin: read, end: write,
		row: func(m *mask, at func(string) operand.Mem) { g.add(m, at("x"), s) },
	})
	g.rowKernel(rowKernel{
		name:      "max",
		signature: "func(n int, c int, s *float32, x *float32)",
		doc:       "computes s = max(s, x), x where they are equal or one is NaN.",
		channel:   []string{"s"}, cell: []string{"x"},
		begin: read, end: write,
		row: func(m *mask, at func(string) operand.Mem) {
			x := g.v()
			g.load(m, at("x"), x)
			g.VMAXPS(x, s, s)
		},
	})
	g.rowKernel(rowKernel{
		name:      "squares",
		signature: "func(n int, c int, s *float32, x *float32, mean *float32)",
		doc:       "computes s += Σ (x − mean)².",
		channel:   []string{"s", "mean"}, cell: []string{"x"},
		begin: func(m *mask, at func(string) operand.Mem) {
			g.load(m, at("s"), s)
			g.load(m, at("mean"), mean)
		},
		end: write,
		row: func(m *mask, at func(string) operand.Mem) {
			x := g.v()
			g.load(m, at("x"), x)
			g.VSUBPS(mean, x, x)
			g.VFMADD231PS(x, x, s)
		},
	})
	g.rowKernel(rowKernel{
		name:      "products",
		signature: "func(n int, c int, s *float32, t *float32, z *float32, x *float32, mean *float32)",
		doc:       "computes s += Σ z, t += Σ z·(x − mean).",
		channel:   []string{"s", "t", "mean"}, cell: []string{"z", "x"},
		begin: func(m *mask, at func(string) operand.Mem) {
			g.load(m, at("s"), s)
			g.load(m, at("t"), t)
			g.load(m, at("mean"), mean)
		},
		end: func(m *mask, at func(string) operand.Mem) {
			g.store(m, s, at("s"))
			g.store(m, t, at("t"))
		},
		row: func(m *mask, at func(string) operand.Mem) {
			x, z := g.v(), g.v()
			g.load(m, at("x"), x)
			g.load(m, at("z"), z)
			g.VSUBPS(mean, x, x)
			g.VADDPS(z, s, s)
			g.VFMADD231PS(x, z, t)
		},
	})
}

// reluGrad works on one long row.
func (g *gen) reluGrad() {
	const greater = 0x1e // ordered, quiet: false for NaN
	var zero reg.VecVirtual
	g.rowKernel(rowKernel{
		name:      "reluGrad",
		signature: "func(n int, c int, dz *float32, dy *float32, y *float32)",
		doc:       "computes dz = dy where y > 0, else 0.",
		cell:      []string{"dz", "dy", "y"},
		setup:     func() { zero = g.v(); g.zero(zero) },
		row: func(m *mask, at func(string) operand.Mem) {
			dy, y := g.v(), g.v()
			g.load(m, at("y"), y)
			g.load(m, at("dy"), dy)
			if g.lanes == 16 {
				k := g.K()
				g.VCMPPS(operand.Imm(greater), zero, y, k)
				g.VMOVAPS_Z(dy, k, dy)
			} else {
				g.VCMPPS(operand.Imm(greater), zero, y, y)
				g.VANDPS(y, dy, dy)
			}
			g.store(m, dy, at("dz"))
		},
	})
}
