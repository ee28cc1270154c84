package mcts

import (
	"math"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// refGumbel is a straightforward Gumbel search after Danihelka et al. 2022, in
// float64 and with every sum taken over every edge.
type refGumbel struct {
	g   engine.Game
	cfg *Config
	v   hashEvaluator
	// close counts choices between scores that float32 may see in another
	// order. The trees can no longer be compared then.
	close int
}

func sign(n *refNode) float64 {
	if n.state.Actor() == engine.Second {
		return -1
	}
	return 1
}

// mixed is v_mix at n: appendix D of the paper.
func (r *refGumbel) mixed(n *refNode) float64 {
	legal := n.state.Legal(nil, n.past)
	raw := float64(r.v.judge(n.state.(*randomState), make([]float32, len(legal))))
	sumN, sumP, sumPQ := 0.0, 0.0, 0.0
	for _, c := range n.children {
		if c.visits > 0 {
			sumN += float64(c.visits)
			sumP += float64(c.prior)
			sumPQ += float64(c.prior) * sign(n) * float64(c.sum) / float64(c.visits)
		}
	}
	if sumN == 0 {
		return raw
	}
	return (raw + sumN/sumP*sumPQ) / (1 + sumN)
}

// improved is log P + sigma(completed Q) for each child of n: section 4 of
// the paper.
func (r *refGumbel) improved(n *refNode) []float64 {
	mix, maxN := r.mixed(n), 0.0
	for _, c := range n.children {
		maxN = max(maxN, float64(c.visits))
	}
	logits := make([]float64, len(n.children))
	for i, c := range n.children {
		q := mix
		if c.visits > 0 {
			q = sign(n) * float64(c.sum) / float64(c.visits)
		}
		logits[i] = math.Log(float64(c.prior)) + (r.cfg.GumbelCVisit+maxN)*r.cfg.GumbelCScale*q
	}
	return logits
}

// choose is the rule for other nodes than the root, section 5 of the paper.
func (r *refGumbel) choose(n *refNode) *refNode {
	logits := r.improved(n)
	most := slices.Max(logits)
	sum, visits := 0.0, 0
	for i, c := range n.children {
		logits[i] = math.Exp(logits[i] - most)
		sum += logits[i]
		visits += c.visits
	}
	for i, c := range n.children {
		logits[i] = logits[i]/sum - float64(c.visits)/float64(1+visits)
	}
	best := 0
	for i, c := range n.children {
		if d := logits[i] - logits[best]; d > 0 || d == 0 && c.prior > n.children[best].prior {
			best = i
		}
	}
	for i, c := range n.children {
		b := n.children[best]
		twins := c.prior == b.prior && c.visits == b.visits && c.sum == b.sum
		if i != best && !twins && logits[best]-logits[i] < 1e-5 {
			r.close++
		}
	}
	return n.children[best]
}

// simulate is refNode.simulate with another choice; child, if it is not nil, is
// where the simulation goes first.
func (r *refGumbel) simulate(n, child *refNode) float32 {
	var value float32
	if n.state.Actor() == engine.Chance || n.state.Actor() == engine.Nobody || n.children == nil {
		if n.state.Actor() != engine.Chance {
			return n.simulate(r.g, r.cfg, r.v, false)
		}
		if n.children == nil {
			for _, o := range n.state.Chance(nil) {
				n.children = append(n.children, n.play(r.g, o.Code, float32(o.Prob)))
			}
		}
		child = n.outcome()
	} else if child == nil {
		child = r.choose(n)
	}
	value = r.simulate(child, nil)
	n.visits++
	n.sum += value
	return value
}

// search spends simulations on the root n, which is expanded, and returns the
// action that sequential halving ends with: algorithm 2 of the paper.
func (r *refGumbel) search(n *refNode, noise []float64, simulations int) *refNode {
	place := map[*refNode]int{}
	for i, c := range n.children {
		place[c] = i
	}
	rank := func(c []*refNode, logits []float64) {
		slices.SortStableFunc(c, func(a, b *refNode) int {
			x, y := noise[place[a]]+logits[place[a]], noise[place[b]]+logits[place[b]]
			if x != y && math.Abs(x-y) < 1e-5 {
				r.close++
			}
			if x > y {
				return -1
			} else if x < y {
				return 1
			}
			return 0
		})
	}
	compared := slices.Clone(n.children)
	logPriors := make([]float64, len(compared))
	for i, c := range compared {
		logPriors[i] = math.Log(float64(c.prior))
	}
	rank(compared, logPriors)
	m := min(r.cfg.GumbelActions, len(compared), simulations)
	compared = compared[:max(m, 1)]
	for left := simulations; left > 0; {
		each := left
		if len(compared) > 2 {
			each = max(1, int(float64(simulations)/(math.Ceil(math.Log2(float64(m)))*float64(len(compared)))))
		}
		for range each {
			for _, c := range compared {
				if left > 0 {
					r.simulate(n, c)
					left--
				}
			}
		}
		if left > 0 {
			rank(compared, r.improved(n))
			compared = compared[:min(max(2, len(compared)/2), left)]
		}
	}
	if simulations <= 0 {
		compared = slices.Clone(n.children)
	}
	rank(compared, r.improved(n))
	return compared[0]
}

// TestGumbelTreesMatchReference grows Gumbel trees over random games, with
// advances in between, and compares all that is in them with the reference.
func TestGumbelTreesMatchReference(t *testing.T) {
	compared := 0
	for seed := range uint64(80) {
		g := newRandomGame(seed, 4+int(seed%13), seed%2 == 1)
		cfg := DefaultConfig()
		cfg.Search, cfg.GumbelScale = SearchGumbel, float64(seed%3)/2
		cfg.GumbelActions = 1 + int(seed%6)
		cfg.GumbelCVisit, cfg.GumbelCScale = float64(10*(seed%5)), 0.1+0.1*float64(seed%4)
		cfg.Simulations = 1 + int(seed*seed%150)
		cfg.CountReused = seed%5 == 0
		r := &refGumbel{g: g, cfg: &cfg, v: hashEvaluator{coarse: seed%7 == 0}}
		tree := must(New(g, cfg))
		s, h := start(g)
		tree.Reset(Root{State: s, History: h, Rand: newRNG(seed)})
		ref := &refNode{state: g.NewState(), past: g.NewHistory(), dice: &tree.dice}
		ref.state.CopyFrom(s)
		ref.past.CopyFrom(h)
		for ply := 0; s.Actor() != engine.Nobody; ply++ {
			left := cfg.Simulations
			if cfg.CountReused {
				left -= ref.visits
			}
			run(t, g, tree, r.v)
			checkTree(t, tree, false)
			var want *refNode
			if s.Actor() == engine.Chance {
				for range left {
					r.simulate(ref, nil)
				}
			} else {
				if left > 0 && ref.children == nil {
					r.simulate(ref, nil)
					left--
				}
				want = r.search(ref, slices.Clone(tree.halving.noise), left)
			}
			if r.close > 0 {
				break
			}
			if err := ref.compare(tree, 0, nil); err != nil {
				t.Fatalf("game %d, ply %d: %v", seed, ply, err)
			}
			next := ref.children[ply%len(ref.children)]
			if want != nil {
				compared++
				if got := tree.SampleAction(1, newRNG(seed)); tree.halving.noisy && got != want.action {
					t.Fatalf("game %d, ply %d: the halving ends with %d, want %d", seed, ply, got, want.action)
				}
				if got := tree.Best(); !tree.halving.noisy && got != want.action {
					t.Fatalf("game %d, ply %d: best is %d, want %d", seed, ply, got, want.action)
				}
				logits, sum := r.improved(ref), 0.0
				for _, x := range logits {
					sum += math.Exp(x - slices.Max(logits))
				}
				value := 0.0
				for i, p := range tree.Target(nil) {
					q := r.mixed(ref)
					if c := ref.children[i]; c.visits > 0 {
						q = sign(ref) * float64(c.sum) / float64(c.visits)
					}
					value += float64(p) * q
					if w := math.Exp(logits[i]-slices.Max(logits)) / sum; math.Abs(float64(p)-w) > 1e-5 {
						t.Fatalf("game %d, ply %d: target %d is %g, want %g", seed, ply, i, p, w)
					}
				}
				if got := float64(tree.RootValue()); math.Abs(got-value) > 1e-4 {
					t.Fatalf("game %d, ply %d: value %g, want %g", seed, ply, got, value)
				}
			}
			tree.Advance(next.action)
			s.Apply(next.action, h)
			if next.children == nil {
				next.visits, next.sum = 0, 0
			}
			ref, next.parent = next, nil
			checkTree(t, tree, false)
		}
	}
	if compared < 300 {
		t.Errorf("only %d searches could be compared", compared)
	}
}
