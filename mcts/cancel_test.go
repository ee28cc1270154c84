package mcts

import (
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestCancelledLeavesLeaveNothing collects, backs up and cancels in every rhythm: no
// virtual visit stays, visits add up, and every simulation of the budget is done.
func TestCancelledLeavesLeaveNothing(t *testing.T) {
	for seed := range uint64(20) {
		g := newRandomGame(seed, 12, seed%2 == 0)
		cfg := DefaultConfig()
		cfg.Search = methods[seed/2%2]
		cfg.Simulations, cfg.PendingLeaves = 500, 1+int(seed%9)
		cfg.Proven = seed%4 == 3
		tree := must(New(g, cfg))
		s, h := start(g)
		rng := newRNG(seed)
		tree.Reset(Root{State: s, History: h, Rand: rng})
		var pending []Leaf
		cancelled := 0
		for !tree.Done() {
			some := make([]Leaf, 1+rng.IntN(9))
			n := tree.Collect(some)
			pending = append(pending, some[:n]...)
			for range rng.IntN(len(pending) + 1) {
				k := rng.IntN(len(pending))
				l := pending[k]
				pending = slices.Delete(pending, k, k+1)
				if rng.IntN(3) == 0 {
					tree.Cancel(&l)
					cancelled++
					continue
				}
				logits := make([]float32, len(l.Actions))
				value := hashEvaluator{}.judge(l.State.(*randomState), logits)
				tree.Backup(&l, logits, Evaluation{Value: value})
			}
		}
		st := tree.Stats()
		if low, high := tree.Bounds(); st.Simulations != 500 && low != high || len(pending) > 0 {
			t.Errorf("game %d: %+v and %d pending, want 500 simulations", seed, st, len(pending))
		}
		if cancelled < 5 && st.Simulations == 500 && s.Actor() != engine.Nobody && tree.used() > 100 {
			t.Errorf("game %d: %d leaves were cancelled: too few for this test", seed, cancelled)
		}
		for i, e := range tree.all() {
			if e.virtual != 0 {
				t.Fatalf("game %d: edge %d has %d virtual visits", seed, i, e.virtual)
			}
			visits := uint32(0)
			for _, c := range tree.children(e) {
				visits += c.visits
			}
			want := e.visits - 1 // its own evaluation
			if e.actor == engine.Chance {
				want = e.visits
			}
			if e.count > 0 && visits != want {
				t.Fatalf("game %d: edges of %d have %d visits, want %d", seed, i, visits, want)
			}
		}
	}
}

// TestCancelledEdgeIsUnvisited: an edge that was descended to a leaf that was cancelled is
// chosen as if it had not been, without a virtual loss.
func TestCancelledEdgeIsUnvisited(t *testing.T) {
	cfg := DefaultConfig()
	cfg.PendingLeaves, cfg.VirtualLoss = 4, 2
	for _, p := range []engine.Player{engine.First, engine.Second} {
		for _, value := range []float32{-0.9, -0.2, 0, 0.4} {
			for visits := range uint32(6) {
				plain := func() *Tree {
					return three(cfg, p, 0.1, [3]float32{0.4, 0.35, 0.25}, [3]uint32{1 + visits}, [3]float32{value * float32(1+visits)})
				}
				fresh, cancelled := plain(), plain()
				cancelled.at(0).seen++
				if got, want := cancelled.pick(0), fresh.pick(0); got != want {
					t.Errorf("player %v, %d visits of value %g: chose %d, want %d", p, 1+visits, value, got, want)
				}
			}
		}
	}
}

func TestCancelTwiceIsABug(t *testing.T) {
	g := newRandomGame(1, 12, false)
	tree := must(New(g, DefaultConfig()))
	s, h := start(g)
	tree.Reset(Root{State: s, History: h, Rand: newRNG(1)})
	leaves := make([]Leaf, 1)
	if tree.Collect(leaves) != 1 {
		t.Fatal("no leaf")
	}
	again := leaves[0]
	tree.Cancel(&leaves[0])
	defer func() {
		if recover() == nil {
			t.Error("a leaf was cancelled twice")
		}
	}()
	tree.Cancel(&again)
}
