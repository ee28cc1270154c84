package mcts

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestEverythingTogether plays random games under random configurations, with
// budgets, exploration and moves by lot, and holds every search to what is true
// of all of them.
func TestEverythingTogether(t *testing.T) {
	for seed := range uint64(400) {
		rng := newRNG(seed)
		g := newRandomGame(seed, 3+rng.IntN(12), rng.IntN(2) == 0)
		cfg := randomConfig(rng)
		tree := must(New(g, cfg))
		s, h := start(g)
		tree.Reset(Root{State: s, History: h, Rand: rng})
		for s.Actor() != engine.Nobody {
			for range rng.IntN(3) {
				tree.SetSearch(Search{Simulations: rng.IntN(150), NoExploration: rng.IntN(2) != 0})
			}
			run(t, g, tree, hashEvaluator{coarse: seed%2 == 0})
			checkTree(t, tree, true)
			if rng.IntN(4) == 0 { // more than was planned
				tree.SetBudget(tree.budget + rng.IntN(50))
				run(t, g, tree, hashEvaluator{coarse: seed%2 == 0})
				checkTree(t, tree, true)
			}
			low, high := tree.Bounds()
			if v := tree.RootValue(); v < low || v > high {
				t.Fatalf("game %d: value %g, proven %g to %g", seed, v, low, high)
			}
			if v, d := tree.RootValue(), tree.RootDraw(); d < 0 || d+float32(math.Abs(float64(v))) > 1 {
				t.Fatalf("game %d: %g draws beside value %g", seed, d, v)
			}
			var a engine.Action
			if s.Actor() == engine.Chance {
				a = engine.Draw(s.Chance(nil), rng.Float64())
			} else {
				legal := s.Legal(nil, h)
				a = legal[rng.IntN(len(legal))]
				checkChoice(t, seed, tree, legal, rng)
			}
			s.Apply(a, h)
			tree.Advance(a)
			checkTree(t, tree, true)
		}
	}
}

func randomConfig(rng *rand.Rand) Config {
	cfg := DefaultConfig()
	cfg.Search = methods[rng.IntN(2)]
	cfg.Simulations, cfg.CountReused = 1+rng.IntN(150), rng.IntN(2) == 0
	cfg.PendingLeaves = 1 + rng.IntN(2)*rng.IntN(10)
	cfg.FPU = []string{FPUReduced, FPUAbsolute}[rng.IntN(2)]
	cfg.NoiseFraction = 0.25 * float64(rng.IntN(2))
	cfg.ForcedPlayouts = 2 * float64(rng.IntN(2))
	cfg.GumbelActions, cfg.GumbelScale = 1+rng.IntN(6), float64(rng.IntN(2))
	cfg.GumbelCScale = 0.01 + rng.Float64()
	cfg.Proven = rng.IntN(2) == 0
	cfg.Edges = rng.IntN(2) * rng.IntN(200)
	return cfg
}

// checkChoice holds what a search of the decision between legal says to its
// rules: an action that nothing proven speaks against, a target of all actions
// that sums to 1.
func checkChoice(t *testing.T, seed uint64, tree *Tree, legal []engine.Action, rng *rand.Rand) {
	t.Helper()
	root := tree.Root(nil)
	if len(root) == 0 { // a budget of 0
		return
	}
	target, sum := tree.Target(nil), float32(0)
	if len(root) != len(legal) || len(target) != len(legal) {
		t.Fatalf("game %d: %d actions, %d targets for %d legal actions", seed, len(root), len(target), len(legal))
	}
	for i, p := range target {
		sum += p
		if root[i].Action != legal[i] || !(p >= 0) || tree.provenWorse(legal[i]) && p > 0 {
			t.Fatalf("game %d: target of %+v is %g", seed, root[i], p)
		}
	}
	if math.Abs(float64(sum)-1) > 1e-5 {
		t.Fatalf("game %d: target sums to %g", seed, sum)
	}
	for _, temperature := range []float64{0, 0.5, 1} {
		a := tree.SampleAction(temperature, rng)
		if !slices.Contains(legal, a) || tree.provenWorse(a) {
			t.Fatalf("game %d: %d is chosen among %v, barred %v", seed, a, legal, tree.provenWorse(a))
		}
	}
	tree.PrincipalVariation(nil)
}
