package player

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// Bounds limit one decision of a [Thinker], besides its description, which is the
// most that it does: a search ends at the first limit that it reaches. The zero
// value of a field is no limit.
type Bounds struct {
	// Simulations are those of a tree search, or the positions that a search to a
	// depth looks at.
	Simulations int
	// Depth is in player turns; searches without a depth pay no heed to it.
	Depth int
	Time  time.Duration
	// Remaining is what the player's clock shows, if there is one, Increment what
	// a finished turn adds: the player decides how much of it to spend.
	Remaining, Increment time.Duration
	// Otherwise is the time if there is no limit at all, neither here nor in the
	// description; without it such a search ends with ctx, or when there is
	// nothing more to find out.
	Otherwise time.Duration
	// Report is told what is known, about once in every Every, from the goroutine
	// of Think; the thought is its own. Nil for not at all.
	Report func(*Thought)
	Every  time.Duration
}

// Ending is why a search has ended.
type Ending string

// Why searches end.
const (
	EndStopped Ending = "stopped" // its context has ended
	EndLimit   Ending = "limit"   // it did what it was asked to, or had to
	EndFull    Ending = "full"    // its tree has no room left
	EndProven  Ending = "proven"  // the result is known
	EndSettled Ending = "settled" // no time left could have changed the choice
	EndForced  Ending = "forced"  // there was one legal action only
)

// Thought is what a search has found out.
type Thought struct {
	Analysis
	// Simulations is as in Bounds; Depth is 0 where there is none.
	Simulations, Depth int
	Time               time.Duration
	// Ending is empty while the search goes on.
	Ending Ending
}

// Thinker is a player whose decisions can be limited by the one who asks, and
// stopped.
type Thinker interface {
	Analyst
	// Think searches s until one of the limits is reached or ctx has ended, which
	// is no error: what is known by then is the answer, and something always is.
	// A player that searches for simulations, and is given time for as many as it is
	// given, chooses as it does by a description of so many.
	Think(ctx context.Context, s engine.State, h *engine.History, b Bounds) (*Thought, error)
	// CountsDepth tells whether Bounds.Depth limits its searches.
	CountsDepth() bool
}

// thinking is one call of Think.
type thinking struct {
	*Bounds
	sims     int           // 0: no limit
	limit    time.Duration // 0: no limit
	byClock  bool
	base     int // simulations of the root before the search
	began    time.Time
	reported time.Time
}

// think begins a call of Think of a player with limits of its own, 0 for none.
// bounded says that it has another. share is its part of the time on a clock.
func (b *Bounds) think(sims int, limit time.Duration, bounded bool, share func() (time.Duration, error)) (*thinking, error) {
	least := func(x, y int) int {
		if x == 0 || y != 0 && y < x {
			return y
		}
		return x
	}
	t := &thinking{Bounds: b, began: time.Now()}
	t.reported = t.began
	t.sims = least(sims, b.Simulations)
	t.limit = time.Duration(least(int(limit), int(b.Time)))
	if b.Remaining > 0 {
		d, err := share()
		if err != nil {
			return nil, err
		}
		// No less than a nanosecond: 0 is no limit.
		if d = max(1, d); t.limit == 0 || d < t.limit {
			t.limit, t.byClock = d, true
		}
	}
	if t.sims == 0 && t.limit == 0 && !bounded {
		t.limit = b.Otherwise
	}
	return t, nil
}

func (t *thinking) took() time.Duration { return time.Since(t.began) }

// up reports whether time is.
func (t *thinking) up() bool { return t.limit > 0 && t.took() >= t.limit }

// report tells what the search knows now, if it is time to.
func (t *thinking) report(known func() *Thought) {
	if now := time.Now(); t.Report != nil && now.Sub(t.reported) >= t.Every {
		t.reported = now
		t.Report(known())
	}
}

// forced is the answer where there is one legal action only and time counts.
func forced(a engine.Action) *Thought {
	return &Thought{
		Analysis: Analysis{Choice: a, Line: []engine.Action{a}, Moves: []Move{{Action: a, Prob: 1}}},
		Ending:   EndForced,
	}
}

// CountsDepth implements [Thinker].
func (n *net) CountsDepth() bool { return false }

// Think implements [Thinker]. Limited by time alone it goes on with what the last
// search found out, if it was made by a description with time, and evaluates several
// leaves at once; so many simulations are always the same search.
func (n *net) Think(ctx context.Context, s engine.State, h *engine.History, b Bounds) (*Thought, error) {
	if p := s.Actor(); p != engine.First && p != engine.Second {
		return nil, ErrNoDecision
	}
	n.legal = s.Legal(n.legal[:0], h)
	t, err := b.think(n.sims, n.watch.effort.Limit, false, func() (time.Duration, error) {
		turns, err := n.turns.turnsLeft(s, n.legal)
		n.watch.clock.remaining, n.watch.clock.increment = b.Remaining, b.Increment
		return n.watch.clock.share(s, turns), err
	})
	if err != nil {
		return nil, err
	}
	if t.limit > 0 && len(n.legal) == 1 {
		return forced(n.legal[0]), nil
	}
	runner := n.runner
	if n.trail == nil || t.sims > 0 {
		n.tree.Reset(mcts.Root{
			State: s, History: h, Rand: rand.New(&n.pcg), Method: n.counted,
			Search: mcts.Search{GumbelActions: compared(t.sims), PlannedSimulations: t.sims},
		})
		n.trail.forget()
		if n.sims == 0 {
			runner = n.single
		}
	} else {
		n.follow(s, h)
	}
	why, err := n.think(ctx, t, runner)
	if err != nil {
		return nil, err
	}
	if t.byClock {
		n.watch.clock.note(t.took() - t.limit)
	}
	x := n.thought(t, n.analysis())
	x.Ending = why
	if n.trail != nil {
		n.trail.choice = x.Choice
	}
	return x, nil
}

// think searches the root of n.tree.
func (n *net) think(ctx context.Context, t *thinking, runner *mcts.Runner) (Ending, error) {
	// The same position may have been searched before.
	t.base = n.tree.Stats().Simulations
	most := mcts.MaxSimulations
	if t.sims > 0 {
		most = min(most, t.base+t.sims)
	}
	budget := t.base // grows between looks at the clock
	if t.limit == 0 && t.sims > 0 {
		budget = most
	}
	n.tree.SetBudget(budget)
	for {
		done := n.tree.Stats().Simulations - t.base
		if n.tree.Done() {
			low, high := n.tree.Bounds()
			switch known := n.tree.Stats().RootVisits > 0; {
			case known && low == high:
				return EndProven, nil
			case known && budget >= most:
				return EndLimit, nil
			}
			if t.byClock {
				if first, second := n.rivals(); beyondReach(first, second, done, t.took(), t.limit) {
					return EndSettled, nil
				}
			}
			budget = min(budget+clockSimulations, most)
			n.tree.SetBudget(budget)
		}
		if _, err := runner.Step(n.tree); err != nil {
			return "", err
		}
		switch {
		case n.sims == 0 && n.tree.Stats().Full:
			return EndFull, nil
		case t.up():
			return EndLimit, nil
		case ctx.Err() != nil:
			return EndStopped, nil
		}
		t.report(func() *Thought { return n.thought(t, n.known()) })
	}
}

// thought is what is known of the root, with its lines.
func (n *net) thought(t *thinking, a *Analysis) *Thought {
	x := &Thought{Analysis: *a, Simulations: n.tree.Stats().Simulations - t.base, Time: t.took()}
	for i := range x.Moves {
		if m := &x.Moves[i]; m.Visits > 0 {
			m.Line = n.tree.Variation(nil, m.Action)
		}
	}
	return x
}

// CountsDepth implements [Thinker].
func (u *uct) CountsDepth() bool { return false }

// Think implements [Thinker].
func (u *uct) Think(ctx context.Context, s engine.State, h *engine.History, b Bounds) (*Thought, error) {
	list, err := legal(u.actions[:0], s, h)
	if err != nil {
		return nil, err
	}
	u.actions = list
	t, err := b.think(u.sims, u.watch.effort.Limit, false, func() (time.Duration, error) {
		u.watch.clock.remaining, u.watch.clock.increment = b.Remaining, b.Increment
		return u.watch.clock.share(s, float64(engine.TurnsLeft(s))), nil
	})
	if err != nil {
		return nil, err
	}
	if len(list) == 1 && (t.limit > 0 || u.sims > 0) {
		return forced(list[0]), nil
	}
	mark := u.plant(s, h)
	done, why := 0, Ending("")
	known := func() *Thought {
		return &Thought{Analysis: *u.analysis(true), Simulations: done, Time: t.took()}
	}
	for why == "" {
		u.state.CopyFrom(s)
		u.simulate()
		u.hist.Truncate(mark)
		done++
		switch {
		case done == t.sims || done == mcts.MaxSimulations:
			why = EndLimit
		case u.sims == 0 && len(u.edges) > u.room:
			why = EndFull
		case t.up():
			why = EndLimit
		case done%simsPerCheck == 0:
			first, second := 0, 0
			if t.byClock {
				first, second = u.rivals()
			}
			switch {
			case ctx.Err() != nil:
				why = EndStopped
			case t.byClock && beyondReach(first, second, done, t.took(), t.limit):
				why = EndSettled
			default:
				t.report(known)
			}
		}
	}
	if t.byClock {
		u.watch.clock.note(t.took() - t.limit)
	}
	x := known()
	x.Ending = why
	return x, nil
}

// CountsDepth implements [Thinker].
func (a *alphaBeta) CountsDepth() bool { return true }

// Think implements [Thinker]. It reports nothing before it has ended.
func (a *alphaBeta) Think(ctx context.Context, s engine.State, h *engine.History, b Bounds) (*Thought, error) {
	list, err := legal(a.list[:0], s, h)
	if err != nil {
		return nil, err
	}
	a.list = list
	depth := a.depth
	if b.Depth > 0 {
		depth = min(depth, b.Depth)
	}
	t, err := b.think(0, a.watch.effort.Limit, depth < alphabeta.MaxDepth, func() (time.Duration, error) {
		a.watch.clock.remaining, a.watch.clock.increment = b.Remaining, b.Increment
		return a.watch.clock.share(s, float64(engine.TurnsLeft(s))), nil
	})
	if err != nil {
		return nil, err
	}
	if len(list) == 1 {
		return forced(list[0]), nil
	}
	stopped, looked := false, 0
	a.rng.shuffle(list)
	r := a.engine.Search(s.(*konreh.State), h, list, depth, func() bool {
		looked += alphabeta.NodesPerStop
		stopped = ctx.Err() != nil
		return stopped || t.up() || t.sims > 0 && looked >= t.sims
	})
	if t.byClock {
		a.watch.clock.note(t.took() - t.limit)
	}
	x := &Thought{Simulations: int(r.Nodes), Depth: r.Depth, Time: t.took(), Ending: EndLimit}
	value, solved := worth(r.Value)
	x.Analysis = Analysis{Choice: r.Action, Value: value, Judged: true, Solved: solved, Line: []engine.Action{r.Action}}
	x.Moves = []Move{{Action: r.Action, Prob: 1, Value: value, Judged: true}}
	if stopped {
		x.Ending = EndStopped
	}
	return x, nil
}
