package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A tile is the outputs of neighbouring pixels times one to three vectors
// of output channels, all kept in registers:
//
//	acc[p][v] = bias[v]
//	for each tap row that is on the board, for each tap of the row
//	    for each input channel i
//	        for each pixel p whose tap is on the board
//	            acc[p][v] += x[p + tap][i] · w[tap row][tap][i][v]
//	y[p][v] = max(floor, acc[p][v] + residual[p][v])
//
// Taps off the left and right edge are left out when the code is generated, tap
// rows off the board by the caller. With one tap a tile is a piece of a matrix
// product. The order of a sum is the same in every tile.
type tile struct {
	pixels, vectors int
	taps            int // per row: 3, or 1
	left, right     bool
}

func (t tile) name() string {
	if t.taps == 1 {
		return fmt.Sprintf("product%dx%d", t.pixels, t.vectors)
	}
	edges := ""
	if t.left {
		edges += "L"
	}
	if t.right {
		edges += "R"
	}
	return fmt.Sprintf("conv%dx%d%s", t.pixels, t.vectors, edges)
}

// tiles lists what fits in the registers: the sums, the weights of one input
// channel and one pixel. A tile wants eight sums at least, or else it waits for
// the multiply-add units' latency (4 cycles, two a cycle).
//
// AVX-512 has 32 registers: whole rows of up to 13 pixels by two vectors. AVX2
// has 16: pieces of a row by two or three vectors. By one vector, for the last
// channels, both take whole rows.
func tiles(g *gen) {
	for w := 3; w <= 13; w++ {
		g.tile(tile{w, 1, 3, true, true})
	}
	if g.lanes == 16 {
		for w := 3; w <= 13; w++ {
			g.tile(tile{w, 2, 3, true, true})
		}
		g.products(1, 12, 8, 4, 2, 1)
		g.products(2, 12, 8, 4, 2, 1)
		return
	}
	// The left edge takes the longest pieces, see tiles_amd64.go.
	for _, t := range []tile{
		{3, 2, 3, true, true}, {4, 2, 3, true, true}, {5, 2, 3, true, true}, {6, 2, 3, true, true},
		{4, 2, 3, true, false}, {5, 2, 3, true, false}, {6, 2, 3, true, false},
		{4, 2, 3, false, false},
		{3, 2, 3, false, true}, {4, 2, 3, false, true}, {5, 2, 3, false, true}, {6, 2, 3, false, true},
		{3, 3, 3, true, true}, {4, 3, 3, true, true},
		{3, 3, 3, true, false}, {4, 3, 3, true, false},
		{3, 3, 3, false, false}, {4, 3, 3, false, false},
		{2, 3, 3, false, true}, {3, 3, 3, false, true}, {4, 3, 3, false, true},
	} {
		g.tile(t)
	}
	g.products(1, 6, 4, 2, 1)
	g.products(2, 6, 4, 2, 1)
	g.products(3, 4, 2, 1)
}

func (g *gen) products(vectors int, rows ...int) {
	for _, n := range rows {
		g.tile(tile{n, vectors, 1, false, false})
	}
}

func (g *gen) tile(t tile) {
	g.function(t.name(),
		"func(tapRows int, n int, x *float32, w *float32, bias *float32, residual *float32, y *float32, xRow int, yPixel int, tail int, relu int)",
		"is one tile; see _asm/tile.go. xRow, yPixel: bytes from row to row of x, from pixel to pixel of y.")
	bias := g.arg("bias")
	var tail *mask
	if t.vectors == 1 {
		tail = g.lanesBelow(g.arg("tail"))
	}
	acc := g.accumulators(t, bias, tail)
	g.sums(t, acc)
	g.finish(t, acc, tail)
	g.end()
}

func (g *gen) accumulators(t tile, bias reg.GPVirtual, tail *mask) [][]reg.VecVirtual {
	acc := make([][]reg.VecVirtual, t.pixels)
	for p := range acc {
		for range t.vectors {
			acc[p] = append(acc[p], g.v())
		}
	}
	for v := range t.vectors {
		g.zero(acc[0][v])
	}
	g.TESTQ(bias, bias)
	g.JZ(operand.LabelRef("biased"))
	for v := range t.vectors {
		g.load(tail, operand.Mem{Base: bias, Disp: v * g.bytes()}, acc[0][v])
	}
	g.Label("biased")
	for p := 1; p < t.pixels; p++ {
		for v := range t.vectors {
			g.VMOVAPS(acc[0][v], acc[p][v])
		}
	}
	return acc
}

// sums emits the loops over tap rows, taps and input channels.
func (g *gen) sums(t tile, acc [][]reg.VecVirtual) {
	const unroll = 2
	tapRows, x, w := g.arg("tapRows"), g.arg("x"), g.arg("w")
	pixel := g.arg("n")
	g.SHLQ(operand.Imm(2), pixel)
	step := t.vectors * g.bytes()
	base, left := g.GP64(), g.GP64()
	inputs := t.pixels
	before := 0 // input pixels before the first output pixel
	if t.taps == 3 && !t.left {
		inputs++
		before = 1
	}
	if t.taps == 3 && !t.right {
		inputs++
	}
	at := g.multiples(base, pixel, inputs)

	multiplyAdd := func(tap, u int) {
		ws := make([]reg.VecVirtual, t.vectors)
		for v := range ws {
			ws[v] = g.v()
			g.VMOVUPS(operand.Mem{Base: w, Disp: u*step + v*g.bytes()}, ws[v])
		}
		for p := range acc {
			in := p + before + tap - t.taps/2
			if in < 0 || in >= inputs {
				continue
			}
			xs := g.v()
			m := at(in)
			m.Disp = 4 * u
			g.VBROADCASTSS(m, xs)
			for v := range ws {
				g.VFMADD231PS(ws[v], xs, acc[p][v])
			}
		}
	}
	g.Label("taprow")
	for tap := range t.taps {
		pair, rest, one, done := fmt.Sprintf("pair%d", tap), fmt.Sprintf("rest%d", tap), fmt.Sprintf("one%d", tap), fmt.Sprintf("done%d", tap)
		g.MOVQ(x, base)
		g.MOVQ(g.argMem("n"), left)
		g.SUBQ(operand.Imm(unroll), left)
		g.JL(operand.LabelRef(rest))
		g.Label(pair)
		for u := range unroll {
			multiplyAdd(tap, u)
		}
		g.ADDQ(operand.Imm(4*unroll), base)
		g.ADDQ(operand.I32(unroll*step), w)
		g.SUBQ(operand.Imm(unroll), left)
		g.JGE(operand.LabelRef(pair))
		g.Label(rest)
		g.ADDQ(operand.Imm(unroll), left)
		g.JZ(operand.LabelRef(done))
		g.Label(one)
		multiplyAdd(tap, 0)
		g.ADDQ(operand.Imm(4), base)
		g.ADDQ(operand.I32(int32(step)), w)
		g.repeat(left, one)
		g.Label(done)
	}
	g.ADDQ(g.argMem("xRow"), x)
	g.repeat(tapRows, "taprow")
}

// multiples prepares addresses base + p·pixel for p < count ≤ 13 with as few
// registers as the scales 1, 2, 4 and 8 allow.
func (g *gen) multiples(base, pixel reg.GPVirtual, count int) func(p int) operand.Mem {
	odd := map[int]reg.GPVirtual{1: pixel}
	two := g.GP64()
	if count > 3 {
		g.LEAQ(operand.Mem{Base: pixel, Index: pixel, Scale: 1}, two)
	}
	for m := 3; m < count; m += 2 {
		odd[m] = g.GP64()
		g.LEAQ(operand.Mem{Base: odd[m-2], Index: two, Scale: 1}, odd[m])
	}
	return func(p int) operand.Mem {
		if p == 0 {
			return operand.Mem{Base: base}
		}
		scale := uint8(1)
		for p%2 == 0 {
			p /= 2
			scale *= 2
		}
		return operand.Mem{Base: base, Index: odd[p], Scale: scale}
	}
}

// finish adds the residual, applies the floor and writes the tile. All of the
// residual is read before anything is written: it may be y itself.
func (g *gen) finish(t tile, acc [][]reg.VecVirtual, tail *mask) {
	stride, residual, y := g.arg("yPixel"), g.arg("residual"), g.arg("y")
	each := func(base reg.GPVirtual, f func(acc reg.VecVirtual, m operand.Mem)) {
		for p := range acc {
			for v := range acc[p] {
				f(acc[p][v], operand.Mem{Base: base, Disp: v * g.bytes()})
			}
			g.ADDQ(stride, base)
		}
	}
	g.TESTQ(residual, residual)
	g.JZ(operand.LabelRef("summed"))
	each(residual, func(a reg.VecVirtual, m operand.Mem) { g.add(tail, m, a) })
	g.Label("summed")
	floor := g.floor()
	each(y, func(a reg.VecVirtual, m operand.Mem) {
		g.VMAXPS(a, floor, a)
		g.store(tail, a, m)
	})
}
