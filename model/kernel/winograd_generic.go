package kernel

import "math"

const (
	small = float32(math.Sqrt2 / 2) // the points are ±small and ±large
	large = float32(math.Sqrt2)
)

var transformsGeneric = transforms{
	enter: enterGeneric, products: productsOfPointsGeneric, leave: leaveGeneric, weights: weightsGeneric,
}

func enterGeneric(p *Packed, to, x, lines []float32, b, n int) {
	g, in := p.winograd, p.In
	row := p.W * in
	for r, rs := range g.rows {
		first, end := rs.points()
		inputGeneric(rs, 1, row, lines, g.line, 0, x[rs.firstInput()*row:], row, 0)
		for c, cs := range g.columns {
			j, _ := cs.points()
			for i := first; i < end; i++ {
				inputGeneric(cs, 1, in, to[(i*points+j)*g.step+g.row(i, r, c, b, n)*in:], g.step, 0,
					lines[(i-first)*g.line+cs.firstInput()*in:], in, 0)
			}
		}
	}
}

func leaveGeneric(p *Packed, y, from, lines []float32, b, n int, bias, residual []float32, relu bool) {
	g, out := p.winograd, p.Out
	row := p.W * out
	for r, rs := range g.rows {
		first, end := rs.points()
		for c, cs := range g.columns {
			j, _ := cs.points()
			for i := first; i < end; i++ {
				outputGeneric(cs, 1, out, lines[(i-first)*g.line+cs.start*out:], out, 0,
					from[(i*points+j)*g.outStep+g.row(i, r, c, b, n)*out:], g.outStep, 0)
			}
		}
		finishGeneric(rs, p.W, out, y[rs.start*row:], row, out, lines, g.line, out, bias, after(residual, rs.start*row), relu)
	}
}

func productsOfPointsGeneric(p *Packed, to, from []float32, n int) {
	g := p.winograd
	for _, span := range g.spans {
		for i := span.first; i < span.first+span.matrices; i++ {
			multiplyGeneric(to[i*g.outStep:], from[i*g.step:], p.data[i*g.weights:], span.rows*n, p.In, p.Out)
		}
	}
}

// inputGeneric applies Bᵀ of a segment to n values of outer lines: it reads size
// + 2 vectors that are xStep apart, without those off the board, and writes one
// for each point of the segment, yStep apart; the next line is xOuter and yOuter
// further on.
func inputGeneric(s segment, outer, n int, y []float32, yStep, yOuter int, x []float32, xStep, xOuter int) {
	var d, t [points]float32
	from, to := 0, s.size+2
	if s.low {
		from++
	}
	if s.high {
		to--
	}
	first, end := s.points()
	for line := range outer {
		for k := range n {
			for i := from; i < to; i++ {
				d[i] = x[line*xOuter+(i-from)*xStep+k]
			}
			// A tile of 4 has the point 0, and the others as a tile of 3 has
			// them of the inputs after the first.
			e := d[:5]
			if s.size == 4 {
				e = d[1:]
				t[0] = d[4] - 2.5*d[2] + d[0]
			}
			even, odd := e[3]-2*e[1], e[2]-2*e[0]
			t[1], t[2] = even+small*odd, even-small*odd
			even, odd = e[3]-0.5*e[1], e[2]-0.5*e[0]
			t[3], t[4] = even+large*odd, even-large*odd
			t[5] = e[4] - 2.5*e[2] + e[0]
			for i := first; i < end; i++ {
				y[line*yOuter+(i-first)*yStep+k] = t[i]
			}
		}
	}
}

// outputGeneric applies Aᵀ: size vectors from those of the points.
func outputGeneric(s segment, outer, n int, y []float32, yStep, yOuter int, x []float32, xStep, xOuter int) {
	var m, o [points]float32
	first, end := s.points()
	for line := range outer {
		for k := range n {
			for i := first; i < end; i++ {
				m[i] = x[line*xOuter+(i-first)*xStep+k]
			}
			outputsGeneric(&o, &m, s.size)
			for i := range s.size {
				y[line*yOuter+i*yStep+k] = o[i]
			}
		}
	}
}

func outputsGeneric(o, m *[points]float32, size int) {
	sum1, difference1 := m[1]+m[2], m[1]-m[2]
	sum2, difference2 := m[3]+m[4], m[3]-m[4]
	rest := o[:]
	if size == 4 {
		o[0] = m[0] + large*difference1 + small*difference2
		rest = o[1:]
	}
	rest[0] = sum1 + sum2
	rest[1] = small*difference1 + large*difference2
	rest[2] = 0.5*sum1 + 2*sum2 + m[5]
}

// finishGeneric is outputGeneric and then act(· + bias + residual), the residual
// laid out like y.
func finishGeneric(s segment, outer, n int, y []float32, yStep, yOuter int, x []float32, xStep, xOuter int,
	bias, residual []float32, relu bool) {
	var m, o [points]float32
	first, end := s.points()
	for line := range outer {
		for k := range n {
			for i := first; i < end; i++ {
				m[i] = x[line*xOuter+(i-first)*xStep+k]
			}
			outputsGeneric(&o, &m, s.size)
			for i := range s.size {
				at, v := line*yOuter+i*yStep+k, o[i]
				if bias != nil {
					v += bias[k]
				}
				if residual != nil {
					v += residual[at]
				}
				if relu && v < 0 {
					v = 0
				}
				y[at] = v
			}
		}
	}
}

func weightsGeneric(outer, n int, y []float32, yStep, yOuter int, x []float32, xStep, xOuter int) {
	const near, far = large / 3, small / 3
	for line := range outer {
		for k := range n {
			from, to := x[line*xOuter+k:], y[line*yOuter+k:]
			g0, g1, g2 := from[0], from[xStep]*(1.0/3), from[2*xStep]
			to[0] = g0
			even := near*g0 + far*g2
			to[yStep], to[2*yStep] = -even-g1, even-g1
			even = far*g0 + near*g2
			to[3*yStep], to[4*yStep] = even+g1, g1-even
			to[5*yStep] = g2
		}
	}
}

func multiplyGeneric(y, x, w []float32, rows, in, out int) {
	for r := range rows {
		ys := y[r*out:][:out]
		clear(ys)
		for i, xi := range x[r*in:][:in] {
			for o, wo := range w[i*out:][:out] {
				ys[o] += xi * wo
			}
		}
	}
}
