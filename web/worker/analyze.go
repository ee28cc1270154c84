package worker

import (
	"context"

	"github.com/ludozero/ludozero/engine/query"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/analysis"
)

// Question asks a player about a position, as a line of `ludozero analyze --jsonl`
// does. Priority and interim answers are nothing for it.
type Question struct {
	query.Question
	analysis.Request
	Seed uint64 `json:"seed,omitempty"`
	// Line is the number of the line, from 1; it seeds the player.
	Line uint64 `json:"line,omitempty"`
}

// Analyze answers a question by the same search, seed and options as `ludozero
// analyze`.
func (w *Worker) Analyze(ctx context.Context, q Question) (*analysis.Answer, error) {
	g, s, h, err := q.SetUp(w.games)
	if err != nil {
		return nil, err
	}
	spec, err := player.Parse(q.Player, w.kinds)
	if err != nil {
		return nil, err
	}
	at := &analysis.Position{Game: g, State: s, History: h}
	spec, b, err := q.Asked(spec, at)
	if err != nil {
		return nil, err
	}
	p, err := newOf(spec, g)
	if err != nil {
		return nil, err
	}
	defer match.Dismiss(p)
	return q.Ask(breathing{ctx, w.host}, p, seed.Number(q.Seed, "analyze", q.Line), at, b, nil)
}
