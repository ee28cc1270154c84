package player

import (
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// drafting is a game of two turns with 20 decisions between 20 choices each. No two ways to
// take them lead to the same position, and nothing tells positions apart.
type drafting struct{ engine.Game }

type draft struct {
	engine.State
	past  uint64
	taken int
}

const picks = 20

func (g drafting) Info() *engine.Info {
	info := *g.Game.Info()
	info.NumActions, info.MaxLegal = picks, picks
	return &info
}
func (g drafting) NewState() engine.State { return &draft{State: g.Game.NewState()} }
func (s *draft) Turn() int                { return s.taken / picks }
func (s *draft) EncodingHash() uint64     { return s.past }
func (s *draft) Outcome() engine.Outcome {
	return engine.Outcome{Over: s.taken == 2*picks, Winner: engine.Nobody}
}
func (s *draft) Actor() engine.Player {
	if s.taken == 2*picks {
		return engine.Nobody
	}
	return engine.Player(s.Turn())
}
func (s *draft) Legal(dst []engine.Action, _ *engine.History) []engine.Action {
	for a := range engine.Action(picks) {
		dst = append(dst, a)
	}
	return dst
}
func (s *draft) Apply(a engine.Action, _ *engine.History) {
	s.past = (s.past ^ uint64(a+1)) * 0x100000001b3
	s.taken++
}
func (s *draft) CopyFrom(src engine.State) {
	from := src.(*draft)
	s.past, s.taken = from.past, from.taken
}

// TestDraftsAreAnswered: a turn of 20 decisions between 20 choices is judged after four of
// them, from the first decision of the game to the last.
func TestDraftsAreAnswered(t *testing.T) {
	g := drafting{game(t, &connect4.Family)}
	const most = picks*picks*picks*picks + 10_000
	for _, decided := range []int{0, 10, 17, 25, 37} {
		s, h := g.NewState(), g.NewHistory()
		for range decided {
			s.Apply(3, h)
		}
		m := newMinimax(g, 2)
		if _, err := m.Think(t.Context(), s, h, match.Bounds{}); err != nil || m.nodes > most {
			t.Errorf("minimax after %d decisions: %d positions, %v, want at most %d", decided, m.nodes, err, most)
		}
		began := time.Now()
		r := alphabeta.New(g).Search(s, h, s.Legal(nil, h), 2, nil)
		if r.Nodes > 4*most {
			t.Errorf("alphabeta after %d decisions: %d positions, want at most %d", decided, r.Nodes, 4*most)
		}
		t.Logf("after %d decisions: minimax %d positions, alphabeta %d in %v", decided, m.nodes, r.Nodes, time.Since(began))
	}
}
