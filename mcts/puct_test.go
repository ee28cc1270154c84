package mcts

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// three is a tree whose root, where p acts, has the edges 0, 1 and 2 with these
// priors, visit counts and value sums in p's view; edges without visits stand
// behind the others.
func three(cfg Config, p engine.Player, value float32, priors [3]float32, visits [3]uint32, sums [3]float32) *Tree {
	t := must(New(newRandomGame(1, 3, false), cfg))
	t.keepRoot(edge{visits: 1, sum: view(value, p), first: 1, count: 3, actor: p})
	edges, _ := t.add(3)
	for a := range 3 {
		edges[a] = edge{code: uint16(a), prior: priors[a], visits: visits[a], sum: view(sums[a], p), actor: unknown}
		t.at(0).visits += visits[a]
		t.at(0).sum += view(sums[a], p)
		if visits[a] > 0 {
			t.at(0).seen++
		}
	}
	return t
}

func TestPickByHand(t *testing.T) {
	cfg := DefaultConfig()
	cfg.CPuct, cfg.CPuctFactor = 1.5, 0
	cfg.FPUReduction, cfg.RootFPUReduction = 0.5, 0.25
	for _, p := range []engine.Player{engine.First, engine.Second} {
		for _, test := range []struct {
			name   string
			value  float32
			priors [3]float32
			visits [3]uint32
			sums   [3]float32
			want   index
		}{
			// N = 1, u = 1.5: the prior decides alone.
			{"first descent", 0.9, [3]float32{0.5, 0.3, 0.2}, [3]uint32{}, [3]float32{}, 1},
			// N = 9, u = 4.5. Scores: 0 = 0.5 + 4.5·0.5/5 = 0.95,
			// 1 = -0.25 + 4.5·0.3/5 = 0.02,
			// 2 = fpu + 4.5·0.2, where Q = (0 + 2 - 1)/9 = 0.1111,
			// fpu = 0.1111 - 0.25·sqrt(0.8) = -0.1125: 0.7875.
			{"exploitation", 0, [3]float32{0.5, 0.3, 0.2}, [3]uint32{4, 4, 0}, [3]float32{2, -1, 0}, 1},
			// As before, but 0 = 0.25 + 0.45 = 0.7, and for 2
			// Q = 0, fpu = -0.2236: 0.6764. Then with sums 0.9:
			// 0 = 0.225 + 0.45 = 0.675, Q = -0.0111: 0.6653.
			{"fpu, just visited", 0, [3]float32{0.5, 0.3, 0.2}, [3]uint32{4, 4, 0}, [3]float32{1, -1, 0}, 1},
			// Sum 0.8: 0 = 0.2 + 0.45 = 0.65; Q = -0.0222: 0.6542.
			{"fpu, just unvisited", 0, [3]float32{0.5, 0.3, 0.2}, [3]uint32{4, 4, 0}, [3]float32{0.8, -1, 0}, 3},
			// All alike: the lowest action.
			{"tie", 0, [3]float32{0.25, 0.25, 0.25}, [3]uint32{2, 2, 2}, [3]float32{1, 1, 1}, 1},
			// N = 10. Scores with u = 4.7434: 0 = 0.3 + 0.2·u/4 = 0.5372,
			// 1 = 0.2 + 0.3·u/4 = 0.5558, 2 = 0 + 0.5·u/4 = 0.5929.
			{"prior", 0, [3]float32{0.2, 0.3, 0.5}, [3]uint32{3, 3, 3}, [3]float32{0.9, 0.6, 0}, 3},
		} {
			tree := three(cfg, p, test.value, test.priors, test.visits, test.sums)
			if got := tree.pick(0); got != test.want {
				t.Errorf("%s, %v acts: pick = edge %d, want %d", test.name, p, got, test.want)
			}
		}
	}
}

// TestUnvisitedValueByHand: N = 9, u = 3, and edge 0 has the mean 0.5 and the
// score 0.5 + 3·0.2/9 = 0.5667. Edge 1 has the prior 0.1, so it is chosen if its
// value is above 0.2667. Q of the position is (4 + 0.5)/9 = 0.5.
func TestUnvisitedValueByHand(t *testing.T) {
	for _, test := range []struct {
		name                     string
		fpu                      string
		value, rootValue         float64
		reduction, rootReduction float64
		wantAtRoot, wantBelow    index
	}{
		// 0.5 - 0.6·sqrt(0.2) = 0.2317 and 0.5 - 0.5·sqrt(0.2) = 0.2764.
		{"reduction", FPUReduced, -1, 1, 0.6, 0.5, 2, 1},
		{"reduction, swapped", FPUReduced, 1, -1, 0.5, 0.6, 1, 2},
		{"as its position", FPUReduced, -1, -1, 0, 0, 2, 2},
		{"absolute", FPUAbsolute, 0.26, 0.27, 0, 0, 2, 1},
		{"absolute, swapped", FPUAbsolute, 0.27, 0.26, 2, 2, 1, 2},
		{"a loss", FPUAbsolute, -1, -1, 0, 0, 1, 1},
	} {
		for _, p := range []engine.Player{engine.First, engine.Second} {
			cfg := DefaultConfig()
			cfg.CPuct, cfg.CPuctFactor = 1, 0
			cfg.FPU, cfg.FPUValue, cfg.RootFPUValue = test.fpu, test.value, test.rootValue
			cfg.FPUReduction, cfg.RootFPUReduction = test.reduction, test.rootReduction
			priors, visits, sums := [3]float32{0.2, 0.1, 0.05}, [3]uint32{8}, [3]float32{4}
			tree := three(cfg, p, 0.5, priors, visits, sums)
			if got := tree.pick(0); got != test.wantAtRoot {
				t.Errorf("%s, %v acts: pick at the root = edge %d, want %d", test.name, p, got, test.wantAtRoot)
			}
			tree = below(three(cfg, p, 0.5, priors, visits, sums))
			if got := tree.pick(3) - 3; got != test.wantBelow {
				t.Errorf("%s, %v acts: pick below the root = edge %d, want %d", test.name, p, got, test.wantBelow)
			}
		}
	}
}

func TestVirtualVisitsByHand(t *testing.T) {
	cfg := DefaultConfig()
	cfg.CPuct, cfg.CPuctFactor, cfg.VirtualLoss = 1, 0, 1
	cfg.RootFPUReduction = 0
	// N = 7 + 2 = 9, u = 3. Edge 0 with 4 visits, 2 virtual, Q 0.75:
	// 0.75 - 1·2/6 + 3·0.5/7 = 0.6310. Edge 1 with 2 visits, Q 0.25:
	// 0.25 + 3·0.4/3 = 0.65, edge 2 has Q + 3·0.01 = 0.53. Without the virtual
	// visits u is 2.6458 and edge 0 has 0.75 + u·0.5/5 = 1.0146.
	tree := three(cfg, engine.First, 0, [3]float32{0.5, 0.4, 0.01}, [3]uint32{4, 2, 0}, [3]float32{3, 0.5, 0})
	if got := tree.pick(0); got != 1 {
		t.Errorf("pick = edge %d, want 1", got)
	}
	tree.at(0).virtual, tree.at(1).virtual = 2, 2
	if got := tree.pick(0); got != 2 {
		t.Errorf("pick with virtual visits = edge %d, want 2", got)
	}
	// Edge 2 was descended but has no value yet: N = 10, u = 3.1623, fpu =
	// Q = 3.5/7 = 0.5: 0.5 - 1 + u·0.6/2 = 0.4487 against edge 1 with
	// 0.25 + u·0.1/3 = 0.3554, and against edge 0 with 0.4167 + u·0.05/7 = 0.4393.
	tree = three(cfg, engine.First, 0, [3]float32{0.05, 0.1, 0.6}, [3]uint32{4, 2, 0}, [3]float32{3, 0.5, 0})
	tree.at(0).virtual, tree.at(1).virtual, tree.at(3).virtual = 3, 2, 1
	tree.at(0).seen = 3
	if got := tree.pick(0); got != 3 {
		t.Errorf("pick among virtual visits = edge %d, want 3", got)
	}
}

func TestExplorationTableHasTheFormula(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Simulations, cfg.CPuct, cfg.CPuctBase, cfg.CPuctFactor = 50, 2, 100, 3
	tree := must(New(newRandomGame(1, 3, false), cfg))
	for _, n := range []uint32{1, 7, 100, 101, 102, 5000} { // the table ends at 101
		want := (2 + 3*math.Log((float64(n)+101)/100)) * math.Sqrt(float64(n))
		if got := float64(tree.exploration(n)); math.Abs(got/want-1) > 1e-6 {
			t.Errorf("exploration(%d) = %g, want %g", n, got, want)
		}
	}
}

// TestOutcomesFollowProbabilities holds the visits of chance outcomes to less
// than one off their share at every step, whichever comes first.
func TestOutcomesFollowProbabilities(t *testing.T) {
	probs := []float32{1. / 36, 5. / 36, 18. / 36, 2. / 36, 10. / 36}
	for begin := -1; begin < len(probs); begin++ {
		edges := make([]edge, len(probs))
		for k, p := range probs {
			edges[k].prior = p
		}
		for n := 1; n <= 2000; n++ {
			k := pickOutcome(edges, begin)
			if want := begin; n == 1 && (begin >= 0 && int(k) != want || begin < 0 && k != 2) {
				t.Errorf("beginning with %d, outcome %d comes first", begin, k)
			}
			edges[k].visits++
			for k, p := range probs {
				if d := float64(edges[k].visits) - float64(p)*float64(n); math.Abs(d) >= 1.5 {
					t.Fatalf("beginning with %d, after %d visits outcome %d is %g off its share", begin, n, k, d)
				}
			}
		}
		if edges[2].visits != 1000 {
			t.Errorf("beginning with %d, outcome of probability 1/2 has %d of 2000 visits, want 1000", begin, edges[2].visits)
		}
	}
	// Equal outcomes follow in cyclic order.
	edges := make([]edge, 4)
	for k := range edges {
		edges[k].prior = 0.25
	}
	for _, want := range []index{2, 3, 0, 1, 2} {
		if got := pickOutcome(edges, 2); got != want {
			t.Errorf("equal outcomes: %d comes next, want %d", got, want)
		}
		edges[pickOutcome(edges, 2)].visits++
	}
}

func TestSoftmax(t *testing.T) {
	for x := float32(0); x > -88; x -= 0.0137 {
		got, want := float64(exp(x)), math.Exp(float64(x))
		if x < -87 {
			want = 0
		}
		if d := math.Abs(got - want); d > 3e-7*want {
			t.Fatalf("exp(%g) = %g, want %g: relative error %g", x, got, want, d/want)
		}
	}
	probs := make([]float32, 4)
	softmax(probs, []float32{1e30, float32(math.Inf(-1)), 1e30, -1e30})
	if !slices.Equal(probs, []float32{0.5, 0, 0.5, 0}) {
		t.Errorf("softmax of extreme logits = %v", probs)
	}
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1))} {
		mustPanic(t, "logits are not finite", func() { softmax(probs, []float32{0, bad, 0, 0}) })
	}
}

func TestDirichletMoments(t *testing.T) {
	for _, alpha := range []float64{0.01, 0.3, 1, 4} {
		rng := rand.New(rand.NewPCG(5, uint64(alpha*100)))
		const n, rounds = 6, 40000
		p := make([]float64, n)
		mean, square := 0.0, 0.0
		for range rounds {
			dirichlet(p, alpha, rng)
			sum := 0.0
			for _, x := range p {
				sum += x
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Fatalf("alpha %g: noise sums to %g", alpha, sum)
			}
			mean += p[0] / rounds
			square += p[0] * p[0] / rounds
		}
		wantVar := (n - 1) / (n * n * (n*alpha + 1))
		if got := square - mean*mean; math.Abs(mean-1./n) > 0.01 || math.Abs(got/wantVar-1) > 0.05 {
			t.Errorf("alpha %g: mean %g variance %g, want %g and %g", alpha, mean, got, 1./n, wantVar)
		}
	}
}

func TestValidateJoinsAllProblems(t *testing.T) {
	good := DefaultConfig()
	if err := good.Validate(); err != nil {
		t.Errorf("default configuration: %v", err)
	}
	bad := Config{
		Simulations: 0, CPuct: -1, CPuctBase: math.NaN(), CPuctFactor: math.Inf(1),
		FPUReduction: 3, RootFPUReduction: -1, NoiseFraction: 2, DirichletAlpha: -1,
		DirichletTotal: -1, PendingLeaves: 0, VirtualLoss: -1, Edges: -1,
		Search: "alphabeta", ForcedPlayouts: -1, GumbelActions: 0, GumbelScale: -1, GumbelCVisit: -1, GumbelCScale: math.Inf(1),
		FPU: "none", FPUValue: 2, RootFPUValue: -2,
	}
	err := bad.Validate()
	if err == nil {
		t.Fatal("a configuration of nonsense is valid")
	}
	for _, want := range []string{
		"simulations: 0: want 1 to 4194304", "cpuct: -1:", "cpuct_base: NaN:", "cpuct_factor: +Inf:", "fpu_reduction: 3:",
		"root_fpu_reduction: -1:", "noise_fraction: 2: want 0 to 1", "dirichlet_alpha: -1:", "dirichlet_total: -1:",
		"pending_leaves: 0:", "virtual_loss: -1:", "edges: -1:", "want exactly one above 0",
		`search: "alphabeta": want one of puct, gumbel`, "forced_playouts: -1:", "gumbel_actions: 0:", "gumbel_scale: -1:", "gumbel_cvisit: -1:", "gumbel_cscale: +Inf:",
		`fpu: "none": want one of reduction, absolute`, "fpu_value: 2: want -1 to 1", "root_fpu_value: -2:",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("Validate() does not say %q:\n%v", want, err)
		}
	}
	bad = DefaultConfig()
	bad.CPuct, bad.CPuctFactor = 0, 0
	if err := bad.Validate(); err == nil || !strings.HasPrefix(err.Error(), "cpuct: 0:") {
		t.Errorf("Validate() without exploration = %v", err)
	}
	bad = DefaultConfig()
	bad.Search, bad.GumbelCScale = SearchGumbel, 0
	if err := bad.Validate(); err == nil || !strings.HasPrefix(err.Error(), "gumbel_cscale: 0:") {
		t.Errorf("Validate() of Gumbel without values = %v", err)
	}
}

func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got, _ := recover().(string); !strings.HasPrefix(got, "BUG: ") || !strings.Contains(got, want) {
			t.Errorf("panic %q, want BUG: ... %s", got, want)
		}
	}()
	f()
}
