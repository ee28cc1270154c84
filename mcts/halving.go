package mcts

import (
	"cmp"
	"math"
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// halving is the search of one Gumbel root: sequential halving (Karnin et al.
// 2013) over the simulations that the root still has when the first of them
// leaves it.
//
//	m actions with the highest g(a) + log P(a), no more than simulations, are compared
//	rounds = ceil(log2 m); while there are simulations left:
//	    each action compared gets simulations / (rounds · actions) visits, at least one
//	    the half with the highest g(a) + log P(a) + sigma(Q(a)) goes on, at least two
//	the last two share what is left
//
// Visits that Advance kept count in Q but not as visits: every action compared gets
// the same number of new ones. A round ends when none of its leaves is pending. When
// fewer simulations than actions are left, only that many of the best go on.
type halving struct {
	// noise is g(a) in the order of Tree.rootActions: 0 unless noisy.
	noise []float64
	noisy bool

	planned     bool
	simulations int
	rounds      int
	// compared are the actions still in the comparison, the best first.
	compared []candidate
	// goal is the number of new visits that each gets before the next halving.
	goal uint32
}

// candidate is an action compared by a halving.
type candidate struct {
	action engine.Action
	edge   index
	before uint32 // visits that the edge had when the halving began
	score  float64
}

// contains reports whether a is still compared.
func (h *halving) contains(a engine.Action) bool {
	if !h.planned {
		return true
	}
	for k := range h.compared {
		if h.compared[k].action == a {
			return true
		}
	}
	return false
}

// drawGumbels draws the noise of a halving, or sets it to 0 if there is none.
func (t *Tree) drawGumbels() {
	h := &t.halving
	h.planned = false
	h.noisy = t.exploratory && t.cfg.GumbelScale > 0
	h.noise = h.noise[:len(t.rootActions)]
	for r := range h.noise {
		h.noise[r] = 0
		if h.noisy {
			h.noise[r] = t.cfg.GumbelScale * gumbel(t.rng)
		}
	}
}

// pickCandidate chooses the edge that a simulation takes from the root, or 0 if it has
// to wait until pending leaves are backed up.
func (t *Tree) pickCandidate() index {
	h := &t.halving
	if !h.planned {
		t.plan()
	}
	if t.at(0).proof != 0 {
		t.dropProvenWorse()
	}
	for {
		best, least := -1, h.goal
		pending := false
		for k := range h.compared {
			c := &h.compared[k]
			e := t.at(c.edge)
			if n := e.visits - c.before + uint32(e.virtual); n < least {
				best, least = k, n
			}
			pending = pending || e.virtual > 0
		}
		if best >= 0 {
			return t.descend(best)
		}
		if pending {
			return 0
		}
		t.halve()
	}
}

// left is the number of simulations that the root still has, by budget or plan.
func (t *Tree) left() int { return max(t.budget, t.planned) - t.sims - t.pending }

// plan begins a halving over the simulations left.
func (t *Tree) plan() {
	h := &t.halving
	h.planned = true
	h.simulations = t.left()
	n := t.at(0)
	m := min(cmp.Or(t.compares, t.cfg.GumbelActions), int(n.count), h.simulations)
	h.compared = h.compared[:0]
	for r, a := range t.rootActions {
		score := h.noise[r] + math.Log(max(float64(t.rootPriors[r]), leastPrior))
		if len(h.compared) == m {
			if score <= h.compared[m-1].score {
				continue
			}
			h.compared = h.compared[:m-1]
		}
		h.compared = append(h.compared, candidate{action: a, score: score})
		h.moveUp(len(h.compared) - 1)
	}
	t.findEdges()
	for k := range h.compared {
		c := &h.compared[k]
		c.before = t.at(c.edge).visits
	}
	h.rounds = bits.Len(uint(m - 1))
	h.goal = 0
	t.setGoal()
}

// halve keeps the better half of the actions.
func (t *Tree) halve() {
	h := &t.halving
	logits, _ := t.improvedLogits()
	for k := range h.compared {
		c := &h.compared[k]
		r := t.rank(c.action)
		c.score = h.noise[r] + logits[r]
		h.moveUp(k)
	}
	h.compared = h.compared[:min(max(2, len(h.compared)/2), len(h.compared), t.left())]
	t.setGoal()
}

// dropProvenWorse drops actions that are proven to be worse than others from the
// comparison. If none is left, the best of the other actions gets the rest of the
// budget.
func (t *Tree) dropProvenWorse() {
	h := &t.halving
	left := h.compared[:0]
	for _, c := range h.compared {
		if !t.provenWorse(c.action) {
			left = append(left, c)
		}
	}
	h.compared = left
	if len(left) == 0 {
		a := t.survivor(0, nil)
		i := t.child(a)
		h.compared = append(left, candidate{action: a, edge: i, before: t.at(i).visits})
		h.goal = math.MaxUint32
	}
}

// setGoal raises the number of visits that each action compared gets this round.
func (t *Tree) setGoal() {
	h := &t.halving
	if len(h.compared) <= 2 {
		h.goal = math.MaxUint32
		return
	}
	h.goal += uint32(max(1, h.simulations/(h.rounds*len(h.compared))))
}

// moveUp moves candidate k before those with lower scores.
func (h *halving) moveUp(k int) {
	for ; k > 0 && h.compared[k-1].score < h.compared[k].score; k-- {
		h.compared[k-1], h.compared[k] = h.compared[k], h.compared[k-1]
	}
}

// descend returns the edge of candidate k. If it was never descended it is moved to
// the descended edges of the root.
func (t *Tree) descend(k int) index {
	h := &t.halving
	n := t.at(0)
	edges := t.children(n)
	seen := int(n.seen)
	if at := int(h.compared[k].edge - n.first); at >= seen {
		edges[at], edges[seen] = edges[seen], edges[at]
		n.seen++
		bringBestPrior(edges, seen+1)
		t.findEdges()
	}
	return h.compared[k].edge
}

// findEdges updates the edges of candidates that have moved.
func (t *Tree) findEdges() {
	for k := range t.halving.compared {
		c := &t.halving.compared[k]
		if c.edge == 0 || t.at(c.edge).action() != c.action {
			c.edge = t.child(c.action)
		}
	}
}
