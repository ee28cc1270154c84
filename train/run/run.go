// Package run is the training loop: self-play, training, checkpoint, again. It
// owns the folder of a run,
//
//	config.yaml     the resolved configuration
//	events.jsonl    what happened, one Event a line
//	metrics.parquet figures of every generation, see Metrics
//	shards/         records of the games, see selfplay/record
//	checkpoints/    one folder a generation: weights with card, optimizer, state
//	origin.json     of a fork: where it comes from, see Origin
//	inherited/      of a fork: shards of the runs before it
//
// in which every file is written whole or not at all, so that a run that was
// stopped anywhere goes on where it was: from its last checkpoint and the games
// in its shards. Games and training steps draw from streams derived from the
// run's seed, so that what is done again comes out the same.
package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/coretime"
	"github.com/ludozero/ludozero/internal/fault"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// watchEvery is how often a stage reports how far it is.
const watchEvery = 500 * time.Millisecond

// timesEvery is how often the event file gets the times while nothing is logged:
// what a kill takes from learning and core time, about.
const timesEvery = 30 * time.Second

// Options are what Run needs beside the configuration.
type Options struct {
	// Games are those that the program knows.
	Games engine.Families
	// Resolved is the configuration as text, kept in the run's folder.
	Resolved []byte
	// Report receives every event, one at a time. Nil is allowed.
	Report func(rundir.Event)
	// First, if it is not nil, is the network that a new run begins with instead
	// of an untrained one; it must be of the size that the configuration says.
	// A run that exists must have begun with it.
	First *First
	// Fork, if it is not nil, is the run that a new one goes on from. A run that
	// exists must come from there.
	Fork *Fork
	// Rater, if it is not nil, measures networks while the run goes on.
	Rater Rater
	// Check, if it is not nil, says what is off in the newest generation of the
	// metrics, which it must not change. It is asked after each checkpoint; the run
	// keeps what is new and what has ended as events. Generation and Over are not
	// for Check to set.
	Check func(rows []rundir.Metrics) []rundir.WarningEvent

	forked *forked // what was read of it
}

// Run works on the run in folder dir, which it creates or resumes, until its
// budgets or number of generations are reached or ctx ends; the first two are no
// error. No other process may work on the run at the same time.
func Run(ctx context.Context, dir string, cfg plan.Config, opt Options) error {
	return workOn(ctx, dir, cfg, opt, (*runner).loop)
}

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
	if opt.forked, err = readFork(dir, &cfg, rules.Game.Info(), opt); err != nil {
		return fmt.Errorf("run %s: %w", dir, err)
	}
	defer opt.forked.close()
	if err := rundir.Create(dir); err != nil {
		return err
	}
	unlock, err := rundir.Lock(ctx, dir)
	if err != nil {
		return err
	}
	defer unlock()
	r, err := open(dir, cfg, rules, opt)
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

// runner is one process at work on a run.
type runner struct {
	dir        string
	name       string
	cfg        plan.Config
	configHash string // of what must not change within a run
	opt        Options
	family     *engine.Family
	game       engine.Game
	mix        *selfplay.Mix // nil: all games are by game's rules
	pool       earlierGames
	frozen     *probe // nil before the first training of the process
	flipped    bool   // by a fault: see flipValues
	decided    decided
	trainer    *train.Trainer
	plays      *model.Weights // the network of state.Generation
	// calibration is that of plays; nil if a program that knew none wrote it.
	calibration *model.Calibration
	window      *train.Window
	origin      *rundir.Origin // nil unless the run is a fork
	state       rundir.State
	row         rundir.Metrics // of the generation that is being trained
	metrics     *rundir.MetricsFile
	start       *rundir.StartEvent
	played      []record.Meta // shards of a concurrent run, until it goes on

	// lastGames are hashes of the games of generation lastGamesOf, nil if unknown.
	lastGames   map[uint64]struct{}
	lastGamesOf int

	events *rundir.EventLog
	kept   time.Time  // when the last event was written, or failed to be
	mu     sync.Mutex // events come from the stage and from its watch
	began  time.Time
	paused time.Time     // since when the learning time stands still; zero: it does not
	before time.Duration // learning time of earlier processes
	cores  coreTime
	budget *time.Timer // looks whether a budget is used up; nil: there is none
	// unrated is set once a network could not be measured.
	unrated bool
	off     warnings
}

// open loads the last checkpoint, or makes the first. But for leftovers of a
// stopped process, it changes nothing in the folder of a run that it refuses.
func open(dir string, cfg plan.Config, rules *plan.Rules, opt Options) (*runner, error) {
	whole, err := filepath.Abs(dir) // "." has no name
	if err != nil {
		return nil, err
	}
	r := &runner{dir: dir, name: filepath.Base(whole), cfg: cfg, opt: opt, family: rules.Family, game: rules.Game, mix: rules.Mix, configHash: cfg.Hash(), decided: decided{}, flipped: fault.Armed(flipFault, ""), off: warnings{}}
	discarded := 0
	for _, d := range []string{dir, filepath.Join(dir, rundir.ShardsDir), filepath.Join(dir, rundir.CheckpointsDir)} {
		names, err := atomicfile.Clean(d)
		if err != nil {
			return nil, err
		}
		discarded += len(names)
	}
	if r.window, err = train.NewWindow(cfg.Window, r.family, filepath.Join(dir, rundir.ShardsDir), r.name); err != nil {
		return nil, err
	}
	r.window.MixRootValue(cfg.Train.RootValueShare)
	if cfg.WantsReplies() {
		r.window.LoadReplies()
	}
	generations, err := rundir.Generations(dir)
	if err != nil {
		return nil, err
	}
	resumed := len(generations) > 0
	switch {
	case resumed:
		if err = r.load(generations[len(generations)-1]); err == nil {
			err = errors.Join(r.checkFirst(), r.checkFork())
		}
	case opt.forked != nil:
		r.beginFork(opt.forked)
	default:
		err = r.create()
	}
	if err == nil && !resumed && r.calibration == nil {
		err = r.calibrateFirst()
	}
	if err == nil {
		check := r.checkShards
		if cfg.Mode == plan.ModeConcurrent {
			check = r.checkLiveShards
		}
		err = check()
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
	if r.metrics, err = rundir.OpenMetrics(dir, r.name, r.configHash); err != nil {
		return nil, err
	}
	// Nothing refuses the run any more: now its files may change.
	if opt.forked != nil && !resumed {
		if err := errors.Join(r.writeFork(opt.forked), r.inheritWindow()); err != nil {
			return nil, err
		}
	}
	err = atomicfile.Write(filepath.Join(dir, rundir.ConfigFile), func(w io.Writer) error {
		_, err := w.Write(opt.Resolved)
		return err
	})
	if err == nil && !resumed {
		r.cores.resume(new(time.Duration))
		err = r.writeCheckpoint()
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
	r.before = so.Elapsed
	r.cores.resume(so.CoreTime)
	for _, e := range past {
		if e.Warning != nil {
			r.off.recall(e.Warning)
		}
		r.decided.recall(&e)
	}
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

// prune removes checkpoints that the configuration does not keep.
func (r *runner) prune() error {
	var keeps func(int) bool
	if r.opt.Rater != nil {
		keeps = r.opt.Rater.Keeps
	}
	return rundir.Prune(r.dir, r.cfg.Retention, keeps)
}

// shards opens the run's own.
func (r *runner) shards() *rundir.Shards {
	return &rundir.Shards{Dir: r.dir, Run: r.name, ConfigHash: r.configHash, Info: r.game.Info()}
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
	w, origin, err := r.firstWeights()
	if err != nil {
		return err
	}
	info := r.game.Info()
	r.state = rundir.State{
		Version: rundir.StateVersion, ConfigHash: r.configHash, Game: info.Name, GameVersion: info.Version, EncoderVersion: info.EncoderVersion,
		First: origin,
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
	if err := card.Fits(plan.Identity(info), plan.Shape(info)); err != nil {
		return fmt.Errorf("checkpoint %d: %w", generation, err)
	}
	if network := r.networkOf(generation); card.Network != network {
		return fmt.Errorf("checkpoint %d holds a network of %+v: the configuration asks for %+v", generation, card.Network.Config, network.Config)
	}
	if r.origin, err = rundir.CheckOrigin(r.dir, &s); err == nil && r.origin != nil {
		err = r.origin.Fits(info)
	}
	if err != nil {
		return err
	}
	path := filepath.Join(rundir.CheckpointDir(r.dir, generation), rundir.OptimizerFile)
	optimizer, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: it was removed, as retention does where it keeps the network alone: no run can go on from here", err)
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
	s.Before = rundir.SpentBefore(r.dir, &s)
	r.state, r.plays, r.calibration = s, w, card.Calibration
	return nil
}

// checkShards holds every shard of the run to its rules and all of them to what
// the checkpoint has learned from, before any work is done. It reads them whole.
func (r *runner) checkShards() error {
	dir := filepath.Join(r.dir, rundir.ShardsDir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	rows := 0
	for _, e := range entries {
		generation, number, ours := record.ParseFileName(e.Name())
		if !ours {
			continue
		}
		if int(generation) > r.state.Generation {
			return fmt.Errorf("shard %s: its generation is newer than the last checkpoint, %d", filepath.Join(dir, e.Name()), r.state.Generation)
		}
		shard, err := r.openShard(int(generation), number)
		if err != nil {
			return err
		}
		if int(generation) < r.state.Generation {
			rows += shard.Meta.Rows
		}
	}
	if rows != r.state.Rows {
		return fmt.Errorf("checkpoint %d has learned from %d positions: the shards of the generations before it in %s hold %d",
			r.state.Generation, r.state.Rows, dir, rows)
	}
	return nil
}

// writeCheckpoint writes the folder of the present generation, and then what the
// run has to say of it.
func (r *runner) writeCheckpoint() error {
	r.state.Elapsed, r.state.CoreTime = r.elapsed(), r.cores.spent()
	s := r.state
	s.Averaged = r.cfg.Train.Averages()
	if s.Generation > 0 {
		m := r.row
		m.Generation, m.Step, m.Games, m.Positions = int32(s.Generation), int64(s.Step), int64(s.Games), int64(s.Rows)
		m.LearnedSeconds, m.CoreSeconds = s.Elapsed.Seconds(), rundir.Seconds(s.CoreTime)
		full, _ := r.cfg.SelfPlay.SimulationsAt(s.Generation - 1)
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
		card.Rules = r.rulesShares()
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
		return s.Write(filepath.Join(dir, rundir.StateFile))
	})
}

// loop works until a budget or the number of generations is reached.
func (r *runner) loop(ctx context.Context) error {
	r.begin()
	if r.cfg.Budget > 0 || r.cfg.CoreBudget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = r.withBudget(ctx)
		defer cancel()
	}
	if err := r.log(rundir.Event{Start: r.start}); err != nil {
		return err
	}
	for {
		if r.cfg.Generations > 0 && r.state.Generation >= r.cfg.Generations {
			return r.log(rundir.Event{Stop: &rundir.StopEvent{Reason: "generations"}})
		}
		err := ctx.Err()
		if err == nil && r.cfg.Mode == plan.ModeConcurrent {
			err = r.concurrent(ctx)
		} else if err == nil {
			err = r.rate(ctx, nothing)
			if err == nil {
				err = r.generation(ctx)
			}
		}
		var over usedUp
		switch stop := ctx.Err(); {
		case err == nil:
		case stop == nil || !errors.Is(err, stop):
			return err
		case errors.As(context.Cause(ctx), &over):
			return r.log(rundir.Event{Stop: &rundir.StopEvent{Reason: string(over)}})
		default:
			return errors.Join(context.Cause(ctx), r.log(rundir.Event{Stop: &rundir.StopEvent{Reason: "interrupted"}}))
		}
	}
}

// generation plays with the present network and trains the next.
func (r *runner) generation(ctx context.Context) error {
	if err := r.selfPlay(ctx); err != nil {
		return err
	}
	if err := r.train(ctx); err != nil {
		return err
	}
	return r.nextCheckpoint()
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
	return r.check()
}

// stamp gives an event its times.
func (r *runner) stamp(e *rundir.Event) {
	e.Time, e.Elapsed = time.Now(), r.elapsed()
	if c := r.cores.spent(); c != nil {
		e.CoreTime = *c
	}
}

// show reports an event that is not worth keeping, but for its times now and then.
// Those are worth no error: a disk that is full may not be so any more when the
// next event is logged.
func (r *runner) show(e rundir.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stamp(&e)
	if r.opt.Report != nil {
		r.opt.Report(e)
	}
	if r.paused.IsZero() && e.Time.Sub(r.kept) >= timesEvery {
		_ = r.keep(&rundir.Event{Time: e.Time, Elapsed: e.Elapsed, CoreTime: e.CoreTime})
	}
}

// log reports an event and keeps it.
func (r *runner) log(e rundir.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stamp(&e)
	if r.opt.Report != nil {
		r.opt.Report(e)
	}
	return r.keep(&e)
}

// keep writes an event into the event file.
func (r *runner) keep(e *rundir.Event) error {
	r.kept = e.Time
	return r.events.Append(e)
}

// watch calls show regularly, under a lock that the stage takes for changes to
// what show reads, until it is stopped.
type watch struct {
	sync.Mutex
	quit chan struct{}
	done chan struct{}
}

func (r *runner) watch(show func()) *watch {
	w := &watch{quit: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				w.Lock()
				show()
				w.Unlock()
			case <-w.quit:
				return
			}
		}
	}()
	return w
}

func (w *watch) stop() {
	close(w.quit)
	<-w.done
}
