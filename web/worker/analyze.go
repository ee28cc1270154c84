package worker

import (
	"context"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// Question asks a player about a position, as a line of `ludozero analyze --jsonl`
// does.
type Question struct {
	Game    string   `json:"game"`
	Preset  string   `json:"preset,omitempty"`
	Options []string `json:"options,omitempty"`
	// Pos is a position line, empty for the start; Moves are words from there.
	Pos    string `json:"pos,omitempty"`
	Moves  string `json:"moves,omitempty"`
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
	family, err := w.games.ByName(q.Game)
	if err != nil {
		return nil, err
	}
	g, err := family.New(q.Preset, q.Options)
	if err != nil {
		return nil, err
	}
	s, h := g.NewState(), g.NewHistory()
	if err := engine.SetUp(s, h, q.Pos); err != nil {
		return nil, err
	}
	if err := engine.PlayWords(s, h, strings.Fields(q.Moves)); err != nil {
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
