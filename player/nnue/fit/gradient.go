package fit

import (
	"math"

	model "github.com/ludozero/ludozero/model/nnue"
)

// worker computes losses and gradients of positions, one after the other.
type worker struct {
	grad    *model.Network // the sum of the gradients of the positions added
	scratch model.Scratch
	input   []float32 // gradient by the input of the second layer
	sample  sample
	loss    float64 // the sum of their losses
}

func newWorker(s model.Shape) *worker { return &worker{grad: model.New(s)} }

// clear forgets the positions added.
func (w *worker) clear() {
	for _, p := range w.grad.Parts() {
		clear(p.Values)
	}
	w.loss = 0
}

// crossEntropy is the loss of a logit beside an expected score, in nats, and its
// derivative by the logit.
func crossEntropy(logit, target float32) (loss, slope float64) {
	z := float64(logit)
	// ln(1+exp(z)) - target·z, without overflow.
	loss = max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) - float64(target)*z
	return loss, 1/(1+math.Exp(-z)) - float64(target)
}

// add adds the loss of the sample by n, and its gradient.
func (w *worker) add(n *model.Network) {
	x, s, g := &w.sample, &w.scratch, w.grad
	loss, slope := crossEntropy(n.Forward(x.own, x.other, x.terms, s), x.target)
	w.loss += loss
	d := float32(slope)
	var third [model.Third]float32
	g.OutputBias[0] += d
	for i, z := range s.Third {
		g.Output[i] += d * min(1, max(0, z))
		if z > 0 && z < 1 {
			third[i] = d * n.Output[i]
			g.ThirdBias[i] += third[i]
		}
	}
	second := [model.Second]float32{model.Straight: d}
	for i, z := range s.Second[:model.Straight] {
		if z <= 0 {
			continue
		}
		h, sum := min(1, z), float32(0)
		weights, grads := (*[model.Third]float32)(n.Third[i*model.Third:]), (*[model.Third]float32)(g.Third[i*model.Third:])
		for o, t := range &third {
			grads[o] += h * t
			sum += weights[o] * t
		}
		if z < 1 {
			second[i] = sum
		}
	}
	for o, t := range &second {
		g.SecondBias[o] += t
	}
	w.input = w.input[:0]
	for i, h := range s.Input {
		sum := float32(0)
		if h != 0 {
			weights, grads := (*[model.Second]float32)(n.Second[i*model.Second:]), (*[model.Second]float32)(g.Second[i*model.Second:])
			for o, t := range &second {
				grads[o] += h * t
				sum += weights[o] * t
			}
			if h >= 1 {
				sum = 0 // of the first layer; terms are not learned
			}
		}
		w.input = append(w.input, sum)
	}
	units := n.Units
	for seat, set := range [2][]int32{x.own, x.other} {
		d := w.input[seat*units : (seat+1)*units]
		addTo(g.FirstBias, d)
		for _, bit := range set {
			addTo(g.First[int(bit)*units:(int(bit)+1)*units], d)
		}
	}
}

// addTo adds d to sums, of the same length, a multiple of four.
func addTo(sums, d []float32) {
	sums = sums[:len(d)]
	for i := 0; i+3 < len(d); i += 4 {
		sums[i] += d[i]
		sums[i+1] += d[i+1]
		sums[i+2] += d[i+2]
		sums[i+3] += d[i+3]
	}
}
