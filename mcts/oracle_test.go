package mcts

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// oracle evaluates positions with the solver's value, and actions with logits
// of five times the solver's value after them, both off by up to error, by lot
// but always the same for a position.
type oracle struct {
	game  engine.Game
	memo  map[string]float64
	error float64
	child engine.State
}

func (o *oracle) value(s engine.State, p engine.Player) float64 {
	lot := float64(mix(s.Hash()+uint64(s.Turn()))%1001)/500 - 1
	v := enginetest.Solve(o.game, s, o.memo) + o.error*lot
	if p == engine.Second {
		v = -v
	}
	return max(-1, min(1, v))
}

func (o *oracle) Evaluate(leaves []Leaf, offsets []int32, logits []float32, evaluations []Evaluation) error {
	clear(evaluations)
	for i, l := range leaves {
		p := l.State.Actor()
		evaluations[i].Value = float32(o.value(l.State, p))
		for k, a := range l.Actions {
			o.child.CopyFrom(l.State)
			o.child.Apply(a, nil)
			logits[int(offsets[i])+k] = float32(5 * o.value(o.child, p))
		}
	}
	return nil
}

// TestGumbelAgreesWithSolver plays random lines of games that can be solved,
// with second moves of one player, swaps of sides and dice. With an evaluator
// that is right the search must be; with one that errs it must lose less than
// the evaluator's own choice. (With one that knows nothing it need not find the
// truth: it does not come back to what once looked bad.)
func TestGumbelAgreesWithSolver(t *testing.T) {
	for _, g := range []engine.Game{game(t, &tictactoe.Family), racegame.New(), pienim.New(""), pienim.New("height=2")} {
		for _, size := range []float64{0, 0.7} {
			o := &oracle{g, map[string]float64{}, size, g.NewState()}
			cfg := gumbelConfig(200, 16, 0)
			cfg.GumbelCScale = 0.1 // with 0.5 the first roll of a die decides too often
			tree := must(New(g, cfg))
			rng := newRNG(8)
			child := g.NewState()
			lost, lostByPrior := 0.0, 0.0
			for range 20 {
				s, h := start(g)
				tree.Reset(Root{State: s, History: h, Rand: rng})
				for s.Actor() != engine.Nobody {
					if s.Actor() == engine.Chance {
						a := engine.Draw(s.Chance(nil), rng.Float64())
						s.Apply(a, h)
						tree.Advance(a)
						continue
					}
					run(t, g, tree, o)
					checkTree(t, tree, false)
					want := enginetest.Solve(g, s, o.memo)
					loss := func(a engine.Action) float64 {
						child.CopyFrom(s)
						child.Apply(a, nil)
						return math.Abs(enginetest.Solve(g, child, o.memo) - want)
					}
					lost += loss(tree.Best())
					lostByPrior += loss(slices.MaxFunc(tree.Root(nil), func(a, b RootAction) int { return cmp.Compare(a.Prior, b.Prior) }).Action)
					if got := float64(view(tree.RootValue(), s.Actor())); size == 0 && math.Abs(got-want) > 0.15 {
						t.Errorf("%s, %s: value %.3f, want %.3f", g.Info().Name, s.AppendPosition(nil), got, want)
					}
					legal := s.Legal(nil, h)
					a := legal[rng.IntN(len(legal))]
					s.Apply(a, h)
					tree.Advance(a)
				}
			}
			t.Logf("%s %s, error %g: lost %.2f, by the prior's choice %.2f", g.Info().Name, g.Rules(), size, lost, lostByPrior)
			if size == 0 && lost > 0.2 || size > 0 && lost > 0.5*lostByPrior {
				t.Errorf("%s %s, error %g: choices lose %.2f, the prior's lose %.2f", g.Info().Name, g.Rules(), size, lost, lostByPrior)
			}
		}
	}
}
