package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// An int8 tile is a tile (tile.go) of quantised values. A group is four input
// channels, which are one 32-bit lane of the weights and one 32-bit word of a
// pixel:
//
//	acc[p][v] = 0
//	for each tap row that is on the board, for each tap of the row, for each group i
//	    for each pixel p whose tap is on the board
//	        acc[p][v] += x[p + tap][i] · w[tap row][tap][i][v]
//	t = float(acc[p][v])·scale[v] + bias[v]
//	y[p][v] = max(floor, t), or
//	y[p][v] = saturate(t + float(residual[p][v])·residualScale)
//
// Where the number of channels is not a multiple of four, the first two groups
// overlap, and the weights of the second one are 0 for what the first one has.
//
// The sums are the same in every tile, however they are taken, and no step
// behind them is fused with another one.
func tiles8(g *gen) {
	pixels := [][]int{{6, 4, 2, 1}, {6, 4, 2, 1}}
	switch {
	case g.lanes == 16 && g.vnni: // whole rows, the longest two in two pieces
		for v := 1; v <= 2; v++ {
			for w := 3; w <= 11; w++ {
				g.tile8(tile{w, v, 3, true, true})
			}
			g.tile8(tile{6, v, 3, true, false})
			g.tile8(tile{7, v, 3, true, false})
			g.tile8(tile{6, v, 3, false, true})
		}
		pixels = [][]int{{12, 8, 4, 2, 1}, {12, 8, 4, 2, 1}}
	case g.lanes == 16:
		g.piecesTo6(1)
		g.piecesTo6(2)
	case g.vnni: // as many sums as sixteen registers hold, see tile.go
		for w := 3; w <= 13; w++ {
			g.tile8(tile{w, 1, 3, true, true})
		}
		g.piecesTo6(2)
		g.piecesTo4(3)
		pixels = [][]int{{12, 8, 4, 2, 1}, {6, 4, 2, 1}}
	default: // sixteen, and six of them for the widening: up to four pixels
		g.piecesTo4(1)
		g.piecesTo4(2)
		pixels = [][]int{{4, 2, 1}, {4, 2, 1}}
	}
	for v, counts := range pixels {
		for _, n := range counts {
			g.tile8(tile{n, v + 1, 1, false, false})
		}
	}
}

// piecesTo6 and piecesTo4 make the tiles of the cuts of that name in tiles_amd64.go.
func (g *gen) piecesTo6(vectors int) {
	for n := 3; n <= 6; n++ {
		g.tile8(tile{n, vectors, 3, true, true})
		if n > 3 {
			g.tile8(tile{n, vectors, 3, true, false})
		}
		g.tile8(tile{n, vectors, 3, false, true})
	}
	g.tile8(tile{4, vectors, 3, false, false})
}

func (g *gen) piecesTo4(vectors int) {
	for n := 3; n <= 4; n++ {
		g.tile8(tile{n, vectors, 3, true, true})
		g.tile8(tile{n, vectors, 3, true, false})
		g.tile8(tile{n, vectors, 3, false, true})
		g.tile8(tile{n, vectors, 3, false, false})
	}
	g.tile8(tile{2, vectors, 3, false, true})
}

func (g *gen) tile8(t tile) {
	g.function("int8"+t.name(),
		"func(tapRows int, groups int, first int, x *uint8, w *int8, scale *float32, bias *float32, residual *uint8, y *uint8, xPixel int, xRow int, yPixel int, tail int, floats int, relu int, residualScale float32)",
		"is one tile; see _asm/int8.go. The second of the groups of a pixel begins first bytes after the first, the others 4 after the one before. xPixel, xRow, yPixel: bytes from one to the next. tail: channels of a single vector. y has floats if that is not 0.")
	sums := make([][][]reg.VecVirtual, g.parts(t)) // [part][pixel][vector]
	for i := range sums {
		sums[i] = make([][]reg.VecVirtual, t.pixels)
		for p := range sums[i] {
			sums[i][p] = g.vectors(t.vectors)
			for _, a := range sums[i][p] {
				g.zero(a)
			}
		}
	}
	g.sums8(t, sums)
	for _, part := range sums[1:] {
		for p := range part {
			for v, a := range part[p] {
				g.VPADDD(a, sums[0][p][v], sums[0][p][v])
			}
		}
	}
	g.finish8(t, sums[0])
}

// parts is how many sums to keep for each output where VNNI does taps together.
// In one turn of the loop an output gets its three taps one after the other, 5
// cycles each, while the units do two products a cycle: a small tile would wait
// unless its taps go to different sums.
func (g *gen) parts(t tile) int {
	if t.taps == 1 || g.lanes == 8 || !g.vnni {
		return 1
	}
	products := 3 * t.pixels
	if t.left {
		products--
	}
	if t.right {
		products--
	}
	for n := 1; n < 3; n++ {
		if (3+n-1)/n*5 <= products*t.vectors/2 {
			return n
		}
	}
	return 3
}

// sums8 emits the loops over tap rows, taps and groups. With 32 registers the
// three taps of a row are done together, which reads each pixel once for all of
// them; the weights are laid out for that, and take six registers.
func (g *gen) sums8(t tile, sums [][][]reg.VecVirtual) {
	together := [][]int{{0}}
	if t.taps == 3 {
		together = [][]int{{0}, {1}, {2}}
		if g.lanes == 16 {
			together = [][]int{{0, 1, 2}}
		}
	}
	tapRows, x, w, pixel := g.arg("tapRows"), g.arg("x"), g.arg("w"), g.arg("xPixel")
	base, left, next := g.GP64(), g.GP64(), g.GP64()
	inputs, before := t.inputs()
	at := g.multiples(base, pixel, inputs)
	split := g.splitter()
	step := t.vectors * g.bytes()

	g.Label("taprow")
	for i, taps := range together {
		loop := fmt.Sprintf("taps%d", i)
		g.MOVQ(x, base)
		g.MOVQ(g.argMem("groups"), left)
		g.MOVQ(g.argMem("first"), next)
		g.Label(loop)
		ws := make([][]halves, len(taps))
		for j := range taps {
			for v := range t.vectors {
				w8 := g.v()
				g.VMOVUPS(operand.Mem{Base: w, Disp: j*step + v*g.bytes()}, w8)
				ws[j] = append(ws[j], g.signed(w8))
			}
		}
		for in := range inputs {
			var xs halves
			for j, tap := range taps {
				p := in - before - tap + t.taps/2
				if p < 0 || p >= t.pixels {
					continue
				}
				if xs.even == nil {
					x8 := g.v()
					g.VPBROADCASTD(at(in), x8)
					xs = split(x8)
				}
				for v := range t.vectors {
					g.dot(ws[j][v], xs, sums[j%len(sums)][p][v])
				}
			}
		}
		g.ADDQ(next, base)
		g.MOVQ(operand.I32(4), next)
		g.ADDQ(operand.I32(int32(len(taps)*step)), w)
		g.repeat(left, loop)
	}
	g.ADDQ(g.argMem("xRow"), x)
	g.repeat(tapRows, "taprow")
}

// halves is a vector of groups: with VNNI as it is, else widened to 16 bits,
// the first and third channel of each group apart from the second and fourth.
type halves struct{ even, odd reg.VecVirtual }

// signed prepares weights.
func (g *gen) signed(w reg.VecVirtual) halves {
	if g.vnni {
		return halves{w, w}
	}
	h := halves{g.v(), g.v()}
	g.VPSLLW(operand.Imm(8), w, h.even)
	g.VPSRAW(operand.Imm(8), h.even, h.even)
	g.VPSRAW(operand.Imm(8), w, h.odd)
	return h
}

// splitter makes a function that prepares activations.
func (g *gen) splitter() func(x reg.VecVirtual) halves {
	if g.vnni {
		return func(x reg.VecVirtual) halves { return halves{x, x} }
	}
	low := g.v()
	g.everywhere(0x00ff00ff, low)
	return func(x reg.VecVirtual) halves {
		h := halves{g.v(), g.v()}
		if g.lanes == 16 {
			g.VPANDD(low, x, h.even)
		} else {
			g.VPAND(low, x, h.even)
		}
		g.VPSRLW(operand.Imm(8), x, h.odd)
		return h
	}
}

// dot is acc += x · w in each lane, exactly: VPDPBUSD has products and sums of
// more than 16 bits, as has VPMADDWD. (VPMADDUBSW is no way, since it bounds
// the sum of two products by 16 bits.)
func (g *gen) dot(w, x halves, acc reg.VecVirtual) {
	if g.vnni {
		g.VPDPBUSD(w.even, x.even, acc)
		return
	}
	for _, h := range [][2]reg.VecVirtual{{w.even, x.even}, {w.odd, x.odd}} {
		t := g.v()
		g.VPMADDWD(h[0], h[1], t)
		g.VPADDD(t, acc, acc)
	}
}

// inputs is how many pixels of a row a tile reads, and how many of them lie
// before its first output.
func (t tile) inputs() (count, before int) {
	count = t.pixels
	if t.taps == 3 && !t.left {
		count++
		before = 1
	}
	if t.taps == 3 && !t.right {
		count++
	}
	return count, before
}

// peaks8 is the peak of the dot products, like peaks.
func peaks8(g *gen) {
	g.function("int8peak", "func(turns int)", "keeps the dot-product units busy; see _asm/int8.go.")
	turns := g.arg("turns")
	n := 16
	if g.lanes == 8 {
		n = 10
	}
	a, b := g.v(), g.v()
	g.zero(a)
	g.zero(b)
	w, x := halves{a, b}, halves{b, a}
	acc := g.vectors(n)
	for _, v := range acc {
		g.zero(v)
	}
	g.Label("turn")
	for _, v := range acc {
		g.dot(w, x, v)
	}
	g.repeat(turns, "turn")
	g.end()
}
