package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// wholes are the kernels of networks in 16-bit integers.
func wholes(g *gen) {
	g.addRows()
	g.clip()
	g.affineWhole()
}

// addRows keeps 128 sums in registers, the last 64 apart:
//
//	for each group of columns
//	    for each row of add: sums += row
//	    for each row of sub: sums -= row
func (g *gen) addRows() {
	g.function("addRows", "func(n int, sums *int16, rows *int16, add *int32, adds int, sub *int32, subs int)",
		"adds rows of n values, a multiple of 64, to sums and subtracts others; see _asm/whole.go.")
	n, sums, rows, stride := g.arg("n"), g.arg("sums"), g.arg("rows"), g.arg("n")
	g.SHLQ(operand.Imm(1), stride)
	pass := func(bytes int) {
		acc := g.vectors(bytes / g.bytes())
		for u := range acc {
			g.load(nil, operand.Mem{Base: sums, Disp: u * g.bytes()}, acc[u])
		}
		for _, list := range []struct {
			at, count string
			op        func(...operand.Op)
		}{{"add", "adds", g.VPADDW}, {"sub", "subs", g.VPSUBW}} {
			at, left, row := g.arg(list.at), g.arg(list.count), g.GP64()
			loop := fmt.Sprintf("%s%d", list.at, bytes)
			g.TESTQ(left, left)
			g.JZ(operand.LabelRef(loop + "done"))
			g.Label(loop)
			g.MOVL(operand.Mem{Base: at}, row.As32())
			g.IMULQ(stride, row)
			g.ADDQ(rows, row)
			for u := range acc {
				list.op(operand.Mem{Base: row, Disp: u * g.bytes()}, acc[u], acc[u])
			}
			g.ADDQ(operand.Imm(4), at)
			g.repeat(left, loop)
			g.Label(loop + "done")
		}
		for u := range acc {
			g.store(nil, acc[u], operand.Mem{Base: sums, Disp: u * g.bytes()})
		}
	}
	g.SUBQ(operand.Imm(128), n)
	g.JL(operand.LabelRef("rest"))
	g.Label("columns")
	pass(256)
	g.ADDQ(operand.U32(256), sums)
	g.ADDQ(operand.U32(256), rows)
	g.SUBQ(operand.Imm(128), n)
	g.JGE(operand.LabelRef("columns"))
	g.Label("rest")
	g.ADDQ(operand.Imm(64), n)
	g.JL(operand.LabelRef("done"))
	pass(128)
	g.Label("done")
	g.end()
}

// clip goes over n values, a multiple of 64: y = min(max(x, 0), most).
func (g *gen) clip() {
	g.function("clip", "func(n int, y *int16, x *int16, most int)", "clips n values to 0 and most; see _asm/whole.go.")
	n, y, x := g.arg("n"), g.arg("y"), g.arg("x")
	most, bound, zero := g.v(), g.XMM(), g.v()
	g.VMOVD(g.arg("most").As32(), bound)
	g.VPBROADCASTW(bound, most)
	g.zero(zero)
	g.Label("values")
	for u := range 128 / g.bytes() {
		v := g.v()
		g.load(nil, operand.Mem{Base: x, Disp: u * g.bytes()}, v)
		g.VPMAXSW(zero, v, v)
		g.VPMINSW(most, v, v)
		g.store(nil, v, operand.Mem{Base: y, Disp: u * g.bytes()})
	}
	g.ADDQ(operand.U32(128), x)
	g.ADDQ(operand.U32(128), y)
	g.SUBQ(operand.Imm(64), n)
	g.JNZ(operand.LabelRef("values"))
	g.end()
}

// affineWhole computes blocks of 16 outputs, a pair of inputs at a time in all of them:
//
//	for each block
//	    for each pair: sums[o] += x[0]·w[o][0] + x[1]·w[o][1]
//	    y = bias + sums
//
// Four pairs are added up side by side, since one addition has to wait for the other.
func (g *gen) affineWhole() {
	g.function("affineWhole", "func(blocks int, pairs int, y *int32, x *int16, w *int16, bias *int32)",
		"computes y = bias + x·w for blocks of 16 outputs; see _asm/whole.go.")
	const ways = 4
	blocks, y, w, bias := g.arg("blocks"), g.arg("y"), g.arg("w"), g.arg("bias")
	vectors := 64 / g.bytes()
	g.Label("block")
	x, pairs := g.arg("x"), g.arg("pairs")
	var acc [ways][]reg.VecVirtual
	for way := range acc {
		acc[way] = g.vectors(vectors)
		for u, v := range acc[way] {
			if way == 0 {
				g.load(nil, operand.Mem{Base: bias, Disp: u * g.bytes()}, v)
			} else {
				g.zero(v)
			}
		}
	}
	step := func(way int) {
		both, t := g.v(), g.v()
		g.VPBROADCASTD(operand.Mem{Base: x, Disp: 4 * way}, both)
		for u, v := range acc[way] {
			g.VPMADDWD(operand.Mem{Base: w, Disp: 64*way + u*g.bytes()}, both, t)
			g.VPADDD(t, v, v)
		}
	}
	g.SUBQ(operand.Imm(ways), pairs)
	g.JL(operand.LabelRef("few"))
	g.Label("four")
	for way := range ways {
		step(way)
	}
	g.ADDQ(operand.Imm(4*ways), x)
	g.ADDQ(operand.U32(64*ways), w)
	g.SUBQ(operand.Imm(ways), pairs)
	g.JGE(operand.LabelRef("four"))
	g.Label("few")
	g.ADDQ(operand.Imm(ways), pairs)
	g.JZ(operand.LabelRef("done"))
	g.Label("one")
	step(0)
	g.ADDQ(operand.Imm(4), x)
	g.ADDQ(operand.Imm(64), w)
	g.repeat(pairs, "one")
	g.Label("done")
	for u := range vectors {
		g.VPADDD(acc[1][u], acc[0][u], acc[0][u])
		g.VPADDD(acc[3][u], acc[2][u], acc[2][u])
		g.VPADDD(acc[2][u], acc[0][u], acc[0][u])
		g.store(nil, acc[0][u], operand.Mem{Base: y, Disp: u * g.bytes()})
	}
	g.ADDQ(operand.Imm(64), y)
	g.ADDQ(operand.Imm(64), bias)
	g.repeat(blocks, "block")
	g.end()
}
