package player

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// alphaBeta plays with package alphabeta, to a depth, for a time or a number of positions. The
// seed decides between actions that the engine takes for equal.
type alphaBeta struct {
	game   engine.Game
	engine *alphabeta.Engine
	depth  int
	// bounded says that the depth is what limits it, be it the greatest there is.
	bounded bool
	nodes   int // 0: no limit
	// helpers search beside the engine where time is the limit; more makes another one.
	helpers []*alphabeta.Engine
	more    func() *alphabeta.Engine
	timer   timer
	rng     source
	list    []engine.Action
}

// NewAlphaBeta returns a player of g by e, which nobody else uses, to that depth of player
// turns.
func NewAlphaBeta(g engine.Game, e *alphabeta.Engine, depth int) match.Player {
	a := alphaBetaOf(g, e, depth, pace{})
	a.bounded = true
	return a
}

// alphaBetaOf returns a player of that depth, limited by time if p is a limit: what it
// plays then depends on the speed of the machine. Nobody else uses e.
func alphaBetaOf(g engine.Game, e *alphabeta.Engine, depth int, p pace) *alphaBeta {
	return &alphaBeta{game: g, engine: e, depth: depth, timer: newTimer(p)}
}

func (a *alphaBeta) NewGame(_ context.Context, seed uint64) error {
	a.rng.reseed(seed)
	a.engine.NewGame()
	a.timer.newGame()
	return nil
}

// Rest implements match.Rester.
func (a *alphaBeta) Rest() { a.engine.Rest() }

// Threads implements [Threaded].
func (a *alphaBeta) Threads() int { return 1 + len(a.helpers) }

// SetThreads implements [Threaded].
func (a *alphaBeta) SetThreads(threads int) error {
	if threads < 1 || threads > MaxThreads {
		return fmt.Errorf("threads=%d: want 1 to %d", threads, MaxThreads)
	}
	if threads > 1 && a.more == nil {
		return fmt.Errorf("threads=%d: this player has 1", threads)
	}
	for len(a.helpers) < threads-1 {
		a.helpers = append(a.helpers, a.more())
	}
	a.helpers = a.helpers[:threads-1]
	return nil
}

// CountsDepth implements [Limited].
func (a *alphaBeta) CountsDepth() bool { return true }

// Think implements match.Player; a position looked at counts as a simulation. The
// search learns the value of its choice, which has the whole policy, and with b.Lines
// those of the best moves after it, as long as its limit lasts. In an
// analysis of a position with one legal action that action is played, and so on,
// until there is something to choose or chance is next. The engine remembers what is searched, so
// that later choices may be others than without an analysis. What is reported is the
// result of the greatest depth that was searched. Several threads search where time is the
// limit; to a depth or for a number of positions one does, so that the result repeats.
func (a *alphaBeta) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	list, err := legal(a.list[:0], s, h)
	if err != nil {
		return nil, err
	}
	a.list = append(list[:0], considered(list, b.Only)...)
	list = a.list
	depth := a.depth
	if b.Depth > 0 {
		depth = min(depth, b.Depth)
	}
	d, err := a.timer.begin(b, a.nodes, a.bounded || b.Depth > 0)
	switch {
	case err != nil:
		return nil, err
	case len(list) > 1:
		return a.search(ctx, s, h, d, depth)
	case !b.Analyze:
		return d.forced(list[0]), nil
	}
	return a.forced(ctx, s, h, d, depth)
}

// Rate decides in s, whose past is h, and returns the leads of the legal actions,
// ascending, at least two, in nats of the odds of winning in the view of the player
// who decides; a forced win is thousands. Leads of window or more below the greatest, which is
// the lead of the choice, are upper bounds.
func (a *alphaBeta) Rate(ctx context.Context, s engine.State, h *engine.History, window float64) (engine.Action, []float64, error) {
	list, err := legal(a.list[:0], s, h)
	if err != nil {
		return 0, nil, err
	}
	ascending := slices.Clone(list)
	a.list = list
	a.rng.shuffle(a.list)
	values := make([]int32, len(list))
	r := a.engine.Rate(s, h, a.list, a.depth, int32(math.Ceil(window*alphabeta.Nat)), values, func() bool { return ctx.Err() != nil })
	if ctx.Err() != nil {
		return 0, nil, context.Cause(ctx)
	}
	leads := make([]float64, len(list))
	for i, action := range a.list {
		at, _ := slices.BinarySearch(ascending, action)
		leads[at] = float64(values[i]) / alphabeta.Nat
	}
	return r.Action, leads, nil
}

// search searches s, whose legal actions a.list are several.
func (a *alphaBeta) search(ctx context.Context, s engine.State, h *engine.History, d *decision, depth int) (*match.Analysis, error) {
	if err := d.divide(s, usualTurns(s)); err != nil {
		return nil, err
	}
	moves := make([]match.Move, len(a.list))
	for i, action := range a.list {
		moves[i].Action = action
	}
	a.rng.shuffle(a.list)
	if a.engine.Help(); d.sims == 0 && !a.bounded && d.Depth == 0 {
		// One without a processor of its own would take the time of the one that watches it.
		a.engine.Help(a.helpers[:min(len(a.helpers), runtime.GOMAXPROCS(0)-1)]...)
	}
	why := match.EndLimit
	var known *match.Analysis // of a depth
	if d.Report != nil {
		a.engine.Tell(func(r alphabeta.Result) { known = a.analysis(s, d, r, slices.Clone(moves)) })
		defer a.engine.Tell(nil)
	}
	a.engine.Several(max(1, d.Lines))
	r := a.engine.Search(s, h, a.list, depth, func() bool {
		nodes := int(a.engine.Looked())
		if ctx.Err() != nil {
			why = match.EndStopped
		}
		if known != nil {
			d.report(func() *match.Analysis {
				x := *known
				x.Simulations = nodes
				return &x
			})
		}
		return why == match.EndStopped || d.up() || d.sims > 0 && nodes >= d.sims
	})
	if err := d.broken(ctx); err != nil {
		return nil, err
	}
	return d.end(a.analysis(s, d, r, moves), why), nil
}

// analysis describes the latest result for s with moves, the legal ones ascending, which it
// takes; the lines if they are asked for.
func (a *alphaBeta) analysis(s engine.State, d *decision, r alphabeta.Result, moves []match.Move) *match.Analysis {
	value := lead
	if a.engine.Expects() {
		value = expectation
	}
	line := func(action engine.Action) []engine.Action {
		if !d.Analyze && d.Lines == 0 && d.Report == nil {
			return []engine.Action{action}
		}
		return a.engine.AppendLine(nil, s, action, r.Depth)
	}
	judged := len(a.engine.Best()) > 0 // not where it was stopped in the first action of the first depth
	x := &match.Analysis{
		Choice: r.Action, Value: value(r.Value), Judged: judged, Lead: !a.engine.Expects(), Moves: moves, Line: line(r.Action),
		Simulations: int(r.Nodes), Depth: r.Depth,
	}
	for i := range moves {
		m := &moves[i]
		if m.Action == r.Action {
			m.Prob, m.Value, m.Judged = 1, x.Value, judged
		}
		for _, b := range a.engine.Best() {
			if m.Action == b.Action {
				m.Value, m.Judged, m.Line = value(b.Value), true, line(b.Action)
			}
		}
	}
	return x
}

// forced analyses s, where a.list is the only action, by searching where the game
// has something to choose again, or where chance is next. It uses no random number up,
// as if nothing had been searched.
func (a *alphaBeta) forced(ctx context.Context, s engine.State, h *engine.History, d *decision, depth int) (*match.Analysis, error) {
	at := a.game.NewState()
	at.CopyFrom(s)
	past := (*engine.History)(nil)
	if h != nil {
		past = &engine.History{}
		past.CopyFrom(h)
	}
	x := &match.Analysis{Judged: true, Lead: !a.engine.Expects()}
	next := a.game.NewState()
	for at.Actor() != engine.Nobody && len(a.list) == 1 {
		next.CopyFrom(at)
		mark := past.Len()
		next.Apply(a.list[0], past)
		if next.Actor() == engine.Chance {
			past.Truncate(mark)
			break // no player's decision follows: the action itself is searched
		}
		x.Line = append(x.Line, a.list[0])
		at.CopyFrom(next)
		if at.Actor() == engine.Nobody {
			break
		}
		var err error
		if a.list, err = legal(a.list[:0], at, past); err != nil {
			return nil, err
		}
	}
	if at.Actor() == engine.Nobody {
		x.Value, x.Solved = float64(at.Outcome().Value(s.Actor())), true
	} else {
		stream := a.rng
		d.Report = nil // what is known is of a later position
		found, err := a.search(ctx, at, past, d, depth)
		a.rng = stream
		if err != nil {
			return nil, err
		}
		line := append(x.Line, found.Line...)
		x = found
		if x.Line = line; at.Actor() != s.Actor() {
			x.Value = -x.Value
		}
	}
	x.Choice = x.Line[0]
	x.Moves = []match.Move{{Action: x.Choice, Prob: 1, Value: x.Value, Judged: true}}
	return x, nil
}

// lead is the value of a search of package alphabeta in [-1, 1], as minimax maps
// material and the distance of a win.
func lead(v int32) float64 {
	if alphabeta.Proven(v) {
		const win = 1_000_000
		away := float64(win - max(v, -v))
		if v > 0 {
			return 1 - turnCost*away
		}
		return turnCost*away - 1
	}
	reds := float64(v) / 100
	return maxJudged * reds / (evenMaterial + max(reds, -reds))
}

// expectation is what a value of a search expects whose leads are nats of the expected score; a
// win that is proven is worth as much as to lead.
func expectation(v int32) float64 {
	if alphabeta.Proven(v) {
		return lead(v)
	}
	return maxJudged * expected(lead(v))
}
