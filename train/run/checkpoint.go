package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
)

// prune removes checkpoints that the configuration does not keep.
func (r *runner) prune() error {
	var keeps func(int) bool
	if r.opt.Rater != nil {
		keeps = r.opt.Rater.Keeps
	}
	if r.cfg.Lag > 0 {
		// Whoever goes on from a whole checkpoint has the network before it play.
		rated, oldest := keeps, r.state.Generation+1-r.cfg.Retention.Checkpoints-r.cfg.Lag
		keeps = func(g int) bool { return g >= oldest || rated != nil && rated(g) }
	}
	if r.cfg.Mode == plan.ModeConcurrent && r.opt.Elsewhere != nil {
		// Games of theirs still count.
		rated, oldest := keeps, r.state.Generation-play.OldestNetwork
		keeps = func(g int) bool { return g >= oldest || rated != nil && rated(g) }
	}
	return rundir.Prune(r.dir, r.cfg.Retention, keeps)
}

// load takes up the run at the checkpoint of a generation.
func (r *runner) load(generation int) error {
	info := r.game.Info()
	s, err := rundir.ReadState(r.dir, generation)
	if err != nil {
		return err
	}
	if s.Game != info.Name || s.GameVersion != info.Version || s.EncoderVersion != info.EncoderVersion {
		return fmt.Errorf("checkpoint %d is of %s version %d, encoder %d: this program plays %s version %d, encoder %d", generation,
			s.Game, s.GameVersion, s.EncoderVersion, info.Name, info.Version, info.EncoderVersion)
	}
	w, card, err := model.Load(rundir.WeightsPath(r.dir, generation))
	if err != nil {
		return fmt.Errorf("checkpoint %d: %w", generation, err)
	}
	if err := errors.Join(card.Fits(plan.Identity(info), plan.Shape(info)), s.CheckWeights(w)); err != nil {
		return fmt.Errorf("checkpoint %d: %w", generation, err)
	}
	if network := r.cfg.NetworkOf(r.game.Info(), generation); card.Network != network {
		return fmt.Errorf("checkpoint %d holds a network of %+v: the configuration asks for %+v", generation, card.Network.Config, network.Config)
	}
	if r.origin, err = rundir.CheckOrigin(r.dir, &s); err == nil && r.origin != nil {
		err = r.origin.Fits(info)
	}
	if err != nil {
		return err
	}
	path := filepath.Join(rundir.CheckpointDir(r.dir, generation), rundir.OptimizerFile)
	optimizer, err := input.Read(path, input.Large)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: retention keeps older networks without it, or it was taken away: the run cannot go on from here, but a new one can: `ludozero train --from %s --run` with a new folder", err, wording.Quoted(r.dir))
	}
	if err != nil {
		return fmt.Errorf("checkpoint %d: optimizer %w", generation, err)
	}
	training, err := r.loadTraining(&s, w, card)
	if err != nil {
		return err
	}
	if r.trainer, err = train.NewTrainer(training, r.cfg.Train, r.cfg.WorkerCount()); err != nil {
		return err
	}
	if s.Averaged {
		if err := r.trainer.SetAverage(w); err != nil {
			return err
		}
	}
	if err := r.trainer.UnmarshalBinary(optimizer); err != nil {
		return fmt.Errorf("checkpoint %d: optimizer %s: %w", generation, path, err)
	}
	if err := s.CheckOptimizer(optimizer); err != nil {
		return fmt.Errorf("checkpoint %d: %w", generation, err)
	}
	if r.trainer.Steps() != uint64(s.Step) || card.Step != s.Step || card.Generation != s.Generation {
		return fmt.Errorf("checkpoint %d: weights of step %d, optimizer of step %d and state of step %d do not belong together", generation,
			card.Step, r.trainer.Steps(), s.Step)
	}
	if err := s.CheckConfig(&r.cfg); err != nil {
		return err
	}
	if s.CoreTime == nil {
		if err := checkCoreBudget(&r.cfg, "an earlier program, which did not count it, has worked on this run"); err != nil {
			return err
		}
	}
	if s.Run, err = rundir.Identity(r.dir, &s); err != nil {
		return err
	}
	s.Before = rundir.SpentBefore(r.dir, &s)
	r.state, r.plays, r.calibration = s, w, card.Calibration
	return nil
}

// writeCheckpoint writes the folder of the present generation, and then what the
// metrics of the run.
func (r *runner) writeCheckpoint() error {
	r.state.Elapsed, r.state.CoreTime = r.elapsed(), r.spent()
	s := r.state
	s.Averaged = r.cfg.Train.Averages()
	if s.Generation > 0 {
		m := r.row
		m.Generation, m.Step, m.Games, m.Positions = int32(s.Generation), int64(s.Step), int64(s.Games), int64(s.Rows)
		m.LearnedSeconds, m.CoreSeconds = s.Elapsed.Seconds(), rundir.Seconds(s.CoreTime)
		full, _ := r.cfg.SelfPlay.SimulationsAt(r.cfg.Plays(s.Generation - 1))
		m.Simulations = int64(full)
		s.Metrics = &m
	}
	if err := r.writeCheckpointDir(&s); err != nil || s.Metrics == nil {
		return err
	}
	r.row = rundir.Metrics{}
	if err := r.metrics.Add(*s.Metrics); err != nil {
		return err
	}
	return r.prune()
}

func (r *runner) writeCheckpointDir(s *rundir.State) error {
	card := model.Card{
		Identity: plan.Identity(r.game.Info()), Generation: s.Generation, Step: s.Step,
		Positions: int64(s.Rows), Samples: int64(s.Step) * int64(r.cfg.Train.Batch), CPuct: r.cfg.PlayCPuct, Search: r.cfg.PlaySearch,
	}
	if o := r.origin; o != nil {
		card.Positions += o.Positions
		card.Samples = o.Samples + int64(s.Step-o.Step)*int64(r.cfg.Train.Batch)
	}
	if s.Step > 0 {
		card.Rules = r.rulesShares(r.origin)
	}
	return atomicfile.WriteDir(rundir.CheckpointDir(r.dir, s.Generation), func(dir string) error {
		played := card
		played.Calibration = r.calibration
		if err := model.Save(filepath.Join(dir, rundir.WeightsFile), r.plays, played); err != nil {
			return err
		}
		if err := r.saveTraining(dir, card); err != nil {
			return err
		}
		state, err := r.trainer.MarshalBinary()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, rundir.OptimizerFile), state, 0o666); err != nil {
			return err
		}
		training := r.trainer.Weights()
		if !s.Averaged {
			training = nil
		}
		if s.Sums, err = rundir.SumsOf(r.plays, training, state); err != nil {
			return err
		}
		return s.Write(filepath.Join(dir, rundir.StateFile))
	})
}

// nextCheckpoint writes the network that was trained and makes it the present
// generation.
func (r *runner) nextCheckpoint() error {
	r.state.Generation++
	r.state.First = ""
	if err := r.writeCheckpoint(); err != nil {
		return err
	}
	s := &r.state
	err := r.log(rundir.Event{Checkpoint: &rundir.CheckpointEvent{
		Generation: s.Generation, Step: s.Step, Games: s.Games, Rows: s.Rows, Path: rundir.CheckpointDir(r.dir, s.Generation),
	}})
	if err != nil {
		return err
	}
	if r.opt.Check == nil {
		return nil
	}
	return r.logWarnings(s.Generation, r.opt.Check(r.metrics.Rows()))
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
	if err := s.CheckTraining(w); err != nil {
		return nil, fmt.Errorf("checkpoint %d: %w", s.Generation, err)
	}
	return w, nil
}
