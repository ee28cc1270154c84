package player

import (
	"context"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// Analyze implements [Analyst]. The search learns the worth of its choice alone,
// which has the whole policy. Where only one action is legal it is played, and so
// on, until there is something to choose. What is searched changes the engine's
// memory, so that later choices may be others than without an analysis.
func (a *alphaBeta) Analyze(ctx context.Context, s engine.State, h *engine.History) (*Analysis, error) {
	list, err := legal(nil, s, h)
	if err != nil {
		return nil, err
	}
	at := &konreh.State{}
	at.CopyFrom(s)
	past := (*engine.History)(nil)
	if h != nil {
		past = &engine.History{}
		past.CopyFrom(h)
	}
	x := &Analysis{Judged: true, Lead: true}
	for at.Actor() != engine.Nobody {
		here, err := legal(nil, at, past)
		if err != nil {
			return nil, err
		}
		if len(here) > 1 {
			choice, value, err := a.judge(ctx, at, past, here, len(list) > 1)
			if err != nil {
				return nil, err
			}
			x.Line = append(x.Line, choice)
			x.Value = value
			break
		}
		x.Line = append(x.Line, here[0])
		at.Apply(here[0], past)
	}
	switch at.Actor() {
	case engine.Nobody:
		x.Value, x.Solved = float64(at.Outcome().Value(s.Actor())), true
	case s.Actor().Other():
		x.Value = -x.Value
	}
	x.Choice = x.Line[0]
	for _, action := range list {
		m := Move{Action: action}
		if action == x.Choice {
			m.Prob, m.Value, m.Judged = 1, x.Value, true
		}
		x.Moves = append(x.Moves, m)
	}
	return x, nil
}

// judge searches s, whose legal actions are list, and returns the choice and its
// value for the player who decides: of a lead as minimax takes one of material.
// Random numbers are used up if draw is set.
func (a *alphaBeta) judge(ctx context.Context, s *konreh.State, h *engine.History, list []engine.Action, draw bool) (engine.Action, float64, error) {
	stream := a.rng
	a.ctx = ctx
	a.watch.start()
	if err := a.watch.divide(s, float64(engine.TurnsLeft(s))); err != nil {
		return 0, 0, err
	}
	a.rng.shuffle(list)
	if !draw {
		a.rng = stream
	}
	r := a.engine.Search(s, h, list, a.depth, a.stop)
	if ctx.Err() != nil {
		return 0, 0, context.Cause(ctx)
	}
	a.watch.stop(int(r.Nodes), timeUp)
	value, _ := worth(r.Value)
	return r.Action, value, nil
}

// worth is the value of a search of package alphabeta, and whether it is proven.
func worth(v int32) (value float64, proven bool) {
	if alphabeta.Proven(v) {
		const win = 1_000_000
		away := float64(win - max(v, -v))
		if v > 0 {
			return 1 - turnCost*away, true
		}
		return turnCost*away - 1, true
	}
	reds := float64(v) / 100
	return maxJudged * reds / (evenMaterial + max(reds, -reds)), false
}
