package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// One pass of a Winograd transform, for the points 0, ±a, ±b and ∞ with a = √½,
// b = √2; see ../winograd.go. It combines vectors that are xStep apart into
// vectors that are yStep apart, all of n values:
//
//	for each line, xOuter and yOuter further on each time
//	    for each vector of lanes, the last one masked
//	        t = Bᵀ d, Aᵀ m or G g
//
// with, for three outputs,
//
//	Bᵀ: t±a = (d3 - 2 d1) ± a (d2 - 2 d0)
//	    t±b = (d3 - ½ d1) ± b (d2 - ½ d0)
//	    t∞  = d4 - 5/2 d2 + d0
//	Aᵀ: o0 = Σa + Σb,  o1 = a Δa + b Δb,  o2 = ½ Σa + 2 Σb + m∞
//	    Σa = m(a) + m(-a),  Δa = m(a) - m(-a), and so for b
//	G:  g(0) = g0,  g(∞) = g2
//	    g(±a) = ∓(b/3 g0 + a/3 g2) - g1/3
//	    g(±b) = ±(a/3 g0 + b/3 g2) + g1/3
//
// Four outputs take t0 = d4 - 5/2 d2 + d0 besides, and the rest from the inputs
// after the first; their first output is m0 + b Δa + a Δb, the other three are
// those above. Two outputs go without ∞.
func transforms(g *gen) {
	for size := 2; size <= 4; size++ {
		for _, low := range []bool{false, true} {
			for _, high := range []bool{false, true} {
				g.winogradInput(size, low, high)
			}
		}
		g.winogradOutput(size, false)
		g.winogradOutput(size, true)
	}
	g.transformWeights()
	for vectors, rows := range g.multiplyTiles() {
		for _, n := range rows {
			g.multiply(n, vectors+1)
		}
	}
}

var (
	pointA = math.Sqrt2 / 2
	pointB = math.Sqrt2
)

const passArguments = "outer int, n int, y *float32, yStep int, yOuter int, x *float32, xStep int, xOuter int"

// constants returns a function that gives the vector of a number. It is made
// at the first call: call it for all numbers before the loop.
func (g *gen) constants() func(v float64) reg.VecVirtual {
	made := map[float64]reg.VecVirtual{}
	return func(v float64) reg.VecVirtual {
		if _, ok := made[v]; !ok {
			made[v] = g.v()
			g.everywhere(math.Float32bits(float32(v)), made[v])
		}
		return made[v]
	}
}

// pass emits the two loops around body, which reads xs vectors and writes ys.
// Steps are in bytes. likeY names arguments that step like y, eachLine those that
// start again with each line; body finds them in at. With fetch the outputs of the
// next line are fetched, which saves the first pass 1 cycle in 8.
func (g *gen) pass(xs, ys int, fetch bool, likeY, eachLine []string, body func(m *mask, x, y func(i int) operand.Mem, at map[string]reg.GPVirtual)) {
	xStep, yStep := g.arg("xStep"), g.arg("yStep")
	x, y, left := g.arg("x"), g.arg("y"), g.arg("n")
	g.ANDQ(operand.Imm(uint64(g.lanes-1)), left)
	tail := g.lanesBelow(left)
	xAt, yAt := g.multiples(x, xStep, xs), g.multiples(y, yStep, ys)
	at := map[string]reg.GPVirtual{}
	moving := []reg.GPVirtual{x, y}
	for _, name := range append(append([]string{}, likeY...), eachLine...) {
		at[name] = g.arg(name)
		moving = append(moving, at[name])
	}
	var ahead reg.GPVirtual
	if fetch {
		// The next line's outputs are in the second-level cache.
		ahead = g.GP64()
		g.MOVQ(y, ahead)
		g.ADDQ(g.argMem("yOuter"), ahead)
		moving = append(moving, ahead)
	}
	g.Label("line")
	left = g.arg("n")
	g.overLanes(left, "next", func() *mask { return tail }, moving, func(m *mask) {
		for i := 0; i < ys && fetch && m == nil; i++ {
			next := yAt(i)
			next.Base = ahead
			g.PREFETCHT0(next)
		}
		body(m, xAt, yAt, at)
	})
	g.Label("next")
	step := func(name string, r reg.GPVirtual, outer string) {
		g.MOVQ(g.argMem(name), r)
		if outer != "" {
			g.ADDQ(g.argMem(outer), r)
			g.MOVQ(r, g.argMem(name))
		}
	}
	step("x", x, "xOuter")
	step("y", y, "yOuter")
	if fetch {
		g.MOVQ(y, ahead)
		g.ADDQ(g.argMem("yOuter"), ahead)
	}
	for _, name := range likeY {
		step(name, at[name], "yOuter")
	}
	for _, name := range eachLine {
		step(name, at[name], "")
	}
	g.repeat(g.argMem("outer"), "line")
	g.end()
}

// winogradInput applies Bᵀ. low and high say that the first or the last input is
// off the board, which makes it 0; x is the first on it.
func (g *gen) winogradInput(size int, low, high bool) {
	name := fmt.Sprintf("winogradInput%d", size)
	inputs, first := size+2, 0
	if low {
		name, inputs, first = name+"L", inputs-1, 1
	}
	if high {
		name, inputs = name+"H", inputs-1
	}
	g.function(name, "func("+passArguments+")", "transforms the inputs of a tile; see _asm/winograd.go.")
	c := g.constants()
	for _, v := range []float64{2, 0.5, pointA, pointB, 2.5} {
		if v != 2.5 || size > 2 {
			c(v)
		}
	}
	outputs := size + 2
	g.pass(inputs, outputs, true, nil, nil, func(m *mask, x, y func(int) operand.Mem, _ map[string]reg.GPVirtual) {
		d := make([]reg.VecVirtual, size+2) // nil off the board
		for i := range inputs {
			d[first+i] = g.v()
			g.load(m, x(i), d[first+i])
		}
		next := 0
		put := func(v reg.VecVirtual) {
			g.store(m, v, y(next))
			next++
		}
		// ends is e4 - 5/2 e2 + e0.
		ends := func(e []reg.VecVirtual) {
			t := g.v()
			switch {
			case e[0] == nil && e[4] == nil:
				g.zero(t)
			case e[0] == nil:
				g.VMOVAPS(e[4], t)
			case e[4] == nil:
				g.VMOVAPS(e[0], t)
			default:
				g.VADDPS(e[0], e[4], t)
			}
			g.VFNMADD231PS(c(2.5), e[2], t)
			put(t)
		}
		e := d
		if size == 4 {
			ends(d)
			e = d[1:]
		}
		for _, p := range []struct{ point, square float64 }{{pointA, 2}, {pointB, 0.5}} {
			// plus is p (e2 - q e0), minus its negative; both plus e3 - q e1.
			odd, plus, minus := g.v(), g.v(), g.v()
			g.VMOVAPS(e[2], odd)
			if e[0] != nil {
				g.VFNMADD231PS(c(p.square), e[0], odd)
			}
			if e[3] != nil {
				g.VMOVAPS(e[3], plus)
			} else {
				g.zero(plus)
			}
			g.VFNMADD231PS(c(p.square), e[1], plus)
			g.VMOVAPS(plus, minus)
			g.VFMADD231PS(c(p.point), odd, plus)
			g.VFNMADD231PS(c(p.point), odd, minus)
			put(plus)
			put(minus)
		}
		if size > 2 {
			ends(e)
		}
	})
}

// winogradOutput applies Aᵀ and, if it is the last pass, adds bias and residual
// and bounds the result.
func (g *gen) winogradOutput(size int, last bool) {
	name, signature, doc := "winogradOutput", "func("+passArguments+")", "transforms the products of a tile back; see _asm/winograd.go."
	if last {
		name, signature = "winogradFinish", "func("+passArguments+", bias *float32, residual *float32, relu int)"
		doc = "is winogradOutput plus bias and residual, which may be nil, and max(floor, ·); see _asm/winograd.go."
	}
	g.function(fmt.Sprintf("%s%d", name, size), signature, doc)
	c := g.constants()
	for _, v := range []float64{pointA, pointB, 0.5, 2} {
		if size > 2 || v != 0.5 && v != 2 {
			c(v)
		}
	}
	var floor reg.VecVirtual
	var likeY, eachLine []string
	given := map[string]reg.GPVirtual{} // not nil if the argument is not
	if last {
		floor, likeY, eachLine = g.floor(), []string{"residual"}, []string{"bias"}
		given["bias"], given["residual"] = g.arg("bias"), g.arg("residual")
	}
	g.pass(size+2, size, false, likeY, eachLine, func(m *mask, x, y func(int) operand.Mem, at map[string]reg.GPVirtual) {
		read := func(i int) reg.VecVirtual {
			v := g.v()
			g.load(m, x(i), v)
			return v
		}
		pair := func(i int) (sum, difference reg.VecVirtual) {
			p, q := read(i), read(i+1)
			sum, difference = g.v(), g.v()
			g.VADDPS(q, p, sum)
			g.VSUBPS(q, p, difference)
			return
		}
		from := size - 3 // place of point a among the inputs
		if size < 3 {
			from = 0
		}
		sumA, differenceA := pair(from)
		sumB, differenceB := pair(from + 2)
		out := make([]reg.VecVirtual, 0, size)
		weighted := func(start reg.VecVirtual, v float64, p reg.VecVirtual, w float64, q reg.VecVirtual) {
			t := start
			if t == nil {
				t = g.v()
				g.VMULPS(c(v), p, t)
			} else {
				g.VFMADD231PS(c(v), p, t)
			}
			g.VFMADD231PS(c(w), q, t)
			out = append(out, t)
		}
		if size == 4 {
			weighted(read(0), pointB, differenceA, pointA, differenceB)
		}
		sum := g.v()
		g.VADDPS(sumB, sumA, sum)
		out = append(out, sum)
		weighted(nil, pointA, differenceA, pointB, differenceB)
		if size > 2 {
			weighted(read(from+4), 0.5, sumA, 2, sumB)
		}
		if last {
			g.unlessNil(given["bias"], func() {
				b := g.v()
				g.load(m, operand.Mem{Base: at["bias"]}, b)
				for _, o := range out {
					g.VADDPS(b, o, o)
				}
			})
			g.unlessNil(given["residual"], func() {
				for i, o := range out {
					from := y(i)
					from.Base = at["residual"]
					g.add(m, from, o)
				}
			})
		}
		for i, o := range out {
			if last {
				g.VMAXPS(o, floor, o)
			}
			g.store(m, o, y(i))
		}
	})
}

// transformWeights applies G.
func (g *gen) transformWeights() {
	g.function("winogradWeights", "func("+passArguments+")", "transforms the taps of a filter; see _asm/winograd.go.")
	c := g.constants()
	near, far, third := c(pointB/3), c(pointA/3), c(1./3)
	g.pass(3, 6, false, nil, nil, func(m *mask, x, y func(int) operand.Mem, _ map[string]reg.GPVirtual) {
		g0, g1, g2 := g.v(), g.v(), g.v()
		for i, v := range []reg.VecVirtual{g0, g1, g2} {
			g.load(m, x(i), v)
		}
		g.store(m, g0, y(0))
		g.store(m, g2, y(5))
		g.VMULPS(third, g1, g1)
		even, plus, minus := g.v(), g.v(), g.v()
		g.VMULPS(near, g0, even)
		g.VFMADD231PS(far, g2, even)
		g.VSUBPS(g1, even, minus)
		g.zero(plus)
		g.VSUBPS(even, plus, plus)
		g.VSUBPS(g1, plus, plus)
		g.store(m, plus, y(1))
		g.store(m, minus, y(2))
		g.VMULPS(far, g0, even)
		g.VFMADD231PS(near, g2, even)
		g.VADDPS(g1, even, plus)
		g.VSUBPS(even, g1, minus)
		g.store(m, plus, y(3))
		g.store(m, minus, y(4))
	})
}
