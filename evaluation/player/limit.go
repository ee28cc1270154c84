package player

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/evaluation"
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
		{Name: "time", Doc: "time a move", MinTime: time.Millisecond, MaxTime: time.Hour},
		{Name: "edges", Doc: "moves that the tree has room for; a search whose tree is full ends", Default: strconv.Itoa(defaultEdges),
			Min: leastEdges, Max: mostEdges, Needs: "time"},
	}
}

// stopwatch limits decisions by time and notes what they took. Its zero value
// has no limit and notes nothing.
type stopwatch struct {
	effort evaluation.Effort
	now    func() time.Time // time.Now outside of tests, which is monotonic
	began  time.Time
}

func newStopwatch(limit time.Duration) stopwatch {
	return stopwatch{effort: evaluation.Effort{Limit: limit}, now: time.Now}
}

func (w *stopwatch) on() bool { return w.effort.Limit > 0 }

func (w *stopwatch) start() {
	if w.on() {
		w.began = w.now()
	}
}

// up reports whether the time of the decision is used up.
func (w *stopwatch) up() bool { return w.on() && w.now().Sub(w.began) >= w.effort.Limit }

// stop notes a decision; full says that its tree had no room left.
func (w *stopwatch) stop(simulations int, full bool) {
	if !w.on() {
		return
	}
	took := w.now().Sub(w.began)
	e := &w.effort
	e.Decisions++
	e.Simulations += int64(simulations)
	e.Time += took
	e.Late = max(e.Late, took-e.Limit)
	if full {
		e.Full++
	}
}

// newTimedNet returns a player that searches with an evaluator, which it must not
// share, for that time a decision. Where there is no choice it takes none, and a
// root whose result is proven ends the search, as does a tree that is full: from
// then on simulations would repeat evaluations that they already have. cfg.Edges
// is the tree's room and must be set; cfg.Simulations does not count. The search
// must be PUCT: see errPlan. It overruns by up to one evaluation. What it plays depends on
// the speed of the machine and is not reproducible.
func newTimedNet(g engine.Game, evaluator mcts.Evaluator, cfg mcts.Config, limit time.Duration) *net {
	cfg.Simulations = max(1, cfg.Edges/16) // sizes a table, no search
	n := newNet(g, evaluator, cfg)
	n.watch = newStopwatch(limit)
	return n
}

// Effort is what the searches took, if time limits them.
func (n *net) Effort() evaluation.Effort { return n.watch.effort }

// searchForTime searches the root of n.tree until time is up.
func (n *net) searchForTime(ctx context.Context) error {
	budget := 0
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
			budget = min(budget+clockSimulations, mcts.MaxSimulations)
			n.tree.SetBudget(budget)
		}
		if _, err := n.runner.Step(n.tree); err != nil {
			return err
		}
		if n.tree.Stats().Full || n.watch.up() {
			break
		}
	}
	s := n.tree.Stats()
	n.watch.stop(s.Simulations, s.Full)
	return nil
}
