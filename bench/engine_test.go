package bench

import (
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/train/plan"
)

// watched notes how often a player was asked to decide.
type watched struct {
	engine.Game
	decisions *int
}

func (w watched) NewState() engine.State { return watchedState{w.Game.NewState(), w.decisions} }

type watchedState struct {
	engine.State
	decisions *int
}

func (s watchedState) Legal(dst []engine.Action, h *engine.History) []engine.Action {
	*s.decisions++
	return s.State.Legal(dst, h)
}

// TestRandomGamesCountDecisions: neither rolls of dice nor beginnings are any.
func TestRandomGamesCountDecisions(t *testing.T) {
	var decisions int
	cfg := plan.DefaultConfig()
	b := &bench{cfg: &cfg}
	play := b.randomGames(watched{racegame.New(), &decisions}, 0)
	for range 3 {
		decisions = 0
		if n, err := play(); err != nil || n != float64(decisions) {
			t.Errorf("%g decisions counted, %v; players decided %d times", n, err, decisions)
		}
	}
}

// TestSearchedGamesCountPositions: a piece of work is a move's worth of positions, and
// ends in a game with nothing to search, too.
func TestSearchedGamesCountPositions(t *testing.T) {
	cfg := plan.DefaultConfig()
	b := &bench{cfg: &cfg}
	for _, c := range []struct {
		game     engine.Game
		from, to float64
	}{{options(t, "konreh").Rules.Game, searchNodes, 2 * searchNodes}, {racegame.New(), 1, searchDecisions * searchNodes}} {
		work := b.searchedGames(c.game, alphabeta.New)
		for range 3 {
			if n, err := work(); err != nil || n < c.from || n > c.to {
				t.Errorf("%s: %g positions, %v, want %g to %g", c.game.Info().Name, n, err, c.from, c.to)
			}
		}
	}
}
