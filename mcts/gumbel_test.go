package mcts

import (
	"math"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

func gumbelConfig(simulations, actions int, scale float64) Config {
	cfg := DefaultConfig()
	cfg.Search, cfg.Simulations, cfg.GumbelActions, cfg.GumbelScale = SearchGumbel, simulations, actions, scale
	return cfg
}

// below returns tree with its root a second time behind its edge 3, as edges 4,
// 5 and 6.
func below(tree *Tree) *Tree {
	again, _ := tree.add(3)
	copy(again, tree.children(tree.at(0)))
	*tree.at(3) = *tree.at(0)
	tree.at(3).first = 4
	return tree
}

func TestImprovedPickByHand(t *testing.T) {
	cfg := gumbelConfig(1, 1, 0)
	cfg.GumbelCVisit, cfg.GumbelCScale = 1, 0.5
	priors := [3]float32{0.5, 0.3, 0.2}
	for _, p := range []engine.Player{engine.First, engine.Second} {
		for _, test := range []struct {
			name   string
			value  float32
			visits [3]uint32
			sums   [3]float32
			want   index
		}{
			// The prior decides: 0.5, 0.3, 0.2.
			{"first descent", 0.2, [3]uint32{}, [3]float32{}, 0},
			// sigma(q) = (1+1)·0.5·q = q. Q(0) = 0.2, v_mix = (0.2 + 0.2)/2:
			// pi' is the prior. 0.5 - 1/2, 0.3, 0.2.
			{"second descent", 0.2, [3]uint32{1}, [3]float32{0.2}, 1},
			// v_mix = (0.2 + 1)/2 = 0.6. Weights 0.5·e^0.4 = 0.7459, 0.3, 0.2:
			// pi'(0) = 0.5987, less 1/2 is 0.0987; pi'(1) = 0.2408.
			{"good edge", 0.2, [3]uint32{1}, [3]float32{1}, 1},
			// sigma(q) = (1+3)·0.5·q = 2q, Q = 1 and -0.2,
			// v_mix = (0.2 + 4·(0.5 - 0.06)/0.8)/5 = 0.48. Weights 0.5·e^1.04 =
			// 1.4146, 0.3·e^-1.36 = 0.0770, 0.2: pi' = 0.8363, 0.0455, 0.1182.
			// Less 3/5 and 1/5: 0.2363, -0.1545, 0.1182.
			{"exploitation", 0.2, [3]uint32{3, 1}, [3]float32{3, -0.2}, 0},
			// sigma(q) = 2.5q, v_mix = (0.2 + 5·0.55)/6 = 0.4917: weights
			// 0.5·e^1.2708 = 1.7819, 0.3·e^-1.7292 = 0.0532, 0.2: pi'(0) = 0.8756,
			// less 4/6 is 0.2089; pi'(2) = 0.0983.
			{"more of it", 0.2, [3]uint32{4, 1}, [3]float32{4, -0.2}, 0},
			// sigma(q) = 2q, Q = -0.5 and 0.1, v_mix = (0.2 + 4·(-0.22/0.8))/5 =
			// -0.18: weights 0.5·e^-0.64 = 0.2636, 0.3·e^0.56 = 0.5252, 0.2:
			// pi' = 0.2666, 0.5312, 0.2023; less 3/5, 1/5 and 0: the second.
			{"bad edge", 0.2, [3]uint32{3, 1}, [3]float32{-1.5, 0.1}, 1},
		} {
			tree := below(three(cfg, p, test.value, priors, test.visits, test.sums))
			if got := tree.pick(3) - 4; got != test.want {
				t.Errorf("%s, %v acts: pick = edge %d, want %d", test.name, p, got, test.want)
			}
		}
		// Two virtual visits of edge 0 in "exploitation", N(0) = 3 + 2:
		// 0.8363 - 5/7 = 0.1220, 2 has 0.1182. A third: 0.0863.
		tree := below(three(cfg, p, 0.2, priors, [3]uint32{3, 1}, [3]float32{3, -0.2}))
		tree.at(4).virtual = 2
		if got := tree.pick(3); got != 4 {
			t.Errorf("%v acts: pick with two virtual visits = edge %d, want 4", p, got)
		}
		tree.at(4).virtual = 3
		if got := tree.pick(3); got != 6 {
			t.Errorf("%v acts: pick with three virtual visits = edge %d, want 6", p, got)
		}
	}
}

// TestHalvingSharesTheBudget compares the new visits of the actions at the
// root, the most first, with what the algorithm gives: at fresh roots, after
// Advance and with pending leaves.
func TestHalvingSharesTheBudget(t *testing.T) {
	for _, test := range []struct {
		arms, actions, simulations int
		want                       []int
	}{
		// 64/(4·16) = 1, 64/(4·8) = 2, 64/(4·4) = 4, then the rest.
		{20, 16, 64, []int{15, 15, 7, 7, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1}},
		// 100/(4·16) = 1, 100/(4·8) = 3, 100/(4·4) = 6, then 36 for two.
		{20, 16, 100, []int{28, 28, 10, 10, 4, 4, 4, 4, 1, 1, 1, 1, 1, 1, 1, 1}},
		// Four are left after the first round.
		{20, 16, 20, []int{2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{20, 16, 17, []int{2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{20, 16, 16, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		// A budget smaller than the number of actions.
		{20, 16, 5, []int{1, 1, 1, 1, 1}},
		{20, 16, 1, []int{1}},
		// 30/(2·3) = 5, then 15 for two; fewer legal actions than allowed.
		{3, 16, 30, []int{13, 12, 5}},
		{20, 2, 31, []int{16, 15}},
		{20, 1, 31, []int{31}},
		{1, 16, 9, []int{9}},
	} {
		for _, pending := range []int{1, 4, 32} {
			rng := newRNG(uint64(test.arms))
			b := newBandit(rng, test.arms)
			cfg := gumbelConfig(test.simulations+1, test.actions, 1)
			cfg.PendingLeaves = pending
			tree := must(New(b, cfg))
			tree.Reset(Root{State: b.NewState(), Rand: rng})
			run(t, b, tree, b)
			checkTree(t, tree, false)
			if got := newVisits(tree, nil); !slices.Equal(got, test.want) {
				t.Errorf("%d of %d arms, %d simulations, %d pending: visits %v, want %v", test.actions, test.arms, test.simulations, pending, got, test.want)
			}
			// The same again with more: what was visited before does not count.
			before := tree.Root(nil)
			tree.halving.planned = false
			tree.SetBudget(tree.sims + test.simulations)
			run(t, b, tree, b)
			checkTree(t, tree, false)
			if got := newVisits(tree, before); !slices.Equal(got, test.want) {
				t.Errorf("%d of %d arms, %d simulations, %d pending, again: visits %v, want %v", test.actions, test.arms, test.simulations, pending, got, test.want)
			}
		}
	}
}

// newVisits lists the visits at the root of t beyond those in before, the most
// first, without zeros.
func newVisits(t *Tree, before []RootAction) []int {
	var visits []int
	for i, r := range t.Root(nil) {
		if before != nil {
			r.Visits -= before[i].Visits
		}
		if r.Visits > 0 {
			visits = append(visits, r.Visits)
		}
	}
	slices.SortFunc(visits, func(a, b int) int { return b - a })
	return visits
}

// TestHalvingKeepsTheBest: without noise, and with priors that are alike, the
// best arm gets the most visits and is chosen.
func TestHalvingKeepsTheBest(t *testing.T) {
	rng := newRNG(4)
	for range 50 {
		b := newBandit(rng, 16)
		clear(b.logits)
		tree := must(New(b, gumbelConfig(65, 16, 0)))
		tree.Reset(Root{State: b.NewState()})
		run(t, b, tree, b)
		best := 0
		for a, v := range b.values {
			if v > b.values[best] {
				best = a
			}
		}
		if got := int(tree.Best()); got != best {
			t.Errorf("best is %d with value %g, want %d with %g", got, b.values[got], best, b.values[best])
		}
		if r := tree.Root(nil)[best]; r.Visits < 15 {
			t.Errorf("the best arm has %d visits, want at least 15", r.Visits)
		}
		if pv := tree.PrincipalVariation(nil); int(pv[0]) != best {
			t.Errorf("principal variation %v, want %d first", pv, best)
		}
	}
}

// TestGumbelImprovesThePolicy holds the search to what the method promises: on
// bandits whose values are known, neither its choice, on average over its own
// noise, nor its target is worse than the prior; the target not on any bandit
// where every arm was visited.
func TestGumbelImprovesThePolicy(t *testing.T) {
	rng := newRNG(11)
	for _, test := range []struct{ arms, actions, simulations int }{
		{4, 16, 4}, {8, 16, 16}, {8, 4, 4}, {8, 2, 2}, {30, 16, 16}, {30, 16, 64}, {30, 4, 8}, {30, 1, 1},
	} {
		const bandits, draws = 40, 40
		var gainSum, gainSquares, targetGain float64
		worse := 0
		for range bandits {
			b := newBandit(rng, test.arms)
			prior := b.mean(b.priors())
			tree := must(New(b, gumbelConfig(1+test.simulations, test.actions, 1)))
			gain := 0.0
			for range draws {
				tree.Reset(Root{State: b.NewState(), Rand: rng})
				run(t, b, tree, b)
				gain += (float64(b.values[tree.SampleAction(1, rng)]) - prior) / draws
				after := b.mean(tree.Target(nil)) - prior
				targetGain += after / (bandits * draws)
				if after < -1e-5 {
					worse++
				}
			}
			gainSum += gain
			gainSquares += gain * gain
		}
		mean := gainSum / bandits
		deviation := math.Sqrt(max(0, gainSquares/bandits-mean*mean) / bandits)
		t.Logf("%+v: choice gains %.3f ± %.3f, target %.3f, worse in %d of %d", test, mean, deviation, targetGain, worse, bandits*draws)
		if mean < -3*deviation {
			t.Errorf("%+v: the choice gains %.3f ± %.3f over the prior", test, mean, deviation)
		}
		if test.simulations > 1 && mean < 5*deviation {
			t.Errorf("%+v: the choice gains %.3f ± %.3f over the prior, want a clear gain", test, mean, deviation)
		}
		if test.simulations > 1 && targetGain <= 0 {
			t.Errorf("%+v: the target gains %.3f over the prior", test, targetGain)
		}
		if test.simulations >= test.arms && test.actions >= test.arms && worse > 0 {
			t.Errorf("%+v: the target is worse than the prior in %d of %d searches", test, worse, bandits*draws)
		}
	}
}

// TestGumbelTemperature draws actions from trees whose improved policy is
// known, with noise of the halving and without.
func TestGumbelTemperature(t *testing.T) {
	rng := newRNG(6)
	b := newBandit(rng, 5)
	const draws = 20000
	for _, scale := range []float64{0, 1} {
		// Before the first visit the improved policy is the prior, and no arm
		// is out of the race.
		tree := must(New(b, gumbelConfig(1, 16, scale)))
		for _, temperature := range []float64{0, 0.5, 1, 2} {
			var counts, want [5]float64
			sum := 0.0
			for i, p := range b.priors() {
				want[i] = math.Pow(float64(p), 1/temperature)
				sum += want[i]
			}
			if temperature == 0 {
				clear(want[:])
				want[slices.Index(b.logits, slices.Max(b.logits))], sum = 1, 1
			}
			for range draws {
				tree.Reset(Root{State: b.NewState(), Rand: rng})
				if len(tree.rootActions) > 0 {
					t.Fatal("a fresh root is expanded")
				}
				run(t, b, tree, b)
				counts[tree.SampleAction(temperature, rng)]++
			}
			for i := range want {
				p := want[i] / sum
				if got := counts[i] / draws; math.Abs(got-p) > 5*math.Sqrt(p/draws)+1e-9 {
					t.Errorf("scale %g, temperature %g: arm %d drawn with %g, want %g", scale, temperature, i, got, p)
				}
			}
		}
	}
}

// TestCheapGumbelSearchesDrawFromTheWholePolicy: a search without exploration has no
// noise, so that its halving leaves the same two actions every time. Moves must not be
// drawn from these two alone.
func TestCheapGumbelSearchesDrawFromTheWholePolicy(t *testing.T) {
	rng := newRNG(6)
	b := newBandit(rng, 30)
	cfg := gumbelConfig(64, 16, 1)
	cfg.GumbelCScale = 0.05 // values of a bandit are far apart
	tree := must(New(b, cfg))
	const searches = 300
	for _, temperature := range []float64{1, 0.5} {
		counts := make([]int, 30)
		var want []float64
		for range searches {
			tree.Reset(Root{State: b.NewState(), Rand: rng})
			tree.SetSearch(Search{Simulations: 40, NoExploration: true})
			run(t, b, tree, b)
			if slices.ContainsFunc(tree.halving.noise, func(g float64) bool { return g != 0 }) {
				t.Fatalf("noise of a root without exploration is %v", tree.halving.noise)
			}
			if kind := tree.TargetKind(); kind != "improved" {
				t.Fatalf("TargetKind() = %q, want improved", kind)
			}
			want = want[:0]
			sum := 0.0
			for _, p := range tree.Target(nil) {
				want = append(want, math.Pow(float64(p), 1/temperature))
				sum += want[len(want)-1]
			}
			for i := range want {
				want[i] /= sum
			}
			counts[tree.SampleAction(temperature, rng)]++
		}
		different, expected := 0, 0.0
		for i, p := range want { // the same in every search: nothing in it is drawn
			expected += 1 - math.Pow(1-p, searches)
			if counts[i] > 0 {
				different++
			}
			if mean := searches * p; math.Abs(float64(counts[i])-mean) > 5*math.Sqrt(mean)+1 {
				t.Errorf("temperature %g: arm %d drawn %d times, want about %.1f", temperature, i, counts[i], mean)
			}
		}
		t.Logf("temperature %g: %d different moves in %d searches, expected %.1f", temperature, different, searches, expected)
		if expected < 4 {
			t.Fatalf("the improved policy has %.1f moves: the bandit shows nothing", expected)
		}
		if math.Abs(float64(different)-expected) > 3 {
			t.Errorf("temperature %g: %d different moves in %d searches, want about %.1f", temperature, different, searches, expected)
		}
		if best := tree.SampleAction(0, rng); best != tree.Best() || !tree.halving.contains(best) {
			t.Errorf("temperature 0 chooses %d, want %d, which the halving left", best, tree.Best())
		}
	}
}
