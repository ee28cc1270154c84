package worker

import (
	"context"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/query"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// Question asks a player about a position, as a line of `ludozero analyze --jsonl`
// does.
type Question struct {
	query.Question
	Player string `json:"player"`
	Seed   uint64 `json:"seed,omitempty"`
	// Line is the number of the line, from 1; it seeds the player.
	Line uint64 `json:"line,omitempty"`
}

// Answer is the player's analysis. The value is in [-1, 1], in the view of the player
// to decide.
type Answer struct {
	Choice string         `json:"choice"`
	Value  float64        `json:"value"`
	Visits map[string]int `json:"visits"`
}

// Analyze answers a question by the same search, seed and options as `ludozero
// analyze`.
func (w *Worker) Analyze(ctx context.Context, q Question) (*Answer, error) {
	g, s, h, err := q.SetUp(w.games)
	if err != nil {
		return nil, err
	}
	if s.Actor() != engine.First && s.Actor() != engine.Second {
		return nil, player.ErrNoDecision
	}
	p, err := w.newPlayer(q.Player, g)
	if err != nil {
		return nil, err
	}
	a, err := match.Analyze(ctx, p, seed.Number(q.Seed, "analyze", q.Line), s, h)
	if err != nil {
		return nil, err
	}
	answer := &Answer{Choice: string(s.AppendAction(nil, a.Choice)), Value: a.Value, Visits: map[string]int{}}
	for _, m := range a.Moves {
		if m.Visits > 0 {
			answer.Visits[string(s.AppendAction(nil, m.Action))] = m.Visits
		}
	}
	return answer, nil
}
