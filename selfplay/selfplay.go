// Package selfplay plays games of a network against itself and turns the
// searches into records. Every worker owns its games, its networks and its
// batches; nothing joins batches over workers. A game depends only on its seed,
// which follows from the run's and its number unless Job.SeedOf says otherwise, on
// the weights and, if it begins in one, on the earlier games, so that any number of
// workers plays the same games.
package selfplay

import (
	"context"
	"sync/atomic"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
	"golang.org/x/sync/errgroup"
)

// Job is the games to play and the number of goroutines.
type Job struct {
	// Game is the ruleset of all games, unless Mix says otherwise; then it is any
	// ruleset of the same family.
	Game engine.Game
	Mix  *Mix
	// Run is the name in the records. All games derive their seeds from Seed.
	Run  string
	Seed uint64
	// SeedOf returns the seed of a game. Nil: it follows from Seed and the game's number.
	SeedOf func(number int64) uint64
	// Source hands out the games and the network that plays each.
	Source Source
	// Teacher makes the teacher of a ruleset, each time one with memory of its own. It
	// is safe for concurrent use. Without it Config.Teacher must have no player.
	Teacher func(engine.Game) (Teacher, error)
	// Workers is the number of goroutines that play, at least 1. It changes
	// speed and order, no game.
	Workers int
	// Cores limits the cores that workers compute on. Nil: each worker has its own.
	Cores Cores
	// AnyOrder delivers games as they end. Without it they are delivered in order of
	// number, and a finished game waits for those before it.
	AnyOrder bool
	// Counters are added to while the job runs. Nil is allowed.
	Counters *Counters
}

// Counters count work as it is done, including games in flight.
type Counters struct {
	// Games are finished games, including games that wait to be delivered in order.
	// Decisions are recorded positions, Evaluations network evaluations, Hits cached
	// evaluations.
	Games, Decisions, Evaluations, Hits atomic.Int64
}

// Finished is a game that has ended.
type Finished struct {
	Number     int64
	Generation int          // of the network that played it
	Rules      string       // canonical rules word
	Rows       []record.Row // empty if no decision had a choice
	Outcome    engine.Outcome
	Turns      int
}

// Run plays the games that the job's source hands out and calls deliver for each, one at
// a time, in order of number unless Job.AnyOrder is set. It returns when the source has no more games and all
// are delivered, or with the first error of ctx, the source, a network or deliver. On
// an error games in flight are dropped, and games delivered in order are a prefix of
// those handed out.
func Run(ctx context.Context, cfg Config, job Job, deliver func(*Finished) error) error {
	if job.Counters == nil {
		job.Counters = &Counters{}
	}
	if cfg.Teacher.Player != "" && job.Teacher == nil {
		return errNoTeacher
	}
	group, ctx := errgroup.WithContext(ctx)
	done := make(chan *Finished, job.Workers) // a worker need not wait for a shard being written
	workers, workersCtx := errgroup.WithContext(ctx)
	next := job.Source.First()
	for i := range job.Workers {
		w := &worker{cfg: &cfg, job: &job, id: i, done: done, teachers: teachers{}}
		workers.Go(func() error { return w.run(workersCtx) })
	}
	group.Go(func() error {
		defer close(done)
		return workers.Wait()
	})
	group.Go(func() error {
		ahead := map[int64]*Finished{}
		for f := range done {
			if job.AnyOrder {
				if err := deliver(f); err != nil {
					return err
				}
				continue
			}
			ahead[f.Number] = f
			for f := ahead[next]; f != nil; f = ahead[next] {
				delete(ahead, next)
				next++
				if err := deliver(f); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return group.Wait()
}
