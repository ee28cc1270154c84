package run

import (
	"context"
	"fmt"

	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// SelfPlay does the first half of a generation of an alternating run: it plays what is missing of the
// games of the present network, in the run in folder dir, which it creates if
// need be. With nothing missing it does nothing. The budget and the number of
// generations do not limit it; otherwise it works as Run does, and alternating
// SelfPlay and Fit makes the shards and weights that Run makes, byte for byte.
func SelfPlay(ctx context.Context, dir string, cfg plan.Config, opt Options) error {
	ready := func(*runner) error { return nil }
	return stage(ctx, dir, cfg, opt, "played", ready, (*runner).selfPlay)
}

// Fit does the second half: it trains the next network on the games that are
// there and writes its checkpoint. It refuses to if games of the present
// generation are missing. Stopped before its end it begins anew.
func Fit(ctx context.Context, dir string, cfg plan.Config, opt Options) error {
	return stage(ctx, dir, cfg, opt, "fitted", (*runner).takeGames, (*runner).fit)
}

// stage does one part of a generation, if the run is ready for it, and stops for
// that reason.
func stage(ctx context.Context, dir string, cfg plan.Config, opt Options, reason string, ready func(*runner) error, do func(*runner, context.Context) error) error {
	if cfg.Mode == plan.ModeConcurrent {
		return fmt.Errorf("run %s: mode is %s: its self-play and its training are not done on their own", dir, cfg.Mode)
	}
	if cfg.Lag > 0 {
		return fmt.Errorf("run %s: lag is %d: its self-play and its training overlap and are not done on their own", dir, cfg.Lag)
	}
	return workOn(ctx, dir, cfg, opt, func(r *runner, ctx context.Context) error {
		if err := ready(r); err != nil {
			return err
		}
		r.begin()
		if err := r.log(rundir.Event{Start: r.start}); err != nil {
			return err
		}
		err := ctx.Err()
		if err == nil {
			err = do(r, ctx)
		}
		return r.stop(ctx, err, reason)
	})
}

// takeGames books the games of the generation, all of which must be there.
func (r *runner) takeGames() error {
	w, err := r.openShards(r.state.Generation)
	if err != nil {
		return err
	}
	if w.next < w.end {
		return fmt.Errorf("generation %d has %d of its %d games, %d are missing: self-play comes first",
			r.state.Generation, w.next-w.base, w.end-w.base, w.end-w.next)
	}
	r.book(w)
	return nil
}

// fit trains the next network and writes it.
func (r *runner) fit(ctx context.Context) error {
	if err := r.train(ctx, atOnce); err != nil {
		return err
	}
	return r.nextCheckpoint()
}
