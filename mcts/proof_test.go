package mcts

import (
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

func TestRecordIs32Bytes(t *testing.T) {
	if n := unsafe.Sizeof(edge{}); n != 32 {
		t.Errorf("an edge takes %d bytes, want 32", n)
	}
}

// between are bounds by their two numbers.
func between(low, high int) bounds { return bounds(low+1) | bounds(1-high)<<2 }

func TestBounds(t *testing.T) {
	for low := -1; low <= 1; low++ {
		for high := low; high <= 1; high++ {
			b := between(low, high)
			if b.low() != float32(low) || b.high() != float32(high) || b.exact() != (low == high) {
				t.Errorf("bounds %d to %d are %g to %g, exact %v", low, high, b.low(), b.high(), b.exact())
			}
			c := (b | hasBounds).view(engine.Second)
			if c.low() != float32(-high) || c.high() != float32(-low) || c&hasBounds == 0 || c.view(engine.Second) != b|hasBounds {
				t.Errorf("bounds %d to %d are %g to %g for the second player", low, high, c.low(), c.high())
			}
			for _, v := range []float32{-1, -0.4, 0, 0.7, 1} {
				if got, want := b.clamp(v), min(max(v, float32(low)), float32(high)); got != want {
					t.Errorf("bounds %d to %d make %g of %g", low, high, got, v)
				}
			}
		}
	}
	if exactBounds(-1) != between(-1, -1) || exactBounds(0) != between(0, 0) || exactBounds(1) != between(1, 1) || between(-1, 1) != 0 {
		t.Error("bounds of certain values are wrong")
	}
}

func TestBoundsCombine(t *testing.T) {
	for _, test := range []struct {
		name                  string
		edges                 []bounds
		first, second, chance bounds
	}{
		{"nothing known", []bounds{0, 0}, 0, 0, 0},
		{"one wins", []bounds{0, exactBounds(1)}, exactBounds(1), between(-1, 1), between(-1, 1)},
		{"one loses", []bounds{exactBounds(-1), 0}, between(-1, 1), exactBounds(-1), between(-1, 1)},
		{"one draws", []bounds{exactBounds(0), 0}, between(0, 1), between(-1, 0), between(-1, 1)},
		{"all win", []bounds{exactBounds(1), exactBounds(1)}, exactBounds(1), exactBounds(1), exactBounds(1)},
		{"all draw", []bounds{exactBounds(0), exactBounds(0)}, exactBounds(0), exactBounds(0), exactBounds(0)},
		{"draw and loss", []bounds{exactBounds(0), exactBounds(-1)}, exactBounds(0), exactBounds(-1), between(-1, 0)},
		{"win and loss", []bounds{exactBounds(1), exactBounds(-1)}, exactBounds(1), exactBounds(-1), between(-1, 1)},
		{"win and draw", []bounds{exactBounds(1), exactBounds(0)}, exactBounds(1), exactBounds(0), between(0, 1)},
		{"at most a draw and a draw", []bounds{between(-1, 0), exactBounds(0)}, exactBounds(0), between(-1, 0), between(-1, 0)},
	} {
		var edges []edge
		for _, b := range test.edges {
			edges = append(edges, edge{proof: b | hasBounds})
		}
		for actor, want := range map[engine.Player]bounds{engine.First: test.first, engine.Second: test.second, engine.Chance: test.chance} {
			if got := combine(actor, edges); got != want {
				t.Errorf("%s, %v acts: bounds %g to %g, want %g to %g", test.name, actor, got.low(), got.high(), want.low(), want.high())
			}
		}
	}
}

// TestProofsSteer: at a node with three edges, visited or not, bounds decide
// where the search goes and what is played.
func TestProofsSteer(t *testing.T) {
	open := bounds(0)
	for _, test := range []struct {
		name   string
		proofs [3]bounds
		visits [3]uint32
		values [3]float32
		want   index // of pick, from 1
		best   engine.Action
		value  float32 // of the root, in the actor's view
		gumbel bool    // Gumbel picks the same
	}{
		// Without proofs: Q decides, 0.5 + 0.6·u/8 against 0.1 + 0.3·u/3.
		{"nothing", [3]bounds{open, open, open}, [3]uint32{7, 2, 1}, [3]float32{0.5, 0.1, 0}, 1, 0, 0.37, false},
		{"a loss is avoided", [3]bounds{exactBounds(-1), open, open}, [3]uint32{7, 2, 1}, [3]float32{0.9, 0.1, -0.5}, 2, 1, 0.55, false},
		{"a win is taken", [3]bounds{open, open, exactBounds(1)}, [3]uint32{7, 2, 1}, [3]float32{0.9, 0.1, -0.5}, 3, 2, 1, false},
		{"all lose", [3]bounds{exactBounds(-1), exactBounds(-1), exactBounds(-1)}, [3]uint32{7, 2, 1}, [3]float32{0.9, 0.1, 0}, 1, 0, -1, true},
		{"a draw is certain", [3]bounds{exactBounds(0), open, exactBounds(-1)}, [3]uint32{7, 2, 1}, [3]float32{-0.9, -0.9, -1}, 1, 0, 0, false},
		{"no more than a draw", [3]bounds{exactBounds(0), between(-1, 0), exactBounds(-1)}, [3]uint32{2, 7, 1}, [3]float32{-0.9, 0.9, -1}, 1, 0, 0, false},
		{"the unvisited is left", [3]bounds{exactBounds(-1), exactBounds(-1), open}, [3]uint32{7, 3, 0}, [3]float32{0.9, 0.1, 0}, 3, 2, 0.6, false},
		// Gumbel: sigma(q) = 0.8q, Q = 0, -0.3 and -0.5: weights 0.6, 0.236, 0.067,
		// pi' = 0.664, 0.261, 0.074, less 3/7, 2/7, 1/7.
		{"a draw is worth 0", [3]bounds{exactBounds(0), open, open}, [3]uint32{3, 2, 1}, [3]float32{-0.9, -0.3, -0.5}, 1, 0, 0, true},
		{"a win is enough", [3]bounds{exactBounds(1), open, open}, [3]uint32{9, 1, 0}, [3]float32{1, 0.1, 0}, 1, 0, 1, true},
		{"a win and the unvisited", [3]bounds{exactBounds(1), open, open}, [3]uint32{1, 9, 0}, [3]float32{1, 0.1, 0}, 1, 0, 1, false},
	} {
		for _, p := range []engine.Player{engine.First, engine.Second} {
			for _, search := range methods {
				cfg := DefaultConfig()
				cfg.Search, cfg.Proven = search, true
				cfg.CPuct, cfg.CPuctFactor = 0.3, 0
				cfg.GumbelCVisit, cfg.GumbelCScale = 1, 0.2
				var sums [3]float32
				for i := range sums {
					sums[i] = test.values[i] * float32(test.visits[i])
				}
				tree := three(cfg, p, 0, [3]float32{0.6, 0.3, 0.1}, test.visits, sums)
				tree.rootActor = p
				n := tree.at(0)
				for i, b := range test.proofs {
					tree.at(index(1 + i)).proof = b.view(p)
					if b != 0 {
						n.proof = hasBounds
					}
				}
				n.proof |= combine(p, tree.children(tree.at(0)))
				tree.prepareRoot()
				if got := tree.Best(); got != test.best {
					t.Errorf("%s, %v acts, %s: best is %d, want %d", test.name, p, search, got, test.best)
				}
				if got := tree.SampleAction(1e-3, newRNG(1)); got != test.best {
					t.Errorf("%s, %v acts, %s: drew %d, want %d", test.name, p, search, got, test.best)
				}
				low, high := tree.Bounds()
				if got := tree.RootValue(); search == SearchPUCT && math.Abs(float64(got-test.value)) > 0.05 || got < low || got > high {
					t.Errorf("%s, %v acts, %s: value %g, want %g", test.name, p, search, got, test.value)
				}
				var barred [3]bool
				for a, x := range tree.Target(nil) {
					barred[a] = tree.provenWorse(engine.Action(a))
					if barred[a] && x != 0 {
						t.Errorf("%s, %v acts, %s: target of %d is %g", test.name, p, search, a, x)
					}
				}
				if line := tree.PrincipalVariation(nil); len(line) > 0 && barred[line[0]] {
					t.Errorf("%s, %v acts, %s: the line begins with %d, which is proven worse", test.name, p, search, line[0])
				}
				if got := below(tree).pick(3) - 3; got != test.want && (search == SearchPUCT || test.gumbel) {
					t.Errorf("%s, %v acts, %s: pick = edge %d, want %d", test.name, p, search, got, test.want)
				} else if barred[got-1] {
					t.Errorf("%s, %v acts, %s: pick = edge %d, which is proven worse", test.name, p, search, got)
				}
			}
		}
	}
}

// TestProvenLossesAreNotCompared: a Gumbel root leaves out what is proven to
// lose, whether that is known before the halving or during it, and turns to
// other actions if nothing is left.
func TestProvenLossesAreNotCompared(t *testing.T) {
	for _, actions := range []int{1, 2, 3} {
		for _, after := range []int{0, 2} {
			cfg := DefaultConfig()
			cfg.Search, cfg.Proven, cfg.GumbelActions = SearchGumbel, true, actions
			tree := three(cfg, engine.Second, 0, [3]float32{0.6, 0.3, 0.1}, [3]uint32{2, 1, 0}, [3]float32{1, 0.5, 0})
			tree.budget = 50
			tree.prepareRoot()
			var visits [4]int
			for n := range 30 {
				if n == after {
					tree.at(1).proof = exactBounds(1) // the first player wins
					tree.at(0).proof = hasBounds | combine(engine.Second, tree.children(tree.at(0)))
				}
				i := tree.pick(0)
				if n >= after {
					visits[i]++
				}
				for _, k := range []index{0, i} {
					tree.at(k).visits++
				}
			}
			if visits[1] > 0 || visits[0] > 0 || visits[2] < 10 {
				t.Errorf("%d compared, a loss after %d visits: then %v visits", actions, after, visits[1:])
			}
			if a := tree.Best(); a == 0 {
				t.Errorf("%d compared, a loss after %d visits: it is the best", actions, after)
			}
		}
	}
}

func TestProvenLossesAreNotForced(t *testing.T) {
	cfg := DefaultConfig()
	cfg.CPuct, cfg.CPuctFactor, cfg.ForcedPlayouts, cfg.Proven = 1, 0, 2, true
	tree := three(cfg, engine.First, 0, [3]float32{0.5, 0.3, 0.2}, [3]uint32{10, 4, 1}, [3]float32{10, -4, -1})
	tree.exploratory = true
	if got := tree.pick(0); got != 3 {
		t.Errorf("pick = edge %d, want 3, which is to be forced", got)
	}
	tree.at(3).proof = exactBounds(-1)
	tree.at(0).proof = hasBounds
	if got := tree.pick(0); got != 1 {
		t.Errorf("pick = edge %d, want 1, since 3 is lost", got)
	}
}

// checkProofs walks the tree behind edge i, where s is, and holds its bounds to
// the solver's values and to those of its edges.
func checkProofs(tb testing.TB, g engine.Game, t *Tree, i index, s engine.State, memo map[string]float64) (settled int) {
	tb.Helper()
	e := t.at(i)
	if v := float32(enginetest.Solve(g, s, memo)); v < e.proof.low()-1e-6 || v > e.proof.high()+1e-6 {
		tb.Fatalf("%s %s: bounds %g to %g, want %g in them", g.Info().Name, s.AppendPosition(nil), e.proof.low(), e.proof.high(), v)
	}
	if e.proof.exact() {
		settled++
	}
	if e.count == 0 {
		return settled
	}
	edges := t.children(e)
	if want := combine(e.actor, edges); e.proof&^hasBounds != want {
		tb.Fatalf("%s %s: bounds %g to %g, the edges give %g to %g", g.Info().Name, s.AppendPosition(nil), e.proof.low(), e.proof.high(), want.low(), want.high())
	}
	next := g.NewState()
	for k := range edges {
		if edges[k].visits == 0 {
			if edges[k].proof != 0 {
				tb.Fatalf("edge %d was not visited and has bounds", int(e.first)+k)
			}
			continue
		}
		next.CopyFrom(s)
		next.Apply(edges[k].action(), nil)
		settled += checkProofs(tb, g, t, e.first+index(k), next, memo)
	}
	return settled
}

// TestProofsAgreeWithSolver searches along random lines of games that can be
// solved: everything proven is true, and enough is.
func TestProofsAgreeWithSolver(t *testing.T) {
	for _, test := range []struct {
		game        engine.Game
		simulations int
		solved      float64 // least share of decisions whose result is to be proven
	}{
		{game(t, &tictactoe.Family), 1500, 0.6},
		{racegame.New(), 1500, 0.1}, // dice leave few results certain
		{pienim.New(""), 3000, 0.6},
		{pienim.New("height=2"), 3000, 0.6},
	} {
		for _, search := range methods {
			for _, limits := range []struct{ pending, room int }{{1, 0}, {5, 0}, {2, 300}} {
				g, pending := test.game, limits.pending
				cfg := DefaultConfig()
				cfg.Search, cfg.Proven, cfg.PendingLeaves, cfg.Edges = search, true, pending, limits.room
				cfg.Simulations, cfg.CountReused = test.simulations, true
				tree := must(New(g, cfg))
				rng := newRNG(3)
				memo := map[string]float64{}
				child := g.NewState()
				proven, decisions, settled := 0, 0, 0
				for range 6 {
					s, h := start(g)
					tree.Reset(Root{State: s, History: h, Rand: rng})
					for s.Actor() != engine.Nobody {
						run(t, g, tree, Uniform{})
						checkTree(t, tree, limits.room > 0)
						settled += checkProofs(t, g, tree, 0, s, memo)
						var a engine.Action
						if s.Actor() == engine.Chance {
							a = engine.Draw(s.Chance(nil), rng.Float64())
						} else {
							legal := s.Legal(nil, h)
							a = legal[rng.IntN(len(legal))]
							decisions++
							if low, high := tree.Bounds(); low == high {
								proven++
								child.CopyFrom(s)
								child.Apply(tree.Best(), nil)
								want := view(float32(enginetest.Solve(g, s, memo)), s.Actor())
								if got := view(float32(enginetest.Solve(g, child, memo)), s.Actor()); got != want || low != want || tree.RootValue() != want {
									t.Errorf("%s %s: best has %g, proven %g, value %g, want %g", g.Info().Name, s.AppendPosition(nil), got, low, tree.RootValue(), want)
								}
							}
						}
						s.Apply(a, h)
						tree.Advance(a)
					}
				}
				t.Logf("%s %s, %s, %d pending: %d of %d decisions proven, %d positions", g.Info().Name, g.Rules(), search, pending, proven, decisions, settled)
				if limits.room == 0 && float64(proven) < test.solved*float64(decisions) {
					t.Errorf("%s %s, %s, %d pending: %d of %d decisions proven, want a share of %g", g.Info().Name, g.Rules(), search, pending, proven, decisions, test.solved)
				}
			}
		}
	}
}

// TestProvenSearchEnds: a win in one is proven at once and leaves the rest of
// the budget unused; the target is the winning move alone.
func TestProvenSearchEnds(t *testing.T) {
	g := game(t, &connect4.Family)
	for _, search := range methods {
		cfg := DefaultConfig()
		cfg.Search, cfg.Proven, cfg.GumbelScale, cfg.NoiseFraction = search, true, 1, 0.25
		tree := must(New(g, cfg))
		s, h := start(g)
		for _, a := range []engine.Action{3, 0, 3, 0, 3, 1} {
			s.Apply(a, h)
		}
		tree.Reset(Root{State: s, History: h, Rand: newRNG(1)})
		run(t, g, tree, Uniform{})
		if st := tree.Stats(); st.Simulations > 100 || tree.RootValue() != 1 || tree.Best() != 3 || !slices.Equal(tree.PrincipalVariation(nil), []engine.Action{3}) {
			t.Errorf("%s: %+v, value %g, best %d, line %v", search, st, tree.RootValue(), tree.Best(), tree.PrincipalVariation(nil))
		}
		if target := tree.Target(nil); target[3] < 0.99 {
			t.Errorf("%s: target %v, want all of it on 3", search, target)
		}
		if got := tree.NetworkValue(); got != 0 {
			t.Errorf("%s: value of the network is %g, want 0", search, got)
		}
	}
}

// shuffle is a game of one line of play: two positions in turn, until one of
// them is there for the third time, a draw, or until the first player wins in
// the sixth turn.
type shuffle struct {
	engine.Game
	info engine.Info
}

type shuffleState struct {
	engine.State
	turn  int
	drawn bool
}

func (g *shuffle) Info() *engine.Info          { return &g.info }
func (g *shuffle) NewHistory() *engine.History { return engine.NewHistory(1) }
func (g *shuffle) NewState() engine.State      { return &shuffleState{} }

func (s *shuffleState) CopyFrom(src engine.State) { *s = *src.(*shuffleState) }
func (s *shuffleState) Actor() engine.Player {
	if s.Outcome().Over {
		return engine.Nobody
	}
	return engine.Player(s.turn % 2)
}

func (s *shuffleState) Outcome() engine.Outcome {
	switch {
	case s.drawn:
		return engine.Outcome{Over: true, Winner: engine.Nobody}
	case s.turn >= 6:
		return engine.Outcome{Over: true, Winner: engine.First}
	}
	return engine.Outcome{}
}

func (s *shuffleState) Legal(dst []engine.Action, _ *engine.History) []engine.Action {
	return append(dst, 0)
}

func (s *shuffleState) Apply(_ engine.Action, h *engine.History) {
	s.turn++
	key := uint64(s.turn % 2)
	s.drawn = h.Push(key, []uint64{key}) == 3
}

// TestDrawsByRepetitionHoldForTheirLine: the same position is a draw or a win
// depending on what was played before, and what is proven goes on to hold when
// a move of the tree is played.
func TestDrawsByRepetitionHoldForTheirLine(t *testing.T) {
	g := &shuffle{info: engine.Info{Name: "shuffle", NumActions: 1, MaxLegal: 1}}
	cfg := DefaultConfig()
	cfg.Proven, cfg.Simulations, cfg.CountReused = true, 50, true
	for _, test := range []struct {
		past  []uint64 // before the start, which is position 0
		none  bool     // no repetition rule
		ends  int      // the turn in which the game ends
		value float32
	}{
		{nil, false, 4, 0},
		{[]uint64{0, 1}, false, 2, 0},
		{[]uint64{1, 1}, false, 1, 0},
		{[]uint64{1, 7}, false, 3, 0},
		{nil, true, 6, 1},
	} {
		tree := must(New(g, cfg))
		s, h := g.NewState(), g.NewHistory()
		for _, key := range append(test.past, 0) {
			h.Push(key, []uint64{key})
		}
		if test.none {
			h = nil
		}
		tree.Reset(Root{State: s, History: h})
		run(t, g, tree, Uniform{})
		for turn := range test.ends {
			want := view(test.value, s.Actor())
			if low, high := tree.Bounds(); low != want || high != want || !tree.Done() {
				t.Errorf("past %v, turn %d: bounds %g to %g, want %g", test.past, turn, low, high, want)
			}
			s.Apply(0, h)
			tree.Advance(0)
		}
		if !s.Outcome().Over || tree.RootState().Actor() != engine.Nobody {
			t.Errorf("past %v: the game goes on after turn %d", test.past, test.ends)
		}
	}
}

// TestKnow tells trees what an action of the root leads to. A loss is not visited again
// and not played; a win is played at once; with the root both are forgotten.
func TestKnow(t *testing.T) {
	for seed := range uint64(40) {
		g := newRandomGame(seed, 10, seed%3 == 0)
		cfg := DefaultConfig()
		cfg.Simulations, cfg.Search, cfg.Proven = 200, methods[seed%2], seed%4 < 2
		tree := must(New(g, cfg))
		s, h := start(g)
		tree.Reset(Root{State: s, History: h, Rand: newRNG(seed), Search: Search{Simulations: 1}})
		run(t, g, tree, hashEvaluator{})
		list := slices.Clone(tree.rootActions)
		if len(list) < 3 {
			continue
		}
		bad := list[int(seed)%len(list)]
		tree.Know(bad, -1)
		tree.SetBudget(200)
		run(t, g, tree, hashEvaluator{})
		if visits := tree.at(tree.child(bad)).visits; visits > 1 {
			t.Errorf("game %d: %d visits of a loss", seed, visits)
		}
		if tree.Best() == bad && tree.RootValue() > -1 {
			t.Errorf("game %d: plays a loss", seed)
		}
		low, high := tree.Bounds()
		if low == high {
			continue // proven by the search
		}
		good := list[(int(seed)+1)%len(list)]
		if b := tree.at(tree.child(good)).proof; b.low() > -1 || b.high() < 1 {
			continue // the search knows better
		}
		tree.SetBudget(400)
		tree.Know(good, 1)
		if low, high := tree.Bounds(); !tree.Done() || tree.Best() != good || tree.RootValue() != 1 || low != 1 || high != 1 {
			t.Errorf("game %d: done %v, plays %d for %g, want the win %d", seed, tree.Done(), tree.Best(), tree.RootValue(), good)
		}
		proven := tree.at(tree.child(good))
		if proven.count == 0 {
			continue
		}
		tree.Advance(good)
		if low, high := tree.Bounds(); tree.RootState().Actor() != engine.Nobody && low == high {
			t.Errorf("game %d: after the move [%g, %g] is still known", seed, low, high)
		}
		run(t, g, tree, hashEvaluator{})
		checkTree(t, tree, false)
	}
}

// What Know says of an action of the root is of no edge behind it, whether that action wins
// or loses and whoever acts after it: the line after it stays the same.
func TestKnowKeepsTheLine(t *testing.T) {
	lines := 0
	for seed := range uint64(40) {
		g := newRandomGame(seed, 10, seed%3 == 0)
		cfg := DefaultConfig()
		cfg.Simulations, cfg.Proven = 200, seed%4 < 2
		tree := must(New(g, cfg))
		s, h := start(g)
		tree.Reset(Root{State: s, History: h, Rand: newRNG(seed)})
		run(t, g, tree, hashEvaluator{})
		for _, a := range tree.rootActions {
			e := tree.at(tree.child(a))
			if e.count == 0 || e.proof&^hasBounds != 0 {
				continue
			}
			want := tree.Variation(nil, a)
			for _, value := range []int{-1, 1} {
				before := e.proof
				tree.Know(a, value)
				if got := tree.Variation(nil, a); !slices.Equal(got, want) {
					t.Errorf("game %d: known as %d, the line of %d is %d, want %d", seed, value, a, got, want)
				}
				e.proof = before
				lines++
			}
		}
	}
	if lines < 50 {
		t.Errorf("%d lines compared", lines)
	}
}
