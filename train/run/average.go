package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/rundir"
)

// settle sets the network that plays next: the weights in training or, if the
// run averages, their average with statistics of batches from the window. Those
// are drawn from a stream of their own, so that training draws the same batches
// with averages and without.
func (r *runner) settle(ctx context.Context, batch *train.Batch) error {
	if !r.cfg.Train.Averages() {
		r.plays = r.trainer.Weights()
		return nil
	}
	rng := rand.New(seed.Stream(r.cfg.Seed, "average", uint64(r.state.Generation)))
	w, err := r.trainer.Average(func() (*train.Batch, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return batch, batch.Fill(r.window, rng)
	})
	if err != nil {
		return err
	}
	r.plays = w
	return nil
}

// saveTraining writes the weights in training into the folder of a checkpoint,
// if they are not those that play.
func (r *runner) saveTraining(dir string, card model.Card) error {
	if !r.cfg.Train.Averages() {
		return nil
	}
	return model.Save(filepath.Join(dir, rundir.TrainingFile), r.trainer.Weights(), card)
}

// loadTraining returns the weights to go on training with, of the checkpoint
// that s and the network that plays were read from: those themselves, or the
// ones beside them.
func (r *runner) loadTraining(s *rundir.State, plays *model.Weights, card *model.Card) (*model.Weights, error) {
	path := filepath.Join(rundir.CheckpointDir(r.dir, s.Generation), rundir.TrainingFile)
	if s.Averaged != r.cfg.Train.Averages() {
		return nil, fmt.Errorf("checkpoint %d: averaged weights: %t: the configuration has train.average_decay: %g",
			s.Generation, s.Averaged, r.cfg.Train.AverageDecay)
	}
	if !s.Averaged {
		_, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return plays, nil
		}
		if err == nil {
			err = fmt.Errorf("%s: the weights are not averaged: want no such file", path)
		}
		return nil, fmt.Errorf("checkpoint %d: %w", s.Generation, err)
	}
	w, training, err := model.Load(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoint %d: %w", s.Generation, err)
	}
	if training.Identity != card.Identity || training.Network != card.Network || training.Step != card.Step || training.Generation != card.Generation {
		return nil, fmt.Errorf("checkpoint %d: %s of generation %d, step %d does not belong to the average of generation %d, step %d: want the same network",
			s.Generation, path, training.Generation, training.Step, card.Generation, card.Step)
	}
	return w, nil
}
