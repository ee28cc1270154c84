package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The weight gradient by Winograd's F(4×4, 3×3), after Lavin, Gray 2015 (Fast
// Algorithms for Convolutional Neural Networks), transposed. Their output tile
// is Y = Aᵀ[(G g Gᵀ) ⊙ (Bᵀ d B)]A, so that
//
//	dg = Gᵀ[Σ over tiles and positions of (Bᵀ d B) ⊙ (A dY Aᵀ)]G
//
// with d the 6×6 pixels of the input around a tile and dY the 4×4 gradients of
// its output. The three functions here are the transformations, one vector of
// channels after the other; what stands between them is 36 products of
// matrices. Each works on columns first, into tmp, then on rows.
func winogradGradients(g *gen) {
	g.gradientTile("gradientInput", "computes Bᵀ d B of one tile, d 6×6 pixels.", 6, g.inputSide)
	g.gradientTile("gradientOutput", "computes A dY Aᵀ of one tile, dY 4×4 pixels.", 4, g.outputSide)
	g.gradientWeights()
	if g.lanes == 16 {
		g.gradientProducts(2)
		g.gradientProducts(1)
	}
}

// gradientProducts adds the products of tiles, at least one, to sums of 8 input
// channels by one or two vectors of output channels, blocks times over with 8
// more input channels each:
//
//	sum[i][o] += Σ over tiles of v[tile][i] · z[tile][o]
//
// All blocks are one call, so that the processor begins the next one while it
// still writes the last. There is no such function for AVX2, whose registers
// hold 6 by 2: the gradient functions serve it.
func (g *gen) gradientProducts(vectors int) {
	const channels, unroll = 8, 2
	g.function(fmt.Sprintf("gradientProducts%d", vectors),
		"func(blocks int, tiles int, v *float32, z *float32, sum *float32, vTile int, zTile int)",
		"adds v'z to sum; see _asm/gradient_winograd.go. vTile and zTile are distances in bytes.")
	blocks, vs, zs, sum := g.arg("blocks"), g.arg("v"), g.arg("z"), g.arg("sum")
	vTile, zTile := g.arg("vTile"), g.arg("zTile")
	x, d, tiles := g.GP64(), g.GP64(), g.GP64()
	acc := make([][]reg.VecVirtual, channels)
	for i := range acc {
		acc[i] = g.vectors(vectors)
	}
	at := g.multiples(sum, zTile, channels) // a row of sum is as long as one of z
	each := func(f func(a reg.VecVirtual, m operand.Mem)) {
		for i := range acc {
			for v, a := range acc[i] {
				m := at(i)
				m.Disp = v * g.bytes()
				f(a, m)
			}
		}
	}
	step := func() {
		ds := g.vectors(vectors)
		for v := range ds {
			g.VMOVUPS(operand.Mem{Base: d, Disp: v * g.bytes()}, ds[v])
		}
		for i := range acc {
			b := g.v()
			g.VBROADCASTSS(operand.Mem{Base: x, Disp: 4 * i}, b)
			for v := range ds {
				g.VFMADD231PS(ds[v], b, acc[i][v])
			}
		}
		g.ADDQ(vTile, x)
		g.ADDQ(zTile, d)
	}
	g.Label("block")
	each(func(a reg.VecVirtual, m operand.Mem) {
		g.PREFETCHT0(m)
		g.zero(a)
	})
	g.MOVQ(vs, x)
	g.MOVQ(zs, d)
	g.MOVQ(g.argMem("tiles"), tiles)
	g.SUBQ(operand.Imm(unroll), tiles)
	g.JL(operand.LabelRef("rest"))
	g.Label("tiles")
	for range unroll {
		step()
	}
	g.SUBQ(operand.Imm(unroll), tiles)
	g.JGE(operand.LabelRef("tiles"))
	g.Label("rest")
	g.ADDQ(operand.Imm(unroll), tiles)
	g.JZ(operand.LabelRef("summed"))
	step()
	g.Label("summed")
	each(func(a reg.VecVirtual, m operand.Mem) {
		g.VADDPS(m, a, a)
		g.VMOVUPS(a, m)
	})
	g.ADDQ(operand.Imm(4*channels), vs)
	g.LEAQ(operand.Mem{Base: sum, Index: zTile, Scale: 8}, sum)
	g.repeat(blocks, "block")
	g.end()
}

// side is one multiplication by a matrix from the left: it makes out, one after
// another, from d.
type side func(d []reg.VecVirtual, out func(i int, v reg.VecVirtual))

// copied returns a fresh copy of v.
func (g *gen) copied(v reg.VecVirtual) reg.VecVirtual {
	c := g.v()
	g.VMOVAPS(v, c)
	return c
}

// constant returns a vector of x.
func (g *gen) constant(bits uint32) reg.VecVirtual {
	v := g.v()
	g.everywhere(bits, v)
	return v
}

// inputSide is Bᵀ:
//
//	4d0 − 5d2 + d4,  (d4 − 4d2) ± (d3 − 4d1),  (d4 − d2) ± 2(d3 − d1),  4d1 − 5d3 + d5
func (g *gen) inputSide() side {
	two, four, five := g.constant(0x40000000), g.constant(0x40800000), g.constant(0x40a00000)
	return func(d []reg.VecVirtual, out func(int, reg.VecVirtual)) {
		t := g.copied(d[4])
		g.VFNMADD231PS(five, d[2], t)
		g.VFMADD231PS(four, d[0], t)
		out(0, t)
		a, b := g.copied(d[4]), g.copied(d[3])
		g.VFNMADD231PS(four, d[2], a)
		g.VFNMADD231PS(four, d[1], b)
		t = g.v()
		g.VADDPS(b, a, t)
		out(1, t)
		g.VSUBPS(b, a, a)
		out(2, a)
		e, f := g.v(), g.v()
		g.VSUBPS(d[2], d[4], e)
		g.VSUBPS(d[1], d[3], f)
		t = g.copied(e)
		g.VFMADD231PS(two, f, t)
		out(3, t)
		g.VFNMADD231PS(two, f, e)
		out(4, e)
		t = g.copied(d[5])
		g.VFNMADD231PS(five, d[3], t)
		g.VFMADD231PS(four, d[1], t)
		out(5, t)
	}
}

// outputSide is A:
//
//	d0,  (d0 + d2) ± (d1 + d3),  (d0 + 4d2) ± (2d1 + 8d3),  d3
func (g *gen) outputSide() side {
	two, four, eight := g.constant(0x40000000), g.constant(0x40800000), g.constant(0x41000000)
	return func(d []reg.VecVirtual, out func(int, reg.VecVirtual)) {
		out(0, d[0])
		a, b, t := g.v(), g.v(), g.v()
		g.VADDPS(d[2], d[0], a)
		g.VADDPS(d[3], d[1], b)
		g.VADDPS(b, a, t)
		out(1, t)
		g.VSUBPS(b, a, a)
		out(2, a)
		e, f := g.copied(d[0]), g.v()
		g.VFMADD231PS(four, d[2], e)
		g.VMULPS(eight, d[3], f)
		g.VFMADD231PS(two, d[1], f)
		t = g.v()
		g.VADDPS(f, e, t)
		out(3, t)
		g.VSUBPS(f, e, e)
		out(4, e)
		out(5, d[3])
	}
}

// gradientTile turns size × size pixels into 36 values a channel. n counts
// vectors of channels; pixels are xPixel bytes apart, rows of them xRow, the
// results vStep.
func (g *gen) gradientTile(name, doc string, size int, matrix func() side) {
	g.function(name, "func(n int, x *float32, v *float32, tmp *float32, xRow int, xPixel int, vStep int)",
		doc+" See _asm/gradient_winograd.go.")
	apply := matrix()
	x, v, tmp := g.arg("x"), g.arg("v"), g.arg("tmp")
	row, pixel, step, n := g.arg("xRow"), g.arg("xPixel"), g.arg("vStep"), g.arg("n")
	base := g.GP64()
	at := g.multiples(base, row, size)
	kept := func(i, j int) operand.Mem { return operand.Mem{Base: tmp, Disp: (i*size + j) * g.bytes()} }
	g.Label("channels")
	g.MOVQ(x, base)
	for j := range size {
		d := g.vectors(size)
		for i := range d {
			g.VMOVUPS(at(i), d[i])
		}
		apply(d, func(i int, t reg.VecVirtual) { g.VMOVUPS(t, kept(i, j)) })
		if j < size-1 {
			g.ADDQ(pixel, base)
		}
	}
	g.MOVQ(v, base)
	for i := range 6 {
		d := g.vectors(size)
		for j := range d {
			g.VMOVUPS(kept(i, j), d[j])
		}
		apply(d, func(_ int, t reg.VecVirtual) {
			g.VMOVUPS(t, operand.Mem{Base: base})
			g.ADDQ(step, base)
		})
	}
	g.ADDQ(operand.Imm(uint64(g.bytes())), x)
	g.ADDQ(operand.Imm(uint64(g.bytes())), v)
	g.repeat(n, "channels")
	g.end()
}

// gradientWeights adds Gᵀ u G to dw, for n channels one after another. Gᵀ is
//
//	u0/4 − (u1 + u2)/6 + (u3 + u4)/24
//	(u2 − u1)/6 + (u3 − u4)/12
//	u5 − (u1 + u2)/6 + (u3 + u4)/6
//
// The nine values of dw are dwStep bytes apart, the 36 of u uStep.
func (g *gen) gradientWeights() {
	g.function("gradientWeights", "func(n int, u *float32, dw *float32, tmp *float32, uStep int, dwStep int)",
		"adds Gᵀ u G to dw for n channels. See _asm/gradient_winograd.go.")
	quarter, sixth, twelfth, part := g.constant(0x3e800000), g.constant(0x3e2aaaab), g.constant(0x3daaaaab), g.constant(0x3d2aaaab)
	apply := func(d []reg.VecVirtual, out func(int, reg.VecVirtual)) {
		a, b := g.v(), g.v()
		g.VADDPS(d[2], d[1], a)
		g.VADDPS(d[4], d[3], b)
		g.VMULPS(quarter, d[0], d[0])
		g.VFNMADD231PS(sixth, a, d[0])
		g.VFMADD231PS(part, b, d[0])
		out(0, d[0])
		g.VSUBPS(d[1], d[2], d[2])
		g.VSUBPS(d[4], d[3], d[3])
		g.VMULPS(sixth, d[2], d[2])
		g.VFMADD231PS(twelfth, d[3], d[2])
		out(1, d[2])
		g.VSUBPS(a, b, b)
		g.VFMADD231PS(sixth, b, d[5])
		out(2, d[5])
	}
	u, dw, tmp := g.arg("u"), g.arg("dw"), g.arg("tmp")
	step, dwStep, n := g.arg("uStep"), g.arg("dwStep"), g.arg("n")
	row := g.GP64()
	g.LEAQ(operand.Mem{Base: step, Index: step, Scale: 2}, row)
	g.SHLQ(operand.Imm(1), row)
	base := g.GP64()
	at := g.multiples(base, row, 6)
	kept := func(i, j int) operand.Mem { return operand.Mem{Base: tmp, Disp: (i*6 + j) * g.bytes()} }
	pass := func(m *mask) {
		g.MOVQ(u, base)
		for j := range 6 {
			d := g.vectors(6)
			for i := range d {
				g.load(m, at(i), d[i])
			}
			apply(d, func(i int, t reg.VecVirtual) { g.VMOVUPS(t, kept(i, j)) })
			if j < 5 {
				g.ADDQ(step, base)
			}
		}
		g.MOVQ(dw, base)
		for i := range 3 {
			d := g.vectors(6)
			for j := range d {
				g.VMOVUPS(kept(i, j), d[j])
			}
			apply(d, func(_ int, t reg.VecVirtual) {
				g.add(m, operand.Mem{Base: base}, t)
				g.store(m, t, operand.Mem{Base: base})
				g.ADDQ(dwStep, base)
			})
		}
	}
	g.overLanes(n, "done", func() *mask { return g.lanesBelow(n) }, []reg.GPVirtual{u, dw}, pass)
	g.Label("done")
	g.end()
}
