package graph

import (
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/ludozero/ludozero/model/kernel"
)

// affine is a convolution of 1×1 or, with a board of one cell, a fully connected
// layer: y = [relu](x ∗ w + bias).
type affine struct {
	name string
	x    *stream
	w    *G.Node // [1, 1, in, out] or [in, out]
	bias *G.Node // [out] or nil
	relu bool
	// first: no other op reads x before this one. after: the reader that comes
	// before this one, else nil.
	first bool
	after *G.Node
	// fixed: x is data, without a gradient.
	fixed bool
	// flat: the cells and channels of x are one long vector.
	flat bool
}

// affine adds the op. Its gradients by x, w and bias are computed together, in
// one pass over the batch: w's and the bias's are side results of x's.
func (b *builder) affine(a affine) *stream {
	if b.err != nil {
		return &stream{}
	}
	xs, ws := a.x.Shape(), a.w.Shape()
	batch, out := xs[0], ws[len(ws)-1]
	h, w, in, shape := 1, 1, xs[1], tensor.Shape{batch, out}
	switch {
	case a.flat:
		in = xs[1] * xs[2]
	case len(xs) == 3:
		h, w, in, shape = b.height, b.width, xs[2], tensor.Shape{batch, xs[1], out}
	}
	rowIn, rowOut := h*w*in, h*w*out
	c := b.convolution(a.w, kernel.ConvShape{K: 1, In: in, Out: out, H: h, W: w}, batch, a.fixed)

	inputs, wrt := []*G.Node{a.x.Node, a.w}, []bool{a.first && !a.fixed, true}
	if a.bias != nil {
		inputs, wrt = append(inputs, a.bias), append(wrt, true)
	}
	if a.after != nil {
		inputs, wrt = append(inputs, a.after), append(wrt, false)
	}

	forward := func(v [][]float32, y []float32) error {
		var bias []float32
		if a.bias != nil {
			bias = v[2]
		}
		b.env.crew.runScratch(chunks, func(i int, scratch []float32) {
			from, to := part(i, batch)
			if a.first {
				a.x.prepare(from, to)
			}
			kernel.Conv(y[from*rowOut:to*rowOut], v[0][from*rowIn:to*rowIn], to-from, c.packed, bias, nil, a.relu, scratch)
		})
		return nil
	}

	grads := func(n G.Nodes, y, dy *G.Node) G.Nodes {
		dw := make([]float32, ws.TotalSize())
		var db []float32
		if a.bias != nil {
			db = make([]float32, out)
		}
		parts := b.scratch(chunks * (len(dw) + len(db)))
		var dz []float32 // gradient before relu
		if a.relu {
			dz = make([]float32, batch*rowOut)
		}
		// rest: another reader's gradient, which ours is added to in place.
		rest := a.x.rest
		compute := func(v [][]float32, dx []float32) error {
			x, y, dy := v[0], v[2], v[3]
			dwParts, dbParts := (*parts)[:chunks*len(dw)], (*parts)[chunks*len(dw):][:chunks*len(db)]
			b.env.crew.runScratch(chunks, func(i int, scratch []float32) {
				from, to := part(i, batch)
				rows, xi, d := to-from, x[from*rowIn:to*rowIn], dy[from*rowOut:to*rowOut]
				if a.relu {
					dzi := dz[from*rowOut : to*rowOut]
					kernel.ReLUBackward(dzi, d, y[from*rowOut:to*rowOut])
					d = dzi
				}
				dwi, dbi := dwParts[i*len(dw):(i+1)*len(dw)], dbParts[i*len(db):(i+1)*len(db)]
				clear(dwi)
				c.byWeights.Add(dwi, xi, d, rows, scratch)
				if db != nil {
					clear(dbi)
					kernel.ConvBackwardBias(dbi, d, rows*h*w, out)
				}
				if c.adjoint != nil {
					kernel.ConvBackwardInput(dx[from*rowIn:to*rowIn], d, rows, c.adjoint, rest != nil, scratch)
					if a.first {
						a.x.complete(i, from, to)
					}
				}
			})
			b.env.crew.addParts(dw, dwParts)
			b.env.crew.addParts(db, dbParts)
			return nil
		}
		var nodes G.Nodes
		if a.fixed {
			// The weight gradient is the main result; there is none by x.
			main := b.backward(a.name+".dw", ws.Clone(), dw, compute, n[0], n[1], y, dy)
			nodes = G.Nodes{nil, main}
		} else {
			dx := memory(rest)
			if dx == nil {
				dx = make([]float32, batch*rowIn)
			}
			main := b.backward(a.name+".dx", xs.Clone(), dx, compute, a.x.with(n[0], n[1], y, dy)...)
			a.x.rest = main
			nodes = G.Nodes{main, b.also(a.name+".dw", main, ws.Clone(), dw)}
		}
		if a.bias != nil {
			nodes = append(nodes, b.also(a.name+".db", nodes[0], a.bias.Shape().Clone(), db))
		}
		if a.after != nil {
			nodes = append(nodes, nil)
		}
		return nodes
	}
	return &stream{Node: b.node(&op{run: forward, grads: grads, wrt: wrt}, a.name, shape, inputs...)}
}

// convolution is what the kernels compute a convolution with, both ways.
type convolution struct {
	weights   []float32
	packed    *kernel.Packed
	adjoint   *kernel.Packed // nil if there is no gradient by the input
	byWeights *kernel.WeightGradient
	scratch   int // what a goroutine needs for any of them
}

func (b *builder) convolution(w *G.Node, s kernel.ConvShape, batch int, fixed bool) *convolution {
	s.Batch, s.BFloat16 = max(batch/chunks, 1), b.bfloat16 && s.K == 3
	weights := w.Value().(*tensor.Dense).Float32s()
	c := &convolution{weights: weights, packed: kernel.PackConv(weights, s), byWeights: kernel.NewWeightGradient(s)}
	c.scratch = max(c.packed.Scratch(), c.byWeights.Scratch())
	if !fixed {
		c.adjoint = kernel.PackConvAdjoint(weights, s)
		c.scratch = max(c.scratch, c.adjoint.Scratch())
	}
	b.env.crew.reserve(c.scratch)
	b.env.convolutions = append(b.env.convolutions, c)
	return c
}

// memory is where the value of a node lies; nil for no node.
func memory(n *G.Node) []float32 {
	if n == nil {
		return nil
	}
	if o, ok := n.Op().(*op); ok {
		return o.out
	}
	return n.Value().(*tensor.Dense).Float32s() // an input
}

// scratch returns memory of at least n values that every op may use while it
// runs: one op runs at a time.
func (b *builder) scratch(n int) *[]float32 {
	if len(b.shared) < n {
		b.shared = make([]float32, n)
	}
	return &b.shared
}
