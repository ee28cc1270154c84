package mcts

import (
	"math"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

func game(tb testing.TB, f *engine.Family) engine.Game {
	tb.Helper()
	g, err := f.Parse("")
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

var methods = []string{SearchPUCT, SearchGumbel}

// TestForcedWinsAreFound searches positions with one good action.
func TestForcedWinsAreFound(t *testing.T) {
	for _, test := range []struct {
		family *engine.Family
		line   []engine.Action
		want   engine.Action
		value  float32 // at least, in the view of the player to act
	}{
		{&connect4.Family, []engine.Action{3, 0, 3, 0, 3, 1}, 3, 0.9},    // four in a column
		{&connect4.Family, []engine.Action{3, 0, 3, 0, 3}, 3, -1},        // block it
		{&connect4.Family, []engine.Action{3, 6, 2, 0}, 4, 0.7},          // three with two open ends
		{&connect4.Family, []engine.Action{0, 3, 0, 3, 6, 3, 6}, 3, 0.9}, // second player wins
		{&tictactoe.Family, []engine.Action{0, 1, 4, 2}, 8, 0.9},         // a line
		{&tictactoe.Family, []engine.Action{0, 1, 4}, 8, -1},             // block it
		{&tictactoe.Family, []engine.Action{0, 1, 4, 8, 3, 5}, 6, 0.9},   // a line, two on offer
	} {
		for _, search := range methods {
			testForcedWin(t, search, test.family, test.line, test.want, test.value)
		}
	}
}

func testForcedWin(t *testing.T, search string, family *engine.Family, line []engine.Action, want engine.Action, value float32) {
	t.Helper()
	g := game(t, family)
	s, h := start(g)
	for _, a := range line {
		s.Apply(a, h)
	}
	cfg := DefaultConfig()
	cfg.Search = search
	tree := must(New(g, cfg))
	tree.Reset(Root{State: s, History: h})
	run(t, g, tree, Uniform{})
	checkTree(t, tree, false)
	if got := tree.Best(); got != want {
		t.Errorf("%s, %s after %v: best is %d, want %d (%v)", search, g.Info().Name, line, got, want, tree.Root(nil))
	}
	if got := tree.RootValue(); got < value {
		t.Errorf("%s, %s after %v: value %g, want at least %g", search, g.Info().Name, line, got, value)
	}
	for _, r := range tree.Root(nil) {
		if r.Action == want && r.Value < value {
			t.Errorf("%s, %s after %v: value of %d is %g, want at least %g", search, g.Info().Name, line, r.Action, r.Value, value)
		}
	}
	if pv := tree.PrincipalVariation(nil); len(pv) == 0 || pv[0] != want {
		t.Errorf("%s, %s after %v: principal variation %v, want %d first", search, g.Info().Name, line, pv, want)
	}
}

// TestValuesAgreeWithSolver plays random lines of games that can be solved and
// holds the search to the exact value at every position: second moves of one
// player, swaps of sides, dice.
func TestValuesAgreeWithSolver(t *testing.T) {
	for _, test := range []struct {
		game        engine.Game
		games       int
		simulations int
		tolerance   float64
	}{
		{game(t, &tictactoe.Family), 2, 10000, 0.15},
		{racegame.New(), 6, 10000, 0.12},
		{pienim.New(""), 2, 50000, 0.15},
		{pienim.New("height=2"), 6, 20000, 0.15},
	} {
		g := test.game
		cfg := DefaultConfig()
		cfg.Simulations, cfg.CountReused = test.simulations, true
		cfg.CPuct, cfg.CPuctFactor = 0.7, 0
		tree := must(New(g, cfg))
		rng := newRNG(3)
		memo := map[string]float64{}
		child := g.NewState()
		for n := range test.games {
			s, h := start(g)
			tree.Reset(Root{State: s, History: h, Rand: rng})
			for s.Actor() != engine.Nobody {
				run(t, g, tree, Uniform{})
				checkTree(t, tree, false)
				p, want := s.Actor(), enginetest.Solve(g, s, memo)
				if p == engine.Second {
					want = -want
				}
				if got := float64(tree.RootValue()); math.Abs(got-want) > test.tolerance {
					t.Errorf("%s %s, game %d, %s: value %.3f, want %.3f", g.Info().Name, g.Rules(), n, s.AppendPosition(nil), got, want)
				}
				var a engine.Action
				if p == engine.Chance {
					outcomes := s.Chance(nil)
					a = outcomes[rng.IntN(len(outcomes))].Code
				} else {
					child.CopyFrom(s)
					child.Apply(tree.Best(), nil)
					after := enginetest.Solve(g, child, memo)
					if p == engine.Second {
						after = -after
					}
					if after < want-0.1 {
						t.Errorf("%s %s, game %d, %s: best has value %.3f, want %.3f", g.Info().Name, g.Rules(), n, s.AppendPosition(nil), after, want)
					}
					legal := s.Legal(nil, h)
					a = legal[rng.IntN(len(legal))]
				}
				s.Apply(a, h)
				tree.Advance(a)
			}
		}
	}
}

// TestSameSeedSameTree plays games with noise and sampled actions twice.
func TestSameSeedSameTree(t *testing.T) {
	play := func(search string, seed uint64) (edges []edge, actions []engine.Action) {
		g := racegame.New()
		cfg := DefaultConfig()
		cfg.Search, cfg.GumbelScale = search, 1
		cfg.Simulations, cfg.NoiseFraction = 60, 0.25
		tree := must(New(g, cfg))
		rng := newRNG(seed)
		s, h := start(g)
		tree.Reset(Root{State: s, History: h, Rand: rng})
		for s.Actor() != engine.Nobody {
			run(t, g, tree, Uniform{})
			edges = append(edges, tree.chunks[0]...)
			a := engine.Action(0)
			if s.Actor() == engine.Chance {
				outcomes := s.Chance(nil)
				a = outcomes[rng.IntN(len(outcomes))].Code
			} else {
				a = tree.SampleAction(1, rng)
			}
			actions = append(actions, a)
			s.Apply(a, h)
			tree.Advance(a)
		}
		return edges, actions
	}
	for _, search := range methods {
		edges, actions := play(search, 1)
		again, actionsAgain := play(search, 1)
		if !slices.Equal(edges, again) || !slices.Equal(actions, actionsAgain) {
			t.Errorf("%s: two runs of one seed differ", search)
		}
		if other, _ := play(search, 2); slices.Equal(edges, other) {
			t.Errorf("%s: runs of two seeds are the same", search)
		}
	}
}

// TestNoiseOnlyAtRoot compares all priors of a tree with noise, advanced
// twice, with those of the evaluator.
func TestNoiseOnlyAtRoot(t *testing.T) {
	g := newRandomGame(1, 12, false) // five actions at the root, and no end soon
	for _, total := range []bool{false, true} {
		cfg := DefaultConfig()
		cfg.Simulations, cfg.NoiseFraction, cfg.DirichletAlpha, cfg.DirichletTotal = 300, 0.25, 0.5, 0
		if total {
			cfg.DirichletAlpha, cfg.DirichletTotal = 0, 5
		}
		tree := must(New(g, cfg))
		s, h := start(g)
		tree.Reset(Root{State: s, History: h, Rand: newRNG(1)})
		for range 20 { // whatever the noise, the best prior stands in front
			tree.Reset(Root{State: s, History: h, Rand: tree.rng})
			tree.SetBudget(1)
			run(t, g, tree, hashEvaluator{coarse: true})
			checkTree(t, tree, false)
		}
		tree.Reset(Root{State: s, History: h, Rand: tree.rng})
		for range 3 {
			run(t, g, tree, hashEvaluator{})
			checkTree(t, tree, false)
			comparePriors(t, g, tree, 0, s, 0.25)
			a := tree.Best()
			tree.Advance(a)
			s.Apply(a, h)
			checkTree(t, tree, false)
			if n := tree.used(); n < 20 {
				t.Fatalf("%d edges were kept: too few for this test", n)
			}
			comparePriors(t, g, tree, 0, s, 0.25)
		}
	}
}

// TestCheapSearchHasNoNoise switches the noise of roots off, on and off again,
// before and after they are expanded.
func TestCheapSearchHasNoNoise(t *testing.T) {
	g := newRandomGame(1, 12, false)
	cfg := DefaultConfig()
	cfg.Simulations = 200
	quiet := must(New(g, cfg))
	cfg.NoiseFraction = 0.25
	tree := must(New(g, cfg))
	s, h := start(g)
	quiet.Reset(Root{State: s, History: h})
	tree.Reset(Root{State: s, History: h, Rand: newRNG(1)})
	for ply := range 3 {
		for _, exploratory := range []bool{false, true, false} {
			tree.SetSearch(Search{Simulations: 100, NoExploration: !exploratory})
			checkTree(t, tree, false)
			if ply > 0 && exploratory {
				comparePriors(t, g, tree, 0, s, 0.25)
			}
		}
		quiet.SetBudget(100)
		run(t, g, quiet, hashEvaluator{})
		run(t, g, tree, hashEvaluator{})
		if st := tree.Stats(); st.Simulations != 100 {
			t.Errorf("ply %d: %d simulations, want 100", ply, st.Simulations)
		}
		if got, want := tree.Root(nil), quiet.Root(nil); !slices.Equal(got, want) {
			t.Errorf("ply %d: a search whose noise is off finds %v, one without noise %v", ply, got, want)
		}
		a := tree.Best()
		s.Apply(a, h)
		tree.Advance(a)
		quiet.Advance(a)
	}
	run(t, g, tree, hashEvaluator{})
	comparePriors(t, g, tree, 0, s, 0.25) // the next root has noise again
	if st := tree.Stats(); st.Simulations != 200 {
		t.Errorf("%d simulations, want the configured 200", st.Simulations)
	}
}

// comparePriors holds the priors below edge i, where s is, to the evaluator's:
// exactly, but at the root with noise of weight w.
func comparePriors(t *testing.T, g engine.Game, tree *Tree, i index, s engine.State, w float64) {
	t.Helper()
	e := tree.at(i)
	if e.count == 0 {
		return
	}
	legal := s.Legal(nil, nil)
	logits, priors := make([]float32, len(legal)), make([]float32, len(legal))
	hashEvaluator{}.judge(s.(*randomState), logits)
	softmax(priors, logits)
	sum, moved := 0.0, 0.0
	for k := e.first; k < e.first+index(e.count); k++ {
		c := tree.at(k)
		at := slices.Index(legal, c.action())
		d := math.Abs(float64(c.prior - priors[at]))
		switch {
		case i > 0 && d != 0:
			t.Fatalf("prior below the root is %g, want %g", c.prior, priors[at])
		case i == 0 && (float64(c.prior) < (1-w)*float64(priors[at])-1e-6 || d > w):
			t.Fatalf("prior at the root is %g, without noise %g", c.prior, priors[at])
		}
		sum, moved = sum+float64(c.prior), moved+d
		if c.count > 0 {
			next := g.NewState()
			next.CopyFrom(s)
			next.Apply(c.action(), nil)
			comparePriors(t, g, tree, k, next, w)
		}
	}
	if math.Abs(sum-1) > 1e-5 {
		t.Fatalf("priors sum to %g", sum)
	}
	if i > 0 {
		return
	}
	if moved == 0 && len(legal) > 1 {
		t.Fatal("no noise at the root")
	}
	for at, r := range tree.Root(nil) {
		if r.Action != legal[at] || r.Prior != priors[at] {
			t.Fatalf("Root()[%d] = %+v, want action %d with prior %g, without noise", at, r, legal[at], priors[at])
		}
	}
}

// TestPendingLeavesAddUp collects and backs up in every rhythm.
func TestPendingLeavesAddUp(t *testing.T) {
	for seed := range uint64(20) {
		g := newRandomGame(seed, 12, seed%2 == 0)
		cfg := DefaultConfig()
		cfg.Search = methods[seed/2%2]
		cfg.Simulations, cfg.PendingLeaves, cfg.VirtualLoss = 500, 8, float64(seed%3)
		tree := must(New(g, cfg))
		s, h := start(g)
		rng := newRNG(seed)
		tree.Reset(Root{State: s, History: h, Rand: rng})
		var pending []Leaf
		most := 0
		for !tree.Done() {
			some := make([]Leaf, 1+rng.IntN(8))
			n := tree.Collect(some)
			if n == 0 && len(pending) == 0 && !tree.Done() {
				t.Fatalf("game %d: nothing pending, nothing to collect, not done", seed)
			}
			pending = append(pending, some[:n]...)
			most = max(most, len(pending))
			for range rng.IntN(len(pending) + 1) {
				k := rng.IntN(len(pending))
				l := pending[k]
				logits := make([]float32, len(l.Actions))
				value := hashEvaluator{}.judge(l.State.(*randomState), logits)
				if want := l.State.Legal(nil, nil); !slices.Equal(want, l.Actions) {
					t.Fatalf("game %d: a pending leaf has actions %v, want %v", seed, l.Actions, want)
				}
				tree.Backup(&l, logits, Evaluation{Value: value})
				pending = slices.Delete(pending, k, k+1)
			}
		}
		if st := tree.Stats(); st.Simulations != 500 || st.RootVisits != 500 || len(pending) > 0 {
			t.Errorf("game %d: %+v and %d pending after 500 simulations", seed, st, len(pending))
		}
		if tree.used() > 100 && (most < 4 || most > 8) {
			t.Errorf("game %d: at most %d leaves were pending, want 4 to 8", seed, most)
		}
		checkTree(t, tree, false)
	}
}

// TestFullTreeGoesOn gives the tree room for a few positions only.
func TestFullTreeGoesOn(t *testing.T) {
	for seed := range uint64(20) {
		g := newRandomGame(seed, 12, seed%2 == 0)
		cfg := DefaultConfig()
		cfg.Search = methods[seed/2%2]
		cfg.Simulations, cfg.Edges = 600, 40
		tree := must(New(g, cfg))
		s, h := start(g)
		tree.Reset(Root{State: s, History: h, Rand: newRNG(seed)})
		for s.Actor() != engine.Nobody {
			run(t, g, tree, hashEvaluator{})
			checkTree(t, tree, true)
			st := tree.Stats()
			if st.Edges > st.Room || st.Room != 40 || st.Simulations != 600 {
				t.Fatalf("game %d: %+v after 600 simulations with room for 40 edges", seed, st)
			}
			if s.(*randomState).depth == 0 && !st.Full {
				t.Errorf("game %d: the tree is not full: %+v", seed, st)
			}
			legal := []engine.Action{0}
			if s.Actor() != engine.Chance {
				legal = s.Legal(nil, h)
				want := hashEvaluator{}.judge(s.(*randomState), make([]float32, len(legal)))
				if got := tree.NetworkValue(); math.Abs(float64(got-want)) > 1e-4 {
					t.Errorf("game %d: the network's value of the root is %g, want %g", seed, got, want)
				}
			}
			s.Apply(legal[0], h)
			tree.Advance(legal[0])
			checkTree(t, tree, true)
			if tree.Stats().Full {
				t.Fatalf("game %d: the tree is full before the search", seed)
			}
			for i, e := range tree.chunks[0] {
				if e.count == 0 && (e.actor == engine.First || e.actor == engine.Second) {
					t.Fatalf("game %d: edge %d will not be expanded though there is room", seed, i)
				}
			}
		}
		s.Start(h)
		tree.Reset(Root{State: s, History: h, Rand: newRNG(seed)})
		tree.SetBudget(3)
		run(t, g, tree, hashEvaluator{})
		checkTree(t, tree, false)
		for i, e := range tree.chunks[0] {
			if e.count == 0 && e.visits > 0 && e.actor != engine.Nobody {
				t.Fatalf("game %d: edge %d was not expanded though there is room", seed, i)
			}
		}
	}
}

func TestNothingAllocates(t *testing.T) {
	for _, test := range []struct {
		game    engine.Game
		pending int
		search  string
	}{
		{racegame.New(), 1, SearchPUCT}, {racegame.New(), 4, SearchPUCT}, {game(t, &connect4.Family), 1, SearchPUCT}, {game(t, &konreh.Family), 1, SearchPUCT},
		{racegame.New(), 1, SearchGumbel}, {racegame.New(), 4, SearchGumbel}, {game(t, &konreh.Family), 4, SearchGumbel},
	} {
		g, pending := test.game, test.pending
		cfg := DefaultConfig()
		cfg.Search, cfg.GumbelScale, cfg.ForcedPlayouts, cfg.Proven = test.search, 1, 2, true
		cfg.Simulations, cfg.NoiseFraction, cfg.PendingLeaves = 100, 0.25, pending
		if pending > 1 {
			cfg.Tuning = Tuning{Contempt: 0.1, Spread: 0.5, MovesLeft: 0.1, LowerBound: true, Bias: 0.4}
		}
		tree := must(New(g, cfg))
		r := NewRunner(g, Uniform{}, pending)
		s, h := start(g)
		rng := newRNG(1)
		target := make([]float32, 0, g.Info().MaxLegal)
		root := make([]RootAction, 0, g.Info().MaxLegal)
		pv, draw := make([]engine.Action, 0, 100), float32(0)
		play := func() {
			tree.Reset(Root{State: s, History: h, Rand: rng})
			for ply := range 4 {
				tree.SetSearch(Search{Simulations: 100, NoExploration: ply == 2})
				if err := r.Run(tree); err != nil {
					t.Fatal(err)
				}
				a := engine.Action(2) // what either die can show
				if tree.RootState().Actor() != engine.Chance {
					target, root = tree.Target(target[:0]), tree.Root(root[:0])
					a = tree.SampleAction(0.8, rng)
				}
				pv, draw = tree.PrincipalVariation(pv[:0]), tree.RootDraw()
				tree.Advance(a)
			}
		}
		if n := testing.AllocsPerRun(20, play); n != 0 || !(draw >= 0 && draw <= 1) {
			t.Errorf("%s, %s, %d pending: %g allocations a game, a draw is %g", test.search, g.Info().Name, pending, n, draw)
		}
	}
}
