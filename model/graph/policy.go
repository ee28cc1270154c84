package graph

import (
	G "gorgonia.org/gorgonia"

	"github.com/ludozero/ludozero/model"
)

// policyLoss is weight times the mean policy loss.
func (b *builder) policyLoss(s model.Shape, weight float64, cells, more *G.Node) *G.Node {
	e := b.env
	return b.crossEntropyLoss("policy", s, weight, cells, more, (*Batch).policyTargets, func(loss, floor float64, probs []float32) {
		e.losses.Policy, e.losses.PolicyFloor, e.probs = loss, floor, probs
	})
}

// replyLoss is the same for the opponent's reply.
func (b *builder) replyLoss(s model.Shape, weight float64, cells, more *G.Node) *G.Node {
	e := b.env
	return b.crossEntropyLoss("reply", s, weight, cells, more, (*Batch).replyTargets, func(loss, floor float64, probs []float32) {
		e.losses.Reply, e.losses.ReplyFloor, e.replies = loss, floor, probs
	})
}

// crossEntropyLoss is weight times the mean cross-entropy between the targets
// and the softmax over their actions' logits; report receives the mean, the
// entropy of the targets and the probabilities. cells is [B, H·W, PolicyPlanes];
// more, [B, PolicyGlobals], is nil if there are no such logits.
func (b *builder) crossEntropyLoss(name string, s model.Shape, weight float64, cells, more *G.Node,
	targets func(*Batch) targets, report func(loss, floor float64, probs []float32)) *G.Node {
	e, area := b.env, s.Cells()
	var logits, probs []float32 // of all rows' legal actions
	in := []*G.Node{cells}
	if more != nil {
		in = append(in, more)
	}
	// cell returns where the logit of a head cell of a row stands: in vector 0
	// or 1, at which index.
	cell := func(row int, head int32) (vector, index int) {
		h := int(head)
		if h >= s.PolicyPlanes*area {
			return 1, row*s.PolicyGlobals + h - s.PolicyPlanes*area
		}
		return 0, (row*area+h%area)*s.PolicyPlanes + h/area
	}
	forward := func(in [][]float32, out []float32) error {
		t := targets(e.batch)
		if cap(logits) < len(t.cells) {
			logits, probs = make([]float32, len(t.cells)*5/4), make([]float32, len(t.cells)*5/4)
		}
		logits, probs = logits[:len(t.cells)], probs[:len(t.cells)]
		sum := sum64(t.weight)
		mean, floor := 0.0, 0.0
		for row := range t.weight {
			from, to := t.offsets[row], t.offsets[row+1]
			for i := from; i < to; i++ {
				v, k := cell(row, t.cells[i])
				logits[i] = in[v][k]
			}
			loss, entropy := crossEntropy(probs[from:to], logits[from:to], t.probs[from:to])
			if w := share(t.weight[row], sum); w > 0 {
				mean += w * loss
				floor += w * entropy
			}
		}
		report(mean, floor, probs)
		out[0] = float32(weight * mean)
		return nil
	}
	grads := func(in G.Nodes, loss, grad *G.Node) G.Nodes {
		dcells := make([]float32, cells.Shape().TotalSize())
		var dmore []float32
		if more != nil {
			dmore = make([]float32, more.Shape().TotalSize())
		}
		d := [2][]float32{dcells, dmore}
		main := b.backward(name+".loss.grad", cells.Shape().Clone(), dcells, func(in [][]float32, _ []float32) error {
			clear(dcells)
			clear(dmore)
			t, scale := targets(e.batch), weight*float64(in[1][0])
			sum := sum64(t.weight)
			for row := range t.weight {
				w := float32(scale * share(t.weight[row], sum))
				if w == 0 {
					continue
				}
				from, to := t.offsets[row], t.offsets[row+1]
				mass := float32(sum64(t.probs[from:to])) // 1 but for rounding in the record
				for i := from; i < to; i++ {
					v, k := cell(row, t.cells[i])
					d[v][k] += w * (mass*probs[i] - t.probs[i])
				}
			}
			return nil
		}, loss, grad)
		nodes := G.Nodes{main}
		if more != nil {
			nodes = append(nodes, b.also(name+".loss.more", main, more.Shape().Clone(), dmore))
		}
		return nodes
	}
	return b.node(&op{run: forward, grads: grads, wrt: []bool{true, true}[:len(in)]}, name+".loss", nil, in...)
}
