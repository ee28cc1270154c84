package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// multiplyTiles lists the numbers of rows for each number of vectors, as
// products does.
func (g *gen) multiplyTiles() [][]int {
	if g.lanes == 16 {
		return [][]int{{12, 8, 4, 2, 1}, {12, 8, 4, 2, 1}}
	}
	return [][]int{{6, 4, 2, 1}, {6, 4, 2, 1}, {4, 2, 1}}
}

// multiply is products of matrices by panels of weights, each of which stays in
// the first-level cache meanwhile:
//
//	for each matrix, xStep, wStep and yStep further on each time
//	    for each panel
//	        for each group of rows
//	            acc[r][v] = 0
//	            for each input i
//	                acc[r][v] += x[r][i] · w[i][v]
//	                prefetch a line of the weights that are ahead by so much
//	            y[r][v] = acc[r][v]
//
// Weights come from the third-level cache if there are several layers of them,
// and the processor's own prefetching does not see far enough. All is one call,
// because two calls a matrix took some percent of the time.
func (g *gen) multiply(rows, vectors int) {
	const unroll = 2
	g.function(fmt.Sprintf("multiply%dx%d", rows, vectors),
		"func(matrices int, panels int, groups int, n int, x *float32, xStep int, w *float32, wStep int, y *float32, yStep int, yRow int, tail int, ahead int)",
		"multiplies groups of rows by panels of weights; see _asm/multiply.go. Steps, yRow and ahead are in bytes.")
	var tail *mask
	if vectors == 1 {
		tail = g.lanesBelow(g.arg("tail"))
	}
	acc := make([][]reg.VecVirtual, rows)
	for r := range acc {
		acc[r] = g.vectors(vectors)
	}
	row, left, base, w, ahead, counter := g.arg("n"), g.GP64(), g.GP64(), g.GP64(), g.GP64(), g.GP64()
	y := g.GP64()
	g.SHLQ(operand.Imm(2), row)
	at := g.multiples(base, row, rows)
	step := vectors * g.bytes()
	multiplyAdd := func(u int) {
		ws := g.vectors(vectors)
		for v := range ws {
			g.VMOVUPS(operand.Mem{Base: w, Disp: u*step + v*g.bytes()}, ws[v])
		}
		for r := range acc {
			xs := g.v()
			m := at(r)
			m.Disp = 4 * u
			g.VBROADCASTSS(m, xs)
			for v := range ws {
				g.VFMADD231PS(ws[v], xs, acc[r][v])
			}
		}
		g.PREFETCHT1(operand.Mem{Base: ahead, Disp: 64 * u})
	}
	// Arguments that move, and counters of the outer loops, stay on the stack.
	matrixW, matrixY, panels, groups := g.AllocLocal(8), g.AllocLocal(8), g.AllocLocal(8), g.AllocLocal(8)
	move := func(from, to operand.Mem) {
		g.MOVQ(from, counter)
		g.MOVQ(counter, to)
	}
	move(g.argMem("w"), matrixW)
	move(g.argMem("y"), matrixY)
	g.Label("matrix")
	move(g.argMem("panels"), panels)
	g.Label("panel")
	move(g.argMem("groups"), groups)
	g.MOVQ(g.argMem("x"), base)
	g.MOVQ(g.argMem("y"), y)
	g.MOVQ(g.argMem("w"), ahead)
	g.ADDQ(g.argMem("ahead"), ahead)
	g.Label("group")
	for r := range acc {
		for _, a := range acc[r] {
			g.zero(a)
		}
	}
	g.MOVQ(g.argMem("w"), w)
	g.MOVQ(g.argMem("n"), left)
	g.SUBQ(operand.Imm(unroll), left)
	g.JL(operand.LabelRef("rest"))
	g.Label("pair")
	for u := range unroll {
		multiplyAdd(u)
	}
	g.ADDQ(operand.Imm(4*unroll), base)
	g.ADDQ(operand.I32(unroll*step), w)
	g.ADDQ(operand.I32(64*unroll), ahead)
	g.SUBQ(operand.Imm(unroll), left)
	g.JGE(operand.LabelRef("pair"))
	g.Label("rest")
	g.ADDQ(operand.Imm(unroll), left)
	g.JZ(operand.LabelRef("done"))
	multiplyAdd(0)
	g.ADDQ(operand.Imm(4), base)
	g.ADDQ(operand.I32(int32(step)), w)
	g.Label("done")
	for r := range acc {
		for v, a := range acc[r] {
			g.store(tail, a, operand.Mem{Base: y, Disp: v * g.bytes()})
		}
		g.ADDQ(g.argMem("yRow"), y)
	}
	// base stands at the end of the group's first row.
	for range rows - 1 {
		g.ADDQ(row, base)
	}
	g.repeat(groups, "group")
	g.MOVQ(w, g.argMem("w"))
	g.ADDQ(operand.I32(int32(step)), g.argMem("y"))
	g.repeat(panels, "panel")
	next := func(start operand.Mem, name, step string) {
		g.MOVQ(start, counter)
		g.ADDQ(g.argMem(step), counter)
		g.MOVQ(counter, start)
		g.MOVQ(counter, g.argMem(name))
	}
	next(matrixW, "w", "wStep")
	next(matrixY, "y", "yStep")
	g.MOVQ(g.argMem("xStep"), counter)
	g.ADDQ(counter, g.argMem("x"))
	g.repeat(g.argMem("matrices"), "matrix")
	g.end()
}
