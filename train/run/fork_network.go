package run

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// network reads the network of the source's checkpoint, of state s, and makes the
// trainer go on with it under cfg, with as much of its state as is there.
func (f Fork) network(s *rundir.State, cfg *plan.Config, info *engine.Info) (*forked, error) {
	path := rundir.WeightsPath(f.Dir, s.Generation)
	file, err := input.Read(path, input.Large)
	if err != nil {
		return nil, fmt.Errorf("checkpoint %d: %w", s.Generation, err)
	}
	plays, card, err := model.Load(path)
	if err == nil {
		err = card.Fits(plan.Identity(info), plan.Shape(info))
	}
	if err == nil && (card.Step != s.Step || card.Generation != s.Generation) {
		err = fmt.Errorf("weights of generation %d, step %d and state of generation %d, step %d do not belong together", card.Generation, card.Step, s.Generation, s.Step)
	}
	if err == nil {
		err = s.CheckWeights(plays)
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoint %d: %w", s.Generation, err)
	}
	k := &forked{plays: plays, calibration: card.Calibration, origin: rundir.Origin{
		Version: rundir.OriginVersion, Source: rundir.Source{ConfigHash: s.ConfigHash, Generation: s.Generation, Weights: plan.SHA256(file)},
		Game: s.Game, GameVersion: s.GameVersion, EncoderVersion: s.EncoderVersion,
		Step: s.Step, Positions: card.Positions, Samples: card.Samples, Rules: card.Rules,
	}}
	if err := k.origin.Fits(info); err != nil {
		return nil, err
	}
	if k.spent, err = rundir.SpentOn(f.Dir, s, card, nil); err != nil {
		return nil, err
	}
	to := model.Network{Shape: plan.Shape(info), Config: cfg.ModelAt(0)}
	if err := canBecome(card.Network, to); err != nil {
		return nil, err
	}
	if err := k.restore(f.Dir, s, card, cfg); err != nil {
		k.close()
		return nil, fmt.Errorf("checkpoint %d: %w", s.Generation, err)
	}
	if err := k.grow(to, cfg); err != nil {
		k.close()
		return nil, err
	}
	return k, nil
}

// canBecome refuses by key a network that the source's cannot be grown into.
func canBecome(from, to model.Network) error {
	if from == to {
		return nil
	}
	var list problems.List
	if list.In("model", from.CanGrow(to)); len(list) > 0 {
		return fmt.Errorf("%w\na network of another kind needs fresh weights: leave model as it is and set growth to [{generation: 1, passes: 2, ...}] with what is to change",
			list.Err())
	}
	return nil
}

// restore makes the trainer: weights, average and optimizer state as far as the
// checkpoint has them.
func (k *forked) restore(dir string, s *rundir.State, card *model.Card, cfg *plan.Config) error {
	optimizer, err := input.Read(filepath.Join(rundir.CheckpointDir(dir, s.Generation), rundir.OptimizerFile), input.Large)
	k.origin.FreshOptimizer = errors.Is(err, fs.ErrNotExist)
	switch {
	case k.origin.FreshOptimizer:
	case err != nil:
		return fmt.Errorf("optimizer %w", err)
	default:
		if err := s.CheckOptimizer(optimizer); err != nil {
			return err
		}
	}
	training := k.plays
	// Without an average of its own the fork trains the network that plays;
	// without the optimizer the weights in training are gone, too, as retention
	// takes them. A pack has all files that its list names, and of earlier programs
	// the weights in training are among them.
	if s.Averaged && cfg.Train.Averages() && !k.origin.FreshOptimizer {
		w, own, err := model.Load(filepath.Join(rundir.CheckpointDir(dir, s.Generation), rundir.TrainingFile))
		if errors.Is(err, fs.ErrNotExist) && rundir.IsPack(dir) {
			k.origin.FromAverage = true
			w, own, err = k.plays, card, nil
		} else if err == nil {
			err = s.CheckTraining(w)
		}
		if err != nil {
			return err
		}
		if own.Identity != card.Identity || own.Network != card.Network || own.Step != card.Step || own.Generation != card.Generation {
			return fmt.Errorf("%s does not belong to %s", rundir.TrainingFile, rundir.WeightsFile)
		}
		training = w
	}
	if k.trainer, err = train.NewTrainer(training, cfg.Train, cfg.WorkerCount()); err != nil {
		return err
	}
	if cfg.Train.Averages() {
		if err := k.trainer.SetAverage(k.plays); err != nil {
			return err
		}
	}
	if k.origin.FreshOptimizer {
		return k.trainer.Continue(uint64(s.Step))
	}
	if err := k.trainer.UnmarshalBinary(optimizer); err != nil {
		return fmt.Errorf("optimizer: %w", err)
	}
	if k.trainer.Steps() != uint64(s.Step) {
		return fmt.Errorf("optimizer of step %d and state of step %d do not belong together", k.trainer.Steps(), s.Step)
	}
	return k.trainer.SetLearningRate(cfg.Train.LearningRate)
}

// grow enlarges the network, if the fork is to have a larger one from its
// beginning.
func (k *forked) grow(to model.Network, cfg *plan.Config) error {
	if k.plays.Network() == to {
		return nil
	}
	stream := func() *rand.Rand { return rand.New(seed.Stream(cfg.Seed, "growth", 0)) }
	plays, err := model.Grow(k.plays, to, stream())
	if err != nil {
		return err
	}
	k.plays, k.calibration = plays, nil
	return k.trainer.Grow(to, stream)
}

// inherit finds the newest shards that the checkpoint of state s, in the run in
// folder dir, has learned from, as many as the window of cfg reaches back.
func (k *forked) inherit(dir string, s *rundir.State, cfg *plan.Config, info *engine.Info) error {
	shards := rundir.Shards{Dir: dir, Run: k.origin.Run, ConfigHash: s.ConfigHash, Info: info}
	own, err := shards.LearnedBy(s)
	if err != nil {
		return err
	}
	before := k.before
	k.origin.Seen = int64(s.Rows)
	lines := []rundir.Inherited{{Run: k.origin.Run, ConfigHash: s.ConfigHash, Shards: own}} // newest first
	folders := []string{filepath.Join(dir, rundir.ShardsDir)}
	if before != nil {
		k.origin.Seen += before.Seen
		ancestors := before.Ancestors(dir)
		for i, in := range slices.Backward(before.Inherited) {
			lines, folders = append(lines, in), append(folders, ancestors[i].Dir)
		}
	}
	want := cfg.Window.Positions(k.origin.Seen)
	for i, line := range lines {
		first := len(line.Shards)
		for first > 0 && want > 0 {
			first--
			want -= int64(line.Shards[first].Rows)
		}
		if line.Shards = line.Shards[first:]; len(line.Shards) == 0 {
			break
		}
		line.Offset -= int32(s.Generation)
		k.origin.Inherited, k.folders = append(k.origin.Inherited, line), append(k.folders, folders[i])
	}
	slices.Reverse(k.origin.Inherited)
	slices.Reverse(k.folders)
	return nil
}
