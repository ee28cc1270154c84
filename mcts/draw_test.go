package mcts

import (
	"math"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// draw is what hashEvaluator.judge would say of a draw beside a value, in 1/64 and
// short of leaving no room for the value.
func (hashEvaluator) draw(s *randomState, value float32) float32 {
	room := 1 - float32(math.Abs(float64(value)))
	return float32(math.Floor(float64(room)*float64(s.lot(18, 65)))) / 64
}

// runWithDraws is run with an evaluator that tells draws.
func runWithDraws(t *testing.T, tree *Tree) {
	t.Helper()
	leaves := make([]Leaf, tree.cfg.PendingLeaves)
	for !tree.Done() {
		n := tree.Collect(leaves)
		for i := range leaves[:n] {
			l := &leaves[i]
			s := l.State.(*randomState)
			logits := make([]float32, len(l.Actions))
			value := hashEvaluator{}.judge(s, logits)
			tree.Backup(l, logits, Evaluation{Value: value, Draw: hashEvaluator{}.draw(s, value)})
		}
	}
}

// wdlOf adds up win, draw and loss of the first player over all visits of edge i,
// where s is, from the positions themselves.
func wdlOf(g engine.Game, tree *Tree, i index, s engine.State) (win, draw, loss float64) {
	e := tree.at(i)
	own := float64(e.visits)
	for k := e.first; k < e.first+index(e.count); k++ {
		c := tree.at(k)
		if c.visits == 0 {
			continue
		}
		next := g.NewState()
		next.CopyFrom(s)
		next.Apply(c.action(), nil)
		w, d, l := wdlOf(g, tree, k, next)
		win, draw, loss, own = win+w, draw+d, loss+l, own-float64(c.visits)
	}
	if s.Actor() == engine.Chance {
		return win, draw, loss
	}
	var v, d float32
	if o := s.Outcome(); o.Over {
		if v = o.Value(engine.First); v == 0 {
			d = 1
		}
	} else {
		v = hashEvaluator{}.judge(s.(*randomState), nil)
		d = hashEvaluator{}.draw(s.(*randomState), v)
		v = view(v, s.Actor())
	}
	return win + own*float64(1-d+v)/2, draw + own*float64(d), loss + own*float64(1-d-v)/2
}

// TestRootDrawByHand: a root with one evaluation of its own and two visited edges,
// one of them a chance decision with two outcomes.
//
//	root: draw 1/2, 8 visits
//	├─ 0: draw 1/4, 4 visits
//	│  └─ drawn end, 3 visits
//	├─ 1: chance, 3 visits
//	│  ├─ won end, 2 visits
//	│  └─ draw 1/8, 1 visit
//	└─ 2: not visited; what stands there counts for nothing
func TestRootDrawByHand(t *testing.T) {
	tree := three(DefaultConfig(), engine.Second, 0, [3]float32{0.5, 0.3, 0.2}, [3]uint32{4, 3, 0}, [3]float32{})
	tree.rootActor = engine.Second
	below, _ := tree.add(3)
	e := tree.chunks[0]
	e[0].draw, e[1].draw, e[3].draw = drawOne/2, drawOne/4, drawOne
	e[1].first, e[1].count, e[1].seen, e[1].actor = 4, 1, 1, engine.First
	e[2].first, e[2].count, e[2].actor = 5, 2, engine.Chance
	copy(below, []edge{
		{parent: 1, visits: 3, draw: drawOne, actor: engine.Nobody},
		{parent: 2, visits: 2, sum: 2, actor: engine.Nobody},
		{parent: 2, visits: 1, draw: drawOne / 8, actor: unknown},
	})
	if got, want := tree.RootDraw(), float32((0.5+0.25+3*1+0.125)/8); got != want {
		t.Errorf("RootDraw() = %g, want %g", got, want)
	}
	tree.keepSubtree(1)
	if got, want := tree.RootDraw(), float32((0.25+3*1)/4); got != want {
		t.Errorf("after the first edge: RootDraw() = %g, want %g", got, want)
	}
}

// TestRootIsTheMeanOfVisits holds win, draw and loss at the root, which follow from
// RootValue and RootDraw, to their sums over all visits, exactly, also where a
// subtree was kept, and with chance.
func TestRootIsTheMeanOfVisits(t *testing.T) {
	kept := 0
	for seed := range uint64(60) {
		rng := newRNG(seed)
		g := newRandomGame(seed, 3+rng.IntN(9), seed%2 == 0)
		cfg := DefaultConfig()
		cfg.Simulations, cfg.PendingLeaves, cfg.NoiseFraction = 64, 1+rng.IntN(3), 0.25
		cfg.CountReused = seed%3 == 0
		tree := must(New(g, cfg))
		s, h := start(g)
		tree.Reset(Root{State: s, History: h, Rand: rng})
		for s.Actor() != engine.Nobody {
			if tree.Stats().RootVisits > 1 {
				kept++
			}
			runWithDraws(t, tree)
			if tree.Stats().Full {
				t.Fatalf("game %d: the tree is full, which this test is not made for", seed)
			}
			w, d, l := wdlOf(g, tree, 0, s)
			n := float64(tree.at(0).visits)
			v := float64(view(tree.RootValue(), tree.rootActor))
			if w+d+l != n {
				t.Fatalf("game %d: win, draw and loss %g, %g, %g of %g visits", seed, w, d, l, n)
			}
			if got := tree.drawOf(0, tree.rootActor); got != d/n || math.Abs(float64(tree.RootDraw())-d/n) > 1e-7 || math.Abs(v-(w-l)/n) > 1e-7 {
				t.Fatalf("game %d: %g draws, %g of them told, value %g, want %g, %g", seed, got, tree.RootDraw(), v, d/n, (w-l)/n)
			}
			a := engine.Action(0)
			if s.Actor() == engine.Chance {
				a = engine.Draw(s.Chance(nil), rng.Float64())
			} else {
				legal := s.Legal(nil, h)
				a = legal[rng.IntN(len(legal))]
			}
			s.Apply(a, h)
			tree.Advance(a)
		}
	}
	if kept < 60 {
		t.Errorf("%d searches began with visits, want more", kept)
	}
}

// TestDrawsOfSeveralEvaluations: a position that a full tree has evaluated more
// than once has the mean.
func TestDrawsOfSeveralEvaluations(t *testing.T) {
	tree := three(DefaultConfig(), engine.First, 0, [3]float32{1, 0, 0}, [3]uint32{}, [3]float32{})
	e := tree.at(1)
	for i, draw := range []float32{1, 0, 0.5, 0} {
		tree.addDraw(1, draw)
		e.visits++
		want := []float64{1, 0.5, 0.5, 0.375}[i]
		if got := tree.drawOf(1, engine.First); got != want {
			t.Errorf("mean of %d is %g, want %g", i+1, got, want)
		}
	}
}

// TestRootDrawWithinProofs: what is proven of the value overrules the mean.
func TestRootDrawWithinProofs(t *testing.T) {
	for _, c := range []struct {
		name        string
		proof       bounds
		sum         float32 // of 4 visits, first player's view
		value, want float32
	}{
		{"nothing", 0, 1, 0.25, 0.5},
		{"an edge has bounds", hasBounds, 1, 0.25, 0.5},
		{"won", exactBounds(1), 1, 1, 0},
		{"lost", exactBounds(-1), 1, -1, 0},
		{"drawn", exactBounds(0), 1, 0, 1},
		{"no loss", between(0, 1) | hasBounds, 1, 0.25, 0.75},
		{"no loss, though values were below", between(0, 1), -1, 0, 1},
		{"no win", between(-1, 0), -1, -0.25, 0.75},
	} {
		for _, p := range []engine.Player{engine.First, engine.Second} {
			for _, search := range methods {
				cfg := DefaultConfig()
				cfg.Search = search
				tree := must(New(newRandomGame(1, 3, false), cfg))
				tree.keepRoot(edge{visits: 4, sum: view(c.sum, p), draw: drawOne / 2, actor: p, proof: c.proof.view(p)})
				tree.rootActor = p
				if v, d := tree.RootValue(), tree.RootDraw(); v != c.value || d != c.want {
					t.Errorf("%s, %s: value %g, draw %g, want %g, %g", search, c.name, v, d, c.value, c.want)
				}
			}
		}
	}
}

// TestGumbelRootDraw: draws under the improved policy, completed as values are, and
// consistent with them without being cut.
func TestGumbelRootDraw(t *testing.T) {
	for seed := range uint64(40) {
		rng := newRNG(seed)
		g := newRandomGame(seed, 8, seed%2 == 0)
		cfg := gumbelConfig(24, 4, float64(seed%2))
		cfg.Proven = seed%4 == 0
		tree := must(New(g, cfg))
		s, h := start(g)
		tree.Reset(Root{State: s, History: h, Rand: rng})
		runWithDraws(t, tree)
		n := tree.at(0)
		if n.actor == engine.Chance || n.actor == engine.Nobody {
			continue
		}
		probs, _ := tree.improvedPolicy()
		own := float64(hashEvaluator{}.draw(s.(*randomState), hashEvaluator{}.judge(s.(*randomState), nil)))
		mass, weighted, visits := 0.0, 0.0, 0.0
		draws := make([]float64, n.count)
		for r, a := range tree.Root(nil) {
			draws[r] = -1
			if a.Visits == 0 {
				continue
			}
			k := tree.child(a.Action)
			next := g.NewState()
			next.CopyFrom(s)
			next.Apply(a.Action, nil)
			_, d, _ := wdlOf(g, tree, k, next)
			draws[r] = d / float64(a.Visits)
			if a.Low > -1 || a.High < 1 {
				draws[r] = 1 - math.Abs(float64(a.Value))
			}
			mass += float64(a.Prior)
			weighted += float64(a.Prior) * draws[r]
			visits += float64(a.Visits)
		}
		mixed := (own + visits*weighted/mass) / (1 + visits)
		want := 0.0
		for r, p := range probs {
			if draws[r] < 0 {
				draws[r] = mixed
			}
			want += p * draws[r]
		}
		if got := tree.improvedDraw(); math.Abs(got-want) > 1e-6 || got+math.Abs(float64(tree.improvedValue())) > 1+1e-6 && n.proof == 0 {
			t.Errorf("game %d: %g draws beside value %g, want %g", seed, got, tree.improvedValue(), want)
		}
		if v, d := tree.RootValue(), tree.RootDraw(); n.proof&^hasBounds == 0 && math.Abs(float64(d)-want) > 1e-6 || d < 0 || float32(math.Abs(float64(v)))+d > 1 {
			t.Errorf("game %d: RootDraw() = %g beside %g, want %g", seed, d, v, want)
		}
	}
}

// drawn is an Evaluator that expects a draw everywhere.
type drawn struct{ Uniform }

func (drawn) Evaluate(leaves []Leaf, offsets []int32, logits []float32, evaluations []Evaluation) error {
	err := Uniform{}.Evaluate(leaves, offsets, logits, evaluations)
	for i := range leaves {
		evaluations[i].Draw = 1
	}
	return err
}

// TestRunnerGivesDrawsOn expects of an undecided search what the evaluator says.
func TestRunnerGivesDrawsOn(t *testing.T) {
	g := game(t, &tictactoe.Family)
	cfg := DefaultConfig()
	cfg.Simulations = 4 // none ends the game
	tree := must(New(g, cfg))
	s, h := start(g)
	tree.Reset(Root{State: s, History: h})
	run(t, g, tree, drawn{})
	if got := tree.RootDraw(); got != 1 {
		t.Errorf("RootDraw = %g, want 1", got)
	}
}
