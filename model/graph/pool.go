package graph

import (
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
)

var poolScale = kernel.PoolScale{Centre: model.PoolCentre, Factor: model.PoolScale}

// pool adds the global pooling of x: y is [B, 3C]. It must be the first reader
// of x: having no parameters, it is a dead end to gorgonia unless it hands on a
// gradient itself.
func (b *builder) pool(name string, x *stream) *stream {
	if b.err != nil {
		return &stream{}
	}
	xs := x.Shape().Clone()
	batch, cells, c := xs[0], xs[1], xs[2]
	row := cells * c
	forward := func(v [][]float32, y []float32) error {
		b.env.crew.run(chunks, func(i int) {
			from, to := part(i, batch)
			x.prepare(from, to)
			kernel.GlobalPool(y[from*3*c:to*3*c], v[0][from*row:to*row], b.env.mask(from, to), to-from, cells, c, poolScale)
		})
		return nil
	}
	grads := func(n G.Nodes, y, dy *G.Node) G.Nodes {
		rest := x.rest
		main := b.backward(name+".dx", xs, memory(rest), func(v [][]float32, dx []float32) error {
			xv, y, dy := v[0], v[1], v[2]
			b.env.crew.run(chunks, func(i int) {
				from, to := part(i, batch)
				d := dx[from*row : to*row]
				if rest == nil {
					clear(d)
				}
				kernel.GlobalPoolBackward(d, dy[from*3*c:to*3*c], xv[from*row:to*row], y[from*3*c:to*3*c], b.env.mask(from, to), to-from, cells, c, poolScale)
				x.complete(i, from, to)
			})
			return nil
		}, x.with(n[0], y, dy)...)
		x.rest = main
		return G.Nodes{main}
	}
	return &stream{Node: b.node(&op{run: forward, grads: grads, wrt: []bool{true}}, name, tensor.Shape{batch, 3 * c}, x.Node)}
}

// rowBias adds y = mask · relu(x + r) with r, [B, C], the same for all cells of a
// row. It is not the first reader of x.
func (b *builder) rowBias(name string, x, r *stream) *stream {
	if b.err != nil {
		return &stream{}
	}
	xs := x.Shape().Clone()
	batch, cells, c := xs[0], xs[1], xs[2]
	row := cells * c
	forward := func(v [][]float32, y []float32) error {
		b.env.crew.run(chunks, func(i int) {
			from, to := part(i, batch)
			kernel.AddChannels(y[from*row:to*row], v[0][from*row:to*row], v[1][from*c:to*c], b.env.mask(from, to), to-from, cells, c, true)
		})
		return nil
	}
	grads := func(n G.Nodes, y, dy *G.Node) G.Nodes {
		dr := make([]float32, batch*c)
		// The gradient by x is the gradient by y before the relu, in place.
		main := b.backward(name+".dx", xs, memory(dy), func(v [][]float32, dz []float32) error {
			y, dy := v[0], v[1]
			b.env.crew.run(chunks, func(i int) {
				from, to := part(i, batch)
				kernel.ReLUBackward(dz[from*row:to*row], dy[from*row:to*row], y[from*row:to*row])
				kernel.SumCells(dr[from*c:to*c], dz[from*row:to*row], nil, to-from, cells, c) // 0 off the board
			})
			return nil
		}, y, dy)
		x.leave(main)
		return G.Nodes{main, b.also(name+".dr", main, tensor.Shape{batch, c}, dr)}
	}
	return &stream{Node: b.node(&op{run: forward, grads: grads, wrt: []bool{false, true}}, name, xs, x.Node, r.Node)}
}
