package mcts

import (
	"math"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// TestOnly: a search that may take some actions alone visits no other at the root, shares
// the priors among them, and knows all again below, at the next root and after Reset.
func TestOnly(t *testing.T) {
	g := game(t, &tictactoe.Family)
	for _, method := range []string{SearchPUCT, SearchGumbel} {
		cfg := DefaultConfig()
		cfg.Simulations, cfg.Search = 200, method
		tree := must(New(g, cfg))
		s, h := start(g)
		all := s.Legal(nil, h)
		search := func(only []engine.Action) []RootAction {
			tree.Reset(Root{State: s, History: h, Rand: newRNG(3), Only: only})
			run(t, g, tree, Uniform{})
			return tree.Root(nil)
		}
		free := search(nil)
		if same := search(all); !slices.Equal(free, same) {
			t.Errorf("%s: all actions named: %v, want %v", method, same, free)
		}
		only := []engine.Action{1, 5, 8}
		root := search(only)
		visits := 0
		for i, r := range root {
			if r.Action != only[i] || math.Abs(float64(r.Prior)-1./3) > 1e-6 {
				t.Errorf("%s: %+v, want action %d and a third", method, r, only[i])
			}
			visits += r.Visits
		}
		if len(root) != 3 || visits != 199 || !slices.Contains(only, tree.Best()) || len(tree.Target(nil)) != 3 {
			t.Errorf("%s: %d actions with %d visits, best %d", method, len(root), visits, tree.Best())
		}
		tree.Advance(5)
		if below := tree.Root(nil); len(below) != 8 {
			t.Errorf("%s: %d actions after one of three was played, want 8", method, len(below))
		}
		if again := search(nil); !slices.Equal(free, again) {
			t.Errorf("%s: %v after a search of three, want %v", method, again, free)
		}
		if n := testing.AllocsPerRun(3, func() { tree.Reset(Root{State: s, History: h, Only: only}) }); n > 0 {
			t.Errorf("Reset with some actions allocates %g times", n)
		}
	}
}

// TestDrawsOfActions agree with the root's: weighted by visits they are its mean, but for
// its own evaluation.
func TestDrawsOfActions(t *testing.T) {
	g := game(t, &tictactoe.Family)
	cfg := DefaultConfig()
	cfg.Simulations = 20000
	tree := must(New(g, cfg))
	s, h := start(g)
	tree.Reset(Root{State: s, History: h, Rand: newRNG(4)})
	run(t, g, tree, Uniform{})
	sum, draws := 0.0, tree.Draws(nil)
	for i, r := range tree.Root(nil) {
		sum += float64(r.Visits) * float64(draws[i])
	}
	if got, want := sum/20000, float64(tree.RootDraw()); math.Abs(got-want) > 1e-3 || want == 0 {
		t.Errorf("draws of the actions are %g of all visits, the root's %g", got, want)
	}
}
