package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The gradient by the weights of one tap, for a few input channels i and one
// or two vectors of output channels, kept in registers:
//
//	acc[i][v] = 0
//	for each board, row and column
//	    acc[i][v] += x[pixel + tap][i] · dy[pixel][v]
//	dw[i][v] += acc[i][v]
//
// dw is read last, and asked for first: a sum that began with it would wait for
// the second-level cache, and would be less exact over a large batch.
//
// The caller points x and dy at the first pixel for which the tap is on the
// board, and counts rows and columns accordingly. A linear layer is one board
// of one row.
func gradients(g *gen) {
	channels := []int{8, 4, 2, 1}
	if g.lanes == 8 {
		channels = []int{6, 4, 2, 1}
	}
	for _, n := range channels {
		g.gradient(n, 1)
		g.gradient(n, 2)
	}
}

func (g *gen) gradient(channels, vectors int) {
	g.function(fmt.Sprintf("gradient%dx%d", channels, vectors),
		"func(boards int, rows int, columns int, x *float32, dy *float32, dw *float32, xPixel int, xRow int, xBoard int, dyPixel int, dyRow int, dyBoard int, dwRow int, tail int)",
		"is the weight gradient of a few channels; see _asm/gradient.go. Strides are in bytes.")
	var tail *mask
	if vectors == 1 {
		tail = g.lanesBelow(g.arg("tail"))
	}
	acc := make([][]reg.VecVirtual, channels)
	each := func(f func(a reg.VecVirtual, m operand.Mem)) {
		dw, stride := g.arg("dw"), g.arg("dwRow")
		for i := range acc {
			for v := range acc[i] {
				f(acc[i][v], operand.Mem{Base: dw, Disp: v * g.bytes()})
			}
			g.ADDQ(stride, dw)
		}
	}
	for i := range acc {
		for range vectors {
			acc[i] = append(acc[i], g.v())
		}
	}
	for i := range acc {
		for _, a := range acc[i] {
			g.zero(a)
		}
	}
	each(func(_ reg.VecVirtual, m operand.Mem) { g.PREFETCHT0(m) })
	boards, xBoard, dyBoard := g.arg("boards"), g.arg("x"), g.arg("dy")
	xPixel, dyPixel := g.arg("xPixel"), g.arg("dyPixel")
	rows, columns := g.GP64(), g.GP64()
	xRow, dyRow, x, dy := g.GP64(), g.GP64(), g.GP64(), g.GP64()
	g.Label("board")
	g.MOVQ(xBoard, xRow)
	g.MOVQ(dyBoard, dyRow)
	g.MOVQ(g.argMem("rows"), rows)
	g.Label("row")
	g.MOVQ(xRow, x)
	g.MOVQ(dyRow, dy)
	g.MOVQ(g.argMem("columns"), columns)
	g.Label("column")
	ds := make([]reg.VecVirtual, vectors)
	for v := range ds {
		ds[v] = g.v()
		g.load(tail, operand.Mem{Base: dy, Disp: v * g.bytes()}, ds[v])
	}
	for i := range acc {
		xs := g.v()
		g.VBROADCASTSS(operand.Mem{Base: x, Disp: 4 * i}, xs)
		for v := range ds {
			g.VFMADD231PS(ds[v], xs, acc[i][v])
		}
	}
	g.ADDQ(xPixel, x)
	g.ADDQ(dyPixel, dy)
	g.repeat(columns, "column")
	g.ADDQ(g.argMem("xRow"), xRow)
	g.ADDQ(g.argMem("dyRow"), dyRow)
	g.repeat(rows, "row")
	g.ADDQ(g.argMem("xBoard"), xBoard)
	g.ADDQ(g.argMem("dyBoard"), dyBoard)
	g.repeat(boards, "board")

	each(func(a reg.VecVirtual, m operand.Mem) {
		g.add(tail, m, a)
		g.store(tail, a, m)
	})
	g.end()
}
