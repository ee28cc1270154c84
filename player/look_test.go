package player

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
)

// TestLookAgreesWithExact in random positions of small games, with repeated movers, swaps
// of sides and dice: a look as deep as the game names a win if there is one, else all
// losses unless everything loses. A shallow one, or one that may not go through
// everything, names none that are none.
func TestLookAgreesWithExact(t *testing.T) {
	for name, g := range small(t) {
		rng := rand.New(rand.NewPCG(7, 7))
		exact := NewExact(g)
		s, h := g.NewState(), g.NewHistory()
		wins, losses, shallow := 0, 0, 0
		for range 100 {
			playRandom(s, h, 2+rng.IntN(6), rng)
			if p := s.Actor(); p != engine.First && p != engine.Second {
				continue
			}
			list := s.Legal(nil, h)
			moves, err := exact.values(context.Background(), s, list)
			if err != nil {
				t.Fatal(err)
			}
			valueOf := func(a engine.Action) float64 {
				return moves[slices.IndexFunc(moves, func(m match.Move) bool { return m.Action == a })].Value
			}
			var lost []engine.Action
			won := false
			for _, m := range moves {
				won = won || m.Value == 1
				if m.Value == -1 {
					lost = append(lost, m.Action)
				}
			}
			deep := newLook(g, 30)
			deep.room = 1 << 30
			got := deep.find(nil, s, h, list, nil)
			switch {
			case won:
				wins++
				if len(got) != 1 || got[0].value != 1 || valueOf(got[0].action) != 1 {
					t.Fatalf("%s, %s: found %v, but moves are worth %v", name, s.AppendPosition(nil), got, moves)
				}
			case len(lost) == len(list):
				if len(got) > 0 {
					t.Fatalf("%s, %s: found %v, where everything loses", name, s.AppendPosition(nil), got)
				}
			default:
				losses += len(lost)
				if len(got) != len(lost) {
					t.Fatalf("%s, %s: found %v, want losses %v", name, s.AppendPosition(nil), got, lost)
				}
			}
			for _, turns := range []int{1, 2, 3} {
				for _, room := range []int{3, 20, maxLook} {
					l := newLook(g, turns)
					l.room = room
					asked := 0
					stop := func() bool { asked++; return asked == 2 }
					for _, v := range l.find(nil, s, h, list, stop) {
						shallow++
						if valueOf(v.action) != float64(v.value) {
							t.Fatalf("%s, %s, %d turns, %d positions: found %+v, but it is worth %g", name, s.AppendPosition(nil), turns, room, v, valueOf(v.action))
						}
					}
				}
			}
		}
		if wins == 0 || losses == 0 && name == "tictactoe" || shallow == 0 {
			t.Errorf("%s: %d wins, %d losses, %d of shallow looks: too few for this test", name, wins, losses, shallow)
		}
	}
}

// TestLookDecides for a network without skill and with one simulation: it completes
// four in a row, and stops the opponent from it. With one turn less it does neither.
func TestLookDecides(t *testing.T) {
	g := game(t, &connect4.Family)
	for _, test := range []struct {
		moves []engine.Action
		want  engine.Action
		turns int
	}{
		{[]engine.Action{2, 6, 2, 6, 2, 6}, 2, 1}, // four in the third column
		{[]engine.Action{2, 6, 2, 6, 2}, 2, 2},    // stopped
	} {
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		for _, a := range test.moves {
			s.Apply(a, h)
		}
		for seed := range uint64(5) {
			n := mustTimedNet(g, mcts.ByNetwork(g.Info(), &mixer{}), search(1), pace{}, nil)
			choice := func() *match.Analysis {
				if err := n.NewGame(context.Background(), seed); err != nil {
					t.Fatal(err)
				}
				a, err := n.Think(context.Background(), s, h, match.Bounds{})
				if err != nil {
					t.Fatal(err)
				}
				return a
			}
			without := choice().Choice
			n.look = newLook(g, test.turns)
			if got := choice(); got.Choice != test.want || got.Solved != (test.turns == 1) {
				t.Errorf("after %v a look of %d turns plays %d, solved %v, want %d", test.moves, test.turns, got.Choice, got.Solved, test.want)
			}
			if without == test.want {
				t.Errorf("after %v the network alone plays %d, too: this test tells nothing", test.moves, without)
			}
		}
	}
}

// TestLookKnowsThePast in positions of Kon'reh: each line that a look goes through has
// the past of the game, neither more nor less.
func TestLookKnowsThePast(t *testing.T) {
	g := game(t, &konreh.Family)
	rng := rand.New(rand.NewPCG(5, 6))
	s, h := g.NewState(), g.NewHistory()
	l := newLook(g, 2)
	for range 20 {
		playRandom(s, h, 10+rng.IntN(60), rng)
		if s.Actor() == engine.Nobody {
			continue
		}
		l.find(nil, s, h, s.Legal(nil, h), nil)
		if l.left == l.room || !l.hist.Equal(h) {
			t.Fatalf("%s: after %d positions the past has %d entries, want %d", s.AppendPosition(nil), l.room-l.left, l.hist.Len(), h.Len())
		}
	}
}

// TestLookDecidesInNoTime: a player whose time is up after its first evaluation knows what
// the look has found.
func TestLookDecidesInNoTime(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for _, a := range []engine.Action{2, 6, 2, 6, 2} {
		s.Apply(a, h)
	}
	cfg := search(1)
	cfg.Edges, cfg.PendingLeaves = leastEdges, 1
	network := &mixer{}
	n := mustTimedNet(g, mcts.ByNetwork(g.Info(), network), cfg, pace{limit: time.Millisecond}, nil)
	n.look = newLook(g, 2)
	began := time.Now()
	n.timer.now = func() time.Time { // stands still until the network is asked
		if network.rows > 0 {
			return began.Add(time.Hour)
		}
		return began
	}
	a, err := n.Think(t.Context(), s, h, match.Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	if a.Choice != 2 || a.Ending != match.EndLimit {
		t.Errorf("plays %d (%s), want 2 when time is up", a.Choice, a.Ending)
	}
}

// TestLookInKeptTrees: a player that keeps its tree plays a game to the end, looking
// ahead at each decision, and never loses to what it could see.
func TestLookInKeptTrees(t *testing.T) {
	g := game(t, &connect4.Family)
	cfg := search(1)
	cfg.Edges, cfg.PendingLeaves = leastEdges, timedLeaves
	n := mustTimedNet(g, mcts.ByNetwork(g.Info(), &mixer{}), cfg, pace{limit: time.Millisecond}, nil)
	n.look = newLook(g, 2)
	rng := rand.New(rand.NewPCG(1, 2))
	for number := range uint64(6) {
		if err := n.NewGame(context.Background(), number); err != nil {
			t.Fatal(err)
		}
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		for s.Actor() != engine.Nobody {
			list := s.Legal(nil, h)
			if uint64(s.Actor()) != number%2 {
				s.Apply(list[rng.IntN(len(list))], h)
				continue
			}
			found := newLook(g, 2).find(nil, s, h, list, nil)
			a, err := n.Think(context.Background(), s, h, match.Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range found {
				if (v.action == a.Choice) != (v.value == 1) {
					t.Fatalf("%s: plays %d, where %+v is known", s.AppendPosition(nil), a.Choice, v)
				}
			}
			s.Apply(a.Choice, h)
		}
	}
}

// TestLostMovesAreNoRivals: how often a kept tree has visited a move that a look finds to lose
// does not settle the search by the clock for another.
func TestLostMovesAreNoRivals(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := played(t, g, "4 4")
	n := timedNet(t, g, &mixer{}, 1<<16, 50*time.Millisecond, false)
	n.timer.now = ticking(time.Millisecond)
	a, err := n.Think(t.Context(), s, h, match.Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	_, want := n.rivals()
	n.found = []verdict{{a.Choice, -1}}
	n.tell()
	if first, second := n.rivals(); first != want || second > want {
		t.Errorf("without the most visited move there are %d and %d visits, want %d first", first, second, want)
	}
}
