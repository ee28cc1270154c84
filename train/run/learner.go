package run

import (
	"context"
	"math/rand/v2"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/replay"
	"github.com/ludozero/ludozero/train/rundir"
)

// learner makes the network of the next generation. Its methods are told the
// present one.
type learner struct {
	*site
	trainer *train.Trainer
	window  *replay.Window
	plays   *model.Weights // the network that plays
	// calibration belongs to plays; nil if an earlier program wrote the checkpoint.
	calibration *model.Calibration
	frozen      *probe // nil before it is first needed
	flipped     bool   // by a fault: see flipValues
}

// openWindow makes the window over the run's shards, which reads none yet.
func (l *learner) openWindow(shards string) (err error) {
	l.window, err = replay.Open(&l.cfg, l.family, shards, l.run)
	return err
}

// setRate gives the trainer the learning rate after the checkpoint of state st, if
// that depends on the budget.
func (l *learner) setRate(st *rundir.State) error {
	if l.cfg.Train.DecayShare == 0 {
		return nil
	}
	return l.trainer.SetLearningRate(l.cfg.Train.PeakAt(l.cfg.Used(st.Generation, st.Elapsed, st.CoreTime)))
}

// fresh is the change that begins the next network with fresh weights, nil if
// there is none.
func (l *learner) fresh(generation int) *plan.Growth {
	if g := l.cfg.ChangeAt(generation + 1); g != nil && g.Passes > 0 {
		return g
	}
	return nil
}

// renew gives the trainer fresh weights if the next network is to begin with
// them. It comes before the steps of a lesson, so that all of them are theirs.
func (l *learner) renew(generation int) error {
	if g := l.fresh(generation); g != nil {
		return l.trainer.Renew(l.freshWeights(g.Generation))
	}
	return nil
}

// settle sets the network that plays next: the weights in training or, if the
// run averages, their average with statistics of batches from the window. Those
// are drawn from a stream of their own, so that training draws the same batches
// with averages and without.
func (l *learner) settle(ctx context.Context, generation int, batch *train.Batch) error {
	if !l.cfg.Train.Averages() {
		l.plays = l.trainer.Weights()
		return nil
	}
	rng := rand.New(seed.Stream(l.cfg.Seed, "average", uint64(generation)))
	w, err := l.trainer.Average(func() (*train.Batch, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return batch, batch.Fill(l.window, rng)
	})
	if err == nil {
		l.plays = w
	}
	return err
}

// grow enlarges the network that was trained if the next generation is to have a
// larger one: the network that plays, the one in training and the average.
func (l *learner) grow(generation int) error {
	g := l.cfg.ChangeAt(generation + 1)
	if g == nil || g.Passes > 0 {
		return nil
	}
	to := l.cfg.NetworkOf(l.game.Info(), g.Generation)
	stream := func() *rand.Rand { return rand.New(seed.Stream(l.cfg.Seed, "growth", uint64(g.Generation))) }
	plays, err := model.Grow(l.plays, to, stream())
	if err != nil {
		return err
	}
	l.plays = plays
	return l.trainer.Grow(to, stream)
}

// growthEvent tells of a change to the network, nil if there was none. It is
// asked for when the next network is ready.
func (l *learner) growthEvent(generation int) *rundir.GrowthEvent {
	g := l.cfg.ChangeAt(generation + 1)
	if g == nil {
		return nil
	}
	c := l.plays.Network().Config
	return &rundir.GrowthEvent{
		Generation: g.Generation, Blocks: c.Blocks, Channels: c.Channels, Parameters: l.plays.Count(), Fresh: g.Passes > 0,
	}
}

// rulesShares are the parts that rulesets have in the positions played up to the
// last training, those behind the network that a fork began with included. origin
// is nil in a run that is no fork.
func (l *learner) rulesShares(origin *rundir.Origin) []model.RulesShare {
	var rows []record.RulesRows
	if origin != nil {
		rows = origin.RulesRows()
	}
	rows = record.AddRulesRows(rows, l.window.Rules())
	sum := 0
	for _, c := range rows {
		sum += c.Rows
	}
	var shares []model.RulesShare
	for _, c := range rows {
		shares = append(shares, model.RulesShare{Rules: c.Rules, Share: float64(c.Rows) / float64(sum)})
	}
	return shares
}

// flipFault is the value of LUDOZERO_FAULT that makes training teach the value
// of every position as the other player sees it: a common mistake, made on
// purpose to see that it is noticed (docs/health.md).
const flipFault = "flip-values"

// flipValues exchanges win and loss in value targets of a batch, [B, 3].
func flipValues(wdl []float32) {
	for i := 0; i < len(wdl); i += 3 {
		wdl[i], wdl[i+2] = wdl[i+2], wdl[i]
	}
}
