// Package fit compares settings of training on recorded games alone: networks are fitted,
// from random weights, to the same frozen window and measured on games held out from it. A
// fit takes minutes where a run takes hours, and repeats differ by far less than runs do,
// whose own games differ. What it cannot tell is how a setting changes the games.
package fit

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/replay"
	"github.com/ludozero/ludozero/train/rundir"
)

// Frozen is a part of the shards of a run: what is learned from, and the newest shards
// after that, held out. Shards that the run adds later do not belong to it.
type Frozen struct {
	family *engine.Family
	info   *engine.Info
	dir    string
	run    string
	shards []rundir.ShardFile // by number
	// HeldOut is the number of shards held out.
	HeldOut int
	// Positions are learned from, the newest that are not held out; HeldPositions is
	// the number of those that are.
	Positions, HeldPositions int64
}

// Freeze looks at the shards of a run with numbers below until, all if that is 0, holds
// out the newest, and learns from the newest positions before them, all if that is 0.
func Freeze(rules *plan.Rules, run string, until int64, heldOut int, positions int64) (*Frozen, error) {
	f := &Frozen{family: rules.Family, info: rules.Game.Info(), dir: filepath.Join(run, rundir.ShardsDir), HeldOut: heldOut}
	var err error
	if f.shards, err = rundir.ListShards(f.dir); err != nil {
		return nil, err
	}
	f.shards = slices.DeleteFunc(f.shards, func(s rundir.ShardFile) bool { return until > 0 && s.Number >= until })
	if heldOut < 1 || len(f.shards) <= heldOut {
		return nil, fmt.Errorf("%s: %d shards, %d to be held out: want at least one held out and one to learn from", f.dir, len(f.shards), heldOut)
	}
	slices.SortFunc(f.shards, func(a, b rundir.ShardFile) int { return cmp.Compare(a.Number, b.Number) })
	for i := range f.shards {
		s, err := f.open(i)
		if err != nil {
			return nil, err
		}
		f.run = cmp.Or(f.run, s.Meta.Run)
		if i < len(f.shards)-heldOut {
			f.Positions += int64(s.Meta.Rows)
		} else {
			f.HeldPositions += int64(s.Meta.Rows)
		}
	}
	if positions > 0 {
		f.Positions = min(f.Positions, positions)
	}
	return f, nil
}

func (f *Frozen) open(i int) (*record.Shard, error) {
	return record.Open(f.shards[i].Path, f.info)
}

// Until is above the numbers of all shards of f, to freeze the same again.
func (f *Frozen) Until() int64 { return f.shards[len(f.shards)-1].Number + 1 }

// window opens the newest positions of the shards with numbers below limit.
func (f *Frozen) window(cfg *plan.Config, positions, limit int64) (*replay.Window, error) {
	c := *cfg
	c.Window.MinPositions, c.Window.MaxPositions = positions, positions
	w, err := replay.Open(&c, f.family, f.dir, f.run)
	if err == nil {
		_, err = w.RefreshTo(limit)
	}
	return w, err
}

// Job is one fit.
type Job struct {
	Config *plan.Config
	Seed   uint64
	// Steps are taken, on that many Threads.
	Steps   int
	Threads int
	// Shown, if set, is told after each step how many were taken.
	Shown func(steps int)
}

// Fit trains a network as configured, from random weights, and measures it. A learning
// rate that falls over the last share of a budget falls over that share of the steps. If
// the configuration averages weights, the average is measured.
func (f *Frozen) Fit(ctx context.Context, j *Job, exam *Exam) (*Measures, error) {
	cfg := j.Config
	window, err := f.window(cfg, f.Positions, f.shards[len(f.shards)-f.HeldOut].Number)
	if err != nil {
		return nil, err
	}
	w := model.NewWeights(model.Network{Shape: plan.Shape(f.info), Config: cfg.Model})
	w.Init(rand.New(seed.Stream(j.Seed, "weights", 0)))
	if w, err = f.learn(ctx, j, w, window); err != nil {
		return nil, err
	}
	m, err := exam.measure(w, cfg, j.Threads)
	if err != nil {
		return nil, err
	}
	m.Parameters, m.MultiplyAdds = w.Count(), w.Network().TrainingMultiplyAdds()
	return m, nil
}

// learn takes the steps and returns what would play then.
func (f *Frozen) learn(ctx context.Context, j *Job, w *model.Weights, window *replay.Window) (*model.Weights, error) {
	cfg := j.Config
	t, err := train.NewTrainer(w, cfg.Train, j.Threads)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	batch, rng := train.NewBatch(f.info, cfg.Train.Batch), rand.New(seed.Stream(j.Seed, "training", 0))
	for step := range j.Steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if cfg.Train.DecayShare > 0 {
			if err := t.SetLearningRate(cfg.Train.PeakAt((float64(step) + 0.5) / float64(j.Steps))); err != nil {
				return nil, err
			}
		}
		if err := batch.Fill(window, rng); err != nil {
			return nil, err
		}
		if _, err := t.Step(batch); err != nil {
			return nil, err
		}
		if j.Shown != nil {
			j.Shown(step + 1)
		}
	}
	if !cfg.Train.Averages() {
		return t.Weights(), nil
	}
	rng = rand.New(seed.Stream(j.Seed, "average", 0))
	return t.Average(func() (*train.Batch, error) { return batch, batch.Fill(window, rng) })
}
