package run

import (
	"context"
	"math/rand/v2"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// networkOf is the architecture of a generation.
func (r *runner) networkOf(generation int) model.Network {
	return model.Network{Shape: plan.Shape(r.game.Info()), Config: r.cfg.ModelAt(generation)}
}

// freshWeights are those that the network of a generation begins with if no
// other comes before it.
func (r *runner) freshWeights(generation int) *model.Weights {
	w := model.NewWeights(r.networkOf(generation))
	w.Init(rand.New(seed.Stream(r.cfg.Seed, "weights", uint64(generation))))
	return w
}

// renew gives the trainer fresh weights if the next network is to begin with
// them. It comes before the steps of a lesson, so that all of them are theirs.
func (r *runner) renew() error {
	g := r.cfg.ChangeAt(r.state.Generation + 1)
	if g == nil || g.Passes == 0 {
		return nil
	}
	return r.trainer.Renew(r.freshWeights(g.Generation))
}

// repeat trains fresh weights on the window as often as they are to see it.
func (l *lesson) repeat(ctx context.Context) error {
	r := l.run
	g := r.cfg.ChangeAt(r.state.Generation + 1)
	if g == nil || g.Passes == 0 {
		return nil
	}
	l.want = l.done + int(g.Passes*float64(r.window.Len()))/r.cfg.Train.Batch
	return l.steps(ctx)
}

// grow enlarges the network that was trained if the next generation is to have a
// larger one: the network that plays, the one in training and the average.
func (r *runner) grow() error {
	g := r.cfg.ChangeAt(r.state.Generation + 1)
	if g == nil || g.Passes > 0 {
		return nil
	}
	to := r.networkOf(g.Generation)
	stream := func() *rand.Rand { return rand.New(seed.Stream(r.cfg.Seed, "growth", uint64(g.Generation))) }
	plays, err := model.Grow(r.plays, to, stream())
	if err != nil {
		return err
	}
	r.plays = plays
	return r.trainer.Grow(to, stream)
}

// growthEvent tells of a change to the network, nil if there was none. It is
// asked for when the next network is ready.
func (r *runner) growthEvent() *rundir.GrowthEvent {
	g := r.cfg.ChangeAt(r.state.Generation + 1)
	if g == nil {
		return nil
	}
	c := r.plays.Network().Config
	return &rundir.GrowthEvent{
		Generation: g.Generation, Blocks: c.Blocks, Channels: c.Channels, Parameters: r.plays.Count(), Fresh: g.Passes > 0,
	}
}
