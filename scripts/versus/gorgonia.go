package main

import (
	"fmt"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// ownOps trains R6x64 as gorgonia's users write it: with Conv2d, BatchNorm, Rectify,
// LogSoftMax and Adam of gorgonia itself. The policy loss is over all head cells;
// those of illegal actions are pushed out of the softmax.
type ownOps struct {
	dir     string
	g       *G.ExprGraph
	shapes  map[string][]int
	learned G.Nodes
	loss    *G.Node
	machine G.VM
	solver  G.Solver
	batch   int
	err     error // the first of reading files
}

func newGorgonia(t task) (worker, error) {
	l, err := readLesson(t.Training)
	if err != nil {
		return nil, err
	}
	n := &ownOps{dir: t.Training, g: G.NewGraph(), shapes: map[string][]int{}, batch: l.Batch, solver: G.NewAdamSolver(G.WithLearnRate(l.Rate))}
	for _, t := range l.Tensors {
		n.shapes[t.Name] = t.Shape
	}
	if n.build(l); n.err != nil {
		return nil, n.err
	}
	if _, err := G.Grad(n.loss, n.learned...); err != nil {
		return nil, err
	}
	n.machine = G.NewTapeMachine(n.g, G.BindDualValues(n.learned...))
	return n, nil
}

// farBelow is subtracted from the logits of illegal actions.
const farBelow = 1e4

func (n *ownOps) build(l lesson) {
	rows, side := l.Batch, l.Planes[1]*l.Planes[2]
	channels, planes := n.shapes["value.conv.weight"][0], n.shapes["policy.conv2.bias"][0]
	heads := planes * side
	cells, policy, turns := n.floats("batch.cells", rows*l.Legal), n.floats("batch.policy", rows*l.Legal), n.floats("batch.turns", rows)
	target, below := make([]float32, rows*heads), make([]float32, rows*heads)
	for i := range below {
		below[i] = -farBelow
	}
	for i, cell := range cells {
		if cell >= 0 {
			at := i/l.Legal*heads + int(cell)
			target[at], below[at] = target[at]+policy[i], 0
		}
	}
	for i := range turns {
		turns[i] /= float32(l.TurnsUnit)
	}

	t := n.relu(n.norm(n.conv(n.file("batch.planes", append([]int{rows}, l.Planes...)...), "stem.conv"), "stem.bn"))
	for i := range l.Blocks {
		name := fmt.Sprintf("block.%d.", i)
		a := n.relu(n.norm(n.conv(t, name+"conv1"), name+"bn1"))
		t = n.relu(G.Must(G.Add(n.norm(n.conv(a, name+"conv2"), name+"bn2"), t)))
	}
	p := n.conv(n.relu(n.norm(n.conv(t, "policy.conv1"), "policy.bn")), "policy.conv2")
	p = G.Must(G.BroadcastAdd(p, n.weight("policy.conv2.bias", 1, planes, 1, 1), nil, []byte{0, 2, 3}))
	logits := G.Must(G.Add(G.Must(G.Reshape(p, tensor.Shape{rows, heads})), n.input("below", below, rows, heads)))
	lossOfPolicy := n.crossEntropy(logits, n.input("policy", target, rows, heads))

	v := G.Must(G.Reshape(n.relu(n.norm(n.conv(t, "value.conv"), "value.bn")), tensor.Shape{rows, channels * side}))
	h := n.relu(n.linear(v, "value.hidden"))
	lossOfValue := n.crossEntropy(n.linear(h, "value.wdl"), n.file("batch.value", rows, 3))

	// Huber: e²/2 less relu(|e| - delta)²/2.
	e := G.Must(G.Sub(G.Must(G.Softplus(n.linear(h, "value.turns"))), n.input("turns", turns, rows, 1)))
	over := n.relu(G.Must(G.Sub(G.Must(G.Abs(e)), n.scalar(l.HuberDelta))))
	lossOfTurns := G.Must(G.Mul(G.Must(G.Mean(G.Must(G.Sub(G.Must(G.Square(e)), G.Must(G.Square(over)))))), n.scalar(0.5)))

	n.loss = G.Must(G.Add(G.Must(G.Mul(lossOfPolicy, n.scalar(l.PolicyLoss))), G.Must(G.Mul(lossOfValue, n.scalar(l.ValueLoss)))))
	n.loss = G.Must(G.Add(n.loss, G.Must(G.Mul(lossOfTurns, n.scalar(l.TurnsLoss)))))
}

// floats reads a file of the lesson; zeros, and n.err, if that fails.
func (n *ownOps) floats(name string, size int) []float32 {
	v, err := readFloats(floatFile(n.dir, name))
	if err == nil && len(v) != size {
		err = fmt.Errorf("%s: %d values, want %d", floatFile(n.dir, name), len(v), size)
	}
	if err != nil {
		if n.err == nil {
			n.err = err
		}
		return make([]float32, size)
	}
	return v
}

func (n *ownOps) scalar(v float64) *G.Node { return G.NewConstant(float32(v)) }
func (n *ownOps) relu(x *G.Node) *G.Node   { return G.Must(G.Rectify(x)) }
func (n *ownOps) file(name string, shape ...int) *G.Node {
	return n.input(name, n.floats(name, tensor.Shape(shape).TotalSize()), shape...)
}

func (n *ownOps) input(name string, v []float32, shape ...int) *G.Node {
	return G.NodeFromAny(n.g, tensor.New(tensor.WithShape(shape...), tensor.WithBacking(v)), G.WithName(name))
}

// weight is a learned tensor, in its own shape unless another is given.
func (n *ownOps) weight(name string, shape ...int) *G.Node {
	if shape == nil {
		shape = n.shapes[name]
	}
	w := n.file(name, shape...)
	n.learned = append(n.learned, w)
	return w
}

func (n *ownOps) conv(x *G.Node, name string) *G.Node {
	w := n.weight(name + ".weight")
	k := w.Shape()[2]
	return G.Must(G.Conv2d(x, w, tensor.Shape{k, k}, []int{k / 2, k / 2}, []int{1, 1}, []int{1, 1}))
}

func (n *ownOps) norm(x *G.Node, name string) *G.Node {
	c := x.Shape()[1]
	y, _, _, _, err := G.BatchNorm(x, n.weight(name+".scale", 1, c, 1, 1), n.weight(name+".shift", 1, c, 1, 1), 0.1, 1e-5)
	return G.Must(y, err)
}

func (n *ownOps) linear(x *G.Node, name string) *G.Node {
	w := n.weight(name + ".weight")
	return G.Must(G.BroadcastAdd(G.Must(G.Mul(x, w)), n.weight(name+".bias", 1, w.Shape()[1]), nil, []byte{0}))
}

// crossEntropy is the mean over rows.
func (n *ownOps) crossEntropy(logits, target *G.Node) *G.Node {
	all := G.Must(G.Sum(G.Must(G.HadamardProd(G.Must(G.LogSoftMax(logits, 1)), target))))
	return G.Must(G.Mul(all, n.scalar(-1/float64(n.batch))))
}

func (n *ownOps) step() (int, error) {
	_, err := n.lossOfStep()
	return n.batch, err
}

func (n *ownOps) lossOfStep() (float64, error) {
	if err := n.machine.RunAll(); err != nil {
		return 0, err
	}
	loss := float64(n.loss.Value().Data().(float32))
	err := n.solver.Step(G.NodesToValueGrads(n.learned))
	n.machine.Reset()
	return loss, err
}

// command answers "losses N".
func (n *ownOps) command(name, argument string) (reply, error) {
	return losses(n.lossOfStep, name, argument)
}
