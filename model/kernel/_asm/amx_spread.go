package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// spread copies a board to where the tiles read it, a column of zeros on either
// side of each row, each pixel filled up with zeros to whole chunks of 64 bytes.
// step is the way from pixel to pixel of the copy. Values of four bytes are
// float32 and are rounded to bfloat16 on the way.
//
//	for each row
//	    zeros
//	    for each column: for each chunk: s = x, the last one masked
//	    zeros
func (g *gen) spread(name string, bytes, values int) {
	pointer := map[int]string{1: "*uint8", 4: "*float32"}[bytes]
	g.function(name, "func(rows int, columns int, in int, x "+pointer+", s *byte, step int)", "copies one board; see _asm/amx_spread.go.")
	rows, x, s := g.arg("rows"), g.arg("x"), g.arg("s")
	step := g.arg("step")

	// The values of the last chunk, if it is not full.
	tail, ones, bits := g.GP64(), g.GP64(), g.GP64()
	g.MOVQ(g.argMem("in"), tail)
	g.ANDQ(operand.I32(int32(values-1)), tail)
	g.MOVQ(operand.I32(-1), ones)
	g.BZHIQ(tail, ones, bits)
	low, high := g.K(), g.K()
	g.KMOVQ(bits, low)
	g.SHRQ(operand.Imm(16), bits)
	g.KMOVQ(bits, high)

	zero := g.v()
	g.zero(zero)
	at, full := g.GP64(), g.GP64()
	chunks := func(label string, chunk, rest func()) {
		g.MOVQ(s, at)
		g.MOVQ(g.argMem("in"), full)
		g.SUBQ(operand.I32(int32(values)), full)
		g.JL(operand.LabelRef(label + "tail"))
		g.Label(label)
		chunk()
		g.ADDQ(operand.I32(64), at)
		g.SUBQ(operand.I32(int32(values)), full)
		g.JGE(operand.LabelRef(label))
		g.Label(label + "tail")
		g.TESTQ(tail, tail)
		g.JZ(operand.LabelRef(label + "end"))
		rest()
		g.Label(label + "end")
		g.ADDQ(step, s)
	}
	border := func(label string) {
		put := func() { g.VMOVUPS(zero, operand.Mem{Base: at}) }
		chunks(label, put, put)
	}

	g.Label("row")
	border("left")
	column := g.arg("columns")
	g.Label("column")
	chunks("cell", func() {
		if bytes == 1 {
			v := g.v()
			g.VMOVUPS(operand.Mem{Base: x}, v)
			g.VMOVUPS(v, operand.Mem{Base: at})
		} else {
			g.VMOVUPS(operand.Mem{Base: x}, narrowLow)
			g.VMOVUPS(operand.Mem{Base: x, Disp: 64}, narrowHigh)
			g.narrow(at)
		}
		g.ADDQ(operand.I32(int32(values*bytes)), x)
	}, func() {
		if bytes == 1 {
			v := g.v()
			g.VMOVDQU8_Z(operand.Mem{Base: x}, low, v)
			g.VMOVUPS(v, operand.Mem{Base: at})
		} else {
			g.VMOVUPS_Z(operand.Mem{Base: x}, low, narrowLow)
			g.VMOVUPS_Z(operand.Mem{Base: x, Disp: 64}, high, narrowHigh)
			g.narrow(at)
		}
		g.LEAQ(operand.Mem{Base: x, Index: tail, Scale: uint8(bytes)}, x)
	})
	g.repeat(column, "column")
	border("right")
	g.repeat(rows, "row")
	g.end()
}

// The registers of VCVTNE2PS2BF16, which Go's assembler does not know: bytes
// need numbers.
var narrowLow, narrowHigh, narrowed = reg.Z0, reg.Z1, reg.Z2

// narrow rounds the 32 numbers of narrowLow and narrowHigh to bfloat16.
func (g *gen) narrow(to reg.GPVirtual) {
	// EVEX.512.F2.0F38.W0 72 /r: the upper half of the result is the first
	// source, vvvv, the lower half the second.
	raw(g.Context, "VCVTNE2PS2BF16 Z0, Z1, Z2", []byte{0x62, 0xf2, 0x77, 0x48, 0x72, 0xd0},
		[]operand.Op{narrowLow, narrowHigh}, []operand.Op{narrowed})
	g.VMOVUPS(narrowed, operand.Mem{Base: to})
}
