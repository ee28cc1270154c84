package heuristics

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
)

// Game is a game from the start that has been played to its end.
type Game struct {
	Rules   *konreh.Game
	Actions []engine.Action
	// First is what the first player made of it: 1, 0.5 or 0.
	First float64
}

// FromSeries reads a game of a series under the rules of g.
func FromSeries(g *konreh.Game, x *match.Game) (Game, error) {
	if x.Start != "" {
		return Game{}, fmt.Errorf("game %d: it does not begin at the start", x.Number)
	}
	s, h := g.NewState().(*konreh.State), g.NewHistory()
	s.Start(h)
	game := Game{Rules: g, First: x.Points}
	if !x.AFirst {
		game.First = 1 - x.Points
	}
	for i, word := range strings.Fields(x.Moves) {
		a, err := s.ParseAction(word, h)
		if err != nil {
			return Game{}, fmt.Errorf("game %d: move %d: %w", x.Number, i+1, err)
		}
		s.Apply(a, h)
		game.Actions = append(game.Actions, a)
	}
	return game, nil
}

// walk plays the game again and calls visit before each decision, until it says no.
func (g *Game) walk(s *konreh.State, h *engine.History, visit func(ply int, played engine.Action) bool) {
	s.Start(h)
	for ply, a := range g.Actions {
		if !visit(ply, a) {
			return
		}
		s.Apply(a, h)
	}
}

// score is what player p made of the game.
func (g *Game) score(p engine.Player) float64 {
	if p == engine.First {
		return g.First
	}
	return 1 - g.First
}
