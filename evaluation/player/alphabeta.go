package player

import (
	"context"
	"fmt"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/evaluation"
	"github.com/ludozero/ludozero/evaluation/player/alphabeta"
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

// newAlphaBeta returns a player of that depth, limited by time if that is above
// 0. What it plays then depends on the speed of the machine.
func newAlphaBeta(g engine.Game, depth int, limit time.Duration) (evaluation.Player, error) {
	k, ok := g.(*konreh.Game)
	if !ok {
		return nil, fmt.Errorf("it plays konreh alone, not %s", g.Info().Name)
	}
	a := &alphaBeta{engine: alphabeta.New(k), depth: depth, watch: newStopwatch(limit)}
	a.stop = func() bool { return a.ctx.Err() != nil || a.watch.up() }
	return a, nil
}

func (a *alphaBeta) NewGame(seed uint64) {
	a.rng.reseed(seed)
	a.engine.NewGame()
}

// Effort is what the searches took, if time limits them; a position looked at
// counts as a simulation.
func (a *alphaBeta) Effort() evaluation.Effort { return a.watch.effort }

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
	a.rng.shuffle(list)
	r := a.engine.Search(s.(*konreh.State), h, list, a.depth, a.stop)
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	a.watch.stop(int(r.Nodes), false)
	return r.Action, nil
}
