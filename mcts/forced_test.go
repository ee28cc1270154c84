package mcts

import (
	"math"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

func TestForcedPlayoutsByHand(t *testing.T) {
	cfg := DefaultConfig()
	cfg.CPuct, cfg.CPuctFactor, cfg.ForcedPlayouts = 1, 0, 2
	priors := [3]float32{0.5, 0.3, 0.2}
	for _, test := range []struct {
		name   string
		visits [3]uint32
		want   index
	}{
		// n_forced = sqrt(2·P·14) = 3.74, 2.90, 2.37.
		{"third", [3]uint32{10, 3, 1}, 3},
		// sqrt(2·P·13) = 3.61, 2.79, 2.28: two are behind, the second has the
		// higher prior.
		{"higher prior", [3]uint32{10, 2, 1}, 2},
		// sqrt(2·P·15) = 3.87, 3.0, 2.45: three are enough, one is not.
		{"as many as forced", [3]uint32{11, 3, 1}, 3},
		// What was never visited is not forced: 0 has 1 + 3.74·0.5/11 = 1.17.
		{"unvisited", [3]uint32{10, 3, 0}, 1},
		{"enough", [3]uint32{10, 4, 3}, 1},
	} {
		for _, p := range []engine.Player{engine.First, engine.Second} {
			sums := [3]float32{float32(test.visits[0]), -float32(test.visits[1]), -float32(test.visits[2])}
			tree := three(cfg, p, 0, priors, test.visits, sums)
			tree.exploratory = true
			if got := tree.pick(0); got != test.want {
				t.Errorf("%s, %v acts: pick = edge %d, want %d", test.name, p, got, test.want)
			}
			tree = three(cfg, p, 0, priors, test.visits, sums)
			if got := tree.pick(0); got != 1 {
				t.Errorf("%s, %v acts, no exploration: pick = edge %d, want 1", test.name, p, got)
			}
			tree = three(cfg, p, 0, priors, test.visits, sums)
			tree.exploratory = true
			if got := below(tree).pick(3); got != 4 {
				t.Errorf("%s, %v acts, below the root: pick = edge %d, want 4", test.name, p, got)
			}
		}
	}
}

func TestForcedPlayoutsArePruned(t *testing.T) {
	cfg := DefaultConfig()
	cfg.CPuct, cfg.CPuctFactor, cfg.ForcedPlayouts = 1, 0, 2
	for _, test := range []struct {
		name   string
		visits [3]uint32
		sums   [3]float32
		want   [3]float32
	}{
		// N = 16, u = 4; the first has 0.5 + 4·0.5/11 = 0.6818.
		// Second: Q = 0.1, forced sqrt(2·0.3·15) = 3. With two visits its score
		// is 0.1 + 1.2/3 = 0.5, with one 0.7: two stay.
		// Third: Q = -0.5, forced 2.45: none stays.
		{"some and all", [3]uint32{10, 3, 2}, [3]float32{5, 0.3, -1}, [3]float32{10, 2, 0}},
		// N = 20, u = 4.4721, forced sqrt(2·0.3·19) = 3.38 and 2.76. Of five
		// visits two stay, since three can be taken out; of three one, which
		// goes too.
		{"no more than forced", [3]uint32{11, 5, 3}, [3]float32{11, -2.5, -1.5}, [3]float32{11, 2, 0}},
		// A value above the first's score is no reason to visit it less.
		{"better", [3]uint32{10, 3, 2}, [3]float32{5, 2.7, 2}, [3]float32{10, 3, 2}},
		{"only one", [3]uint32{10, 0, 0}, [3]float32{5, 0, 0}, [3]float32{10, 0, 0}},
	} {
		for _, p := range []engine.Player{engine.First, engine.Second} {
			tree := three(cfg, p, 0, [3]float32{0.5, 0.3, 0.2}, test.visits, test.sums)
			tree.exploratory = true
			tree.prepareRoot()
			sum := test.want[0] + test.want[1] + test.want[2]
			for i, got := range tree.Target(nil) {
				if got != test.want[i]/sum {
					t.Errorf("%s, %v acts: target of %d is %g, want %g/%g", test.name, p, i, got, test.want[i], sum)
				}
			}
			if kind := tree.TargetKind(); kind != "pruned-visits" {
				t.Errorf("TargetKind() = %q, want pruned-visits", kind)
			}
			for range 100 {
				if a := tree.SampleAction(2, newRNG(1)); test.want[a] == 0 {
					t.Errorf("%s: action %d was drawn for its forced visits", test.name, a)
				}
			}
			tree.exploratory = false
			for i, got := range tree.Target(nil) {
				all := test.visits[0] + test.visits[1] + test.visits[2]
				if want := float32(test.visits[i]) / float32(all); got != want {
					t.Errorf("%s, no exploration: target of %d is %g, want %g", test.name, i, got, want)
				}
			}
			if kind := tree.TargetKind(); kind != "visits" {
				t.Errorf("TargetKind() = %q, want visits", kind)
			}
		}
	}
}

// TestForcedPlayoutsInSearches: every visited action of a noisy root gets its
// forced visits, and the target has lost some of them.
func TestForcedPlayoutsInSearches(t *testing.T) {
	pruned := 0.0
	for seed := range uint64(30) {
		g := newRandomGame(seed, 12, seed%2 == 0)
		cfg := DefaultConfig()
		cfg.Simulations, cfg.NoiseFraction, cfg.ForcedPlayouts = 400, 0.25, 2
		cfg.PendingLeaves = 1 + int(seed%4)
		tree := must(New(g, cfg))
		s, h := start(g)
		tree.Reset(Root{State: s, History: h, Rand: newRNG(seed)})
		run(t, g, tree, hashEvaluator{})
		checkTree(t, tree, false)
		if len(tree.rootActions) == 0 {
			continue
		}
		n := tree.at(0)
		for _, e := range tree.children(n) {
			if want := math.Sqrt(2 * float64(e.prior) * 399); e.visits > 0 && float64(e.visits) < want-2 {
				t.Errorf("game %d: action %d has %d visits, want %g", seed, e.action(), e.visits, want)
			}
		}
		root, sum := tree.Root(nil), float32(0)
		for i, p := range tree.Target(nil) {
			sum += p
			if root[i].Action == tree.Best() && p < float32(root[i].Visits)/399 {
				t.Errorf("game %d: the best action has target %g and %d visits", seed, p, root[i].Visits)
			}
			pruned += max(0, float64(root[i].Visits)/399-float64(p))
		}
		if math.Abs(float64(sum)-1) > 1e-6 {
			t.Errorf("game %d: target sums to %g", seed, sum)
		}
	}
	if pruned < 0.5 {
		t.Errorf("%g of the visits of 30 searches were taken out, want more", pruned)
	}
}
