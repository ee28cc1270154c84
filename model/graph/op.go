package graph

import (
	"fmt"
	"hash"
	"hash/fnv"

	"github.com/chewxy/hm"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// op is one node of the graph: a gorgonia operation around a function over
// float32 slices.
//
// The result lives in the op and is handed out by every Do, which is the one
// way that does not allocate. So an op stands at one place of one graph, its id
// is unique (gorgonia merges nodes of equal hash), and a graph has one machine.
type op struct {
	id     string
	typ    []hm.Type    // of the inputs, then of the result
	shape  tensor.Shape // of the result; nil: a scalar
	result G.Value
	out    []float32 // the memory behind result; nil for a scalar
	args   [][]float32
	run    func(in [][]float32, out []float32) error

	// wrt tells for which inputs grads returns the gradient that gorgonia is to
	// pass on. The gradients of the others have other ways; see stream.
	wrt   []bool
	grads func(in G.Nodes, out, grad *G.Node) G.Nodes
	b     *builder
	// backward marks an op that only training runs.
	backward bool
}

var _ G.SDOp = (*op)(nil)

// Arity, Type and InferShape describe the op to gorgonia's type system.
func (o *op) Arity() int { return len(o.typ) - 1 }

// Type is fixed: every op is built for the nodes it is applied to.
func (o *op) Type() hm.Type { return hm.NewFnType(o.typ...) }

// InferShape returns the fixed shape of the result.
func (o *op) InferShape(...G.DimSizer) (tensor.Shape, error) {
	if o.shape == nil {
		return tensor.ScalarShape(), nil
	}
	return o.shape.Clone(), nil
}

// Do computes the result. It does nothing if this is a backward op and the
// graph only runs forward; what it returns is stale then and nobody reads it.
func (o *op) Do(in ...G.Value) (G.Value, error) {
	if o.backward && o.b.env.mode != training {
		return o.result, nil
	}
	for i, v := range in {
		switch v := v.(type) {
		case *tensor.Dense:
			o.args[i] = v.Float32s()
		case *G.F32:
			o.args[i] = o.args[i][:1]
			o.args[i][0] = float32(*v)
		default:
			return nil, fmt.Errorf("%s: input %d is a %T", o.id, i, v)
		}
	}
	if f, ok := o.result.(*G.F32); ok {
		var out [1]float32
		err := o.run(o.args, out[:])
		*f = G.F32(out[0])
		return f, err
	}
	return o.result, o.run(o.args, o.out)
}

// ReturnsPtr, CallsExtern and OverwritesInput keep the machine from handing the
// op memory of its own.
func (o *op) ReturnsPtr() bool { return false }

// CallsExtern is false: everything runs here.
func (o *op) CallsExtern() bool { return false }

// OverwritesInput is none.
func (o *op) OverwritesInput() int { return -1 }

// WriteHash writes the id, which is the op's identity.
func (o *op) WriteHash(h hash.Hash) { fmt.Fprint(h, o.id) }

// Hashcode is the hash of the id.
func (o *op) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

func (o *op) String() string { return o.id }

// DiffWRT tells which inputs gorgonia gets a gradient for.
func (o *op) DiffWRT(int) []bool { return o.wrt }

// SymDiff adds the backward ops to the graph.
func (o *op) SymDiff(in G.Nodes, out, grad *G.Node) (G.Nodes, error) {
	if o.grads == nil {
		return nil, fmt.Errorf("%s has no gradient", o.id)
	}
	nodes := o.grads(in, out, grad)
	return nodes, o.b.err
}

// stream is an activation that several ops read. If gorgonia added up their
// gradients it would spend a pass over memory on each; instead the readers form
// a chain: every reader but the first comes after an earlier one in the graph,
// so that its gradient is built before, and leaves that gradient in rest, where
// the next one takes it up and adds it within its own loop. Only the first
// reader's gradient, by then complete, is handed to gorgonia.
//
// So the first reader comes first on the way there and last on the way back, and
// it may do part of the work of the op that made the stream, block by block while
// the block is in the cache: ready and done, nil if there is nothing to do.
type stream struct {
	*G.Node
	rest *G.Node
	// ready computes rows lo to hi of the value. The first reader calls it once
	// for each row, before it reads any of them.
	ready func(lo, hi int)
	// done takes in rows lo to hi of the complete gradient, which belong to
	// chunk i. The first reader calls it once for each row, in order within a
	// chunk, and does not touch the gradient afterwards.
	done func(i, lo, hi int)
}

// prepare makes sure of rows lo to hi of the value.
func (s *stream) prepare(lo, hi int) {
	if s.ready != nil {
		s.ready(lo, hi)
	}
}

// complete hands over rows lo to hi of the gradient, of chunk i.
func (s *stream) complete(i, lo, hi int) {
	if s.done != nil {
		s.done(i, lo, hi)
	}
}

// with appends the gradient collected so far, if any, to the inputs of an op.
func (s *stream) with(in ...*G.Node) []*G.Node {
	if s.rest != nil {
		in = append(in, s.rest)
	}
	return in
}

// leave sets the gradient of a reader that is not the first. It must be the
// last one: what others have left would be lost.
func (s *stream) leave(grad *G.Node) {
	if s.rest != nil {
		panic("BUG: a gradient is already waiting on " + s.Name())
	}
	s.rest = grad
}

// mode is what a run of the graph is for.
type mode int

const (
	// evaluation runs forward with the running statistics.
	evaluation mode = iota
	// gathering runs forward with the statistics of the batch and notes them.
	gathering
	// training runs forward and backward with the statistics of the batch, and
	// the running ones follow.
	training
)

// env is what the ops of a graph share and what changes between runs.
type env struct {
	crew         crew
	mode         mode
	norms        []statistics // of the batch normalisations, in the order of the graph
	convolutions []*convolution
	momentum     float64
	batch        *Batch
	masks        []float32 // [B, cells], nil if the board is always full
	cells        int
	probs        []float32 // of the batch's actions, by the policy loss
	replies      []float32 // of the actions of the batch's replies, by theirs
	losses       Losses
}

// pack brings the packed weights up to date, before every run: all of them side
// by side, since an op has but one to offer.
func (e *env) pack() {
	e.crew.run(2*len(e.convolutions), func(i int) {
		c := e.convolutions[i/2]
		if i%2 == 0 {
			c.packed.Repack(c.weights)
		} else if c.adjoint != nil && e.mode == training {
			c.adjoint.Repack(c.weights)
		}
	})
}

// mask is the mask of rows from to to; nil for full boards.
func (e *env) mask(from, to int) []float32 {
	if e.masks == nil {
		return nil
	}
	return e.masks[from*e.cells : to*e.cells]
}

// builder makes nodes. Its first error sticks and stops everything after.
type builder struct {
	g     *G.ExprGraph
	env   *env
	count int
	err   error

	height, width int
	bfloat16      bool      // see Options
	shared        []float32 // see scratch
}

// node applies an op to inputs. shape nil makes a scalar.
func (b *builder) node(o *op, name string, shape tensor.Shape, in ...*G.Node) *G.Node {
	if b.err != nil {
		return nil
	}
	b.count++
	o.id = fmt.Sprintf("%s#%d", name, b.count)
	o.b, o.shape = b, shape
	o.args = make([][]float32, len(in))
	for i, n := range in {
		o.typ = append(o.typ, n.Type())
		if n.IsScalar() {
			o.args[i] = make([]float32, 1)
		}
	}
	if shape == nil {
		o.typ = append(o.typ, tensor.Float32)
		o.result = G.NewF32(0)
	} else {
		o.typ = append(o.typ, G.TensorType{Dims: shape.Dims(), Of: tensor.Float32})
		if o.out == nil {
			o.out = make([]float32, shape.TotalSize())
		}
		o.result = tensor.New(tensor.WithShape(shape...), tensor.WithBacking(o.out))
	}
	n, err := G.ApplyOp(o, in...)
	if err != nil {
		b.err = fmt.Errorf("graph: %s: %w", name, err)
	}
	return n
}

// also makes a node for a second result of a backward op: memory that node main
// has filled by the time this one runs.
func (b *builder) also(name string, main *G.Node, shape tensor.Shape, memory []float32) *G.Node {
	nothing := func([][]float32, []float32) error { return nil }
	return b.node(&op{run: nothing, out: memory, backward: true}, name, shape, main)
}

// backward makes a node that computes a gradient into memory; nil allocates.
func (b *builder) backward(name string, shape tensor.Shape, memory []float32, run func(in [][]float32, out []float32) error, in ...*G.Node) *G.Node {
	return b.node(&op{run: run, out: memory, backward: true}, name, shape, in...)
}
