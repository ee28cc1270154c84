package bench

import (
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
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
	b := &bench{cfg: &cfg, game: watched{racegame.New(), &decisions}}
	play := b.randomGames(0)
	for range 3 {
		decisions = 0
		if n, err := play(); err != nil || n != float64(decisions) {
			t.Errorf("%g decisions counted, %v; players decided %d times", n, err, decisions)
		}
	}
}
