package run

import (
	"context"
	"time"
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
	Rate(ctx context.Context, job RatingJob) (*RatingEvent, error)
	// Keeps tells whether the network of an older generation is still needed.
	// Retention leaves it alone.
	Keeps(generation int) bool
}

// RatingJob is what a Rater is to measure.
type RatingJob struct {
	Generation int
	Learned    time.Duration // until its network was written, about
	// Workers is how many cores there are to play on.
	Workers int
	// Show reports how far the measurement is.
	Show func(*RatingEvent)
}

// RatingEvent tells what matches have shown of a network, in its view, or how
// far they are.
type RatingEvent struct {
	Generation int `json:"generation"`
	// Games are played, GamesWant are to be.
	Games     int `json:"games"`
	GamesWant int `json:"games_want"`
	// Matches are those that are finished.
	Matches []RatedMatch `json:"matches"`
	// Elo is what all matches of the run have shown of the network until now.
	Elo *RatedElo `json:"elo,omitempty"`
	// Took is how long the matches took; no learning time.
	Took time.Duration `json:"took_ns"`
	// Problem says why the network could not be measured.
	Problem string `json:"problem,omitempty"`
	Done    bool   `json:"done"`
}

// RatedMatch is a match of a network against a fixed opponent or an earlier
// network of the run.
type RatedMatch struct {
	Opponent string   `json:"opponent"`
	Network  bool     `json:"network"` // the opponent is one of the run
	Wins     int      `json:"wins"`
	Draws    int      `json:"draws"`
	Losses   int      `json:"losses"`
	Score    Interval `json:"score"` // points a game, in [0, 1]
}

// RatedElo is a rating relative to Anchor, with the ends of an Interval.
type RatedElo struct {
	Anchor string   `json:"anchor"`
	Value  *float64 `json:"value"`
	Low    *float64 `json:"low"`
	High   *float64 `json:"high"`
}

// Interval is a number with its 95 % interval. What is infinite or unknown is
// nil: games that were all won show no more than that a rating is above Low.
type Interval struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
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
	e, err := rater.Rate(ctx, RatingJob{
		Generation: g, Learned: r.elapsed(), Workers: r.cfg.workers(), Show: func(e *RatingEvent) { r.show(Event{Rating: e}) },
	})
	if stop := ctx.Err(); err != nil && stop != nil {
		return stop
	}
	if err != nil {
		r.unrated = true
		e = &RatingEvent{Generation: g, Matches: []RatedMatch{}, Problem: err.Error(), Done: true}
	}
	return r.log(Event{Rating: e})
}

// nothing holds no cores: in an alternating run nobody else wants them.
func nothing(context.Context) (func(), error) { return func() {}, nil }

// begin lets the learning time go on from that of earlier processes.
func (r *runner) begin() {
	r.began = time.Now()
	r.cores.start()
}

// pause lets the learning time stand still, and with it the budgets.
func (r *runner) pause() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paused = time.Now()
	r.cores.stop()
}

// resume lets the learning time go on.
func (r *runner) resume() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.began = r.began.Add(time.Since(r.paused))
	r.paused = time.Time{}
	r.cores.start()
	if r.budget != nil {
		r.budget.Reset(0)
	}
}

// elapsed is the time spent learning, over all processes. The caller holds mu or
// is the goroutine that pauses.
func (r *runner) elapsed() time.Duration {
	switch {
	case r.began.IsZero():
		return r.before
	case !r.paused.IsZero():
		return r.before + r.paused.Sub(r.began)
	}
	return r.before + time.Since(r.began)
}

// learned is elapsed for every other goroutine.
func (r *runner) learned() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.elapsed()
}
