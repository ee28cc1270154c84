package player

import (
	"context"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// Analysis is what a player thinks of a position. Values are in [-1, 1], +1 a
// win, in the view of the player who acts in it.
type Analysis struct {
	// Choice is what the player plays.
	Choice engine.Action
	// Value is what the position is worth; meaningless unless Judged.
	Value  float64
	Judged bool
	// Lead says that values are a lead of what the player counts, drawn into [-1, 1]:
	// they are no expectation of the result.
	Lead bool
	// Solved says that Value is certain, not an estimate.
	Solved bool
	// Moves are all legal actions in ascending order; empty if the player does
	// not weigh them.
	Moves []Move
	// Line is how the player expects the game to go on, chance included. It
	// begins with Choice and may end there.
	Line []engine.Action
}

// Move is what a player thinks of one legal action.
type Move struct {
	Action engine.Action
	// Prob is the player's policy and sums to 1 over the moves: shares of the
	// visits, the improved policy of a Gumbel search, the network's policy if
	// only the root was evaluated; for players that search to a depth or to the
	// end, equal shares of the best moves.
	Prob float64
	// Visits are the simulations through the action, 0 with players that
	// simulate nothing.
	Visits int
	// Value is what the position is worth once the action is played, in the view
	// of whoever plays it; meaningless unless Judged.
	Value  float64
	Judged bool
	// Line is how the player expects the game to go on after Action, which it
	// begins with, if it was asked for and is known.
	Line []engine.Action
}

// Analyst is a player that can say more than what it plays.
type Analyst interface {
	match.Player
	// Analyze thinks about s as Choose does: it draws the same random numbers
	// and its Choice is what Choose would have returned (players limited by time
	// excepted, whose choice depends on the machine). Unlike Choose it thinks
	// where only one action is legal. It may take longer and allocate.
	Analyze(ctx context.Context, s engine.State, h *engine.History) (*Analysis, error)
}

// Analyze asks p for an analysis of s. Of a player that is no Analyst it has the
// choice alone.
func Analyze(ctx context.Context, p match.Player, s engine.State, h *engine.History) (*Analysis, error) {
	if a, ok := p.(Analyst); ok {
		return a.Analyze(ctx, s, h)
	}
	a, err := p.Choose(ctx, s, h)
	if err != nil {
		return nil, err
	}
	return &Analysis{Choice: a, Line: []engine.Action{a}}, nil
}

// shareBest gives the moves with the highest value equal shares of the policy.
func shareBest(moves []Move) {
	best, count := -2.0, 0
	for _, m := range moves {
		switch {
		case m.Value > best:
			best, count = m.Value, 1
		case m.Value == best:
			count++
		}
	}
	for i := range moves {
		if moves[i].Value == best {
			moves[i].Prob = 1 / float64(count)
		}
	}
}
