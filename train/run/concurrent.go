package run

import (
	"context"
	"math"

	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/rundir"
	"golang.org/x/sync/errgroup"
)

// lead is how many generations' games self-play may be ahead of what was learned
// from: those that the present generation learns from and those of one more.
const lead = 2

// concurrent plays and trains at the same time until all generations are
// trained. Self-play fills shards, training reads those that are closed, one
// after the other, and takes the steps that each has earned before it reads the
// next. When it has learned from the games of a generation it writes a checkpoint,
// and games that begin from then on are played by its network.
//
// What training does depends on the shards and the checkpoint alone. A process
// that goes on where another was stopped repeats the steps since the last
// checkpoint, on the same shards, to the same weights.
func (r *runner) concurrent(ctx context.Context) error {
	shards, err := r.openLiveShards()
	if err != nil {
		return err
	}
	end := int64(math.MaxInt64)
	if r.cfg.Generations > 0 {
		end = int64(r.cfg.Generations) * int64(r.cfg.GamesPerGeneration)
	}
	c := &concurrent{run: r, shards: shards, cores: newCores(r.cfg.WorkerCount())}
	if r.opt.Elsewhere != nil {
		c.source, err = r.openStream(ctx, shards, end)
	} else {
		c.source, err = r.openSource(ctx, shards, c.cores, end)
	}
	if err != nil {
		return err
	}
	r.played = nil
	c.source.allow(r.limit(int64(r.state.Games)))
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return c.play(ctx) })
	group.Go(func() error { return c.learn(ctx) })
	err = group.Wait()
	if shards.lost != nil { // weighs more than the stop that may have come first
		return shards.lost
	}
	return err
}

// limit is the first game that may not begin when those below learned have been
// learned from.
func (r *runner) limit(learned int64) int64 { return learned + lead*int64(r.cfg.GamesPerGeneration) }

// concurrent is what self-play and training share.
type concurrent struct {
	run    *runner
	shards *liveShards
	cores  *cores
	source liveSource
	read   int64 // shards with numbers below it were learned from
}

// liveSource is who plays the games of a concurrent run.
type liveSource interface {
	// play delivers games in order of number until there are no more to be played.
	play(ctx context.Context, deliver func(*selfplay.Finished) error) error
	// publish has the present network, which has learned from the shards below limit, play
	// the games that begin from now on.
	publish(ctx context.Context, limit int64) error
	// allow lets games below limit begin.
	allow(limit int64)
}

// play plays games until there are no more to be played.
func (c *concurrent) play(ctx context.Context) error {
	r, w := c.run, c.shards
	watch := newWatch(func() { r.show(rundir.Event{SelfPlay: w.event()}) })
	err := c.source.play(ctx, func(f *selfplay.Finished) error {
		watch.Lock()
		defer watch.Unlock()
		return w.deliver(f)
	})
	watch.stop()
	if lost := w.flush(); lost != nil {
		return lost // weighs more than the stop that it follows
	}
	return err
}

// learn trains one generation after the other.
func (c *concurrent) learn(ctx context.Context) error {
	r := c.run
	for r.cfg.Generations == 0 || r.state.Generation < r.cfg.Generations {
		if err := r.rate(ctx, c.cores.takeAll); err != nil {
			return err
		}
		if err := c.generation(ctx); err != nil {
			return err
		}
		if err := r.nextCheckpoint(); err != nil {
			return err
		}
		if err := c.compute(ctx, func() error { return c.source.publish(ctx, c.read) }); err != nil {
			return err
		}
		c.source.allow(r.limit(int64(r.state.Games)))
	}
	return nil
}

// generation learns from the games of the present generation.
func (c *concurrent) generation(ctx context.Context) error {
	r := c.run
	l, err := r.newLesson()
	if err != nil {
		return err
	}
	l.compute = c.compute
	end := int64(r.state.Games) + int64(r.cfg.GamesPerGeneration)
	for {
		shard, err := c.shards.nextClosed(ctx)
		if err != nil {
			return err
		}
		if err := c.compute(ctx, func() error { return l.read(shard.limit) }); err != nil {
			return err
		}
		if err := l.steps(ctx); err != nil {
			return err
		}
		c.read = shard.limit
		if shard.end == end {
			r.row = *shard.played
			break
		}
		c.source.allow(r.limit(shard.end))
	}
	r.state.Games = int(end)
	return l.end(ctx)
}

func (c *concurrent) compute(ctx context.Context, part func() error) error {
	return c.run.computeOn(ctx, c.cores, part)
}

// computeOn does a part of training on the cores that it gets of c.
func (r *runner) computeOn(ctx context.Context, c *cores, part func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	n, err := c.takeForTraining(ctx, r.cfg.WorkerCount())
	if err != nil {
		return err
	}
	defer c.giveBack(n)
	r.trainer.SetThreads(n)
	return part()
}
