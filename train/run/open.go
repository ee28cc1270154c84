package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/coretime"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
)

// workOn opens the run in folder dir, under its lock, and has do work on it.
func workOn(ctx context.Context, dir string, cfg plan.Config, opt Options, do func(*runner, context.Context) error) error {
	if err := cfg.Validate(opt.Games); err != nil {
		return err
	}
	if err := kernel.Check(); err != nil {
		return err
	}
	if err := checkPrecisions(&cfg, dir); err != nil {
		return err
	}
	if _, known := coretime.Process(); !known {
		if err := checkCoreBudget(&cfg, "this system does not say what processors spend on a process"); err != nil {
			return err
		}
	}
	if err := rundir.RefusePack(dir); err != nil {
		return err
	}
	rules, err := cfg.NewRules(opt.Games)
	if err != nil {
		return err
	}
	from, err := readFork(dir, &cfg, rules.Game.Info(), opt)
	if err != nil {
		return fmt.Errorf("run %s: %w", dir, err)
	}
	defer from.close()
	if err := rundir.Create(dir); err != nil {
		return err
	}
	unlock, err := rundir.Lock(dir)
	if err != nil {
		return err
	}
	defer unlock()
	r, err := open(dir, cfg, rules, from, opt)
	if err != nil {
		return fmt.Errorf("run %s: %w", dir, err)
	}
	defer r.trainer.Close()
	defer r.events.Close()
	if err := do(r, ctx); err != nil {
		return fmt.Errorf("run %s: %w", dir, err)
	}
	return nil
}

// open loads the last checkpoint, or makes the first. But for leftovers of a
// stopped process, it changes nothing in the folder of a run that it refuses.
func open(dir string, cfg plan.Config, rules *plan.Rules, from *forked, opt Options) (*runner, error) {
	r := newRunner(newSite(dir, cfg, rules), opt)
	discarded := 0
	for _, d := range []string{dir, filepath.Join(dir, rundir.ShardsDir), filepath.Join(dir, rundir.CheckpointsDir)} {
		names, err := atomicfile.Clean(d)
		if err != nil {
			return nil, err
		}
		discarded += len(names)
	}
	generations, err := rundir.Generations(dir)
	if err != nil {
		return nil, err
	}
	resumed := len(generations) > 0
	switch {
	case resumed:
		if err = r.load(generations[len(generations)-1]); err == nil {
			err = errors.Join(opt.First.check(dir), opt.Fork.check(r.origin))
		}
	case from != nil:
		err = r.beginFork(from)
	default:
		err = r.create()
	}
	if err == nil {
		r.run = r.state.Run
		r.players = play.NewPlayers(dir, r.run, &r.cfg, rules)
		err = r.openWindow(filepath.Join(dir, rundir.ShardsDir))
	}
	if err == nil && !resumed && r.calibration == nil {
		err = r.calibrateFirst()
	}
	if err == nil {
		if cfg.Mode == plan.ModeConcurrent {
			r.played, err = r.checkLiveShards(&r.state)
		} else {
			err = r.checkShards(&r.state)
		}
	}
	if err == nil && resumed {
		err = r.inheritWindow()
	}
	if err != nil {
		return nil, err
	}
	past, err := rundir.ReadEvents(dir)
	if err != nil {
		return nil, err
	}
	if r.metrics, err = rundir.OpenMetrics(dir, r.run, r.configHash); err != nil {
		return nil, err
	}
	// Nothing refuses the run any more: now its files may change.
	if err := rundir.ForgetLive(dir); err != nil {
		return nil, err
	}
	writeConfig := func() error { return atomicfile.WriteBytes(filepath.Join(dir, rundir.ConfigFile), opt.Resolved) }
	if from != nil && !resumed {
		// Half a fork is known by its origin, and one that has a checkpoint goes on by
		// its configuration.
		err = errors.Join(r.writeFork(from), r.inheritWindow())
		if err == nil {
			err = writeConfig()
		}
		if err != nil {
			return nil, err
		}
	}
	// Otherwise the first checkpoint comes before: a folder with a configuration alone
	// would begin untrained where --network is not given again.
	if !resumed {
		r.restore(0, new(time.Duration))
		err = r.writeCheckpoint()
	}
	if err == nil {
		err = writeConfig()
	}
	if err == nil {
		err = r.metrics.Sync()
	}
	if err == nil {
		err = r.prune()
	}
	if err != nil {
		return nil, err
	}
	so := r.state
	so.AddSince(past)
	r.restore(so.Elapsed, so.CoreTime)
	r.recall(past)
	if r.events, err = rundir.OpenEvents(dir); err != nil {
		return nil, err
	}
	r.start = &rundir.StartEvent{
		Format: rundir.EventsFormat, Game: cfg.Game, Rules: r.game.Rules(), Rulesets: r.rulesets(), Parameters: r.trainer.Weights().Count(), Kernel: kernel.Arithmetic(),
		SelfPlayPrecision: cfg.SelfPlay.Precision, TrainPrecision: cfg.Train.Precision,
		Generation: r.state.Generation, Resumed: resumed, Discarded: discarded, Origin: r.origin.Event(),
	}
	return r, nil
}

// create begins a new run with an untrained network. It writes nothing.
func (r *runner) create() error {
	half, err := rundir.HalfForked(r.dir)
	if half {
		err = errors.New("its fork was not finished: `ludozero train --from` with the run that it is to come from begins it again")
	}
	if err != nil {
		return err
	}
	w, origin, err := r.opt.First.weights(r.site)
	if err != nil {
		return err
	}
	info := r.game.Info()
	r.state = rundir.State{
		Version: rundir.StateVersion, ConfigHash: r.configHash, Game: info.Name, GameVersion: info.Version, EncoderVersion: info.EncoderVersion,
		First: origin,
	}
	if r.state.Run, err = rundir.NewIdentity(&r.cfg, w, nil); err != nil {
		return err
	}
	if r.opt.First == nil {
		r.state.Before = rundir.Untrained()
	}
	r.trainer, err = train.NewTrainer(w, r.cfg.Train, r.cfg.WorkerCount())
	r.plays = w
	if r.opt.First != nil {
		r.calibration = r.opt.First.Calibration
	}
	return err
}

// beginFork makes the new run the fork that was read.
func (r *runner) beginFork(k *forked) (err error) {
	info := r.game.Info()
	r.origin, r.trainer, r.plays, r.calibration = &k.origin, k.trainer, k.plays, k.calibration
	r.state = rundir.State{
		Version: rundir.StateVersion, ConfigHash: r.configHash, Game: info.Name, GameVersion: info.Version, EncoderVersion: info.EncoderVersion,
		Step: k.origin.Step, Before: k.spent,
	}
	k.trainer = nil // the run closes it
	r.state.Run, err = rundir.NewIdentity(&r.cfg, r.plays, r.origin)
	return err
}

// writeFork writes what the new run has from others, in place of what a stopped
// attempt may have left. Until there is a checkpoint, there is no run.
func (r *runner) writeFork(k *forked) error {
	err := rundir.RemoveHalfFork(r.dir)
	if err == nil {
		err = rundir.WriteInherited(r.dir, k.origin.Inherited, k.folders)
	}
	if err == nil {
		r.state.Origin, err = k.origin.Write(r.dir)
	}
	return err
}

// inheritWindow gives the window what was inherited, once it is there.
func (r *runner) inheritWindow() error {
	if r.origin == nil || r.origin.FreshWindow {
		return nil
	}
	return r.window.Inherit(r.origin.Ancestors(r.dir), r.origin.Seen)
}
