package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// finishTile finishes the 32 channels of one cell after the other.
type finishTile struct {
	*gen
	tileConv
	cell                 reg.GPVirtual // in the table, up to end
	end                  operand.Mem
	sums                 reg.GPVirtual
	outRow, y, residual  reg.GPVirtual // of the stripe, first channel
	live                 [2]reg.OpmaskVirtual
	scale, bias          [2]reg.VecVirtual // of the stripe
	bound, residualScale reg.VecVirtual
	order                reg.VecVirtual // of the bytes, see store
	liveBytes            reg.OpmaskVirtual
}

func (g *gen) newFinish(t tileConv, order operand.Mem) *finishTile {
	f := &finishTile{gen: g, tileConv: t, cell: g.GP64(), y: g.GP64(), residual: g.GP64(), sums: g.arg("sums"), outRow: g.arg("outRow")}
	for _, r := range []reg.GPVirtual{f.cell, f.y, f.residual} {
		g.XORQ(r, r)
	}
	f.liveBytes = g.K()
	g.KXORQ(f.liveBytes, f.liveBytes, f.liveBytes)
	for i := range f.live {
		f.live[i], f.scale[i], f.bias[i] = g.K(), g.v(), g.v()
		g.KXORW(f.live[i], f.live[i], f.live[i])
		g.zero(f.scale[i])
		g.zero(f.bias[i])
	}
	if t.width == 1 {
		f.bound = g.v()
		g.everywhere(0x437f0000, f.bound) // 255
		f.residualScale = g.v()
		g.VBROADCASTSS(g.argMem("residualScale"), f.residualScale)
		f.order = g.YMM()
		g.VMOVDQU(order, f.order)
	} else {
		f.bound = g.floor()
	}
	return f
}

// begin takes over the stripe whose sums have just been stored.
func (f *finishTile) begin() {
	f.MOVQ(f.argMem("y"), f.y)
	f.MOVQ(f.argMem("residual"), f.residual)
	ones, left, m := f.GP64(), f.GP64(), f.GP64()
	f.MOVQ(operand.I32(-1), ones)
	f.MOVQ(operand.I32(32), left)
	f.MOVQ(f.argMem("out"), m)
	f.CMPQ(m, left)
	f.CMOVQLT(m, left)
	f.BZHIQ(left, ones, m)
	f.KMOVQ(m, f.liveBytes)
	f.KMOVW(m.As32(), f.live[0])
	f.SHRQ(operand.Imm(16), m)
	f.KMOVW(m.As32(), f.live[1])
	f.MOVQ(f.argMem("bias"), left)
	for i := range f.bias {
		f.VMOVUPS_Z(operand.Mem{Base: left, Disp: 64 * i}, f.live[i], f.bias[i])
	}
	if f.integers {
		f.MOVQ(f.argMem("scale"), left)
		for i := range f.scale {
			f.VMOVUPS_Z(operand.Mem{Base: left, Disp: 64 * i}, f.live[i], f.scale[i])
		}
	}
}

// next goes to the next stripe.
func (f *finishTile) next() {
	f.ADDQ(operand.I32(int32(32*f.width)), f.argMem("y"))
	f.ADDQ(operand.I32(32*4), f.argMem("bias"))
	f.SUBQ(operand.I32(32), f.argMem("out"))
	if f.integers {
		f.ADDQ(operand.I32(32*4), f.argMem("scale"))
	}
	none := f.label("residual")
	f.CMPQ(f.argMem("residual"), operand.Imm(0))
	f.JE(operand.LabelRef(none))
	f.ADDQ(operand.I32(int32(32*f.width)), f.argMem("residual"))
	f.Label(none)
}

// finish emits one cell and goes to the next.
func (f *finishTile) finish(label string) {
	var v [2]reg.VecVirtual
	at := f.GP64()
	f.MOVLQSX(operand.Mem{Base: f.cell}, at)
	for i := range v {
		v[i] = f.v()
		m := operand.Mem{Base: f.sums, Index: at, Scale: 1, Disp: 1024 * i}
		if f.integers {
			f.VCVTDQ2PS(m, v[i])
			f.VMULPS(f.scale[i], v[i], v[i])
			f.VADDPS(f.bias[i], v[i], v[i])
		} else {
			f.VADDPS(m, f.bias[i], v[i])
		}
	}
	f.MOVLQSX(operand.Mem{Base: f.cell, Disp: 4}, at)
	f.ADDQ(operand.Imm(8), f.cell)
	f.IMULQ(f.outRow, at)
	label = f.label(label)
	f.TESTQ(f.residual, f.residual)
	f.JZ(operand.LabelRef(label))
	for i := range v {
		m := operand.Mem{Base: f.residual, Index: at, Scale: 1, Disp: 16 * f.width * i}
		if f.width == 1 {
			r := f.v()
			f.VPMOVZXBD_Z(m, f.live[i], r)
			f.VCVTDQ2PS(r, r)
			f.VMULPS(f.residualScale, r, r)
			f.VADDPS(r, v[i], v[i])
		} else {
			f.VADDPS_Z(m, v[i], f.live[i], v[i])
		}
	}
	f.Label(label)
	f.store(v, operand.Mem{Base: f.y, Index: at, Scale: 1})
}

// store writes a cell's outputs. A number out of the range of an int32, and NaN,
// becomes the least one in the conversion, and then 0; so only large numbers
// need a bound before it.
func (f *finishTile) store(v [2]reg.VecVirtual, y operand.Mem) {
	if f.width == 4 {
		for i := range v {
			f.VMAXPS(v[i], f.bound, v[i])
			f.VMOVUPS(v[i], f.live[i], y.Offset(64*i))
		}
		return
	}
	for i := range v {
		f.VMINPS(v[i], f.bound, v[i]) // of NaN and another number, the second source: NaN
		f.VCVTPS2DQ(v[i], v[i])
	}
	// To 16 bits, four values of the one and four of the other by turns, then to
	// bytes, then into order.
	f.VPACKUSDW(v[1], v[0], v[0])
	bytes := f.YMM()
	f.VPMOVUSWB(v[0], bytes)
	f.VPERMD(bytes, f.order, bytes)
	f.VMOVDQU8(bytes, f.liveBytes, y)
}
