package ratings

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/train/rundir"
)

// Final is told what happens while the matches that end a run are played.
type Final struct {
	// Begin is called before the first, with the newest generation.
	Begin func(last int)
	// Progress returns who is told how far a match is, and what is called when it
	// has ended.
	Progress func(generation int, opponent string, games int) (progress func(match.Event), end func())
	// Done is told of each match, new or not.
	Done func(*Match) error
}

// Finish plays the last network of a run, and its first, untrained one, against the
// fixed opponents of the configuration, as far as that was not done before. It holds
// the run's lock. Without opponents it does nothing.
func (r *Rater) Finish(ctx context.Context, f Final) error {
	if len(r.cfg.Opponents) == 0 {
		return nil
	}
	unlock, err := rundir.Lock(ctx, r.dir)
	if err != nil {
		return err
	}
	defer unlock()
	generations, err := rundir.Generations(r.dir)
	if err != nil {
		return err
	}
	last := generations[len(generations)-1]
	if last == 0 {
		return errors.New("the budget was too short to train one generation: nothing to rate")
	}
	if generations[0] != 0 {
		return fmt.Errorf("%s is gone: the rating plays the untrained network, too", rundir.CheckpointDir(r.dir, 0))
	}
	f.Begin(last)
	for _, p := range r.finalPlan(last) {
		s, err := rundir.ReadState(r.dir, p.generation)
		if err != nil {
			return err
		}
		progress, end := f.Progress(p.generation, p.name(), 2*p.match.Pairs)
		m, err := r.play(ctx, &p, s.Elapsed, progress)
		end()
		if err == nil {
			err = f.Done(m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Newest is what all matches show of the newest network, nil if there are none.
func (r *Rater) Newest() (*Curve, error) { return Newest(r.matches) }

// finalPlan lists the matches that end a run whose newest network is of
// generation last: all configured pairs of it and of the first network against
// each opponent, and, where networks were measured while the run went on, the
// match that ties the last to those.
func (r *Rater) finalPlan(last int) []planned {
	var list []planned
	for _, opponent := range r.cfg.Opponents {
		for _, generation := range []int{last, 0} {
			list = append(list, planned{final: true, generation: generation, opponent: opponent, match: r.cfg.Match})
		}
	}
	if before := r.before(last); before > 0 && r.cfg.During.Share > 0 {
		for _, p := range r.plan(last) {
			if p.opponent == "" {
				p.final = r.played(&p) == nil // else it was played on the way
				list = append(list, p)
			}
		}
	}
	return list
}

// ratedMatch is a match for events.
func ratedMatch(m *Match) rundir.RatedMatch {
	r := m.Result
	return rundir.RatedMatch{Opponent: m.OpponentName(), Network: m.Opponent == "", Wins: r.Wins, Draws: r.Draws, Losses: r.Losses, Score: intervalOf(r.Score)}
}

// RatedEloOf is the rating of the newest network for events, nil if there is none.
func RatedEloOf(c *Curve) *rundir.RatedElo {
	if c == nil {
		return nil
	}
	i := intervalOf(c.Networks[len(c.Networks)-1].Elo)
	return &rundir.RatedElo{Anchor: c.Anchor, Value: i.Value, Low: i.Low, High: i.High}
}

// intervalOf is an estimate for events.
func intervalOf(e match.Estimate) rundir.Interval {
	finite := func(x float64) *float64 {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return nil
		}
		return &x
	}
	return rundir.Interval{Value: finite(e.Value), Low: finite(e.Low), High: finite(e.High)}
}
