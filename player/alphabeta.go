package player

import (
	"context"
	"fmt"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// alphaBeta plays Kon'reh with package alphabeta, to a depth or for a time. The
// seed decides between actions that the engine takes for equal.
type alphaBeta struct {
	engine *alphabeta.Engine
	depth  int
	watch  stopwatch
	rng    source
	list   []engine.Action
	ctx    context.Context
	stop   func() bool
}

// newAlphaBeta returns a player of that depth, limited by time if p is a limit.
// What it plays then depends on the speed of the machine.
func newAlphaBeta(g engine.Game, depth int, p pace) (match.Player, error) {
	k, ok := g.(*konreh.Game)
	if !ok {
		return nil, fmt.Errorf("it plays konreh alone, not %s", g.Info().Name)
	}
	return alphaBetaOf(alphabeta.New(k), depth, p), nil
}

// alphaBetaOf is the player of an engine, which nobody else uses.
func alphaBetaOf(e *alphabeta.Engine, depth int, p pace) *alphaBeta {
	a := &alphaBeta{engine: e, depth: depth, watch: newStopwatch(p)}
	a.stop = func() bool { return a.ctx.Err() != nil || a.watch.up() }
	return a
}

func (a *alphaBeta) NewGame(seed uint64) {
	a.rng.reseed(seed)
	a.engine.NewGame()
	a.watch.newGame()
}

// Rest implements match.Rester.
func (a *alphaBeta) Rest() { a.engine.Rest() }

// SetClock implements match.Clocked.
func (a *alphaBeta) SetClock(remaining, increment time.Duration) {
	a.watch.SetClock(remaining, increment)
}

// Effort is what the searches took, if time limits them; a position looked at
// counts as a simulation.
func (a *alphaBeta) Effort() match.Effort { return a.watch.effort }

func (a *alphaBeta) Choose(ctx context.Context, s engine.State, h *engine.History) (engine.Action, error) {
	list, err := legal(a.list[:0], s, h)
	if err != nil {
		return 0, err
	}
	a.list, a.ctx = list, ctx
	if len(list) == 1 {
		return list[0], nil
	}
	a.watch.start()
	if err := a.watch.divide(s, float64(engine.TurnsLeft(s))); err != nil {
		return 0, err
	}
	a.rng.shuffle(list)
	r := a.engine.Search(s.(*konreh.State), h, list, a.depth, a.stop)
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	a.watch.stop(int(r.Nodes), timeUp)
	return r.Action, nil
}
