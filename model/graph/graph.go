// Package graph is the training graph of a model.Network: the network and its
// losses as a gorgonia expression graph at a fixed batch size, differentiated
// by gorgonia and computed by our own operations on model/kernel.
//
// gorgonia orders the operations, derives the gradient and runs the tape; its
// own convolutions and normalisations reach a few percent of the machine and
// are not used. Every operation cuts the batch into a fixed number of chunks
// and adds sums over chunks in order, so the results are the same bits for any
// number of threads.
//
// The package holds no random source, clock or file. Two graphs must not be
// built at the same time: gorgonia keeps some global state for building.
package graph

import (
	"errors"
	"fmt"
	"math"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
)

// Options are the choices of a graph.
type Options struct {
	// Batch is the number of rows of every batch, from 1.
	Batch int
	// Threads is the number of goroutines that an operation runs on, 1 to
	// MaxThreads.
	// Results do not depend on it.
	Threads int
	// PolicyWeight, ValueWeight, TurnsWeight and ReplyWeight scale the losses in
	// the total; >= 0. ReplyWeight counts only if the network has the head.
	PolicyWeight, ValueWeight, TurnsWeight, ReplyWeight float64
	// Momentum is the share of the batch in the running statistics of batch
	// normalisation at every step; in (0, 1].
	Momentum float64
	// BFloat16 rounds what the 3×3 convolutions multiply to bfloat16, forward
	// and for the gradient by their inputs; sums, weights and all else stay
	// float32. kernel.CheckBFloat16 tells where that is possible.
	BFloat16 bool
}

// Validate reports every option out of range.
func (o Options) Validate() error {
	var l problems.List
	l.If(o.Batch < 1, "batch = %d: want at least 1", o.Batch)
	l.If(o.Threads < 1 || o.Threads > MaxThreads, "threads = %d: want 1 to %d", o.Threads, MaxThreads)
	for _, w := range []struct {
		key   string
		value float64
	}{{"policy weight", o.PolicyWeight}, {"value weight", o.ValueWeight}, {"turns weight", o.TurnsWeight}, {"reply weight", o.ReplyWeight}} {
		l.If(!(w.value >= 0) || math.IsInf(w.value, 0), "%s = %v: want a finite number, at least 0", w.key, w.value)
	}
	l.If(!(o.Momentum > 0 && o.Momentum <= 1), "momentum = %v: want above 0, at most 1", o.Momentum)
	if o.BFloat16 {
		l = append(l, kernel.CheckBFloat16())
	}
	return l.Err()
}

// Graph is a network in training. It owns its weights. Not safe for concurrent
// use.
type Graph struct {
	net       model.Network
	opt       Options
	weights   *model.Weights
	env       *env
	learnable G.Nodes
	specs     []model.TensorSpec // of learnable, in order
	running   [][]float32        // running statistics, views of weights
	before    [][]float32        // what they were before this run

	planes, globals []float32 // inputs of the graph
	machine         interface {
		RunAll() error
		Reset()
		Close() error
	}
	outputs Outputs
}

// Outputs are the network's answers to the batch of the last run. The slices
// belong to the graph and hold until the next run.
type Outputs struct {
	// Policy is the probability of each action of the batch, in its order.
	Policy []float32
	// Cells, [B, H·W, PolicyPlanes], and More, [B, PolicyGlobals], are the
	// policy logits.
	Cells, More []float32
	// Reply is the probability of each action of the batch's replies, in its
	// order; nil without a head for them.
	Reply []float32
	// WDL is [B, 3], the win, draw and loss logits; Turns is [B], the output u
	// of the turns-left head.
	WDL, Turns []float32
}

// New builds the graph with a copy of w.
func New(net model.Network, w *model.Weights, opt Options) (*Graph, error) {
	if err := errors.Join(net.Validate(), opt.Validate()); err != nil {
		return nil, fmt.Errorf("graph: %w", err)
	}
	if w.Network() != net {
		return nil, errors.New("graph: the weights are of another network")
	}
	g := &Graph{net: net, opt: opt, weights: w.Clone()}
	g.env = &env{momentum: opt.Momentum, cells: net.Shape.Cells()}
	g.env.crew.threads = opt.Threads
	if net.Shape.MaskPlane >= 0 {
		g.env.masks = make([]float32, opt.Batch*net.Shape.Cells())
	}
	b := &builder{g: G.NewGraph(), env: g.env, height: net.Shape.Height, width: net.Shape.Width, bfloat16: opt.BFloat16}
	g.build(b)
	if b.err != nil {
		return nil, b.err
	}
	g.machine = G.NewTapeMachine(b.g)
	return g, nil
}

// SetThreads changes Options.Threads from the next run on. A number out of its
// bounds is a bug of the caller.
func (g *Graph) SetThreads(threads int) {
	if threads < 1 || threads > MaxThreads {
		panic(fmt.Sprintf("BUG: graph: %d threads, want 1 to %d", threads, MaxThreads))
	}
	g.env.crew.threads = threads
}

// Network is the architecture that the graph computes.
func (g *Graph) Network() model.Network { return g.net }

// Close frees what the machine holds.
func (g *Graph) Close() error { return g.machine.Close() }

// Run computes losses and gradients for one batch and lets the running
// statistics follow it. The gradients lie in the learnables until the next run.
// If a loss is not a finite number, Run says so and the running statistics are
// as before.
func (g *Graph) Run(b *Batch) (Losses, error) { return g.run(b, training) }

// Evaluate computes the losses with the running statistics and changes nothing
// but the outputs.
func (g *Graph) Evaluate(b *Batch) (Losses, error) { return g.run(b, evaluation) }

func (g *Graph) run(b *Batch, m mode) (Losses, error) {
	if err := b.check(g.net, g.opt.Batch); err != nil {
		return Losses{}, err
	}
	copy(g.planes, b.Planes)
	copy(g.globals, b.Globals)
	if s := g.net.Shape; s.MaskPlane >= 0 {
		for i := range g.env.masks {
			g.env.masks[i] = b.Planes[i*s.Planes+s.MaskPlane]
		}
	}
	for i, v := range g.running {
		copy(g.before[i], v)
	}
	g.env.batch, g.env.mode = b, m
	g.env.pack()
	g.machine.Reset()
	err := g.machine.RunAll()
	g.env.batch = nil
	if err != nil {
		return Losses{}, fmt.Errorf("graph: %w", err)
	}
	g.outputs.Policy, g.outputs.Reply = g.env.probs, g.env.replies
	l := &g.env.losses
	l.PolicyKnown, l.TurnsKnown, l.ReplyKnown = sum64(b.PolicyWeight) > 0, sum64(b.TurnsWeight) > 0, g.net.Config.Reply && sum64(b.ReplyWeight) > 0
	l.Total = g.opt.PolicyWeight*l.Policy + g.opt.ValueWeight*l.Value + g.opt.TurnsWeight*l.Turns + g.opt.ReplyWeight*l.Reply
	if math.IsNaN(l.Total) || math.IsInf(l.Total, 0) {
		for i, v := range g.before {
			copy(g.running[i], v)
		}
		return *l, fmt.Errorf("graph: policy loss %g, value loss %g, turns loss %g, reply loss %g: not finite", l.Policy, l.Value, l.Turns, l.Reply)
	}
	return *l, nil
}

// Outputs returns what the last Run or Evaluate computed.
func (g *Graph) Outputs() Outputs { return g.outputs }

// Learnables are the tensors that the optimiser moves, in the order of
// model.Network.Tensors and under the names of it. Value is the weights, Grad
// the gradient of the last run.
func (g *Graph) Learnables() G.Nodes { return g.learnable }

// LearnableSpecs describes the learnables, in their order.
func (g *Graph) LearnableSpecs() []model.TensorSpec { return g.specs }

// Weights returns a copy of the weights, running statistics included.
func (g *Graph) Weights() *model.Weights { return g.weights.Clone() }

// SetWeights replaces all weights, running statistics included.
func (g *Graph) SetWeights(w *model.Weights) error {
	if w.Network() != g.net {
		return errors.New("graph: the weights are of another network")
	}
	g.weights.CopyFrom(w)
	return nil
}

// input makes a node for data.
func (b *builder) input(name string, memory []float32, shape ...int) *stream {
	t := tensor.New(tensor.WithShape(shape...), tensor.WithBacking(memory))
	return &stream{Node: G.NodeFromAny(b.g, t, G.WithName(name))}
}
