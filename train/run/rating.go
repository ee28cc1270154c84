package run

import (
	"context"
	"time"

	"github.com/ludozero/ludozero/train/rundir"
)

// Rater measures networks while a run goes on. It is asked between generations,
// by one goroutine. Whatever it does changes nothing of what is learned.
type Rater interface {
	// Due tells whether the network of a generation is to be measured now, after so
	// much learning time. It is asked again when a stopped run goes on.
	Due(generation int, learned time.Duration) bool
	// Rate measures it. Meanwhile nothing is played or learned and the learning
	// time stands still. An error ends no training: it is reported, and nothing is
	// measured any more by this process; unless ctx has ended, which stops the run.
	Rate(ctx context.Context, job rundir.RatingJob) (*rundir.RatingEvent, error)
	// Keeps tells whether the network of an older generation is still needed.
	// Retention leaves it alone.
	Keeps(generation int) bool
}

// rate measures the network of the present generation, if that is due, on the
// cores that hold waits for.
func (r *runner) rate(ctx context.Context, hold func(context.Context) (release func(), err error)) error {
	g, rater := r.state.Generation, r.opt.Rater
	if rater == nil || r.unrated || g == 0 || !rater.Due(g, r.elapsed()) {
		return nil
	}
	release, err := hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	r.pause()
	defer r.resume()
	if err := ctx.Err(); err != nil { // until all was at rest
		return err
	}
	e, err := rater.Rate(ctx, rundir.RatingJob{
		Generation: g, Learned: r.elapsed(), Workers: r.cfg.WorkerCount(), Show: func(e *rundir.RatingEvent) { r.show(rundir.Event{Rating: e}) },
	})
	if stop := ctx.Err(); err != nil && stop != nil {
		return stop
	}
	if err != nil {
		r.unrated = true
		e = &rundir.RatingEvent{Generation: g, Matches: []rundir.RatedMatch{}, Problem: err.Error(), Done: true}
	}
	return r.log(rundir.Event{Rating: e})
}

// nothing holds no cores: in an alternating run nobody else wants them.
func nothing(context.Context) (func(), error) { return func() {}, nil }
