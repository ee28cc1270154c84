package graph

import (
	"fmt"

	G "gorgonia.org/gorgonia"
)

// build lays out the network as the package documentation of model describes
// it, the losses, and the gradient.
func (g *Graph) build(b *builder) {
	s, c, batch := g.net.Shape, g.net.Config, g.opt.Batch
	param := map[string]*G.Node{}
	for i, spec := range g.weights.Specs() {
		if spec.Role.Learned() {
			n := b.input(spec.Name, g.weights.Data(i), spec.Shape...).Node
			param[spec.Name] = n
			g.learnable = append(g.learnable, n)
			g.specs = append(g.specs, spec)
		} else {
			g.running = append(g.running, g.weights.Data(i))
			g.before = append(g.before, make([]float32, spec.Len()))
		}
	}
	// normed is a convolution with the normalisation norm after it.
	normed := func(conv, norm string, n convNorm) *stream {
		n.name, n.w = conv, param[conv+".weight"]
		n.scale, n.shift = param[norm+".scale"], param[norm+".shift"]
		n.mean, n.vari = g.weights.Tensor(norm+".mean"), g.weights.Tensor(norm+".var")
		return b.convNorm(n)
	}

	g.planes = make([]float32, batch*s.Cells()*s.Planes)
	x := b.input("planes", g.planes, batch, s.Cells(), s.Planes)
	var rows *stream
	if s.Globals > 0 {
		g.globals = make([]float32, batch*s.Globals)
		rows = b.affine(affine{name: "stem.globals", x: b.input("globals", g.globals, batch, s.Globals),
			w: param["stem.globals.weight"], fixed: true})
	}
	t := normed("stem.conv", "stem.bn", convNorm{x: x, k: 3, rows: rows, fixed: true})

	reuse := &buffers{}
	for i := range c.Blocks {
		name := fmt.Sprintf("block.%d.", i)
		a := normed(name+"conv1", name+"bn1", convNorm{x: t, k: 3, first: true, reuse: reuse})
		if c.Pooled(i) {
			r := b.affine(affine{name: name + "pool.fc", x: b.pool(name+"pool", a),
				w: param[name+"pool.weight"], bias: param[name+"pool.bias"], first: true})
			a = b.rowBias(name+"pool.add", a, r)
		}
		t = normed(name+"conv2", name+"bn2", convNorm{x: a, k: 3, skip: t, first: true, reuse: reuse})
	}

	// The heads read t one after another: pooled logits, policy, value.
	more, pooled := &stream{}, &stream{}
	if s.PolicyGlobals > 0 {
		pooled = b.pool("policy.pool", t)
		more = b.affine(affine{name: "policy.globals", x: pooled,
			w: param["policy.globals.weight"], bias: param["policy.globals.bias"], first: true})
	}
	p := normed("policy.conv1", "policy.bn", convNorm{x: t, k: 1, first: more.Node == nil, after: more.Node})
	v := normed("value.conv", "value.bn", convNorm{x: t, k: 1, after: p.Node})
	cells := b.affine(affine{name: "policy.conv2", x: p, w: param["policy.conv2.weight"], bias: param["policy.conv2.bias"], first: true})
	h := b.affine(affine{name: "value.hidden", x: v, flat: true, w: param["value.hidden.weight"],
		bias: param["value.hidden.bias"], relu: true, first: true})
	wdl := b.affine(affine{name: "value.wdl", x: h, w: param["value.wdl.weight"], bias: param["value.wdl.bias"], first: true})
	u := b.affine(affine{name: "value.turns", x: h, w: param["value.turns.weight"], bias: param["value.turns.bias"], after: wdl.Node})

	losses := []*G.Node{
		b.policyLoss(s, g.opt.PolicyWeight, cells.Node, more.Node),
		b.valueLoss(g.opt.ValueWeight, wdl.Node),
		b.turnsLoss(g.opt.TurnsWeight, u.Node)}
	if c.Reply {
		reply := b.affine(affine{name: "reply.conv", x: p, w: param["reply.conv.weight"], bias: param["reply.conv.bias"], after: cells.Node})
		answer := &stream{}
		if s.PolicyGlobals > 0 {
			answer = b.affine(affine{name: "reply.globals", x: pooled,
				w: param["reply.globals.weight"], bias: param["reply.globals.bias"], after: more.Node})
		}
		losses = append(losses, b.replyLoss(s, g.opt.ReplyWeight, reply.Node, answer.Node))
	}
	loss := b.total(losses...)
	if b.err != nil {
		return
	}
	g.outputs = Outputs{Cells: memory(cells.Node), More: memory(more.Node), WDL: memory(wdl.Node), Turns: memory(u.Node)}

	// The seed is a node of our own: gorgonia.Grad would put a package-wide one
	// into the graph, and take it out of the graph built before.
	seed := G.NewScalar(b.g, G.Float32, G.WithName("seed"), G.WithValue(float32(1)))
	if _, err := G.Backpropagate(G.Nodes{loss}, G.Nodes{seed}, g.learnable); err != nil {
		b.err = fmt.Errorf("graph: %w", err)
	}
}
