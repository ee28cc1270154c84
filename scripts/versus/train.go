package main

import (
	"fmt"
	"path/filepath"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/replay"
)

const (
	// trainingBatch is the number of positions of a step.
	trainingBatch = 256
	// trainingSeed is the seed of the random games that training learns from.
	trainingSeed = 2
)

// trainingConfig is the default configuration without what would make losses hard to
// compare: warm-up and gradient clipping.
func trainingConfig(precision string) plan.TrainConfig {
	c := plan.DefaultTrainConfig()
	c.Precision, c.Batch, c.WarmupSteps, c.ClipNorm = precision, trainingBatch, 0, 0
	return c
}

// training takes steps as ludozero does: it fills the batch from packed positions,
// runs the graph and updates the weights.
type training struct {
	trainer *train.Trainer
	batch   *train.Batch
	samples []replay.Sample
}

func newTraining(t task) (worker, error) {
	w, _, err := model.Load(filepath.Join(t.Training, firstWeights))
	if err != nil {
		return nil, err
	}
	all, err := subjects()
	if err != nil {
		return nil, err
	}
	return newTrainer(all[0], w, t.Precision, t.Threads)
}

func newTrainer(s subject, w *model.Weights, precision string, threads int) (*training, error) {
	trainer, err := train.NewTrainer(w, trainingConfig(precision), threads)
	if err != nil {
		return nil, err
	}
	return &training{trainer, train.NewBatch(s.game.Info(), trainingBatch), samples(s.game, trainingBatch, trainingSeed)}, nil
}

func (t *training) fill() error {
	t.batch.Reset()
	for i := range t.samples {
		if err := t.batch.Append(&t.samples[i], 0); err != nil {
			return err
		}
	}
	return nil
}

func (t *training) loss() (float64, error) {
	if err := t.fill(); err != nil {
		return 0, err
	}
	p, err := t.trainer.Step(t.batch)
	return p.Total, err
}

func (t *training) step() (int, error) {
	_, err := t.loss()
	return trainingBatch, err
}

// command answers "losses N" with the losses of the next N steps.
func (t *training) command(name, argument string) (reply, error) {
	return losses(t.loss, name, argument)
}

func losses(loss func() (float64, error), name, argument string) (r reply, err error) {
	var n int
	if _, err := fmt.Sscan(argument, &n); name != "losses" || err != nil {
		return r, fmt.Errorf("no command %q %q", name, argument)
	}
	for i := 0; i < n && err == nil; i++ {
		var l float64
		l, err = loss()
		r.Losses = append(r.Losses, l)
	}
	return r, err
}
