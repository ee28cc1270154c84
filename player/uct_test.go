package player

import (
	"context"
	"math"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/konreh"
)

// uctRegret is how much of the exact value the favourite after sims simulations
// gives away in s, in the actor's view.
func uctRegret(t *testing.T, g engine.Game, s engine.State, sims int, memo map[string]float64) float64 {
	t.Helper()
	u := newUCT(g, sims, 600)
	u.NewGame(t.Context(), 1)
	a, err := choose(context.Background(), u, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	next := g.NewState()
	next.CopyFrom(s)
	next.Apply(a, nil)
	loss := enginetest.Solve(g, s, memo) - enginetest.Solve(g, next, memo)
	if s.Actor() == engine.Second {
		loss = -loss
	}
	return loss
}

// TestUCTFindsTheBestAction covers alternating moves, repeated movers with a
// swap, and chance: enough simulations leave nothing to be gained.
func TestUCTFindsTheBestAction(t *testing.T) {
	for name, g := range small(t) {
		memo := map[string]float64{}
		s := g.NewState()
		for ply := 0; s.Actor() != engine.Nobody; ply++ {
			if s.Actor() == engine.Chance {
				s.Apply(s.Chance(nil)[0].Code, nil)
				continue
			}
			if loss := uctRegret(t, g, s, 20_000, memo); loss > 0.02 {
				t.Errorf("%s: in %s the favourite gives away %.3f", name, s.AppendPosition(nil), loss)
			}
			list := s.Legal(nil, nil)
			s.Apply(list[(ply*7+3)%len(list)], nil)
		}
	}
}

func TestUCTFindsForcedWins(t *testing.T) {
	g := game(t, &connect4.Family)
	for _, c := range []struct {
		name  string
		moves []engine.Action
		want  []engine.Action
	}{
		{"wins at once", []engine.Action{3, 0, 3, 0, 3, 1}, []engine.Action{3}},
		{"stops a win", []engine.Action{3, 0, 3, 0, 3}, []engine.Action{3}},
		// Two in the middle of the bottom row: a third makes both ends open.
		{"wins in two", []engine.Action{3, 3, 2, 2}, []engine.Action{1, 4}},
	} {
		s := g.NewState()
		for _, a := range c.moves {
			s.Apply(a, nil)
		}
		for seed := range uint64(5) {
			u := newUCT(g, 2000, 600)
			u.NewGame(t.Context(), seed)
			a, err := choose(context.Background(), u, s, nil)
			ok := false
			for _, w := range c.want {
				ok = ok || a == w
			}
			if err != nil || !ok {
				t.Errorf("%s, seed %d: Choose = %d, %v, want one of %v", c.name, seed, a, err, c.want)
			}
		}
	}
}

// TestUCTCounts checks the tree's books: a node's edges have all its visits but
// the one of its own random game, and no sum exceeds its visits.
func TestUCTCounts(t *testing.T) {
	for name, g := range small(t) {
		u := newUCT(g, 3000, 600)
		u.NewGame(t.Context(), 1)
		if _, err := choose(context.Background(), u, g.NewState(), nil); err != nil {
			t.Fatal(err)
		}
		for i, n := range u.nodes {
			if n.count < 0 || n.actor == engine.Nobody {
				continue
			}
			visits := int32(0)
			for _, e := range u.edges[n.first : n.first+uint32(n.count)] {
				visits += e.visits
				if math.Abs(float64(e.sum)) > float64(e.visits) {
					t.Errorf("%s: node %d: an edge of %d visits has the sum %g", name, i, e.visits, e.sum)
				}
				if e.child != 0 && u.nodes[e.child].visits != e.visits {
					t.Errorf("%s: node %d: an edge has %d visits, its child %d", name, i, e.visits, u.nodes[e.child].visits)
				}
			}
			own := int32(1)
			if i == 0 {
				own = 0
			}
			if visits != n.visits-own {
				t.Errorf("%s: node %d has %d visits, its edges %d", name, i, n.visits, visits)
			}
		}
		if u.nodes[0].visits != 3000 {
			t.Errorf("%s: the root has %d visits, want 3000", name, u.nodes[0].visits)
		}
	}
}

func TestUCTSeesRepetitionInTheTree(t *testing.T) {
	g, err := pienim.Family.Parse("shift=true")
	if err != nil {
		t.Fatal(err)
	}
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	before := h.Len()
	if _, err := choose(context.Background(), newUCT(g, 500, 20), s, h); err != nil {
		t.Fatal(err)
	}
	if h.Len() != before {
		t.Errorf("Choose left %d positions on the history it was lent, want %d", h.Len(), before)
	}
}

func TestUCTSameSeedSameChoice(t *testing.T) {
	g := game(t, &connect4.Family)
	choices := func(seed uint64) (list []engine.Action) {
		u := newUCT(g, 30, 600)
		u.NewGame(t.Context(), seed)
		for s := g.NewState(); s.Actor() != engine.Nobody; {
			a, err := choose(context.Background(), u, s, nil)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, a)
			s.Apply(a, nil)
		}
		return list
	}
	equal := func(a, b []engine.Action) bool {
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if a[i] != b[i] {
				return false
			}
		}
		return true
	}
	if a, b := choices(1), choices(1); !equal(a, b) {
		t.Errorf("one seed chose %v, then %v", a, b)
	}
	if a, b := choices(1), choices(2); equal(a, b) {
		t.Errorf("two seeds chose the same game %v", a)
	}
}

func TestUCTDoesNotAllocatePerSimulation(t *testing.T) {
	for _, g := range []engine.Game{game(t, &connect4.Family), game(t, &konreh.Family), small(t)["racegame"]} {
		u := newUCT(g, 200, 600)
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		choose := func() {
			if _, err := choose(context.Background(), u, s, h); err != nil {
				t.Fatal(err)
			}
		}
		for range 10 {
			choose()
		}
		// The edges may still grow once in a while as searches differ; a
		// simulation that allocated would show 200 times a choice, the answer's
		// line is a few.
		if n := testing.AllocsPerRun(10, choose); n > 12 {
			t.Errorf("%s: a choice with 200 simulations allocates %g times, want at most 12", g.Info().Name, n)
		}
	}
}

func BenchmarkUCT(b *testing.B) {
	g := game(b, &connect4.Family)
	u := newUCT(g, 200, 600)
	s, h := g.NewState(), g.NewHistory()
	for b.Loop() {
		if _, err := choose(context.Background(), u, s, h); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(200*float64(b.N)/b.Elapsed().Seconds(), "sims/s")
}
