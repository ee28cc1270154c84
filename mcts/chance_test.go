package mcts

import (
	"math"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/knaw"
)

// TestDiceAgreeWithExpectation searches ends of games of kn@w, two turns from the end, in
// each kind of decision that has rolls behind it, by an evaluator that errs by up to 0.3:
// the root's value comes within 0.05 of the exact expectation, the choice within 0.02 of
// the best, and all that is proven is true. (By one that knows nothing PUCT takes a million
// simulations for that, since it seldom comes back to what looked no better.)
func TestDiceAgreeWithExpectation(t *testing.T) {
	for _, c := range []struct{ rules, line string }{
		{"standard,max_turns=31", "F22,F6,R0,S15,S18,S2 F4,F20,S3,S19,S9,F25 north move dice=1 south=S1,S4,F5,S17,S20,F21 north=S1,S4,F5,S17,S20,F21 turn=29"},
		{"standard,max_turns=30", "F22,F6,C15,S15,S18,S2 F4,F20,S3,S19,S9,F25 south move dice=6 south=S1,S4,F5,S17,S20,F21 north=S1,S4,F5,S17,S20,F21 turn=28"},
		{"standard,max_turns=27", "F22,F6,C15,S15,R11,S2 F4,F20,S3,S19,F14,F31 north declare south=S4,F5,S14,F15,F21,S31 north=S4,F5,F21,S31 turn=25"},
		{"standard,max_turns=26", "F22,F6,C15,S15,R11,S6 F4,F20,S3,S19,F14,F31 south path dice=6 piece=herald-b space=S4 south=S4,F5,S14,F15,F21,S31 north=S4,F5,F21,S31 turn=24"},
		{"standard,max_turns=65", "C13,R9,F31,F15,S31,S15 C8,F1,S12,S28,R1,R11 north declare south=F0,C7,S13,S14,S16,R10,S29,S30 north=F0,C7,S16,R10,S29,S30 turn=63"},
		{"standard,max_turns=29", "F22,F6,C15,S15,S18,S2 F4,F20,S3,S19,S9,F31 north roll south=S1,S4,F5,F21,S31 north=S1,S4,F5,F21,S31 turn=27"},
	} {
		g, err := knaw.Family.Parse(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		s, h := start(g)
		if err := s.ParsePosition(c.line); err != nil {
			t.Fatal(err)
		}
		memo := map[string]float64{}
		want := enginetest.Solve(g, s, memo)
		if math.Abs(want) > 0.9 {
			t.Errorf("%s: %.3f: the dice decide nothing here", c.line, want)
		}
		for _, search := range methods {
			cfg := DefaultConfig()
			cfg.Search, cfg.Simulations, cfg.Proven, cfg.GumbelScale = search, 6000, true, 0
			cfg.GumbelActions, cfg.GumbelCScale = g.Info().MaxLegal, 0.1
			tree := must(New(g, cfg))
			tree.Reset(Root{State: s, History: h, Rand: newRNG(4)})
			run(t, g, tree, &oracle{g, memo, 0.3, g.NewState()})
			checkTree(t, tree, false)
			checkProofs(t, g, tree, 0, s, memo)
			t.Logf("%s: %s of %d: value %.3f, exact %.3f", search, c.rules, len(memo), view(tree.RootValue(), s.Actor()), want)
			if got := float64(view(tree.RootValue(), s.Actor())); math.Abs(got-want) > 0.05 {
				t.Errorf("%s, %s: value %.3f, want %.3f", search, c.line, got, want)
			}
			if s.Actor() == engine.Chance {
				continue
			}
			next := g.NewState()
			next.CopyFrom(s)
			next.Apply(tree.Best(), nil)
			if got := enginetest.Solve(g, next, memo); math.Abs(got-want) > 0.02 {
				t.Errorf("%s, %s: %s is worth %.3f, the best %.3f", search, c.line, s.AppendAction(nil, tree.Best()), got, want)
			}
		}
	}
}

// TestFirstOutcomesFollowProbabilities over the numbers of roots: chi square of the first
// visits of chance decisions behind equal and unequal outcomes. Alternatives of a decision
// begin with the same outcome, and without random numbers the most probable is first.
func TestFirstOutcomesFollowProbabilities(t *testing.T) {
	for _, probs := range [][]float32{{1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6}, {1. / 2, 1. / 3, 1. / 6}} {
		tree := must(New(newRandomGame(1, 8, true), DefaultConfig()))
		edges := make([]edge, len(probs))
		for k, p := range probs {
			edges[k].prior = p
		}
		rng := newRNG(9)
		// Edge 1 leads to a decision, 2 and 3 from there to dice; 4 leads to dice at once.
		s, h := start(newRandomGame(1, 8, true))
		tree.Reset(Root{State: s, History: h})
		if _, first := tree.add(4); first != 1 {
			t.Fatalf("the first edges begin at %d", first)
		}
		*tree.at(1), *tree.at(2), *tree.at(3) = edge{code: 5}, edge{parent: 1, code: 7}, edge{parent: 1, code: 8}
		const n = 6000
		counts, alike := make([]float64, len(probs)), 0
		for range n {
			tree.dice = rng.Uint64() | 1
			a, b, c := tree.firstOutcome(2, edges), tree.firstOutcome(3, edges), tree.firstOutcome(4, edges)
			if a != b {
				t.Fatalf("alternatives begin with outcomes %d and %d", a, b)
			}
			counts[a]++
			if a == c {
				alike++
			}
		}
		chi, same := 0.0, 0.0
		for k, p := range probs {
			d := counts[k] - n*float64(p)
			chi += d * d / (n * float64(p))
			same += float64(p) * float64(p)
		}
		if chi > 20.5 { // 0.1 % for 5 degrees of freedom, less for 2
			t.Errorf("first outcomes %v of %v: chi square %.1f", counts, probs, chi)
		}
		if share := float64(alike) / n; math.Abs(share-same) > 0.03 {
			t.Errorf("%v: %.3f of roots begin alike at two depths, want %.3f", probs, share, same)
		}
		if tree.dice = 0; tree.firstOutcome(2, edges) != -1 {
			t.Error("an outcome is drawn without random numbers")
		}
	}
}
