// Package selfplay plays games of a network against itself and turns the
// searches into records. Every worker owns its games, its network and its
// batches; nothing joins batches over workers. A game depends on the run's
// seed, its number and the weights only, so that any number of workers plays
// the same games.
package selfplay

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/selfplay/record"
	"golang.org/x/sync/errgroup"
)

// Job is a range of games to be played with one network.
type Job struct {
	Game engine.Game
	// Run is the name that records carry, Seed the seed that all games derive
	// theirs from, Generation the number of the network.
	Run        string
	Seed       uint64
	Generation int
	// First is the number of the first game, Count how many there are.
	First int64
	Count int
	// Networks has one network for each worker. They must compute the same;
	// they need not be safe for concurrent use.
	Networks []mcts.Network
	// Counters are added to while the job runs. Nil is allowed.
	Counters *Counters
}

// Counters count work as it is done, games in flight included.
type Counters struct {
	// Games are finished games, those that wait for an earlier one included.
	// Decisions are searched positions, Evaluations network evaluations.
	Games, Decisions, Evaluations atomic.Int64
}

// Finished is a game that has ended.
type Finished struct {
	Number  int64
	Rows    []record.Row // empty if no decision had a choice
	Outcome engine.Outcome
	Turns   int
}

// Run plays the games of a job and hands each to deliver, in order of number,
// one at a time. It returns when all are delivered, or with the first error of
// ctx, a network or deliver; games in flight are then dropped, and what was
// delivered is a prefix of the range.
func Run(ctx context.Context, cfg Config, job Job, deliver func(*Finished) error) error {
	if job.Counters == nil {
		job.Counters = &Counters{}
	}
	group, ctx := errgroup.WithContext(ctx)
	done := make(chan *Finished, len(job.Networks)) // a worker need not wait for a shard being written
	workers, workersCtx := errgroup.WithContext(ctx)
	var started atomic.Int64
	for _, net := range job.Networks {
		w := &worker{cfg: &cfg, job: &job, net: net, done: done, started: &started}
		workers.Go(func() error { return w.run(workersCtx) })
	}
	group.Go(func() error {
		defer close(done)
		return workers.Wait()
	})
	group.Go(func() error {
		ahead := map[int64]*Finished{}
		next := job.First
		for f := range done {
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

// worker plays games on one goroutine.
type worker struct {
	cfg     *Config
	job     *Job
	net     mcts.Network
	done    chan<- *Finished
	started *atomic.Int64 // games handed to any worker
}

func (w *worker) run(ctx context.Context) error {
	batch := mcts.NewBatch(w.job.Game.Info())
	var games []*game
	for range w.cfg.GamesInFlight {
		g := newGame(w.cfg, w.job)
		if !w.next(g) {
			break
		}
		games = append(games, g)
	}
	for len(games) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch.Clear()
		var decisions int64
		for i := 0; i < len(games); {
			g := games[i]
			if g.advance(batch, &decisions) {
				i++
				continue
			}
			w.job.Counters.Games.Add(1)
			select {
			case w.done <- g.finish():
			case <-ctx.Done():
				return ctx.Err()
			}
			if !w.next(g) {
				games = append(games[:i], games[i+1:]...)
			}
		}
		w.job.Counters.Decisions.Add(decisions)
		if err := batch.Evaluate(w.net); err != nil {
			return fmt.Errorf("self-play of generation %d: %w", w.job.Generation, err)
		}
		w.job.Counters.Evaluations.Add(int64(batch.Len()))
		for _, g := range games {
			g.tree.Backup(&g.leaf[0], batch.Logits(g.place), batch.Value(g.place))
		}
	}
	return nil
}

// next starts the next game of the job in g, if there is one.
func (w *worker) next(g *game) bool {
	n := w.started.Add(1) - 1
	if n >= int64(w.job.Count) {
		return false
	}
	g.start(w.job.First + n)
	return true
}
