package train

import (
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/graph"
)

// average is the exponential moving average of the learned tensors over the
// steps. Its running statistics mean nothing until they are recomputed.
type average struct {
	decay   float64
	weights *model.Weights
	learned []int // the learned tensors among those of weights
}

func newAverage(w *model.Weights, decay float64) *average {
	a := &average{decay: decay, weights: w.Clone()}
	for i, s := range w.Specs() {
		if s.Role.Learned() {
			a.learned = append(a.learned, i)
		}
	}
	return a
}

// keep is the share of the average that step t, counted from 0, keeps:
//
//	min(decay, (1 + t) / (10 + t))
//
// as tf.train.ExponentialMovingAverage has it. The average then spans about the
// last ninth of a young run, and the random weights that it began with fade at
// once: to 10⁻⁵ after ten steps, 10⁻⁷ after twenty.
func (a *average) keep(t uint64) float64 {
	return min(a.decay, float64(1+t)/float64(10+t))
}

// follow takes in the weights after step t, counted from 0; weights are the
// learned tensors in order. It does not allocate.
func (a *average) follow(t uint64, weights [][]float32) {
	gain := float32(1 - a.keep(t))
	for i, w := range weights {
		mean := a.weights.Data(a.learned[i])[:len(w)]
		for j, x := range w {
			mean[j] += float32(gain * (x - mean[j])) // rounded: no fused multiply-add
		}
	}
}

// Average returns the averaged weights with statistics of their own, recomputed
// over Config.AverageBatches full batches that next hands out; see
// graph.Graph.RecomputeStatistics. The trainer is as before, also on error. It
// is an error if Config.AverageDecay is 0.
func (t *Trainer) Average(next func() (*Batch, error)) (*model.Weights, error) {
	if t.average == nil {
		return nil, errors.New("train: average: average_decay is 0")
	}
	trained := t.graph.Weights()
	if err := t.graph.SetWeights(t.average.weights); err != nil {
		return nil, err
	}
	err := t.graph.RecomputeStatistics(t.cfg.AverageBatches, func() (*graph.Batch, error) {
		b, err := next()
		if err == nil && !b.Full() {
			err = fmt.Errorf("batch of %d rows, want %d", b.Rows(), b.rows)
		}
		if err != nil {
			return nil, err
		}
		return &b.Batch, nil
	})
	w := t.graph.Weights()
	if err := errors.Join(err, t.graph.SetWeights(trained)); err != nil {
		return nil, fmt.Errorf("train: average: %w", err)
	}
	return w, nil
}

// SetAverage restores the average to what Average of a trainer in this state
// returned; it is the part of the state that weight files hold. Statistics of w
// are not looked at.
func (t *Trainer) SetAverage(w *model.Weights) error {
	if t.average == nil {
		return errors.New("train: average: average_decay is 0")
	}
	if w.Network() != t.average.weights.Network() {
		return errors.New("train: average: the weights are of another network")
	}
	t.average.weights.CopyFrom(w)
	return nil
}
