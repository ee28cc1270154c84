package mcts

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/tictactoe"
)

func TestTargetAndSampling(t *testing.T) {
	g := game(t, &tictactoe.Family)
	cfg := DefaultConfig()
	cfg.Simulations = 201
	tree := must(New(g, cfg))
	s, h := start(g)
	rng := newRNG(9)
	tree.Reset(Root{State: s, History: h, Rand: rng})
	if got := tree.Target(nil); len(got) != 0 || tree.RootValue() != 0 || len(tree.PrincipalVariation(nil)) != 0 {
		t.Errorf("an unsearched tree has target %v", got)
	}
	tree.SetBudget(1)
	run(t, g, tree, Uniform{})
	for _, p := range tree.Target(nil) {
		if math.Abs(float64(p)-1./9) > 1e-6 {
			t.Errorf("target of one simulation has %g, want the prior 1/9", p)
		}
	}
	tree.SampleAction(1, rng)
	tree.SetBudget(201)
	run(t, g, tree, Uniform{})
	root, target := tree.Root(nil), tree.Target(nil)
	sum, visits := float32(0), 0
	for i, p := range target {
		sum += p
		visits += root[i].Visits
		if want := float32(root[i].Visits) / 200; p != want {
			t.Errorf("target of %d is %g, want %g", i, p, want)
		}
	}
	if visits != 200 || math.Abs(float64(sum)-1) > 1e-6 {
		t.Errorf("%d visits below the root, target sums to %g", visits, sum)
	}
	for _, temperature := range []float64{0.5, 1, 2} {
		const draws = 20000
		var counts [9]float64
		for range draws {
			counts[tree.SampleAction(temperature, rng)]++
		}
		total := 0.0
		for _, r := range root {
			total += math.Pow(float64(r.Visits), 1/temperature)
		}
		for i, r := range root {
			want := math.Pow(float64(r.Visits), 1/temperature) / total
			if got := counts[i] / draws; math.Abs(got-want) > 5*math.Sqrt(want/draws) {
				t.Errorf("temperature %g: action %d drawn with %g, want %g", temperature, i, got, want)
			}
		}
	}
	best := slices.MaxFunc(root, func(a, b RootAction) int { return a.Visits - b.Visits })
	for range 10 {
		if got := tree.SampleAction(0, rng); root[got].Visits != best.Visits {
			t.Errorf("temperature 0 gives %d with %d visits, want %d", got, root[got].Visits, best.Visits)
		}
		if got := tree.SampleAction(1e-3, rng); root[got].Visits != best.Visits {
			t.Errorf("temperature 0.001 gives %d with %d visits, want %d", got, root[got].Visits, best.Visits)
		}
	}
}

func TestMisuseIsNamed(t *testing.T) {
	g := game(t, &tictactoe.Family)
	cfg := DefaultConfig()
	tree := must(New(g, cfg))
	s, h := start(g)
	tree.Reset(Root{State: s, History: h})
	leaves := make([]Leaf, 1)
	tree.Collect(leaves)
	mustPanic(t, "1 leaves are pending", func() { tree.Advance(0) })
	mustPanic(t, "8 logits for 9", func() { tree.Backup(&leaves[0], make([]float32, 8), Evaluation{}) })
	mustPanic(t, "value 1.5", func() { tree.Backup(&leaves[0], make([]float32, 9), Evaluation{Value: 1.5}) })
	mustPanic(t, "value NaN", func() { tree.Backup(&leaves[0], make([]float32, 9), Evaluation{Value: float32(math.NaN())}) })
	mustPanic(t, "probability 1.25 of a draw", func() { tree.Backup(&leaves[0], make([]float32, 9), Evaluation{Draw: 1.25}) })
	mustPanic(t, "-1 turns", func() { tree.Backup(&leaves[0], make([]float32, 9), Evaluation{Turns: -1}) })
	copied := leaves[0]
	tree.Backup(&leaves[0], make([]float32, 9), Evaluation{})
	mustPanic(t, "not pending", func() { tree.Backup(&leaves[0], make([]float32, 9), Evaluation{}) })
	mustPanic(t, "not pending", func() { tree.Backup(&copied, make([]float32, 9), Evaluation{}) })
	mustPanic(t, "77 is not possible", func() { tree.Advance(77) })
	tree.Collect(leaves)
	copied = leaves[0]
	tree.Reset(Root{State: s, History: h})
	mustPanic(t, "not pending", func() { tree.Backup(&copied, make([]float32, 9), Evaluation{}) })
	cfg.Simulations = 0
	if _, err := New(g, cfg); err == nil || !strings.Contains(err.Error(), "tictactoe: simulations: 0: want") {
		t.Errorf("New with no simulations: %v, want the key and its rule", err)
	}
}
