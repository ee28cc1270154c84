package graph

import (
	"math"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
)

// convNorm is a convolution with the batch normalisation and what follows it:
// y = mask · relu(bn(x ∗ w [+ rows]) [+ skip]).
type convNorm struct {
	name         string
	x            *stream
	w            *G.Node // [k, k, in, out]
	scale, shift *G.Node
	k            int
	mean, vari   []float32 // running statistics, updated in training
	// rows is added to every cell of a position, [B, out]; nil: nothing.
	rows *stream
	// skip is added before the relu; nil: nothing. Other ops read it first.
	skip *stream
	// first: no other op reads x before this one. after: the reader that comes
	// before this one, else nil.
	first bool
	after *G.Node
	// fixed: x is data, without a gradient.
	fixed bool
	// reuse lends the memory of gradients within the tower; nil allocates.
	reuse *buffers
}

// blockValues is the size of a block in values of an activation: half a megabyte, so that
// the next pass finds the results of one in the second-level cache.
const blockValues = 128 << 10

// blocks calls f for the blocks of the rows from to to of an activation of row
// values each.
func blocks(from, to, row int, f func(lo, hi int)) {
	step := max(1, blockValues/row)
	for lo := from; lo < to; lo += step {
		f(lo, min(lo+step, to))
	}
}

// convNorm adds the op. It takes the batch through the convolution and adds up
// the moments; the normalisation is left to the first reader of y, and so are the
// mask and the sums on the way back (stream.ready, done). What then remains is,
// block by block, the gradient by the convolution's output, and from it the
// gradients by input and weights.
//
// In training it normalises by the statistics of the batch, over board cells only,
// which the running statistics follow:
//
//	running += momentum · (batch - running)
//
// While gathering they are recorded instead, see Graph.RecomputeStatistics. In evaluation
// the running statistics are used. The gradient by the input of the relu overwrites the
// gradient by y, whose only reader is the op's own gradient, and is the gradient by skip.
func (b *builder) convNorm(n convNorm) *stream {
	if b.err != nil {
		return &stream{}
	}
	xs, ws := n.x.Shape(), n.w.Shape()
	batch, cells, in, out := xs[0], xs[1], xs[2], ws[len(ws)-1]
	shape := tensor.Shape{batch, cells, out}
	rowIn, row := cells*in, cells*out
	z := kernel.Alloc(batch * row) // what the convolution gives
	c := b.convolution(n.w, kernel.ConvShape{K: n.k, In: in, Out: out, H: b.height, W: b.width}, batch, n.fixed)
	s := b.batchStatistics(out, n.mean, n.vari)
	slope, offset := make([]float32, out), make([]float32, out)
	var sums [chunks]*kernel.NormGrad
	for i := range sums {
		sums[i] = kernel.NewNormGrad(out)
	}

	inputs, wrt := []*G.Node{n.x.Node, n.w, n.scale, n.shift}, []bool{n.first && !n.fixed, true, true, true}
	if n.rows != nil {
		inputs, wrt = append(inputs, n.rows.Node), append(wrt, true)
	}
	if n.skip != nil {
		inputs, wrt = append(inputs, n.skip.Node), append(wrt, false)
	}
	if n.after != nil {
		inputs, wrt = append(inputs, n.after), append(wrt, false)
	}

	forward := func(v [][]float32, _ []float32) error {
		x, rows := v[0], []float32(nil)
		if n.rows != nil {
			rows = v[4]
		}
		b.env.crew.runScratch(chunks, func(i int, scratch []float32) {
			from, to := part(i, batch)
			s.moments[i].Reset()
			sums[i].Reset()
			blocks(from, to, row, func(lo, hi int) {
				if n.first {
					n.x.prepare(lo, hi)
				}
				zi := z[lo*row : hi*row]
				kernel.Conv(zi, x[lo*rowIn:hi*rowIn], hi-lo, c.packed, between(rows, lo*out, hi*out), nil, false, scratch)
				if b.env.mode != evaluation {
					s.moments[i].Add(zi, b.env.mask(lo, hi), hi-lo, cells)
				}
			})
		})
		s.finish(b.env)
		kernel.NormCoefficients(slope, offset, s.mean, s.inv, v[2], v[3])
		return nil
	}

	var gradient []float32 // the memory of that by y
	grads := func(v G.Nodes, y, dy *G.Node) G.Nodes {
		gradient = memory(dy)
		dw, dscale, dshift := make([]float32, ws.TotalSize()), make([]float32, out), make([]float32, out)
		var drows []float32
		if n.rows != nil {
			drows = make([]float32, batch*out)
		}
		parts := b.scratch(chunks * len(dw))
		p, q, r := make([]float32, out), make([]float32, out), make([]float32, out)
		block := (min((batch+chunks-1)/chunks, max(1, blockValues/row))*row + 15) &^ 15 // whole cache lines
		b.env.crew.reserve(block + c.scratch)
		rest := n.x.rest // another reader's gradient, which ours is added to in place
		compute := func(v [][]float32, dx []float32) error {
			x, dz := v[0], v[4]
			all := sums[0]
			for _, s := range sums[1:] {
				all.Merge(s)
			}
			for j := range dscale {
				dscale[j], dshift[j] = float32(all.DGamma[j]), float32(all.DBeta[j])
			}
			all.Coefficients(p, q, r, s.mean, s.inv, v[2], s.count)
			b.env.crew.runScratch(chunks, func(i int, scratch []float32) {
				dwi := (*parts)[i*len(dw) : (i+1)*len(dw)]
				clear(dwi)
				from, to := part(i, batch)
				blocks(from, to, row, func(lo, hi int) {
					d, scratch, mask := scratch[:(hi-lo)*row], scratch[block:], b.env.mask(lo, hi)
					kernel.NormBackward(d, dz[lo*row:hi*row], z[lo*row:hi*row], p, q, r, mask, hi-lo, cells)
					c.byWeights.Add(dwi, x[lo*rowIn:hi*rowIn], d, hi-lo, scratch)
					if drows != nil {
						kernel.SumCells(drows[lo*out:hi*out], d, mask, hi-lo, cells, out)
					}
					if c.adjoint != nil {
						kernel.ConvBackwardInput(dx[lo*rowIn:hi*rowIn], d, hi-lo, c.adjoint, rest != nil, scratch)
						if n.first {
							n.x.complete(i, lo, hi)
						}
					}
				})
			})
			b.env.crew.addParts(dw, (*parts)[:chunks*len(dw)])
			return nil
		}
		var main *G.Node
		var nodes G.Nodes
		if n.fixed {
			// The weight gradient is the main result; there is none by x.
			main = b.backward(n.name+".dw", ws.Clone(), dw, compute, v[0], v[1], v[2], y, dy)
			nodes = G.Nodes{nil, main}
		} else {
			dx := memory(rest)
			if dx == nil {
				dx = n.reuse.take(batch * rowIn)
			}
			main = b.backward(n.name+".dx", xs.Clone(), dx, compute, n.x.with(v[0], v[1], v[2], y, dy)...)
			n.x.rest = main
			nodes = G.Nodes{main, b.also(n.name+".dw", main, ws.Clone(), dw)}
		}
		nodes = append(nodes, b.also(n.name+".dscale", main, tensor.Shape{out}, dscale), b.also(n.name+".dshift", main, tensor.Shape{out}, dshift))
		if n.rows != nil {
			nodes = append(nodes, b.also(n.name+".drows", main, tensor.Shape{batch, out}, drows))
		}
		if n.skip != nil {
			n.skip.leave(b.also(n.name+".dskip", main, shape, memory(dy)))
			nodes = append(nodes, n.skip.rest)
		} else {
			n.reuse.give(memory(dy))
		}
		if n.after != nil {
			nodes = append(nodes, nil)
		}
		return nodes
	}
	o := &op{run: forward, grads: grads, wrt: wrt}
	y := &stream{Node: b.node(o, n.name, shape, inputs...)}
	var skip []float32
	if n.skip != nil {
		skip = memory(n.skip.Node)
	}
	y.ready = func(lo, hi int) {
		kernel.ScaleShift(o.out[lo*row:hi*row], z[lo*row:hi*row], slope, offset, between(skip, lo*row, hi*row), b.env.mask(lo, hi), hi-lo, cells, true)
	}
	y.done = func(i, lo, hi int) {
		sums[i].Add(gradient[lo*row:hi*row], o.out[lo*row:hi*row], z[lo*row:hi*row], s.mean, s.inv, b.env.mask(lo, hi), hi-lo, cells)
	}
	return y
}

// between is s[from:to], nil of nil.
func between(s []float32, from, to int) []float32 {
	if s == nil {
		return nil
	}
	return s[from:to]
}

// batchStatistics are the mean and the deviation of a normalisation.
type batchStatistics struct {
	moments   [chunks]*kernel.Moments // of the chunks of this batch
	mean, inv []float32               // inv is 1/√(variance + ε)
	count     float64                 // board cells of the batch
	statistics
}

func (b *builder) batchStatistics(channels int, mean, vari []float32) *batchStatistics {
	s := &batchStatistics{mean: make([]float32, channels), inv: make([]float32, channels),
		statistics: statistics{seen: kernel.NewMoments(channels), running: mean, vari: vari}}
	for i := range s.moments {
		s.moments[i] = kernel.NewMoments(channels)
	}
	b.env.norms = append(b.env.norms, s.statistics)
	return s
}

// finish makes mean and inv from the moments of the chunks, or from the running
// statistics.
func (s *batchStatistics) finish(e *env) {
	if e.mode == evaluation {
		copy(s.mean, s.running)
		for j, v := range s.vari {
			s.inv[j] = float32(1 / math.Sqrt(float64(v)+model.BatchNormEpsilon))
		}
		return
	}
	all := s.moments[0]
	for _, m := range s.moments[1:] {
		all.Merge(m)
	}
	all.Finish(s.mean, s.inv, model.BatchNormEpsilon)
	s.count = all.Count
	if e.mode == gathering {
		s.seen.Merge(all)
		return
	}
	follow(s.running, all.Mean, 1, e.momentum)
	follow(s.vari, all.M2, max(s.count, 1), e.momentum)
}

// follow moves running statistics towards the batch's, given as sums over count.
func follow(running []float32, sums []float64, count, momentum float64) {
	for j, s := range sums {
		old := float64(running[j])
		running[j] = float32(old + momentum*(s/count-old))
	}
}
