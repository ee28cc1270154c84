package main

import (
	"fmt"
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

// rowKernel goes over n rows of c channels, a group of vectors of channels after
// the other, the last ones in groups of half the size, and so on:
//
//	for each group
//	    begin: read what is per channel
//	    for each row: row
//	    end: write what is per channel
//
// A group is as many vectors as the registers hold: rows of usual width are read
// from end to end, the order that memory likes best; single says not to. u is
// the number of the vector in the group. channel names the arguments of length c, cell
// the arguments of n·c values, both of floats, and bytes the arguments of n·c bytes.
// loads are read at the beginning of a group, before begin; stores are written at its
// end, after end.
type rowKernel struct {
	name, signature, doc string
	channel, cell, bytes []string
	loads, stores        []perChannel
	single               bool
	setup                func()
	begin, row, end      func(u int, m *mask, at func(name string) operand.Mem)
}

// perChannel is an argument of length c and the vectors of a group of it.
type perChannel struct {
	name string
	v    []reg.VecVirtual
}

// group is the number of vectors of a group.
func (g *gen) group() int {
	if g.lanes == 16 {
		return 4
	}
	return 2
}

func (g *gen) rowKernel(k rowKernel) {
	g.function(k.name, k.signature, k.doc+" See _asm/rows.go.")
	if k.setup != nil {
		k.setup()
	}
	// place holds the arguments of the present vectors of channels, walk those
	// of the present row.
	place, walk := map[string]reg.GPVirtual{}, map[string]reg.GPVirtual{}
	for _, name := range k.channel {
		place[name] = g.arg(name)
	}
	for _, name := range slices.Concat(k.cell, k.bytes) {
		place[name] = g.arg(name)
		walk[name] = g.GP64()
	}
	at := func(base map[string]reg.GPVirtual, u int) func(name string) operand.Mem {
		return func(name string) operand.Mem { return operand.Mem{Base: base[name], Disp: u * g.bytes()} }
	}
	channels, rows, stride := g.arg("c"), g.GP64(), g.arg("c")
	g.SHLQ(operand.Imm(2), stride)
	var byteStride reg.GPVirtual
	if k.bytes != nil {
		byteStride = g.arg("stride")
	}

	pass := func(vectors int, m *mask, loop string) {
		for u := range vectors {
			for _, p := range k.loads {
				g.load(m, at(place, u)(p.name), p.v[u])
			}
			if k.begin != nil {
				k.begin(u, m, at(place, u))
			}
		}
		for _, name := range slices.Concat(k.cell, k.bytes) {
			g.MOVQ(place[name], walk[name])
		}
		g.MOVQ(g.argMem("n"), rows)
		g.Label(loop)
		for u := range vectors {
			k.row(u, m, at(walk, u))
		}
		for _, name := range k.cell {
			g.ADDQ(stride, walk[name])
		}
		for _, name := range k.bytes {
			g.ADDQ(byteStride, walk[name])
		}
		g.repeat(rows, loop)
		for u := range vectors {
			if k.end != nil {
				k.end(u, m, at(place, u))
			}
			for _, p := range k.stores {
				g.store(m, p.v[u], at(place, u)(p.name))
			}
		}
	}
	for vectors := g.group(); vectors > 0; vectors /= 2 {
		if k.single && vectors > 1 {
			continue
		}
		full, next := fmt.Sprintf("full%d", vectors), fmt.Sprintf("fewer%d", vectors)
		g.SUBQ(operand.Imm(uint64(vectors*g.lanes)), channels)
		g.JL(operand.LabelRef(next))
		g.Label(full)
		pass(vectors, nil, fmt.Sprintf("row%d", vectors))
		for _, name := range slices.Concat(k.channel, k.cell) {
			g.ADDQ(operand.I32(int32(vectors*g.bytes())), place[name])
		}
		for _, name := range k.bytes {
			g.ADDQ(operand.Imm(uint64(vectors*g.lanes)), place[name])
		}
		g.SUBQ(operand.Imm(uint64(vectors*g.lanes)), channels)
		g.JGE(operand.LabelRef(full))
		g.Label(next)
		g.ADDQ(operand.Imm(uint64(vectors*g.lanes)), channels)
	}
	g.TESTQ(channels, channels)
	g.JZ(operand.LabelRef("done"))
	tail := g.lanesBelow(channels)
	tail.count = channels
	pass(1, tail, "tailrow")
	g.Label("done")
	g.end()
}

func rows(g *gen) {
	g.affine()
	g.combine()
	g.addRow()
	g.reductions()
	g.reluProducts()
	g.poolGrad()
	g.reluGrad()
}

// affine: y = max(floor, x·a + b + residual), the residual left out if nil.
// Without one the caller repeats x in its place, so that there is always an
// address to step, and the flag says not to add it.
func (g *gen) affine() {
	var floor reg.VecVirtual
	a, b := g.vectors(g.group()), g.vectors(g.group())
	g.rowKernel(rowKernel{
		name:      "affine",
		signature: "func(n int, c int, y *float32, x *float32, a *float32, b *float32, residual *float32, add int, relu int)",
		doc:       "computes max(floor, x·a + b + residual); residual is not added if add is 0.",
		channel:   []string{"a", "b"},
		cell:      []string{"y", "x", "residual"},
		setup:     func() { floor = g.floor() },
		loads:     []perChannel{{"a", a}, {"b", b}},
		row: func(u int, m *mask, at func(string) operand.Mem) {
			v := g.v()
			g.load(m, at("x"), v)
			g.VFMADD213PS(b[u], a[u], v)
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
	a, b, d := g.vectors(g.group()), g.vectors(g.group()), g.vectors(g.group())
	g.rowKernel(rowKernel{
		name:      "combine",
		signature: "func(n int, c int, y *float32, x *float32, z *float32, a *float32, b *float32, d *float32)",
		doc:       "computes y = x·a + (z·b + d).",
		channel:   []string{"a", "b", "d"},
		cell:      []string{"y", "x", "z"},
		loads:     []perChannel{{"a", a}, {"b", b}, {"d", d}},
		row: func(u int, m *mask, at func(string) operand.Mem) {
			x, z := g.v(), g.v()
			g.load(m, at("z"), z)
			g.load(m, at("x"), x)
			g.VFMADD213PS(d[u], b[u], z)
			g.VFMADD231PS(a[u], x, z)
			g.store(m, z, at("y"))
		},
	})
}

func (g *gen) addRow() {
	var floor reg.VecVirtual
	v := g.vectors(g.group())
	g.rowKernel(rowKernel{
		name:      "addRow",
		signature: "func(n int, c int, y *float32, x *float32, v *float32, relu int)",
		doc:       "computes y = max(floor, x + v).",
		channel:   []string{"v"},
		cell:      []string{"y", "x"},
		setup:     func() { floor = g.floor() },
		loads:     []perChannel{{"v", v}},
		row: func(u int, m *mask, at func(string) operand.Mem) {
			x := g.v()
			g.load(m, at("x"), x)
			g.VADDPS(v[u], x, x)
			g.VMAXPS(x, floor, x)
			g.store(m, x, at("y"))
		},
	})
}

// reductions keep one sum or maximum a channel, in the order of the rows.
func (g *gen) reductions() {
	s, mean := g.vectors(g.group()), g.vectors(g.group())
	sums := []perChannel{{"s", s}}
	g.rowKernel(rowKernel{
		name:      "sum",
		signature: "func(n int, c int, s *float32, x *float32)",
		doc:       "computes s += Σ x.",
		channel:   []string{"s"}, cell: []string{"x"},
		loads: sums, stores: sums,
		row: func(u int, m *mask, at func(string) operand.Mem) { g.add(m, at("x"), s[u]) },
	})
	g.rowKernel(rowKernel{
		name:      "max",
		signature: "func(n int, c int, s *float32, x *float32)",
		doc:       "computes s = max(s, x), x where they are equal or one is NaN.",
		channel:   []string{"s"}, cell: []string{"x"},
		loads: sums, stores: sums,
		row: func(u int, m *mask, at func(string) operand.Mem) {
			x := g.v()
			g.load(m, at("x"), x)
			g.VMAXPS(x, s[u], s[u])
		},
	})
	g.rowKernel(rowKernel{
		name:      "squares",
		signature: "func(n int, c int, s *float32, x *float32, mean *float32)",
		doc:       "computes s += Σ (x − mean)².",
		channel:   []string{"s", "mean"}, cell: []string{"x"},
		loads: []perChannel{{"s", s}, {"mean", mean}}, stores: sums,
		row: func(u int, m *mask, at func(string) operand.Mem) {
			x := g.v()
			g.load(m, at("x"), x)
			g.VSUBPS(mean[u], x, x)
			g.VFMADD231PS(x, x, s[u])
		},
	})
}

// reluProducts is the first pass of batch normalisation backward, with the ReLU
// after it.
func (g *gen) reluProducts() {
	var zero reg.VecVirtual
	s, t, mean := g.vectors(g.group()), g.vectors(g.group()), g.vectors(g.group())
	g.rowKernel(rowKernel{
		name:      "reluProducts",
		signature: "func(n int, c int, s *float32, t *float32, dz *float32, y *float32, x *float32, mean *float32)",
		doc:       "sets dz to 0 unless y > 0, then computes s += Σ dz, t += Σ dz·(x − mean).",
		channel:   []string{"s", "t", "mean"}, cell: []string{"dz", "y", "x"},
		setup: func() { zero = g.v(); g.zero(zero) },
		loads: []perChannel{{"s", s}, {"t", t}, {"mean", mean}}, stores: []perChannel{{"s", s}, {"t", t}},
		row: func(u int, m *mask, at func(string) operand.Mem) {
			x, y, dz := g.v(), g.v(), g.v()
			g.load(m, at("dz"), dz)
			g.load(m, at("y"), y)
			g.load(m, at("x"), x)
			g.whereAbove(zero, y, dz)
			g.VSUBPS(mean[u], x, x)
			g.VADDPS(dz, s[u], s[u])
			g.VFMADD231PS(x, dz, t[u])
			g.store(m, dz, at("dz"))
		},
	})
}

// poolGrad gives every row what the mean gives it, and what the maximum gives to
// the first row that has it, whose lanes of top gradient are 0 from then on.
func (g *gen) poolGrad() {
	const equal = 0 // ordered: false for NaN
	every, top, dtop := g.vectors(g.group()), g.vectors(g.group()), g.vectors(g.group())
	g.rowKernel(rowKernel{
		name:      "poolGrad",
		signature: "func(n int, c int, dx *float32, x *float32, every *float32, top *float32, dtop *float32)",
		doc:       "computes dx += every, + dtop at the first x that equals top, and sets dtop to 0 then.",
		channel:   []string{"every", "top", "dtop"}, cell: []string{"dx", "x"},
		loads: []perChannel{{"every", every}, {"top", top}, {"dtop", dtop}}, stores: []perChannel{{"dtop", dtop}},
		row: func(u int, m *mask, at func(string) operand.Mem) {
			x, dx := g.v(), g.v()
			g.load(m, at("x"), x)
			g.load(m, at("dx"), dx)
			g.VADDPS(every[u], dx, dx)
			if g.lanes == 16 {
				k := g.K()
				g.VCMPPS(operand.Imm(equal), top[u], x, k)
				g.VADDPS(dtop[u], dx, k, dx)
				g.VPXORD(dtop[u], dtop[u], k, dtop[u])
			} else {
				hit := g.v()
				g.VCMPPS(operand.Imm(equal), top[u], x, x)
				g.VANDPS(dtop[u], x, hit)
				g.VADDPS(hit, dx, dx)
				g.VANDNPS(dtop[u], x, dtop[u])
			}
			g.store(m, dx, at("dx"))
		},
	})
}

// whereAbove sets v to 0 unless y > zero, in ordered comparison: NaN is not. y is
// spoiled.
func (g *gen) whereAbove(zero, y, v reg.VecVirtual) {
	const greater = 0x1e
	if g.lanes == 16 {
		k := g.K()
		g.VCMPPS(operand.Imm(greater), zero, y, k)
		g.VMOVAPS_Z(v, k, v)
	} else {
		g.VCMPPS(operand.Imm(greater), zero, y, y)
		g.VANDPS(y, v, v)
	}
}

// reluGrad works on one long row.
func (g *gen) reluGrad() {
	var zero reg.VecVirtual
	g.rowKernel(rowKernel{
		name:      "reluGrad",
		signature: "func(n int, c int, dz *float32, dy *float32, y *float32)",
		doc:       "computes dz = dy where y > 0, else 0.",
		cell:      []string{"dz", "dy", "y"},
		setup:     func() { zero = g.v(); g.zero(zero) },
		row: func(u int, m *mask, at func(string) operand.Mem) {
			dy, y := g.v(), g.v()
			g.load(m, at("y"), y)
			g.load(m, at("dy"), dy)
			g.whereAbove(zero, y, dy)
			g.store(m, dy, at("dz"))
		},
	})
}
