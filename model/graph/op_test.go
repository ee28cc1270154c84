package graph

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/ludozero/ludozero/model"
)

// bench is one op, or a few, between inputs and a scalar.
type bench struct {
	b      *builder
	inputs []*stream
	values [][]float32
	scalar float64 // the result of the last run, summed in float64
}

func newBench(rows, height, width int, masked bool, shapes ...[]int) *bench {
	rng := rand.New(rand.NewPCG(1, 9))
	e := &env{mode: training, momentum: 0.1, cells: height * width}
	e.crew.threads = 2
	if masked {
		e.masks = make([]float32, rows*e.cells)
		for i := range e.masks {
			if i%e.cells%width < 2+i/e.cells%2 { // a board of two or three columns
				e.masks[i] = 1
			}
		}
	}
	c := &bench{b: &builder{g: G.NewGraph(), env: e, height: height, width: width}}
	for _, shape := range shapes {
		v := make([]float32, tensor.Shape(shape).TotalSize())
		for i := range v {
			v[i] = float32(rng.NormFloat64())
		}
		c.values = append(c.values, v)
		c.inputs = append(c.inputs, c.b.input("input"+string(rune('a'+len(c.inputs))), v, shape...))
	}
	return c
}

// dot reduces y to a scalar with fixed random coefficients.
func (c *bench) dot(y *stream) *G.Node {
	rng := rand.New(rand.NewPCG(2, 9))
	shape := y.Shape().Clone()
	coefficients := make([]float32, shape.TotalSize())
	for i := range coefficients {
		coefficients[i] = float32(rng.NormFloat64())
	}
	rows := shape[0]
	forward := func(in [][]float32, out []float32) error {
		y.prepare(0, rows)
		c.scalar = 0
		for i, v := range in[0] {
			c.scalar += float64(v) * float64(coefficients[i])
		}
		out[0] = float32(c.scalar)
		return nil
	}
	grads := func(in G.Nodes, out, grad *G.Node) G.Nodes {
		return G.Nodes{c.b.backward("dot.dx", shape, nil, func(_ [][]float32, dx []float32) error {
			copy(dx, coefficients)
			for i := range chunks {
				from, to := part(i, rows)
				y.complete(i, from, to)
			}
			return nil
		}, grad)}
	}
	return c.b.node(&op{run: forward, grads: grads, wrt: []bool{true}}, "dot", nil, y.Node)
}

// normed sets a scale and a shift so that the relu after a normalisation is
// open in every second channel and shut in the others, and few values come near
// its corner, where there is no difference quotient to compare with.
func (c *bench) normed(scale, shift int) {
	for j := range c.values[scale] {
		c.values[scale][j] = 1 + float32(j%3)/4
		c.values[shift][j] = 6 - 12*float32(j%2)
	}
}

// remove takes back an input that nothing is to read.
func (c *bench) remove(i int) {
	c.inputs, c.values = slices.Delete(c.inputs, i, i+1), slices.Delete(c.values, i, i+1)
}

// check compares the gradient of scalar by every input with central
// differences of the float32 graph itself. A step of 2e-3 keeps both the rounding
// of the scalar, some 5e-5, and the corners of relu and maximum that it crosses
// within 1 % of the largest gradient. The sharp comparison is made on the whole
// network with float64; this one says which op is wrong.
func (c *bench) check(t *testing.T, scalar *G.Node, read func() float64) {
	t.Helper()
	const step, tolerance, perInput = 2e-3, 2e-2, 40
	if c.b.err != nil {
		t.Fatal(c.b.err)
	}
	var nodes G.Nodes
	for _, in := range c.inputs {
		nodes = append(nodes, in.Node)
	}
	seed := G.NewScalar(c.b.g, G.Float32, G.WithName("seed"), G.WithValue(float32(1)))
	if _, err := G.Backpropagate(G.Nodes{scalar}, G.Nodes{seed}, nodes); err != nil {
		t.Fatal(err)
	}
	machine := G.NewTapeMachine(c.b.g)
	defer machine.Close()
	run := func() float64 {
		c.b.env.pack()
		machine.Reset()
		if err := machine.RunAll(); err != nil {
			t.Fatal(err)
		}
		return read()
	}
	run()
	var gradients [][]float32
	for _, n := range nodes {
		g, err := n.Grad()
		if err != nil {
			t.Fatal(err)
		}
		gradients = append(gradients, append([]float32(nil), g.(*tensor.Dense).Float32s()...))
	}
	rng := rand.New(rand.NewPCG(3, 9))
	for k, x := range c.values {
		var got []float32
		var want []float64
		for range min(perInput, len(x)) {
			j := rng.IntN(len(x))
			old := x[j]
			x[j] = old + step
			up, high := run(), x[j]
			x[j] = old - step
			down, low := run(), x[j]
			x[j] = old
			got, want = append(got, gradients[k][j]), append(want, (up-down)/(float64(high)-float64(low)))
		}
		near(t, nodes[k].Name(), got, want, tolerance, 0)
	}
}

func (c *bench) checkDot(t *testing.T, y *stream) {
	t.Helper()
	c.check(t, c.dot(y), func() float64 { return c.scalar })
}

func TestAffineGradients(t *testing.T) {
	const rows, h, w, in, out = 9, 4, 3, 5, 8
	t.Run("conv1x1 with bias", func(t *testing.T) {
		c := newBench(rows, h, w, false, []int{rows, h * w, in}, []int{1, 1, in, out}, []int{out})
		c.checkDot(t, c.b.affine(affine{name: "y", x: c.inputs[0], w: c.inputs[1].Node, bias: c.inputs[2].Node, first: true}))
	})
	t.Run("fully connected with relu", func(t *testing.T) {
		c := newBench(rows, h, w, false, []int{rows, h * w, in}, []int{h * w * in, out}, []int{out})
		c.checkDot(t, c.b.affine(affine{name: "y", x: c.inputs[0], flat: true, w: c.inputs[1].Node, bias: c.inputs[2].Node, relu: true, first: true}))
	})
}

// TestConvNormGradients takes boards and widths whose gradients by the weights
// are computed in either way.
func TestConvNormGradients(t *testing.T) {
	const rows = 9
	for name, n := range map[string]struct {
		h, w, k, in, out     int
		masked, fixed, extra bool
	}{
		"small":              {h: 4, w: 3, k: 3, in: 5, out: 8},
		"masked":             {h: 4, w: 4, k: 3, in: 8, out: 8, masked: true},
		"winograd":           {h: 8, w: 7, k: 3, in: 24, out: 32},
		"winograd, masked":   {h: 4, w: 8, k: 3, in: 64, out: 24, masked: true},
		"1x1":                {h: 4, w: 3, k: 1, in: 5, out: 8},
		"fixed":              {h: 4, w: 3, k: 3, in: 5, out: 8, fixed: true},
		"fixed with globals": {h: 4, w: 4, k: 3, in: 5, out: 8, fixed: true, extra: true, masked: true},
	} {
		t.Run(name, func(t *testing.T) {
			c := newBench(rows, n.h, n.w, n.masked, []int{n.k, n.k, n.in, n.out}, []int{n.out}, []int{n.out}, []int{rows, n.out}, []int{rows, n.h * n.w, n.in})
			y := convNorm{name: "y", w: c.inputs[0].Node, k: n.k, scale: c.inputs[1].Node, shift: c.inputs[2].Node,
				mean: make([]float32, n.out), vari: make([]float32, n.out), first: true, fixed: n.fixed, rows: c.inputs[3], x: c.inputs[4]}
			c.normed(1, 2)
			if !n.extra {
				y.rows = nil
				c.remove(3)
			}
			if n.fixed {
				x := newBench(rows, n.h, n.w, false, []int{rows, n.h * n.w, n.in}).values[0]
				y.x = c.b.input("x", x, rows, n.h*n.w, n.in)
				c.remove(len(c.inputs) - 1)
			}
			c.checkDot(t, c.b.convNorm(y))
		})
	}
}

// TestBlockGradients covers the streams with two readers: the input of a block
// and the activations that its pooling branch reads.
func TestBlockGradients(t *testing.T) {
	const rows, h, w, ch = 9, 4, 4, 8
	for _, masked := range []bool{false, true} {
		c := newBench(rows, h, w, masked, []int{rows, h * w, ch}, []int{3, 3, ch, ch}, []int{ch}, []int{ch}, []int{3 * ch, ch}, []int{ch, ch}, []int{ch}, []int{ch})
		c.normed(2, 3)
		c.normed(6, 7)
		x := c.inputs[0]
		reuse := &buffers{}
		normed := func(name string, x, skip, w *stream, k int, scale, shift *stream) *stream {
			return c.b.convNorm(convNorm{name: name, x: x, w: w.Node, k: k, first: true, scale: scale.Node, shift: shift.Node, skip: skip,
				mean: make([]float32, ch), vari: make([]float32, ch), reuse: reuse})
		}
		a := normed("conv1", x, nil, c.inputs[1], 3, c.inputs[2], c.inputs[3])
		r := c.b.affine(affine{name: "fc", x: c.b.pool("pool", a), w: c.inputs[4].Node, first: true})
		a = c.b.rowBias("add", a, r)
		c.checkDot(t, normed("conv2", a, x, c.inputs[5], 1, c.inputs[6], c.inputs[7]))
	}
}

func TestLossGradients(t *testing.T) {
	net := architectures["pooled"]
	net.Config.Reply = true
	s := net.Shape
	const rows = 9
	board, more := []int{rows, s.Cells(), s.PolicyPlanes}, []int{rows, s.PolicyGlobals}
	c := newBench(rows, s.Height, s.Width, false, board, more, []int{rows, 3}, []int{rows, 1}, board, more)
	e := c.b.env
	e.batch = randomBatch(net, rows, 8)
	total := c.b.total(
		c.b.policyLoss(s, 1.5, c.inputs[0].Node, c.inputs[1].Node),
		c.b.valueLoss(0.5, c.inputs[2].Node),
		c.b.turnsLoss(2, c.inputs[3].Node),
		c.b.replyLoss(s, 3, c.inputs[4].Node, c.inputs[5].Node))
	c.check(t, total, func() float64 {
		return 1.5*e.losses.Policy + 0.5*e.losses.Value + 2*e.losses.Turns + 3*e.losses.Reply
	})
}

func TestCrossEntropyOfExtremeLogits(t *testing.T) {
	for _, logits := range [][]float32{{3e38, -3e38, 0}, {-3e38, -3e38, -3e38}, {1e4, 1e4, -1e4}} {
		probs := make([]float32, 3)
		loss, _ := crossEntropy(probs, logits, []float32{0.5, 0.25, 0.25})
		sum := probs[0] + probs[1] + probs[2]
		if math.IsNaN(loss) || math.IsInf(loss, 0) || !(math.Abs(float64(sum)-1) < 1e-6) {
			t.Errorf("crossEntropy(%v) = %g with probabilities %v", logits, loss, probs)
		}
	}
	for _, u := range []float64{-1e30, -50, 0, 50, 1e30} {
		if s, l := softplus(u), logistic(u); !(s >= 0 && s <= max(u, 0)+1) || !(l >= 0 && l <= 1) {
			t.Errorf("softplus(%g) = %g, logistic %g", u, s, l)
		}
	}
	if got := softplus(1); math.Abs(got-math.Log(1+math.E)) > 1e-12 {
		t.Errorf("softplus(1) = %g, want log(1+e)", got)
	}
}

// TestHuber holds the loss and its slope to the definition at hand-picked errors.
func TestHuber(t *testing.T) {
	for _, c := range []struct{ e, loss, slope float64 }{
		{0, 0, 0}, {0.125, 0.0078125, 0.125}, {-0.25, 0.03125, -0.25}, {1.25, 0.28125, 0.25}, {-1.25, 0.28125, -0.25},
	} {
		if loss, slope := huber(c.e); loss != c.loss || slope != c.slope {
			t.Errorf("huber(%g) = %g, %g, want %g, %g", c.e, loss, slope, c.loss, c.slope)
		}
	}
	if model.TurnsUnit != 100 {
		t.Error("HuberDelta is a quarter of a hundred turns; the unit has changed")
	}
}
