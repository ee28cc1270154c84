package mcts

import (
	"math"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

func TestNoiseIsPrunedByHand(t *testing.T) {
	cfg := DefaultConfig()
	cfg.CPuct, cfg.CPuctFactor, cfg.Target = 1, 0, TargetPruned
	for _, test := range []struct {
		name   string
		noisy  [3]float32 // priors with noise; without they are 0.5, 0.3, 0.2
		visits [3]uint32
		sums   [3]float32
		want   [3]float32
	}{
		// N = 16, u = 4; the first has 0.5 + 4·0.5/10 = 0.7. The third, Q = 0.475, by 0.2 alone:
		// 0.475 + 0.8/(1+x) <= 0.7 from x = 3 on.
		{"one too many", [3]float32{0.4, 0.2, 0.4}, [3]uint32{9, 2, 4}, [3]float32{4.5, 1, 1.9}, [3]float32{9, 2, 3}},
		// Q = 0.1: 0.8/(1+x) <= 0.6 from x = 1 on.
		{"a single one stays", [3]float32{0.4, 0.2, 0.4}, [3]uint32{9, 2, 4}, [3]float32{4.5, 1, 0.4}, [3]float32{9, 2, 1}},
		// Q = -0.5 is never visited by the prior alone.
		{"all", [3]float32{0.4, 0.2, 0.4}, [3]uint32{9, 2, 4}, [3]float32{4.5, 1, -2}, [3]float32{9, 2, 0}},
		// A prior that noise has lowered, or left, owes it no visits.
		{"not raised", [3]float32{0.6, 0.2, 0.2}, [3]uint32{9, 2, 4}, [3]float32{4.5, 1, -2}, [3]float32{9, 2, 4}},
		// A value above the first's score is no reason to visit it less.
		{"better", [3]float32{0.4, 0.2, 0.4}, [3]uint32{9, 2, 4}, [3]float32{4.5, 1, 3.6}, [3]float32{9, 2, 4}},
	} {
		for _, p := range []engine.Player{engine.First, engine.Second} {
			tree := three(cfg, p, 0, [3]float32{0.5, 0.3, 0.2}, test.visits, test.sums)
			tree.prepareRoot()
			edges := tree.children(tree.at(0))
			for k := range edges {
				edges[k].prior = test.noisy[edges[k].action()]
			}
			sum := test.want[0] + test.want[1] + test.want[2]
			for i, got := range tree.Target(nil) {
				if got != test.want[i]/sum {
					t.Errorf("%s, %v acts: target of %d is %g, want %g/%g", test.name, p, i, got, test.want[i], sum)
				}
			}
			if kind := tree.TargetKind(); kind != "pruned-visits" {
				t.Errorf("TargetKind() = %q, want pruned-visits", kind)
			}
		}
	}
}

// TestTargetsLeaveOutNoise compares the targets of noisy searches with the visits of a search
// without noise: pruned ones are nearer than visits are. They are the visits where there is no
// noise; the choice goes by visits in any case.
func TestTargetsLeaveOutNoise(t *testing.T) {
	apart := map[string]float64{}
	for seed := range uint64(40) {
		g := newRandomGame(seed, 12, seed%2 == 0)
		s, h := start(g)
		search := func(target string, noise float64) ([]float32, engine.Action) {
			cfg := DefaultConfig()
			cfg.Simulations, cfg.NoiseFraction, cfg.Target = 200, noise, target
			tree, rng := must(New(g, cfg)), newRNG(seed)
			tree.Reset(Root{State: s, History: h, Rand: rng})
			run(t, g, tree, hashEvaluator{})
			if len(tree.rootActions) == 0 {
				return nil, 0
			}
			got, sum := tree.Target(nil), 0.0
			for _, p := range got {
				sum += float64(p)
			}
			if math.Abs(sum-1) > 1e-5 {
				t.Errorf("game %d, %s: target sums to %g", seed, target, sum)
			}
			return got, tree.SampleAction(1, rng)
		}
		calm, _ := search(TargetVisits, 0)
		for _, target := range []string{TargetVisits, TargetPruned} {
			noisy, _ := search(target, 0.25)
			for i, p := range noisy {
				apart[target] += math.Abs(float64(p - calm[i]))
			}
			quiet, _ := search(target, 0)
			for i, p := range quiet {
				if p != calm[i] {
					t.Errorf("game %d, %s: target %v without noise, want the visits %v", seed, target, quiet, calm)
					break
				}
			}
		}
		_, a := search(TargetVisits, 0.25)
		for _, target := range []string{TargetPruned, TargetImproved} {
			if _, b := search(target, 0.25); b != a {
				t.Errorf("game %d: with target %s the move is %d, want %d", seed, target, b, a)
			}
		}
	}
	t.Logf("sum of distances from the search without noise: visits %.2f, pruned %.2f", apart[TargetVisits], apart[TargetPruned])
	if apart[TargetVisits] < 1 || apart[TargetPruned] > 0.96*apart[TargetVisits] {
		t.Errorf("visits are %.2f from those of searches without noise, pruned ones %.2f: want them nearer", apart[TargetVisits], apart[TargetPruned])
	}
}

// TestImprovedTargetOfPUCT by hand: the case "exploitation" of TestImprovedPickByHand, whose
// improved policy is 0.8363, 0.0455, 0.1182, from priors without noise.
func TestImprovedTargetOfPUCT(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Target, cfg.GumbelCVisit, cfg.GumbelCScale = TargetImproved, 1, 0.5
	for _, p := range []engine.Player{engine.First, engine.Second} {
		tree := three(cfg, p, 0.2, [3]float32{0.5, 0.3, 0.2}, [3]uint32{3, 1}, [3]float32{3, -0.2})
		tree.prepareRoot()
		edges := tree.children(tree.at(0))
		edges[0].prior = 0.9 // noise
		want := []float64{0.8363, 0.0455, 0.1182}
		for i, got := range tree.Target(nil) {
			if math.Abs(float64(got)-want[i]) > 1e-4 {
				t.Errorf("%v acts: target of %d is %.4f, want %.4f", p, i, got, want[i])
			}
		}
		if kind := tree.TargetKind(); kind != "improved" {
			t.Errorf("TargetKind() = %q, want improved", kind)
		}
		value := tree.RootValue()
		if tree.cfg.Target = TargetVisits; tree.RootValue() != value {
			t.Errorf("%v acts: the root's value is %g, want the mean %g as with visits", p, value, tree.RootValue())
		}
	}
}

// TestPruningGoesByMovesLeft: N = 16, u = 4, and the root is lost, so that later ends are worth
// 0.01 a turn. The first is worth -0.9 + 0.1 and scores -0.6; the third -0.8 - 0.1, so that
// 0.8/(1+x) <= 0.3 from x = 2 on, where by values alone 0.8/(1+x) <= 0.1 keeps all four visits.
func TestPruningGoesByMovesLeft(t *testing.T) {
	for name, set := range map[string]func(*Config){"noise": func(c *Config) { c.Target = TargetPruned }, "forced": func(c *Config) { c.ForcedPlayouts = 2 }} {
		for movesLeft, third := range map[float64]float32{0: 4, 0.2: 2} {
			for _, p := range []engine.Player{engine.First, engine.Second} {
				cfg := DefaultConfig()
				cfg.CPuct, cfg.CPuctFactor, cfg.Tuning.MovesLeft = 1, 0, movesLeft
				set(&cfg)
				tree := three(cfg, p, 0, [3]float32{0.5, 0.3, 0.2}, [3]uint32{9, 2, 4}, [3]float32{-8.1, -1, -3.2})
				tree.keepMoments()
				copy(tree.moments[0], []moment{{ends: 16 * 100}, {ends: 9 * 110}, {ends: 2 * 100}, {ends: 4 * 90}})
				tree.at(0).sum = view(-16, p)
				tree.exploratory = true
				tree.prepareRoot()
				if name == "noise" {
					for k := range tree.children(tree.at(0)) {
						tree.children(tree.at(0))[k].prior = []float32{0.4, 0.2, 0.4}[tree.children(tree.at(0))[k].action()]
					}
				}
				for i, got := range tree.Target(nil) {
					if want := []float32{9, 2, third}[i] / (11 + third); got != want {
						t.Errorf("%s, moves_left %g, %v acts: target of %d is %g, want %g", name, movesLeft, p, i, got, want)
					}
				}
			}
		}
	}
}
