package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// finish8 emits what comes after the sums, in both forms. All of the residual
// is read before anything is written: it may be y itself.
func (g *gen) finish8(t tile, acc [][]reg.VecVirtual) {
	var tail *mask
	if t.vectors == 1 {
		tail = g.lanesBelow(g.arg("tail"))
		tail.count = g.argMem("tail")
	}
	scale, bias := g.arg("scale"), g.arg("bias")
	for v := range t.vectors {
		s, b := g.v(), g.v()
		g.load(tail, operand.Mem{Base: scale, Disp: v * g.bytes()}, s)
		g.zero(b)
		none := g.label("unbiased")
		g.TESTQ(bias, bias)
		g.JZ(operand.LabelRef(none))
		g.load(tail, operand.Mem{Base: bias, Disp: v * g.bytes()}, b)
		g.Label(none)
		for p := range acc {
			a := acc[p][v]
			g.VCVTDQ2PS(a, a)
			g.VMULPS(s, a, a)
			g.VADDPS(b, a, a)
		}
	}
	stride := g.arg("yPixel")
	each := func(name string, bytes int, f func(acc reg.VecVirtual, m operand.Mem)) {
		base := g.arg(name)
		for p := range acc {
			for v := range acc[p] {
				f(acc[p][v], operand.Mem{Base: base, Disp: v * bytes})
			}
			g.ADDQ(stride, base)
		}
	}
	g.CMPQ(g.argMem("floats"), operand.Imm(0))
	g.JEQ(operand.LabelRef("bytes"))
	floor := g.floor()
	each("y", g.bytes(), func(a reg.VecVirtual, m operand.Mem) {
		g.VMAXPS(a, floor, a)
		g.store(tail, a, m)
	})
	g.end()

	g.Label("bytes")
	g.CMPQ(g.argMem("residual"), operand.Imm(0))
	g.JEQ(operand.LabelRef("summed"))
	factor := g.v()
	g.VBROADCASTSS(g.argMem("residualScale"), factor)
	each("residual", g.lanes, func(a reg.VecVirtual, m operand.Mem) {
		r := g.v()
		g.loadBytes(tail, m, r)
		g.VCVTDQ2PS(r, r)
		g.VMULPS(factor, r, r)
		g.VADDPS(r, a, a)
	})
	g.Label("summed")
	saturate := g.saturation()
	each("y", g.lanes, func(a reg.VecVirtual, m operand.Mem) {
		saturate(a)
		g.storeBytes(tail, a, m)
	})
	g.end()
}

// saturation prepares the conversion of floats to integers for storeBytes, which
// bounds them on one side; this does on the other. Rounding is to the nearest,
// halves to even, as Go programs have it set. A maximum or minimum of which one
// is NaN is its second source, the first operand here.
//
// AVX-512 stores unsigned integers, so negative ones and NaN become 0 here, and
// what is too large for 32 bits becomes 2^31. AVX2 packs signed integers; NaN
// and what is far below 0 becomes -2^31.
func (g *gen) saturation() func(v reg.VecVirtual) {
	bound := g.v()
	if g.lanes == 16 {
		g.zero(bound)
		return func(v reg.VecVirtual) {
			g.VMAXPS(bound, v, v)
			g.VCVTPS2DQ(v, v)
		}
	}
	g.everywhere(math.Float32bits(255), bound)
	return func(v reg.VecVirtual) {
		g.VMINPS(v, bound, v)
		g.VCVTPS2DQ(v, v)
	}
}

// loadBytes reads a byte for each lane of a vector of 32-bit integers; those
// outside the mask are not read and become 0.
func (g *gen) loadBytes(m *mask, from operand.Mem, to reg.VecVirtual) {
	switch {
	case m == nil:
		g.VPMOVZXBD(from, to)
	case g.lanes == 16:
		g.VPMOVZXBD_Z(from, m.k, to)
	default: // from the last byte to the first
		word, left, x := g.GP64(), g.GP64(), g.XMM()
		g.XORQ(word, word)
		g.MOVQ(m.count, left)
		loop := g.label("load")
		g.Label(loop)
		g.SHLQ(operand.Imm(8), word)
		from.Index, from.Scale, from.Disp = left, 1, from.Disp-1
		g.MOVB(from, word.As8())
		g.repeat(left, loop)
		g.VMOVQ(word, x)
		g.VPMOVZXBD(x, to)
	}
}

// storeBytes writes a byte for each lane inside the mask, from what saturation
// made; from is spoiled.
func (g *gen) storeBytes(m *mask, from reg.VecVirtual, to operand.Mem) {
	if g.lanes == 16 {
		if m == nil {
			g.VPMOVUSDB(from, to)
		} else {
			g.VPMOVUSDB(from, m.k, to)
		}
		return
	}
	x, high := from.AsX(), g.XMM()
	g.VEXTRACTI128(operand.Imm(1), from.AsY(), high)
	g.VPACKUSDW(high, x, x)
	g.VPACKUSWB(x, x, x)
	if m == nil {
		g.VMOVQ(x, to)
		return
	}
	word, left := g.GP64(), g.GP64()
	g.VMOVQ(x, word)
	g.XORQ(left, left)
	loop := g.label("store")
	g.Label(loop)
	to.Index, to.Scale = left, 1
	g.MOVB(word.As8(), to)
	g.SHRQ(operand.Imm(8), word)
	g.INCQ(left)
	g.CMPQ(left, m.count)
	g.JNE(operand.LabelRef(loop))
}
