package mcts

import (
	"fmt"
	"math"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// tunedThree is three with moments of the root and its edges, whose exploration is too
// small to matter unless cfg says so.
func tunedThree(cfg Config, p engine.Player, visits [3]uint32, values [3]float32, moments [4]moment) *Tree {
	sums := [3]float32{}
	for a := range sums {
		sums[a] = values[a] * float32(visits[a])
	}
	t := three(cfg, p, 0.5, [3]float32{0.4, 0.35, 0.25}, visits, sums)
	t.keepMoments()
	copy(t.moments[0], moments[:])
	t.rootActor = p
	t.contempt = float32(cfg.Tuning.Contempt)
	t.tuned, t.plain = true, false
	return t
}

// faint is a configuration in which values decide alone.
func faint(tuning Tuning) Config {
	cfg := DefaultConfig()
	cfg.CPuct, cfg.CPuctFactor, cfg.Tuning = 1e-6, 0, tuning
	return cfg
}

// TestContemptByHand: edge 0 is worth 0.1 and edge 1 0.2, with 0.6 draws in one of them.
// With a contempt of 0.25 those lower its value by 0.15 for the player at the root and
// raise it by as much for the opponent.
func TestContemptByHand(t *testing.T) {
	for _, p := range []engine.Player{engine.First, engine.Second} {
		for _, test := range []struct {
			name     string
			contempt float64
			draws    [2]float32 // mean of edges 0 and 1
			proof    bounds     // of edge 1
			opponent bool       // who acts is not the player at the root
			want     index
		}{
			{"none", 0, [2]float32{0, 0.6}, 0, false, 2},
			{"own", 0.25, [2]float32{0, 0.6}, 0, false, 1},
			{"own, where no draw is likely", 0.25, [2]float32{0, 0.1}, 0, false, 2},
			{"opponent", 0.25, [2]float32{0, 0.6}, 0, true, 2},
			{"opponent, who wants the draw", 0.25, [2]float32{0.6, 0}, 0, true, 1},
			{"a proven draw", 0.25, [2]float32{0, 0.1}, exactBounds(0), false, 1},
			{"a proven draw for the opponent", 0.25, [2]float32{0, 0}, exactBounds(0), true, 2},
		} {
			cfg := faint(Tuning{Contempt: test.contempt})
			tree := tunedThree(cfg, p, [3]uint32{4, 4, 0}, [3]float32{0.1, 0.2, 0}, [4]moment{{}, {draws: 4 * test.draws[0]}, {draws: 4 * test.draws[1]}})
			tree.at(2).proof = test.proof
			if test.proof != 0 {
				tree.at(0).proof = hasBounds
			}
			// An unvisited edge counts nothing here.
			tree.rootFPU = firstPlay{absolute: true, value: -1}
			if test.opponent {
				tree.rootActor = p.Other()
			}
			if got := tree.pick(0); got != test.want {
				t.Errorf("%s, %v acts: pick = edge %d, want %d", test.name, p, got, test.want)
			}
		}
	}
}

// TestContemptBelow: an unvisited edge takes the value of its position with contempt:
// 0.5 less 0.25·0.8 is less than the 0.4 of an edge without draws, which 0.5 is not.
func TestContemptBelow(t *testing.T) {
	for contempt, want := range map[float64]index{0: 2, 0.25: 1} {
		cfg := faint(Tuning{Contempt: contempt})
		cfg.RootFPUReduction = 0
		tree := tunedThree(cfg, engine.First, [3]uint32{4}, [3]float32{0.4}, [4]moment{{draws: 4}})
		tree.at(0).sum = 0.5 * 5
		if got := tree.pick(0); got != want {
			t.Errorf("contempt %g: pick = edge %d, want %d", contempt, got, want)
		}
	}
}

// TestContemptIsForGames: it is off at once in an analysis, and on again after it.
func TestContemptIsForGames(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Tuning.Contempt = 0.25
	g := newRandomGame(3, 6, false)
	tree := must(New(g, cfg))
	s, h := start(g)
	for _, off := range []bool{true, false} {
		tree.Reset(Root{State: s, History: h, Search: Search{NoContempt: off}})
		if got := tree.contempt == 0; got != off {
			t.Errorf("NoContempt %v: contempt %g", off, tree.contempt)
		}
	}
	tree.SetSearch(Search{NoContempt: true})
	run(t, g, tree, hashEvaluator{})
	tree.Advance(tree.Best())
	if tree.rootActor != engine.Chance && tree.contempt != 0.25 {
		t.Errorf("after an analysis and a move contempt is %g, want 0.25", tree.contempt)
	}
}

// TestSpreadByHand: four values with the mean 0.5 and the mean square 0.25 or 1, with
// the prior 0.25 + 0.16 = 0.41 of the weight 2: (0.82 + 1)/5 - 0.25 = 0.114 and
// (0.82 + 4)/5 - 0.25 = 0.714.
func TestSpreadByHand(t *testing.T) {
	tree := tunedThree(faint(Tuning{Spread: 0.5}), engine.Second, [3]uint32{1, 1, 1}, [3]float32{0.5, 0.5, 0.5}, [4]moment{})
	for squares, deviation := range map[float32]float64{1: math.Sqrt(0.114), 4: math.Sqrt(0.714)} {
		tree.moment(0).squares = squares
		if got, want := float64(tree.spread(0)), 1+0.5*(deviation/0.4-1); math.Abs(got-want) > 1e-6 {
			t.Errorf("squares %g: factor %g, want %g", squares, got, want)
		}
	}
	tree.at(0).visits = 1
	if got := tree.spread(0); got != 1 {
		t.Errorf("after one visit the factor is %g, want 1", got)
	}
}

// TestSpreadExplores: edge 0 is better by 0.1 and edge 1 has fewer visits; where values
// vary more, edge 1 is tried. N = 9 with cpuct 0.3: u = 0.9, the terms are
// 0.9·0.4/7 = 0.0514 and 0.9·0.35/3 = 0.105, so edge 1 lacks 0.0464, and needs a factor
// of 1.87.
func TestSpreadExplores(t *testing.T) {
	cfg := faint(Tuning{Spread: 1})
	cfg.CPuct = 0.3
	for squares, want := range map[float32]index{0: 1, 9: 2} {
		tree := tunedThree(cfg, engine.First, [3]uint32{6, 2, 0}, [3]float32{0.1, 0, 0}, [4]moment{{squares: squares}})
		tree.rootFPU = firstPlay{absolute: true, value: -1}
		if got := tree.pick(0); got != want {
			t.Errorf("squares %g: pick = edge %d, want %d", squares, got, want)
		}
	}
}

// TestMovesLeftByHand: edge 0 is worth 0.80 and edge 1 0.79, but ends the game 15 turns
// sooner. The position is worth 0.75 by its own evaluation of 0.5 and the edges, half
// way from 0.5 to 1: the bonus is MovesLeft · 0.5 · (turns sooner)/20. Behind, edge 1 ends
// the game later.
func TestMovesLeftByHand(t *testing.T) {
	for _, p := range []engine.Player{engine.First, engine.Second} {
		for _, test := range []struct {
			name   string
			bonus  float64
			behind bool
			want   index
		}{
			{"off", 0, false, 1},
			{"a tie-break", 0.1, false, 2}, // 0.0375 apart
			{"too small", 0.02, false, 1},  // 0.0075 apart
			{"off, behind", 0, true, 1},
			{"a tie-break, behind", 0.1, true, 2},
			{"too small, behind", 0.02, true, 1},
		} {
			values, ends := [3]float32{0.80, 0.79, 0}, [2]float32{107.5, 92.5}
			if test.behind {
				values, ends = [3]float32{-0.79, -0.80, 0}, [2]float32{92.5, 107.5}
			}
			tree := tunedThree(faint(Tuning{MovesLeft: test.bonus}), p, [3]uint32{5, 5, 0}, values, [4]moment{{ends: 11 * 100}, {ends: 5 * ends[0]}, {ends: 5 * ends[1]}})
			tree.at(0).sum = view(0.75*11, p)
			if test.behind {
				tree.at(0).sum = -tree.at(0).sum
			}
			tree.rootFPU = firstPlay{absolute: true, value: -1}
			if got := tree.pick(0); got != test.want {
				t.Errorf("%s, %v acts: pick = edge %d, want %d", test.name, p, got, test.want)
			}
		}
	}
}

// TestLowerBoundByHand: the most visited edge 0 has values that vary by 0.5, edge 1 with
// half the visits is as good and varies by 0.1. Their bounds are about
// 0.3 - 5·0.5/10 = 0.05 and 0.3 - 5·0.1/7.07 = 0.23. Edge 2 is as sure as edge 1 and
// better, but has too few visits unless it has 15 % of the most.
func TestLowerBoundByHand(t *testing.T) {
	square := func(deviation float32) float32 { return 0.3*0.3 + deviation*deviation }
	for _, test := range []struct {
		name      string
		bound     bool
		few       uint32
		proof     bounds  // of edge 1
		deviation float32 // of edge 1
		want      engine.Action
	}{
		{"by visits", false, 14, 0, 0.1, 0},
		{"by bound", true, 14, 0, 0.1, 1},
		{"by bound, as uncertain", true, 14, 0, 0.5, 0},
		{"enough visits", true, 15, 0, 0.1, 2},
		{"proven loss", true, 14, exactBounds(-1), 0.1, 0},
	} {
		tree := tunedThree(faint(Tuning{LowerBound: test.bound}), engine.First, [3]uint32{100, 50, test.few}, [3]float32{0.3, 0.3, 0.5}, [4]moment{
			{}, {squares: 100 * square(0.5)}, {squares: 50 * square(test.deviation)}, {squares: float32(test.few) * (0.25 + 0.0001)},
		})
		tree.at(2).proof = test.proof
		if test.proof != 0 {
			tree.at(0).proof = hasBounds
		}
		tree.rootActions = []engine.Action{0, 1, 2}
		tree.rootPriors = []float32{0.4, 0.35, 0.25}
		if got := tree.Best(); got != test.want {
			t.Errorf("%s: Best = %d, want %d", test.name, got, test.want)
		}
	}
}

// TestTuningOfZeroPicksTheSame: pickTuned without any tuning grows the tree that pick
// grows, with pending leaves, proofs and chance.
func TestTuningOfZeroPicksTheSame(t *testing.T) {
	for seed := range uint64(60) {
		g := newRandomGame(seed, 9, seed%3 == 0)
		cfg := DefaultConfig()
		cfg.Simulations = 400
		cfg.Proven = seed%2 == 0
		cfg.PendingLeaves = 1 + int(seed%4)*3
		plain := must(New(g, cfg))
		tuned := must(New(g, cfg))
		tuned.keepMoments()
		s, h := start(g)
		for _, tree := range []*Tree{plain, tuned} {
			tree.Reset(Root{State: s, History: h, Rand: newRNG(seed)})
			if tree == tuned {
				tree.tuned, tree.plain = true, false
			}
			run(t, g, tree, hashEvaluator{})
		}
		compareTrees(t, plain, 0, tuned, 0)
	}
}

// momentOf adds up the moments of edge i, where s is, from the positions themselves, and
// compares those that the tree has with them.
func momentOf(t *testing.T, tree *Tree, i index, s *randomState) moment {
	t.Helper()
	n := tree.at(i)
	var m moment
	own := n.visits
	next := *s
	for k := n.first; k < n.first+index(n.count); k++ {
		if e := tree.at(k); e.visits > 0 {
			next = *s
			next.Apply(e.action(), nil)
			below := momentOf(t, tree, k, &next)
			m.draws += below.draws
			m.squares += below.squares
			m.ends += below.ends
			own -= e.visits
		}
	}
	if s.Actor() != engine.Chance && own > 0 {
		value, draw, end := float32(0), float32(0), float32(s.depth)
		if s.Actor() == engine.Nobody {
			value = s.Outcome().Value(engine.First)
			draw = 1 - value*value
		} else {
			value = hashEvaluator{}.judge(s, make([]float32, len(s.Legal(nil, nil))))
			draw = hashEvaluator{}.draw(s, value)
			end += turnsOf(s)
		}
		m.draws += float32(own) * draw
		m.squares += float32(own) * value * value
		m.ends += float32(own) * end
	}
	if got := *tree.moment(i); math.Abs(float64(got.draws-m.draws)) > 1e-3 || got.squares != m.squares || got.ends != m.ends {
		t.Fatalf("edge %d: moments %+v, want %+v", i, got, m)
	}
	return m
}

// turnsOf is a number of turns left for a position of randomGame.
func turnsOf(s *randomState) float32 { return float32(s.lot(77, 50)) }

// momentous is hashEvaluator with draws and turns.
type momentous struct{ hashEvaluator }

func (v momentous) Evaluate(leaves []Leaf, offsets []int32, logits []float32, evaluations []Evaluation) error {
	err := v.hashEvaluator.Evaluate(leaves, offsets, logits, evaluations)
	for i := range leaves {
		s := leaves[i].State.(*randomState)
		evaluations[i].Draw, evaluations[i].Turns = v.draw(s, evaluations[i].Value), turnsOf(s)
	}
	return err
}

// TestTuningOfRoot: a root may have another tuning than its tree, and a Gumbel search has none:
// then it is searched like one of a tree without.
func TestTuningOfRoot(t *testing.T) {
	tuned := DefaultConfig()
	tuned.Simulations, tuned.Tuning = 200, Tuning{Contempt: 0.5, Spread: 1, MovesLeft: 1, LowerBound: true, Bias: 0.5}
	plain := tuned
	plain.Tuning = Tuning{}
	differ := 0
	for seed := range uint64(20) {
		g := newRandomGame(seed, 12, seed%3 == 0)
		search := func(cfg Config, r Root) string {
			tree := must(New(g, cfg))
			r.State, r.History = start(g)
			r.Rand = newRNG(seed)
			tree.Reset(r)
			run(t, g, tree, momentous{})
			if tree.RootState().Actor() > engine.Second {
				return ""
			}
			return fmt.Sprint(tree.Root(nil), tree.RootValue(), tree.NetworkValue(), tree.Best())
		}
		want := search(plain, Root{})
		if got := search(tuned, Root{Tuning: &Tuning{}}); got != want {
			t.Errorf("game %d: %s, want %s", seed, got, want)
		}
		if search(tuned, Root{}) != want {
			differ++
		}
		if got, want := search(tuned, Root{Method: SearchGumbel}), search(plain, Root{Method: SearchGumbel}); got != want {
			t.Errorf("game %d by Gumbel search: %s, want %s", seed, got, want)
		}
	}
	if differ < 10 {
		t.Errorf("tuning changes %d of 20 games", differ)
	}
}

// TestMomentsAddUp over searches with all tuning, with chance, several pending leaves,
// trees that are too small, and after moves.
func TestMomentsAddUp(t *testing.T) {
	for seed := range uint64(30) {
		g := newRandomGame(seed, 12, seed%3 == 0)
		cfg := DefaultConfig()
		cfg.Simulations, cfg.PendingLeaves, cfg.Proven = 300, 1+int(seed%3)*4, seed%2 == 0
		cfg.Tuning = Tuning{Contempt: 0.2, Spread: 0.5, MovesLeft: 0.1, LowerBound: true}
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
			run(t, g, tree, momentous{})
			checkTree(t, tree, cfg.Edges > 0)
			at := *tree.RootState().(*randomState)
			momentOf(t, tree, 0, &at)
			a := engine.Action(0)
			if at.Actor() != engine.Chance {
				a = tree.Best()
			}
			tree.Advance(a)
		}
	}
}
