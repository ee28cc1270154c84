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

func (r *random) NewGame(_ context.Context, seed uint64) error {
	r.rng.reseed(seed)
	return nil
}

func (r *random) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	list, err := legal(r.actions[:0], s, h)
	if err != nil {
		return nil, err
	}
	r.actions = list
	a := &match.Analysis{Choice: list[r.rng.below(len(list))]}
	if b.Analyze {
		a.Line = []engine.Action{a.Choice}
		for _, x := range list {
			a.Moves = append(a.Moves, match.Move{Action: x, Prob: 1 / float64(len(list))})
		}
	}
	return a, nil
}
