package player

import (
	"context"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// random plays every legal action with equal probability.
type random struct {
	rng     source
	actions []engine.Action
}

func newRandom(g engine.Game) match.Player {
	return &random{actions: make([]engine.Action, 0, g.Info().MaxLegal)}
}

func (r *random) NewGame(seed uint64) { r.rng.reseed(seed) }

func (r *random) Choose(ctx context.Context, s engine.State, h *engine.History) (engine.Action, error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	list, err := legal(r.actions[:0], s, h)
	if err != nil {
		return 0, err
	}
	r.actions = list
	return list[r.rng.below(len(list))], nil
}

// Analyze implements [Analyst]: every legal action is as good as any.
func (r *random) Analyze(ctx context.Context, s engine.State, h *engine.History) (*Analysis, error) {
	choice, err := r.Choose(ctx, s, h)
	if err != nil {
		return nil, err
	}
	a := &Analysis{Choice: choice, Line: []engine.Action{choice}}
	for _, x := range r.actions {
		a.Moves = append(a.Moves, Move{Action: x, Prob: 1 / float64(len(r.actions))})
	}
	return a, nil
}
