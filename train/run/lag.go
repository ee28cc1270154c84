package run

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// overlapped trains the network after the present one and plays the games of the next
// generation, with the present network, at the same time: one generation of a run with
// plan.Config.Lag. The first has to play its own games before.
//
// Both depend on the checkpoint and the shards alone, so that a run has the same bytes
// however they overlap. The checkpoint is written when both have ended: a process that was
// stopped before trains again and plays what is missing.
func (r *runner) overlapped(ctx context.Context) error {
	present := r.ahead
	if present == nil || present.generation != r.state.Generation {
		p, err := r.preparePlay(ctx, r.state.Generation, nil)
		if err == nil {
			err = r.play(ctx, p)
		}
		if err != nil {
			return err
		}
		present = p.w
	}
	r.ahead = nil
	r.book(present)
	compute, cores := atOnce, (*cores)(nil)
	if r.opt.Elsewhere == nil {
		cores = newCores(r.cfg.WorkerCount())
		compute = func(ctx context.Context, part func() error) error { return r.computeOn(ctx, cores, part) }
	}
	group, both := errgroup.WithContext(ctx)
	var next *playing
	if r.cfg.Generations == 0 || r.state.Generation+1 < r.cfg.Generations {
		var err error
		if next, err = r.preparePlay(ctx, r.state.Generation+1, cores); err != nil {
			return err
		}
		group.Go(func() error { return r.play(both, next) })
	}
	group.Go(func() error { return r.train(both, compute) })
	err := group.Wait()
	if next != nil && next.w.lost != nil { // weighs more than the stop that may have come first
		return next.w.lost
	}
	if err != nil {
		return err
	}
	if next != nil {
		r.ahead = next.w
	}
	return r.nextCheckpoint()
}
