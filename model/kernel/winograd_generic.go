package kernel

import "math"

// One pass of a transform works on n values at a time, of outer lines: it reads
// vectors that are xStep apart and writes vectors that are yStep apart; the next
// line is xOuter and yOuter further on.
type transforms struct {
	// input applies Bᵀ of a segment to the size + 2 vectors at x, without those
	// off the board: x is the first one on it.
	input func(s segment, outer, n int, y []float32, yStep, yOuter int, x []float32, xStep, xOuter int)
	// output applies Aᵀ: size vectors from those of the segment's points.
	output func(s segment, outer, n int, y []float32, yStep, yOuter int, x []float32, xStep, xOuter int)
	// finish is output and then act(· + bias + residual). bias is [n] or nil,
	// residual stands like y, or is nil.
	finish func(s segment, outer, n int, y []float32, yStep, yOuter int, x []float32, xStep, xOuter int,
		bias, residual []float32, relu bool)
	// weights applies G: vectors for all points from 3.
	weights func(outer, n int, y []float32, yStep, yOuter int, x []float32, xStep, xOuter int)
	// multiply computes y [rows][out] from x [rows][in] and packed weights.
	// ahead, as long as w at least, are weights that are needed soon.
	multiply func(y, x, w, ahead []float32, rows, in, out int)
}

const (
	small = float32(math.Sqrt2 / 2) // the points are ±small and ±large
	large = float32(math.Sqrt2)
)

var transformsGeneric = transforms{
	input: inputGeneric, output: outputGeneric, finish: finishGeneric,
	weights: weightsGeneric, multiply: multiplyGeneric,
}

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

func multiplyGeneric(y, x, w, _ []float32, rows, in, out int) {
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
