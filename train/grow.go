package train

import (
	"errors"
	"fmt"
	"math/rand/v2"

	G "gorgonia.org/gorgonia"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/graph"
)

// past is what a trainer has done before its network was changed.
type past struct {
	// moments is the number of steps before the optimizer began with moments of
	// zero, average that before the average began at the weights; average <=
	// moments.
	moments, average uint64
}

// setNetwork makes t train a copy of w with an optimizer that has taken no step.
// On error t is unchanged.
func (t *Trainer) setNetwork(w *model.Weights) error {
	g, err := graph.New(w.Network(), w, graphOptions(t.cfg, t.threads))
	if err != nil {
		return err
	}
	var params []Parameter
	for _, s := range g.LearnableSpecs() {
		params = append(params, Parameter{Name: s.Name, Len: s.Len(), Decay: s.Decay})
	}
	t.graph, t.solver, t.model = g, NewAdamW(adamOptions(t.cfg), params), G.NodesToValueGrads(g.Learnables())
	return nil
}

// exchange is setNetwork in the course of training: steps go on counting.
func (t *Trainer) exchange(w *model.Weights) error {
	steps, old := t.Steps(), t.graph
	if err := t.setNetwork(w); err != nil {
		return err
	}
	t.past.moments = steps
	_ = old.Close() // there is nothing it could lose
	return nil
}

// Grow replaces the network by a larger one that computes the same, see
// model.Grow, which draws from generators that stream returns, each in the same
// state: the average grows by the same numbers. Steps and average go on.
//
// The moments of the optimizer begin again at zero, and so does the warm-up of
// the learning rate. Moments could be kept for the tensors that go on, with
// zeros for new parts; but Adam's correction of young moments counts the steps
// of the optimizer, and far into a run it corrects nothing any more: at the
// default constants new parts would move up to 6.6 times as far as the learning
// rate, and still three times after a hundred steps. What is lost is a memory of
// about 1/(1-Beta2) steps. On error t is unchanged.
func (t *Trainer) Grow(to model.Network, stream func() *rand.Rand) error {
	w, err := model.Grow(t.graph.Weights(), to, stream())
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	mean := t.average
	if mean != nil {
		grown, err := model.Grow(mean.weights, to, stream())
		if err != nil {
			return fmt.Errorf("train: average: %w", err)
		}
		mean = newAverage(grown, t.cfg.AverageDecay)
	}
	if err := t.exchange(w); err != nil {
		return fmt.Errorf("train: grow: %w", err)
	}
	t.average = mean
	return nil
}

// Renew replaces the network by a copy of w, of any size for the same game, and
// begins again: moments at zero, the average at w, the learning rate with its
// warm-up. Steps go on counting, and with them the decay of the learning rate.
// On error t is unchanged.
func (t *Trainer) Renew(w *model.Weights) error {
	if w.Network().Shape != t.graph.Network().Shape {
		return errors.New("train: renew: the weights are for another game")
	}
	if err := t.exchange(w); err != nil {
		return fmt.Errorf("train: renew: %w", err)
	}
	t.past.average = t.past.moments
	if t.average != nil {
		t.average = newAverage(w, t.cfg.AverageDecay)
	}
	return nil
}

// rate is the learning rate of the next step: that of the schedule, and after a
// change of the network times a warm-up of its own.
func (t *Trainer) rate() float64 {
	rate := t.cfg.Rate(t.peak, t.Steps())
	if warm, age := uint64(t.cfg.WarmupSteps), t.solver.Steps(); t.past.moments > 0 && age < warm {
		rate = rate * float64(age+1) / float64(warm)
	}
	return rate
}
