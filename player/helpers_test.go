package player

import (
	"context"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// choose asks p for its move.
func choose(ctx context.Context, p match.Player, s engine.State, h *engine.History) (engine.Action, error) {
	x, err := p.Think(ctx, s, h, match.Bounds{})
	if err != nil {
		return 0, err
	}
	return x.Choice, nil
}

// analyze asks p for all that it knows.
func analyze(ctx context.Context, p match.Player, s engine.State, h *engine.History) (*match.Analysis, error) {
	return p.Think(ctx, s, h, match.Bounds{Analyze: true})
}
