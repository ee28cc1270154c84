package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows8 is what surrounds the int8 convolutions. These kernels are for AVX2 and
// serve every level above it: they take little of a network's time and give the
// same bits.
func rows8(g *gen) {
	g.pool8()
	g.pool8x32()
	g.addRow8()
	g.addRow8x32()
	g.planes8()
}

// pool8 sums integers and adds them to what s has at the end.
func (g *gen) pool8() {
	sum, top := g.v(), g.v()
	g.rowKernel(rowKernel{
		name:      "int8pool",
		signature: "func(n int, c int, stride int, s *float32, m *float32, x *uint8)",
		doc:       "computes s += Σ x, m = max(m, x).",
		channel:   []string{"s", "m"},
		single:    true,
		bytes:     []string{"x"},
		begin: func(int, *mask, func(string) operand.Mem) {
			g.zero(sum)
			g.zero(top)
		},
		row: func(_ int, m *mask, at func(string) operand.Mem) {
			x := g.v()
			g.loadBytes(m, at("x"), x)
			g.VPADDD(x, sum, sum)
			g.VPMAXUD(x, top, top)
		},
		end: func(_ int, m *mask, at func(string) operand.Mem) {
			old := g.v()
			g.VCVTDQ2PS(sum, sum)
			g.add(m, at("s"), sum)
			g.store(m, sum, at("s"))
			g.VCVTDQ2PS(top, top)
			g.load(m, at("m"), old)
			g.VMAXPS(old, top, top)
			g.store(m, top, at("m"))
		},
	})
}

// pool8x32 sums in 16 bits, which hold 257 rows.
func (g *gen) pool8x32() {
	g.function("int8pool32", "func(n int, stride int, s *float32, m *float32, x *uint8)",
		"computes s += Σ x, m = max(m, x) for 32 channels of up to 257 rows. See _asm/int8rows.go.")
	n, stride, x := g.arg("n"), g.arg("stride"), g.arg("x")
	sums, top := g.vectors(2), g.v()
	for _, v := range append(sums, top) {
		g.zero(v)
	}
	g.Label("row")
	for i, sum := range sums {
		v := g.v()
		g.VPMOVZXBW(operand.Mem{Base: x, Disp: 16 * i}, v)
		g.VPADDW(v, sum, sum)
	}
	g.VPMAXUB(operand.Mem{Base: x}, top, top)
	g.ADDQ(stride, x)
	g.repeat(n, "row")
	s, m := g.arg("s"), g.arg("m")
	for i := range 4 { // eight channels
		part, v, at := g.XMM(), g.v(), 32*i
		g.VEXTRACTI128(operand.Imm(uint64(i%2)), sums[i/2].AsY(), part)
		g.VPMOVZXWD(part, v)
		g.VCVTDQ2PS(v, v)
		g.VADDPS(operand.Mem{Base: s, Disp: at}, v, v)
		g.VMOVUPS(v, operand.Mem{Base: s, Disp: at})
		g.VEXTRACTI128(operand.Imm(uint64(i/2)), top.AsY(), part)
		if i%2 == 1 {
			g.VPSRLDQ(operand.Imm(8), part, part)
		}
		g.VPMOVZXBD(part, v)
		g.VCVTDQ2PS(v, v)
		g.VMAXPS(operand.Mem{Base: m, Disp: at}, v, v)
		g.VMOVUPS(v, operand.Mem{Base: m, Disp: at})
	}
	g.end()
}

func (g *gen) addRow8() {
	scale, v := g.v(), g.v()
	var saturate func(reg.VecVirtual)
	g.rowKernel(rowKernel{
		name:      "int8addRow",
		signature: "func(n int, c int, stride int, y *uint8, x *uint8, v *float32, scale float32)",
		doc:       "computes y = saturate(x·scale + v).",
		channel:   []string{"v"},
		single:    true,
		bytes:     []string{"y", "x"},
		setup: func() {
			g.VBROADCASTSS(g.argMem("scale"), scale)
			saturate = g.saturation()
		},
		loads: []perChannel{{"v", []reg.VecVirtual{v}}},
		row: func(_ int, m *mask, at func(string) operand.Mem) {
			x := g.v()
			g.loadBytes(m, at("x"), x)
			g.VCVTDQ2PS(x, x)
			g.VMULPS(scale, x, x)
			g.VADDPS(v, x, x)
			saturate(x)
			g.storeBytes(m, x, at("y"))
		},
	})
}

// addRow8x32 packs four vectors in each lane and then puts the lanes' words in
// order.
func (g *gen) addRow8x32() {
	g.function("int8addRow32", "func(n int, stride int, y *uint8, x *uint8, v *float32, scale float32)",
		"computes y = saturate(x·scale + v) for 32 channels. See _asm/int8rows.go.")
	n, stride, y, x, v := g.arg("n"), g.arg("stride"), g.arg("y"), g.arg("x"), g.arg("v")
	scale, places, add := g.v(), g.v(), g.vectors(4)
	g.VBROADCASTSS(g.argMem("scale"), scale)
	for i, a := range add {
		g.VMOVUPS(operand.Mem{Base: v, Disp: 32 * i}, a)
	}
	number, order := g.GP64(), g.XMM()
	g.MOVQ(operand.U64(0x0703060205010400), number)
	g.VMOVQ(number, order)
	g.VPMOVZXBD(order, places)
	saturate := g.saturation()
	g.Label("row")
	fours := g.vectors(4)
	for i, f := range fours {
		g.VPMOVZXBD(operand.Mem{Base: x, Disp: 8 * i}, f)
		g.VCVTDQ2PS(f, f)
		g.VMULPS(scale, f, f)
		g.VADDPS(add[i], f, f)
		saturate(f)
	}
	g.VPACKSSDW(fours[1], fours[0], fours[0])
	g.VPACKSSDW(fours[3], fours[2], fours[2])
	g.VPACKUSWB(fours[2], fours[0], fours[0])
	g.VPERMD(fours[0], places, fours[0])
	g.VMOVUPS(fours[0], operand.Mem{Base: y})
	g.ADDQ(stride, x)
	g.ADDQ(stride, y)
	g.repeat(n, "row")
	g.end()
}

// planes8 turns four planes into groups of four channels:
//
//	for each eight cells, the last eight ending with the board
//	    word[cell] = saturate(x[0][cell]·factor[0]) | saturate(x[1][cell]·factor[1])<<8 | ...
//	    write the word of each cell to its place
func (g *gen) planes8() {
	g.function("int8planes", "func(cells int, channels int, y *uint8, x *float32, factor *float32)",
		"computes y[cell][plane] = saturate(x[plane][cell]·factor[plane]) for four planes of eight cells or more. See _asm/int8rows.go.")
	cells, channels, x, y, factor := g.arg("cells"), g.arg("channels"), g.arg("x"), g.arg("y"), g.arg("factor")
	plane, plane3, left := g.arg("cells"), g.GP64(), g.GP64()
	g.SHLQ(operand.Imm(2), plane)
	g.LEAQ(operand.Mem{Base: plane, Index: plane, Scale: 2}, plane3)
	factors := g.vectors(4)
	for i, f := range factors {
		g.VBROADCASTSS(operand.Mem{Base: factor, Disp: 4 * i}, f)
	}
	low := g.v()
	g.zero(low)
	saturate := g.saturation()
	source := []operand.Mem{
		{Base: x}, {Base: x, Index: plane, Scale: 1}, {Base: x, Index: plane, Scale: 2}, {Base: x, Index: plane3, Scale: 1},
	}
	g.MOVQ(cells, left)
	g.Label("cells")
	var word reg.VecVirtual
	for i, m := range source {
		v := g.v()
		g.VMULPS(m, factors[i], v)
		g.VMAXPS(low, v, v) // a word is put together of bytes
		saturate(v)
		if i == 0 {
			word = v
			continue
		}
		g.VPSLLD(operand.Imm(uint64(8*i)), v, v)
		g.VPOR(v, word, word)
	}
	half := g.XMM()
	g.VEXTRACTI128(operand.Imm(1), word.AsY(), half)
	to := g.GP64()
	g.MOVQ(y, to)
	for i := range 8 {
		from := word.AsX()
		if i >= 4 {
			from = half.AsX()
		}
		g.VPEXTRD(operand.Imm(uint64(i%4)), from, operand.Mem{Base: to})
		g.ADDQ(channels, to)
	}
	g.MOVQ(to, y)
	g.ADDQ(operand.Imm(32), x)
	g.SUBQ(operand.Imm(8), left)
	g.JZ(operand.LabelRef("done"))
	g.CMPQ(left, operand.Imm(8))
	g.JGE(operand.LabelRef("cells"))
	// Fewer than eight are left: step back over 8 − left cells.
	back := g.GP64()
	g.MOVQ(left, back)
	g.SUBQ(operand.Imm(8), back)
	g.LEAQ(operand.Mem{Base: x, Index: back, Scale: 4}, x)
	g.IMULQ(channels, back)
	g.ADDQ(back, y)
	g.MOVQ(operand.I32(8), left)
	g.JMP(operand.LabelRef("cells"))
	g.Label("done")
	g.end()
}
