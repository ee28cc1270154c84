package graph

import (
	"math"

	G "gorgonia.org/gorgonia"

	"github.com/ludozero/ludozero/model"
)

// HuberDelta is the error of the turns-left head, in units of model.TurnsUnit,
// from where on its loss grows linearly: a game that ends a hundred turns off
// the guess should not outweigh the rest of the batch.
const HuberDelta = 0.25

// crossEntropy sets probs to the softmax of logits and returns the
// cross-entropy -Σ target·log(probs) and the entropy of target. Logits of any
// finite size are fine.
func crossEntropy(probs, logits, target []float32) (loss, entropy float64) {
	top := math.Inf(-1)
	for _, l := range logits {
		top = max(top, float64(l))
	}
	var sum float64
	for _, l := range logits {
		sum += math.Exp(float64(l) - top)
	}
	log := math.Log(sum)
	for i, l := range logits {
		logp := float64(l) - top - log
		probs[i] = float32(math.Exp(logp))
		if t := float64(target[i]); t != 0 {
			loss -= t * logp
			entropy -= t * math.Log(t)
		}
	}
	return loss, entropy
}

// softplus is log(1 + e^u); its derivative is the logistic function.
func softplus(u float64) float64 { return max(u, 0) + math.Log1p(math.Exp(-math.Abs(u))) }

func logistic(u float64) float64 {
	e := math.Exp(-math.Abs(u))
	if u < 0 {
		return e / (1 + e)
	}
	return 1 / (1 + e)
}

// huber is the loss of an error e and its derivative: quadratic up to
// HuberDelta, linear beyond.
func huber(e float64) (loss, slope float64) {
	if a := math.Abs(e); a > HuberDelta {
		return HuberDelta * (a - HuberDelta/2), math.Copysign(HuberDelta, e)
	}
	return e * e / 2, e
}

// sum64 adds up in order.
func sum64(x []float32) (s float64) {
	for _, v := range x {
		s += float64(v)
	}
	return s
}

// share is what one row counts in a mean of total weight sum.
func share(weight float32, sum float64) float64 {
	if weight == 0 {
		return 0
	}
	return float64(weight) / sum
}

// valueLoss is weight times the mean loss of the win, draw, loss logits [B, 3].
func (b *builder) valueLoss(weight float64, wdl *G.Node) *G.Node {
	e := b.env
	probs := make([]float32, wdl.Shape().TotalSize())
	forward := func(in [][]float32, out []float32) error {
		t := e.batch
		sum := sum64(t.ValueWeight)
		e.losses.Value, e.losses.ValueFloor = 0, 0
		for row, w := range t.ValueWeight {
			i, j := row*3, row*3+3
			loss, entropy := crossEntropy(probs[i:j], in[0][i:j], t.Value[i:j])
			if w := share(w, sum); w > 0 {
				e.losses.Value += w * loss
				e.losses.ValueFloor += w * entropy
			}
		}
		out[0] = float32(weight * e.losses.Value)
		return nil
	}
	grads := func(in G.Nodes, loss, grad *G.Node) G.Nodes {
		return G.Nodes{b.backward("value.loss.grad", wdl.Shape().Clone(), nil, func(in [][]float32, out []float32) error {
			t, scale := e.batch, weight*float64(in[1][0])
			sum := sum64(t.ValueWeight)
			for row, w := range t.ValueWeight {
				target := t.Value[row*3 : row*3+3]
				w := float32(scale * share(w, sum))
				mass := float32(sum64(target))
				for k, p := range target {
					out[row*3+k] = w * (mass*probs[row*3+k] - p)
				}
			}
			return nil
		}, loss, grad)}
	}
	return b.node(&op{run: forward, grads: grads, wrt: []bool{true}}, "value.loss", nil, wdl)
}

// turnsLoss is weight times the mean Huber loss of softplus(u) against the turns
// left in units of model.TurnsUnit; u is [B, 1].
func (b *builder) turnsLoss(weight float64, u *G.Node) *G.Node {
	e := b.env
	slopes := make([]float64, u.Shape().TotalSize()) // d loss / d u
	forward := func(in [][]float32, out []float32) error {
		t := e.batch
		sum := sum64(t.TurnsWeight)
		e.losses.Turns = 0
		for row, w := range t.TurnsWeight {
			x := float64(in[0][row])
			loss, slope := huber(softplus(x) - float64(t.Turns[row])/model.TurnsUnit)
			slopes[row] = slope * logistic(x)
			if w := share(w, sum); w > 0 {
				e.losses.Turns += w * loss
			}
		}
		out[0] = float32(weight * e.losses.Turns)
		return nil
	}
	grads := func(in G.Nodes, loss, grad *G.Node) G.Nodes {
		return G.Nodes{b.backward("turns.loss.grad", u.Shape().Clone(), nil, func(in [][]float32, out []float32) error {
			t, scale := e.batch, weight*float64(in[1][0])
			sum := sum64(t.TurnsWeight)
			for row, w := range t.TurnsWeight {
				out[row] = float32(scale * share(w, sum) * slopes[row])
			}
			return nil
		}, loss, grad)}
	}
	return b.node(&op{run: forward, grads: grads, wrt: []bool{true}}, "turns.loss", nil, u)
}

// total adds up scalars.
func (b *builder) total(terms ...*G.Node) *G.Node {
	forward := func(in [][]float32, out []float32) error {
		out[0] = 0
		for _, x := range in {
			out[0] += x[0]
		}
		return nil
	}
	grads := func(in G.Nodes, out, grad *G.Node) G.Nodes {
		nodes := make(G.Nodes, len(in))
		for i := range nodes {
			nodes[i] = grad
		}
		return nodes
	}
	wrt := make([]bool, len(terms))
	for i := range wrt {
		wrt[i] = true
	}
	return b.node(&op{run: forward, grads: grads, wrt: wrt}, "total", nil, terms...)
}
