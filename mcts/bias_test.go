package mcts

import (
	"math"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// biased is a search with bias correction.
func biased(seed uint64, simulations int) Config {
	cfg := DefaultConfig()
	cfg.Simulations, cfg.PendingLeaves = simulations, 1+int(seed%3)*4
	cfg.Tuning.Bias = 0.5
	return cfg
}

// TestCorrectionsAddUp over searches with chance, several pending leaves, trees that are
// too small, and after moves: the sum of an edge adds up the edges below and its
// own evaluation as corrected, and buckets hold what the positions of the tree put in.
func TestCorrectionsAddUp(t *testing.T) {
	corrected := 0
	for seed := range uint64(30) {
		g := newRandomGame(seed, 12, seed%3 == 0)
		cfg := biased(seed, 300)
		if seed%5 == 4 && !g.chance {
			cfg.Edges = 200
		}
		tree := must(New(g, cfg))
		if seed%2 == 1 {
			tree = must(newTree(g, cfg, 4)) // in chunks
		}
		s, h := start(g)
		tree.Reset(Root{State: s, History: h, Rand: newRNG(seed)})
		for tree.RootState().Actor() != engine.Nobody {
			run(t, g, tree, hashEvaluator{})
			checkTree(t, tree, cfg.Edges > 0)
			for i, e := range tree.all() {
				c := &tree.moment(i).correction
				if e.actor == engine.Nobody || e.actor == engine.Chance || e.visits == 0 || c.bucket == noBucket {
					continue
				}
				own, want := e.visits, 0.0
				for k := e.first; k < e.first+index(e.count); k++ {
					own -= tree.at(k).visits
					want += float64(tree.at(k).sum)
				}
				want += float64(own) * float64(c.own+c.applied)
				if math.Abs(want-float64(e.sum)) > 1e-3+1e-4*float64(e.visits) {
					t.Fatalf("game %d, edge %d: sum %g, want %g", seed, i, e.sum, want)
				}
				if c.applied != 0 {
					corrected++
				}
			}
			kept := slices.Clone(tree.biases)
			tree.recount()
			for b := range kept {
				if x, y := kept[b], tree.biases[b]; math.Abs(float64(x.delta-y.delta)) > 0.05 || math.Abs(float64(x.weight-y.weight)) > 0.05 {
					t.Fatalf("game %d, bucket %d: %+v, want %+v", seed, b, x, y)
				}
			}
			if root, own := tree.NetworkValue(), tree.moment(0).own; len(tree.rootActions) > 0 && root != view(own, tree.rootActor) {
				t.Fatalf("game %d: network value %g, want %g", seed, root, own)
			}
			a := engine.Action(0)
			if tree.RootState().Actor() != engine.Chance {
				a = tree.Best()
			}
			tree.Advance(a)
		}
	}
	if corrected == 0 {
		t.Error("nothing was corrected")
	}
}

// misled evaluates the values of random positions as hashEvaluator does, a quarter of
// them, but errs by 0.6 in favour of the player who acts wherever the last action is
// even: what a search finds below has the errors of others.
type misled struct{ hashEvaluator }

func (v misled) Evaluate(leaves []Leaf, offsets []int32, logits []float32, evaluations []Evaluation) error {
	err := v.hashEvaluator.Evaluate(leaves, offsets, logits, evaluations)
	for i := range leaves {
		s := leaves[i].State.(*randomState)
		evaluations[i].Value *= 0.25
		if s.last%2 == 0 && s.depth > 0 {
			evaluations[i].Value += 0.6
		}
	}
	return err
}

// TestCorrectionHelps: where the network errs by the last action, corrected evaluations
// are closer to what the search finds below a position than raw ones, and new positions
// are corrected by what others showed.
func TestCorrectionHelps(t *testing.T) {
	raw, corrected, n, fresh := 0.0, 0.0, 0, 0
	for seed := range uint64(40) {
		g := newRandomGame(seed, 12, false)
		tree := must(New(g, biased(0, 2000)))
		s, h := start(g)
		tree.Reset(Root{State: s, History: h, Rand: newRNG(seed)})
		run(t, g, tree, misled{})
		for i, e := range tree.all() {
			c := &tree.moment(i).correction
			if e.visits == 1 && c.applied != 0 {
				fresh++
			}
			if e.visits < 20 || c.bucket == noBucket {
				continue
			}
			below := float64(e.sum-c.own-c.applied) / float64(e.visits-1)
			raw += math.Abs(float64(c.own) - below)
			corrected += math.Abs(float64(c.own+c.applied) - below)
			n++
		}
	}
	if fresh < 20 {
		t.Errorf("%d new positions were corrected, want 20", fresh)
	}
	if n < 500 || corrected > 0.75*raw {
		t.Errorf("%d positions: off by %.3f corrected, %.3f as the network says; want at most three quarters", n, corrected/float64(n), raw/float64(n))
	}
}
