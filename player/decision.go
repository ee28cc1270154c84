package player

import (
	"context"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// Limited is a player whose searches end at the limits of match.Bounds, and which
// match.Bounds.Partial makes stoppable; they choose among match.Bounds.Only. Others go by
// their description alone and consider all moves.
type Limited interface {
	match.Player
	// CountsDepth tells whether Bounds.Depth limits its searches.
	CountsDepth() bool
}

// considered are the actions of list, those that are legal, that may be chosen.
func considered(list, only []engine.Action) []engine.Action {
	if len(only) > 0 {
		return only
	}
	return list
}

// pace is a limit by time in a description: the same for every decision, or by the
// clock of the game. Its zero value is none.
type pace struct {
	limit time.Duration
	clock bool
}

// timer limits the decisions of a player by its description and by match.Bounds.
type timer struct {
	pace
	now  func() time.Time // time.Now outside of tests, which is monotonic
	turn int              // of the last decision by the clock in this game; -1: none
	late time.Duration    // of recent searches by the clock
}

func newTimer(p pace) timer { return timer{pace: p, now: time.Now, turn: -1} }

// newGame forgets the turns of the last game.
func (t *timer) newGame() { t.turn = -1 }

// decision holds the limits of one search and the time that it has taken.
type decision struct {
	match.Bounds
	timer    *timer
	sims     int           // 0: no limit
	limit    time.Duration // 0: no limit
	byClock  bool          // limit is a share of the time on the clock
	began    time.Time
	reported time.Time
}

// begin starts the time of a decision within b and the description's number of
// simulations, 0 for no limit; bounded says that the description has another limit.
// divide must follow before the search.
func (t *timer) begin(b match.Bounds, sims int, bounded bool) (*decision, error) {
	d := &decision{Bounds: b, timer: t, began: t.now()}
	d.reported = d.began
	d.sims = least(sims, b.Simulations)
	d.limit = least(t.limit, b.Time)
	d.byClock = b.Remaining > 0 && (t.clock || b.ByClock)
	if d.sims > 0 || d.limit > 0 || d.byClock || bounded {
		return d, nil
	}
	if d.limit = b.Default; t.clock && b.Default == 0 && !b.Partial {
		return nil, ErrNoClock
	}
	return d, nil
}

// least is the smaller limit, where 0 is none.
func least[T int | time.Duration](x, y T) T {
	if x == 0 || y != 0 && y < x {
		return y
	}
	return x
}

// divide sets the time of the decision in s, if the clock decides; turns estimates the
// player turns that are left, those of both players together.
func (d *decision) divide(s engine.State, turns func() (float64, error)) error {
	if !d.byClock {
		return nil
	}
	left, err := turns()
	if err != nil {
		return err
	}
	// No less than a nanosecond: 0 is no limit.
	share := max(1, d.timer.share(s, left, d.Remaining, d.Increment))
	d.limit, d.byClock = least(d.limit, share), d.limit == 0 || share < d.limit
	return nil
}

// usualTurns is the game's own estimate of the turns left in s.
func usualTurns(s engine.State) func() (float64, error) {
	return func() (float64, error) { return float64(engine.TurnsLeft(s)), nil }
}

// timed tells whether time limits the decision.
func (d *decision) timed() bool { return d.limit > 0 || d.byClock }

func (d *decision) took() time.Duration { return d.timer.now().Sub(d.began) }

// up tells whether the time is used up.
func (d *decision) up() bool { return d.limit > 0 && d.took() >= d.limit }

// partOfTime is when a quarter of the time is used up, for what comes before the search;
// nil where time is no limit.
func (d *decision) partOfTime() func() bool {
	if !d.timed() {
		return nil
	}
	return func() bool { return d.took() >= d.limit/4 }
}

// broken returns the cause if ctx has ended and no partial answer is wanted.
func (d *decision) broken(ctx context.Context) error {
	if !d.Partial && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// settled tells whether a search by the clock may end since the second most visited
// action cannot overtake the first any more: at the speed so far, not enough of its
// done simulations fit in the time that is left. It is the strategy STOP of Baier and
// Winands 2016 (Time Management for Monte Carlo Tree Search), the best of those that
// they tried in Go, Connect Four and three other games; later turns get the time
// saved. A search that might still be proven otherwise ends, too.
func (d *decision) settled(first, second, done int) bool {
	took := d.took()
	return d.byClock && done >= leastDecided && took > 0 &&
		float64(first-second) > float64(done)*float64(d.limit-took)/float64(took)
}

// leastDecided is how many simulations a speed can be told by.
const leastDecided = 64

// report tells what the search knows, if it is time to.
func (d *decision) report(known func() *match.Analysis) {
	if d.Report == nil {
		return
	}
	if now := d.timer.now(); now.Sub(d.reported) >= d.Every {
		d.reported = now
		x := known()
		x.Time = now.Sub(d.began)
		d.Report(x)
	}
}

// end enters in x the time of the search and why it ended.
func (d *decision) end(x *match.Analysis, why match.Ending) *match.Analysis {
	x.Time, x.Limit, x.ByClock, x.Ending = d.took(), d.limit, d.byClock, why
	if d.byClock {
		d.timer.note(x.Time - d.limit)
	}
	return x
}

// forced is the answer where there is one legal action and nothing to search.
func (d *decision) forced(a engine.Action) *match.Analysis {
	return &match.Analysis{
		Choice: a, Line: []engine.Action{a}, Moves: []match.Move{{Action: a, Prob: 1}},
		Limit: d.limit, ByClock: d.byClock, Ending: match.EndForced,
	}
}
