// Package run is the training loop: self-play, training, checkpoint, again, with
// rating on the way. It is the only package that sees both self-play and training.
//
// The folder of the run is train/rundir's. A run that was stopped anywhere resumes
// from its last checkpoint and the games in its shards. Games and training steps
// draw from streams derived from the run's seed, so that what is repeated gives the
// same results.
package run

import (
	"context"
	"errors"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/fault"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
)

// Options are what Run needs beside the configuration.
type Options struct {
	// Games lists the games that the program knows.
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
	// Teacher makes the player that the configuration names as teacher.
	Teacher play.Teacher
	// Elsewhere, if it is not nil, plays the games.
	Elsewhere play.Elsewhere
	// Rater, if it is not nil, measures networks while the run goes on.
	Rater Rater
	// Check, if it is not nil, says what is off in the newest generation of the
	// metrics, which it must not change. It is asked after each checkpoint; the run
	// keeps what is new and what has ended as events. Generation and Over are not
	// for Check to set.
	Check func(rows []rundir.Metrics) []rundir.WarningEvent
}

// Run works on the run in folder dir, which it creates or resumes, until its
// budgets or number of generations are reached or ctx ends; the first two are no
// error. No other process may work on the run at the same time.
func Run(ctx context.Context, dir string, cfg plan.Config, opt Options) error {
	return workOn(ctx, dir, cfg, opt, (*runner).loop)
}

// runner is one process at work on a run.
type runner struct {
	*site
	opt Options
	*journal
	*learner
	players *play.Players
	games   recentGames
	origin  *rundir.Origin // nil unless the run is a fork
	state   rundir.State
	row     rundir.Metrics // of the generation that is being trained
	metrics *rundir.MetricsFile
	played  []record.Meta // shards of a concurrent run, until it goes on
	start   *rundir.StartEvent
	// ahead is what was played of the next generation while the present one was trained;
	// nil: nothing.
	ahead *shardWriter
	// unrated is set once a network could not be measured.
	unrated bool
}

func newRunner(s *site, opt Options) *runner {
	return &runner{
		site: s, opt: opt,
		journal: &journal{
			clock: &clock{timeBudget: s.cfg.Budget, coreBudget: s.cfg.CoreBudget}, report: opt.Report, off: warnings{}, decided: decided{},
		},
		learner: &learner{site: s, flipped: fault.Armed(flipFault, "")},
		games:   recentGames{site: s},
	}
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
	for r.cfg.Generations == 0 || r.state.Generation < r.cfg.Generations {
		err := ctx.Err()
		switch {
		case err != nil:
		case r.cfg.Mode == plan.ModeConcurrent:
			err = r.concurrent(ctx)
		default:
			if err = r.rate(ctx, nothing); err != nil {
				break
			}
			if r.cfg.Lag > 0 {
				err = r.overlapped(ctx)
			} else {
				err = r.generation(ctx)
			}
		}
		if err != nil {
			return r.stop(ctx, err, "")
		}
	}
	return r.stop(ctx, nil, "generations")
}

// stop logs why the work has ended: for the given reason if err is nil, or with ctx,
// because a budget is used up, which is no error, or somebody has stopped it.
func (r *runner) stop(ctx context.Context, err error, reason string) error {
	var over usedUp
	switch stop := ctx.Err(); {
	case err == nil:
	case stop == nil || !errors.Is(err, stop):
		return err
	case errors.As(context.Cause(ctx), &over):
		reason, err = string(over), nil
	default:
		reason, err = "interrupted", context.Cause(ctx)
	}
	return errors.Join(err, r.log(rundir.Event{Stop: &rundir.StopEvent{Reason: reason}}))
}

// generation plays with the present network and trains the next.
func (r *runner) generation(ctx context.Context) error {
	if err := r.selfPlay(ctx); err != nil {
		return err
	}
	if err := r.train(ctx, atOnce); err != nil {
		return err
	}
	return r.nextCheckpoint()
}
