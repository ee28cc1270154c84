package ratings

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/train/rundir"
)

// Final is told what happens while the matches that end a run are played.
type Final struct {
	// Begin is called before the first, with the newest generation, the games to play and
	// how long they will take by the newest match against each opponent; 0 if that is
	// unknown.
	Begin func(last, games int, about time.Duration)
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
	unlock, err := rundir.Lock(r.dir)
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
	plan := r.finalPlan(last)
	f.Begin(r.missing(last, plan))
	for _, p := range plan {
		s, err := rundir.ReadState(r.dir, p.generation)
		if err != nil {
			return err
		}
		if p.match.Workers == 0 { // a run that keeps to a core does so to its end
			p.match.Workers = r.run.Workers
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

// untrainedShare is the part of the configured pairs that an untrained network plays: it
// loses nearly all of them to any opponent that is of use at the end.
const untrainedShare = 4

// firstPairs is how many pairs the network that the run began with plays.
func (r *Rater) firstPairs(untrained bool) int {
	if untrained {
		return match.Share(r.cfg.Match.Pairs, 1, untrainedShare)
	}
	return r.cfg.Match.Pairs
}

// FinalGames is how many games against the fixed opponents end a run that began with an
// untrained network or with another.
func (r *Rater) FinalGames(untrained bool) int {
	return 2 * len(r.cfg.Opponents) * (r.cfg.Match.Pairs + r.firstPairs(untrained))
}

// Took is how long the matches of the run have taken, on the way and at its end.
func (r *Rater) Took() (during, final time.Duration) {
	for i := range r.matches {
		if m := &r.matches[i]; m.Final {
			final += m.Took
		} else {
			during += m.Took
		}
	}
	return during, final
}

// missing counts the games of a plan that are to be played and estimates their time.
func (r *Rater) missing(last int, plan []planned) (generation, games int, about time.Duration) {
	known := true
	for i := range plan {
		p := &plan[i]
		if r.played(p) != nil {
			continue
		}
		n := 2 * p.match.Pairs
		games += n
		var newest *Match
		for j := range r.matches {
			if m := &r.matches[j]; m.Opponent == p.opponent {
				newest = m
			}
		}
		if newest == nil {
			known = false
			continue
		}
		about += newest.Took / time.Duration(len(newest.Result.Games)) * time.Duration(n)
	}
	if !known {
		about = 0
	}
	return last, games, about
}

// finalPlan lists the matches that end a run whose newest network is of generation
// last: against each opponent all configured pairs of it and of the first network, if
// that is untrained a part of them, and, where networks were measured while the run went on, the match that ties
// the last to those.
func (r *Rater) finalPlan(last int) []planned {
	var list []planned
	for _, opponent := range r.cfg.Opponents {
		first := r.cfg.Match
		first.Pairs = r.firstPairs(rundir.BeganUntrained(r.dir))
		list = append(list,
			planned{final: true, generation: last, opponent: opponent, match: r.cfg.Match},
			planned{final: true, opponent: opponent, match: first})
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

func intervalOf(e match.Estimate) rundir.Interval {
	finite := func(x float64) *float64 {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return nil
		}
		return &x
	}
	return rundir.Interval{Value: finite(e.Value), Low: finite(e.Low), High: finite(e.High)}
}
