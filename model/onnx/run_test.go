package onnx

import (
	"math"
	"slices"
	"testing"
)

// run computes all tensors of a model for the given inputs, operator by operator
// as the specification of ONNX has them, in float64 and with no regard for
// speed. It knows only the operators that models are written with.
func (p *parsed) run(t testing.TB, inputs map[string]array) map[string]array {
	t.Helper()
	all := map[string]array{}
	for name, a := range p.constants {
		all[name] = a
	}
	for name, shape := range p.inputs {
		a, ok := inputs[name]
		if !ok || len(a.shape) != len(shape) || !slices.Equal(a.shape[1:], shape[1:]) {
			t.Fatalf("input %s has shape %v, want %v", name, a.shape, shape)
		}
		all[name] = a
	}
	for _, n := range p.nodes {
		var in []array
		for _, name := range n.inputs {
			a, ok := all[name]
			if !ok {
				t.Fatalf("%s reads %s before it is computed", n.outputs[0], name)
			}
			in = append(in, a)
		}
		op := operators[n.op]
		if op == nil {
			t.Fatalf("%s: no operator %s", n.outputs[0], n.op)
		}
		if _, twice := all[n.outputs[0]]; twice {
			t.Fatalf("%s is computed twice", n.outputs[0])
		}
		all[n.outputs[0]] = op(n, in)
	}
	return all
}

var add = elementwise(func(x, y float64) float64 { return x + y })

var operators = map[string]func(parsedNode, []array) array{
	"Add":  add,
	"Sub":  elementwise(func(x, y float64) float64 { return x - y }),
	"Mul":  elementwise(func(x, y float64) float64 { return x * y }),
	"Div":  elementwise(func(x, y float64) float64 { return x / y }),
	"Relu": each(func(x float64) float64 { return max(x, 0) }),
	"Sqrt": each(math.Sqrt),
	"Softplus": each(func(x float64) float64 {
		return math.Log1p(math.Exp(x))
	}),
	"Reshape": func(_ parsedNode, in []array) array {
		var shape []int
		for i, d := range in[1].v {
			n := int(d)
			if n == 0 {
				n = in[0].shape[i]
			}
			shape = append(shape, n)
		}
		if i := slices.Index(shape, -1); i >= 0 {
			shape[i] = 1
			shape[i] = len(in[0].v) / product(shape)
		}
		return array{shape, in[0].v}
	},
	"Concat": func(n parsedNode, in []array) array { // of two dimensions, along the second
		y := array{shape: []int{in[0].shape[0], 0}}
		for row := range in[0].shape[0] {
			for _, x := range in {
				w := x.shape[n.ints["axis"][0]]
				y.v = append(y.v, x.v[row*w:][:w]...)
			}
		}
		y.shape[1] = len(y.v) / y.shape[0]
		return y
	},
	"Slice": func(_ parsedNode, in []array) array { // of four dimensions, along the second
		x, from, to := in[0], int(in[1].v[0]), int(in[2].v[0])
		cells := x.shape[2] * x.shape[3]
		y := array{shape: []int{x.shape[0], to - from, x.shape[2], x.shape[3]}}
		for row := range x.shape[0] {
			y.v = append(y.v, x.v[(row*x.shape[1]+from)*cells:][:(to-from)*cells]...)
		}
		return y
	},
	"MatMul": func(_ parsedNode, in []array) array { return gemm(in[0], in[1]) },
	"Gemm": func(n parsedNode, in []array) array {
		w := in[1]
		if n.ints["transB"] != nil {
			out, wide := w.shape[0], w.shape[1]
			turned := array{shape: []int{wide, out}, v: make([]float64, len(w.v))}
			for i, x := range w.v {
				turned.v[i%wide*out+i/wide] = x
			}
			w = turned
		}
		return add(n, []array{gemm(in[0], w), in[2]})
	},
	"GlobalMaxPool":     overCells([]int{1, 1}, func(v []float64) float64 { return slices.Max(v) }),
	"GlobalAveragePool": overCells([]int{1, 1}, func(v []float64) float64 { return sum(v) / float64(len(v)) }),
	"ReduceSum":         overCells(nil, sum),
	"Conv":              convolution,
	"BatchNormalization": func(n parsedNode, in []array) array {
		x := in[0]
		y, cells := array{shape: x.shape}, product(x.shape[2:])
		for i, v := range x.v {
			c := i / cells % x.shape[1]
			y.v = append(y.v, in[1].v[c]*(v-in[3].v[c])/math.Sqrt(in[4].v[c]+float64(n.floats["epsilon"]))+in[2].v[c])
		}
		return y
	},
	"QuantizeLinear": func(_ parsedNode, in []array) array { // to uint8, one scale
		y := array{shape: in[0].shape}
		for _, x := range in[0].v {
			y.v = append(y.v, max(0, min(255, math.RoundToEven(x/in[1].v[0])+in[2].v[0])))
		}
		return y
	},
	"DequantizeLinear": func(n parsedNode, in []array) array { // one scale, or one of each entry of an axis
		y := array{shape: in[0].shape}
		for i, x := range in[0].v {
			s := 0
			if len(in[1].shape) > 0 {
				axis := n.ints["axis"][0]
				s = i / product(in[0].shape[axis+1:]) % in[0].shape[axis]
			}
			y.v = append(y.v, (x-in[2].v[s])*in[1].v[s])
		}
		return y
	},
}

func each(f func(float64) float64) func(parsedNode, []array) array {
	return func(_ parsedNode, in []array) array {
		y := array{shape: in[0].shape}
		for _, x := range in[0].v {
			y.v = append(y.v, f(x))
		}
		return y
	}
}

// elementwise broadcasts as numpy does.
func elementwise(f func(x, y float64) float64) func(parsedNode, []array) array {
	return func(_ parsedNode, in []array) array {
		rank := max(len(in[0].shape), len(in[1].shape))
		var shape [2][]int
		for k := range shape {
			shape[k] = append(slices.Repeat([]int{1}, rank-len(in[k].shape)), in[k].shape...)
		}
		var y array
		for i := range rank {
			y.shape = append(y.shape, max(shape[0][i], shape[1][i]))
		}
		for i := range product(y.shape) {
			var at [2]int
			for k := range at {
				rest, stride := i, 1
				for d := rank - 1; d >= 0; d-- {
					at[k] += rest % y.shape[d] % shape[k][d] * stride
					rest, stride = rest/y.shape[d], stride*shape[k][d]
				}
			}
			y.v = append(y.v, f(in[0].v[at[0]], in[1].v[at[1]]))
		}
		return y
	}
}

func gemm(x, w array) array {
	in, out := w.shape[0], w.shape[1]
	y := array{shape: []int{x.shape[0], out}, v: make([]float64, x.shape[0]*out)}
	for row := range x.shape[0] {
		for i := range in {
			for o := range out {
				y.v[row*out+o] += x.v[row*in+i] * w.v[i*out+o]
			}
		}
	}
	return y
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

// overCells makes one value of the cells of each channel; the result ends in the
// dimensions kept.
func overCells(kept []int, f func([]float64) float64) func(parsedNode, []array) array {
	return func(_ parsedNode, in []array) array {
		x := in[0]
		cells := x.shape[2] * x.shape[3]
		y := array{shape: append(slices.Clone(x.shape[:2]), kept...)}
		for at := 0; at < len(x.v); at += cells {
			y.v = append(y.v, f(x.v[at:at+cells]))
		}
		return y
	}
}

func convolution(n parsedNode, in []array) array {
	x, w := in[0], in[1]
	rows, channels, height, width := x.shape[0], x.shape[1], x.shape[2], x.shape[3]
	out, k, pad := w.shape[0], w.shape[2], 0
	if pads := n.ints["pads"]; pads != nil {
		pad = pads[0]
	}
	y := array{shape: []int{rows, out, height, width}}
	for i := range product(y.shape) {
		col, row, o, b := i%width, i/width%height, i/(width*height)%out, i/(width*height*out)
		s := 0.0
		if len(in) > 2 {
			s = in[2].v[o]
		}
		for c := range channels {
			for ky := range k {
				for kx := range k {
					r, q := row+ky-pad, col+kx-pad
					if r >= 0 && r < height && q >= 0 && q < width {
						s += w.v[((o*channels+c)*k+ky)*k+kx] * x.v[((b*channels+c)*height+r)*width+q]
					}
				}
			}
		}
		y.v = append(y.v, s)
	}
	return y
}
