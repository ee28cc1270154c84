package graph

import (
	"math"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
)

// norm is a batch normalisation with what follows it:
// y = mask · relu(bn(x) [+ skip]).
type norm struct {
	name         string
	x            *stream
	scale, shift *G.Node
	mean, vari   []float32 // running statistics, updated in training
	// skip is added before the relu; nil: nothing. Other ops read it first.
	skip *stream
	// reuse lends the memory of gradients within the tower; nil allocates.
	reuse *buffers
}

// norm adds the op. In training the statistics are those of the batch, over
// board cells only, and the running ones follow them:
//
//	running += momentum · (batch - running)
//
// While gathering they are noted instead, see Graph.RecomputeStatistics. In
// evaluation the running ones are used. The gradient by x is written over
// that by y, whose only reader is the op's own gradient.
func (b *builder) norm(n norm) *stream {
	if b.err != nil {
		return &stream{}
	}
	shape := n.x.Shape().Clone()
	batch, cells, c := shape[0], shape[1], shape[2]
	row := cells * c
	mean, inv := make([]float32, c), make([]float32, c)
	slope, offset := make([]float32, c), make([]float32, c)
	var moments [chunks]*kernel.Moments
	for i := range moments {
		moments[i] = kernel.NewMoments(c)
	}
	count := 0.0 // board cells of the batch
	seen := kernel.NewMoments(c)
	b.env.norms = append(b.env.norms, statistics{seen: seen, mean: n.mean, vari: n.vari})

	inputs, wrt := []*G.Node{n.x.Node, n.scale, n.shift}, []bool{true, true, true}
	if n.skip != nil {
		inputs, wrt = append(inputs, n.skip.Node), append(wrt, false)
	}

	forward := func(v [][]float32, y []float32) error {
		x := v[0]
		if b.env.mode != evaluation {
			b.env.crew.run(chunks, func(i int) {
				from, to := part(i, batch)
				moments[i].Reset()
				moments[i].Add(x[from*row:to*row], b.env.mask(from, to), to-from, cells)
			})
			all := moments[0]
			for _, m := range moments[1:] {
				all.Merge(m)
			}
			all.Finish(mean, inv, model.BatchNormEpsilon)
			count = all.Count
			if b.env.mode == gathering {
				seen.Merge(all)
			} else {
				follow(n.mean, all.Mean, 1, b.env.momentum)
				follow(n.vari, all.M2, max(count, 1), b.env.momentum)
			}
		} else {
			copy(mean, n.mean)
			for j, s := range n.vari {
				inv[j] = float32(1 / math.Sqrt(float64(s)+model.BatchNormEpsilon))
			}
		}
		kernel.NormCoefficients(slope, offset, mean, inv, v[1], v[2])
		b.env.crew.run(chunks, func(i int) {
			from, to := part(i, batch)
			var skip []float32
			if n.skip != nil {
				skip = v[3][from*row : to*row]
			}
			kernel.ScaleShift(y[from*row:to*row], x[from*row:to*row], slope, offset, skip, b.env.mask(from, to), to-from, cells, true)
		})
		return nil
	}

	grads := func(in G.Nodes, y, dy *G.Node) G.Nodes {
		dscale, dshift := make([]float32, c), make([]float32, c)
		p, q, r := make([]float32, c), make([]float32, c), make([]float32, c)
		var sums [chunks]*kernel.NormGrad
		for i := range sums {
			sums[i] = kernel.NewNormGrad(c)
		}
		dx := memory(dy)
		dz := dx // the gradient before the relu, in place unless skip needs it
		if n.skip != nil {
			dz = n.reuse.take(batch * row)
		}
		main := b.backward(n.name+".dx", shape, dx, func(v [][]float32, dx []float32) error {
			x, y, dy := v[0], v[2], v[3]
			b.env.crew.run(chunks, func(i int) {
				from, to := part(i, batch)
				kernel.ReLUBackward(dz[from*row:to*row], dy[from*row:to*row], y[from*row:to*row])
				sums[i].Reset()
				sums[i].Add(dz[from*row:to*row], x[from*row:to*row], mean, inv, b.env.mask(from, to), to-from, cells)
			})
			all := sums[0]
			for _, s := range sums[1:] {
				all.Merge(s)
			}
			for j := range dscale {
				dscale[j], dshift[j] = float32(all.DGamma[j]), float32(all.DBeta[j])
			}
			all.Coefficients(p, q, r, mean, inv, v[1], count)
			b.env.crew.run(chunks, func(i int) {
				from, to := part(i, batch)
				kernel.NormBackward(dx[from*row:to*row], dz[from*row:to*row], x[from*row:to*row], p, q, r, b.env.mask(from, to), to-from, cells)
			})
			return nil
		}, in[0], in[1], y, dy)
		nodes := G.Nodes{main,
			b.also(n.name+".dscale", main, tensor.Shape{c}, dscale),
			b.also(n.name+".dshift", main, tensor.Shape{c}, dshift)}
		if n.skip != nil {
			n.skip.leave(b.also(n.name+".dskip", main, shape, dz))
			nodes = append(nodes, n.skip.rest)
		}
		return nodes
	}
	return &stream{Node: b.node(&op{run: forward, grads: grads, wrt: wrt}, n.name, shape, inputs...)}
}

// follow moves running statistics towards those of a batch, given as sums over
// count.
func follow(running []float32, sums []float64, count, momentum float64) {
	for j, s := range sums {
		old := float64(running[j])
		running[j] = float32(old + momentum*(s/count-old))
	}
}

// buffers lends memory of one size for gradients that live one after another
// on the way down the tower. Every op there waits for the one above, so that
// what one has given back the next may overwrite. A nil *buffers allocates.
type buffers struct{ free [][]float32 }

func (p *buffers) take(n int) []float32 {
	if p == nil || len(p.free) == 0 {
		return make([]float32, n)
	}
	last := len(p.free) - 1
	m := p.free[last]
	p.free = p.free[:last]
	return m
}

func (p *buffers) give(m []float32) {
	if p != nil {
		p.free = append(p.free, m)
	}
}
