package mcts

import (
	"fmt"
	"math"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// refNode is a position of the straightforward search that the tree is held to:
// pointers, stored states and histories, every score computed for every edge,
// recursion. It shares no code with the tree but softmax.
type refNode struct {
	state    engine.State
	past     *engine.History
	action   engine.Action
	prior    float32
	visits   int
	sum      float32 // first player's view
	children []*refNode
	visited  []*refNode // in order of their first visits
	parent   *refNode   // nil for the root
	dice     *uint64    // the root's number for the first outcomes of chance
}

func (n *refNode) play(g engine.Game, a engine.Action, prior float32) *refNode {
	c := &refNode{state: g.NewState(), past: g.NewHistory(), action: a, prior: prior, parent: n, dice: n.dice}
	c.state.CopyFrom(n.state)
	c.past.CopyFrom(n.past)
	c.state.Apply(a, c.past)
	return c
}

// simulate runs one simulation and returns its value for the first player.
func (n *refNode) simulate(g engine.Game, cfg *Config, v hashEvaluator, isRoot bool) float32 {
	value := float32(0)
	switch {
	case n.state.Actor() == engine.Nobody:
		value = n.state.Outcome().Value(engine.First)
	case n.state.Actor() == engine.Chance:
		if n.children == nil {
			for _, o := range n.state.Chance(nil) {
				n.children = append(n.children, n.play(g, o.Code, float32(o.Prob)))
			}
		}
		value = n.outcome().simulate(g, cfg, v, false)
	case n.children == nil:
		legal := n.state.Legal(nil, n.past)
		logits := make([]float32, len(legal))
		value = v.judge(n.state.(*randomState), logits)
		if n.state.Actor() == engine.Second {
			value = -value
		}
		priors := make([]float32, len(legal))
		softmax(priors, logits)
		for i, a := range legal {
			n.children = append(n.children, n.play(g, a, priors[i]))
		}
	default:
		value = n.choose(cfg, isRoot).simulate(g, cfg, v, false)
	}
	n.visits++
	n.sum += value
	return value
}

// outcome is where a simulation goes from a chance decision: first where a number falls
// among the probabilities that is mixed of the root's and of the action before the decision
// before, if that is not the root; then where visits lag most.
func (n *refNode) outcome() *refNode {
	x := *n.dice
	if d := n.parent; d != nil && d.parent != nil {
		x ^= 1 + uint64(d.action)
	}
	x *= 0x9e3779b97f4a7c15
	x = (x ^ x>>31) * 0xbf58476d1ce4e5b9
	begin, share := 0, float32(0)
	for ; begin < len(n.children)-1; begin++ {
		if share += n.children[begin].prior; float32(x>>40)/(1<<24) < share {
			break
		}
	}
	if n.visits == 0 {
		return n.children[begin]
	}
	best, most := n, math.Inf(-1)
	for i := range n.children {
		c := n.children[(begin+i)%len(n.children)]
		if lag := float64(c.prior)*float64(n.visits+1) - float64(c.visits); lag > most {
			best, most = c, lag
		}
	}
	return best
}

// choose applies the formula of Config.
func (n *refNode) choose(cfg *Config, isRoot bool) *refNode {
	sign := float32(1)
	if n.state.Actor() == engine.Second {
		sign = -1
	}
	mass := float32(0)
	for _, c := range n.visited {
		mass += c.prior
	}
	reduction := float32(cfg.FPUReduction)
	if isRoot {
		reduction = float32(cfg.RootFPUReduction)
	}
	fpu := max(-1, sign*(n.sum/float32(n.visits))-reduction*float32(math.Sqrt(float64(mass))))
	cpuct := cfg.CPuct + cfg.CPuctFactor*math.Log((float64(n.visits)+cfg.CPuctBase+1)/cfg.CPuctBase)
	u := float32(cpuct * math.Sqrt(float64(n.visits)))
	var best *refNode
	bestScore := float32(0)
	for _, c := range n.children { // in ascending order of actions
		q := fpu
		if c.visits > 0 {
			q = sign * c.sum / float32(c.visits)
		}
		score := q + u*c.prior/float32(1+c.visits)
		if best == nil || score > bestScore || score == bestScore && c.prior > best.prior {
			best, bestScore = c, score
		}
	}
	if best.visits == 0 {
		n.visited = append(n.visited, best)
	}
	return best
}

// compare returns the first difference between the tree behind edge i and n.
func (n *refNode) compare(t *Tree, i index, path []engine.Action) error {
	e := t.at(i)
	if int(e.visits) != n.visits || e.sum != n.sum {
		return fmt.Errorf("after %v: visits %d sum %g, want %d and %g", path, e.visits, e.sum, n.visits, n.sum)
	}
	if int(e.count) != len(n.children) {
		return fmt.Errorf("after %v: %d edges, want %d", path, e.count, len(n.children))
	}
	byAction := map[engine.Action]index{}
	for k := e.first; k < e.first+index(e.count); k++ {
		byAction[t.at(k).action()] = k
	}
	for _, c := range n.children {
		k, ok := byAction[c.action]
		if !ok {
			return fmt.Errorf("after %v: no edge %d", path, c.action)
		}
		if t.at(k).prior != c.prior {
			return fmt.Errorf("after %v: prior of %d is %g, want %g", path, c.action, t.at(k).prior, c.prior)
		}
		if err := c.compare(t, k, append(path[:len(path):len(path)], c.action)); err != nil {
			return err
		}
	}
	return nil
}

// TestWholeTreesMatchReference grows trees over random games, with advances in
// between, and compares all that is in them with the reference search.
func TestWholeTreesMatchReference(t *testing.T) {
	for seed := range uint64(60) {
		g := newRandomGame(seed, 4+int(seed%13), seed%2 == 1)
		v := hashEvaluator{coarse: seed%3 == 0}
		cfg := DefaultConfig()
		cfg.Simulations = 40 + 3*int(seed)
		cfg.CountReused = seed%5 == 0
		cfg.RootFPUReduction = 0.1 * float64(seed%4)
		cfg.CPuctBase, cfg.CPuctFactor = 50, float64(seed%3)
		tree := must(New(g, cfg))
		s, h := start(g)
		tree.Reset(Root{State: s, History: h, Rand: newRNG(seed)})
		ref := &refNode{state: g.NewState(), past: g.NewHistory(), dice: &tree.dice}
		ref.state.CopyFrom(s)
		ref.past.CopyFrom(h)
		for ply := 0; s.Actor() != engine.Nobody; ply++ {
			sims := cfg.Simulations
			if cfg.CountReused {
				sims = max(0, sims-ref.visits)
			}
			for range sims {
				ref.simulate(g, &cfg, v, true)
			}
			run(t, g, tree, v)
			checkTree(t, tree, false)
			if err := ref.compare(tree, 0, nil); err != nil {
				t.Fatalf("game %d, ply %d: %v", seed, ply, err)
			}
			// Not always the best: other subtrees are to be kept as well.
			next := ref.children[ply%len(ref.children)]
			tree.Advance(next.action)
			s.Apply(next.action, h)
			if next.children == nil { // nothing is known of it but a value
				next.visits, next.sum = 0, 0
			}
			ref, next.parent = next, nil
			checkTree(t, tree, false)
			if err := ref.compare(tree, 0, nil); err != nil {
				t.Fatalf("game %d, advanced from ply %d: %v", seed, ply, err)
			}
			if got, want := tree.past.Len(), h.Len(); got != want {
				t.Fatalf("game %d: history of the tree has %d entries, want %d", seed, got, want)
			}
		}
		if !tree.Done() || tree.Collect(make([]Leaf, 1)) != 0 {
			t.Errorf("game %d: the search goes on after the end of the game", seed)
		}
	}
}
