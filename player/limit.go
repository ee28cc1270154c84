package player

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
)

// defaultEdges is the room of a tree whose search is limited by time, which no
// number of simulations sizes: 64 MiB in package mcts, for some 70,000 positions
// of Kon'reh. The least is enough for a few positions of any game here, the
// most is what package mcts allows, 2 GiB.
const (
	defaultEdges = 1 << 21
	leastEdges   = 1 << 12
	mostEdges    = 1 << 26
)

// timedLeaves is how many positions a search for a time has evaluated at once. On
// kernels for AMX eight of them take half of the time that they take one by one;
// a search for a number of simulations takes one at a time, whose choice of lines
// is the better.
const timedLeaves = 8

// clockSimulations is how many simulations may pass between two looks at the
// clock where none of them asks the network: some ten microseconds.
const clockSimulations = 32

// errPlan refuses a Gumbel search for a time.
var errPlan = errors.New("search=gumbel: it plans a number of simulations, which nobody knows if time is the limit: want puct")

// bounds names the options that say how long a decision is searched.
func bounds() []string { return []string{"sims", "time"} }

// boundOptions are the options of kinds that search for a number of simulations
// or for a time.
func boundOptions() []Option {
	return []Option{
		{Name: "sims", Doc: "simulations a move", Min: 1, Max: 1_000_000},
		TimeOption(),
		{Name: "edges", Doc: "moves that the tree has room for; a search whose tree is full ends", Default: strconv.Itoa(defaultEdges),
			Min: leastEdges, Max: mostEdges, Needs: "time"},
	}
}

// TimeOption is the limit by time of every kind that has one.
func TimeOption() Option {
	return Option{Name: "time", Doc: "time a move, or " + timeByClock + ": by what the clock of the game shows",
		MinTime: time.Millisecond, MaxTime: time.Hour, Words: []string{timeByClock}}
}

// pace is a limit by time: the same for every decision, or by the clock of the
// game. Its zero value is none.
type pace struct {
	limit time.Duration
	clock bool
}

// ByClock says that the clock of the game limits decisions.
func (v *Values) ByClock() bool { return v.Values["time"] == timeByClock }

// pace is the limit by time that a description sets, if any.
func (v *Values) pace() (p pace, ok bool) {
	if p.clock = v.ByClock(); p.clock {
		return p, true
	}
	p.limit, ok = v.Time("time")
	return p, ok
}

// stopwatch limits decisions by time and notes what they took. Its zero value
// has no limit and notes nothing.
type stopwatch struct {
	effort match.Effort
	limit  time.Duration    // of the decision under way
	now    func() time.Time // time.Now outside of tests, which is monotonic
	began  time.Time
	clock  byClock
}

func newStopwatch(p pace) stopwatch {
	return stopwatch{effort: match.Effort{Limit: p.limit, Clock: p.clock}, now: time.Now, clock: byClock{turn: -1}}
}

func (w *stopwatch) on() bool { return w.effort.Limit > 0 || w.effort.Clock }

// start begins a decision; divide follows if there is anything to choose.
func (w *stopwatch) start() {
	if w.on() {
		w.began, w.limit = w.now(), w.effort.Limit
	}
}

// up reports whether the time of the decision is used up.
func (w *stopwatch) up() bool { return w.on() && w.now().Sub(w.began) >= w.limit }

// ending is why a search has ended.
type ending int

const (
	timeUp   ending = iota
	treeFull        // no room left
	noRival         // see stopwatch.decided
)

// stop notes a decision.
func (w *stopwatch) stop(simulations int, why ending) {
	if !w.on() {
		return
	}
	took := w.now().Sub(w.began)
	e := &w.effort
	e.Decisions++
	e.Simulations += int64(simulations)
	e.Time += took
	e.Late = max(e.Late, took-w.limit)
	w.clock.note(took - w.limit)
	switch why {
	case treeFull:
		e.Full++
	case noRival:
		e.Decided++
	}
}

// newTimedNet returns a player that searches with an evaluator, which it must not
// share, at that pace. Where there is no choice it takes none, and a
// root whose result is proven ends the search, as does a tree that is full: from
// then on simulations would repeat evaluations that they already have. cfg.Edges
// is the tree's room and must be set; cfg.Simulations does not count. The search
// must be PUCT: see errPlan. It overruns by up to one batch of evaluations. By the clock of the
// game it plans for as many turns as turns says, which may be nil. What it plays
// depends on the speed of the machine and is not reproducible.
func newTimedNet(g engine.Game, evaluator mcts.Evaluator, cfg mcts.Config, p pace, turns *outlook) (*net, error) {
	cfg.Simulations = max(1, cfg.Edges/16) // sizes a table, no search
	n, err := newNet(g, evaluator, cfg)
	if err != nil {
		return nil, err
	}
	n.sims, n.watch = 0, newStopwatch(p)
	n.turns = turns
	n.trail = newTrail(g)
	return n, nil
}

// SetClock implements match.Clocked.
func (n *net) SetClock(remaining, increment time.Duration) { n.watch.SetClock(remaining, increment) }

// divide sets the time of the decision in s, if the clock of the game does.
func (n *net) divide(s engine.State, h *engine.History) error {
	if !n.watch.effort.Clock {
		return nil
	}
	n.legal = s.Legal(n.legal[:0], h)
	turns, err := n.turns.turnsLeft(s, n.legal)
	if err != nil {
		return err
	}
	return n.watch.divide(s, turns)
}

// rivals are the visits of the two actions at the root that have most.
func (n *net) rivals() (first, second int) {
	n.root = n.tree.Root(n.root[:0])
	for _, r := range n.root {
		switch {
		case r.Visits > first:
			first, second = r.Visits, first
		case r.Visits > second:
			second = r.Visits
		}
	}
	return first, second
}

// Effort is what the searches took, if time limits them.
func (n *net) Effort() match.Effort { return n.watch.effort }

// searchForTime searches the root of n.tree until time is up.
func (n *net) searchForTime(ctx context.Context) error {
	budget, why := 0, timeUp
	n.tree.SetBudget(budget)
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if n.tree.Done() {
			low, high := n.tree.Bounds()
			if low == high || budget == mcts.MaxSimulations {
				break
			}
			if n.watch.effort.Clock {
				if first, second := n.rivals(); n.watch.decided(first, second, n.tree.Stats().Simulations) {
					why = noRival
					break
				}
			}
			budget = min(budget+clockSimulations, mcts.MaxSimulations)
			n.tree.SetBudget(budget)
		}
		if _, err := n.runner.Step(n.tree); err != nil {
			return err
		}
		if n.tree.Stats().Full {
			why = treeFull
			break
		}
		if n.watch.up() {
			break
		}
	}
	n.watch.stop(n.tree.Stats().Simulations, why)
	return nil
}
