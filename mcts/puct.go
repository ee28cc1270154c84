package mcts

import (
	"math"

	"github.com/ludozero/ludozero/engine"
)

// pick chooses the edge by which a simulation leaves the expanded position
// behind edge i, or 0 if the root has to wait for pending leaves. Config has
// the formulas for decisions. For PUCT only the edges descended before need a
// score of their own: of the others, which have all the same Q, the one with
// the highest prior stands first.
func (t *Tree) pick(i index) index {
	n := &t.edges[i]
	edges := t.edges[n.first : n.first+index(n.count)]
	if n.actor == engine.Chance {
		return n.first + pickOutcome(edges)
	}
	if !t.plain {
		switch {
		case n.proof.settled():
			return n.first + pickSettled(n.proof, n.actor, edges)
		case t.gumbel && i == 0:
			return t.pickCandidate()
		case t.gumbel:
			return t.pickImproved(i)
		case i == 0 && t.forcing():
			if k := t.force(edges[:n.seen]); k >= 0 {
				return n.first + index(k)
			}
		}
	}
	u := t.exploration(n.visits + uint32(n.waiting))
	second := n.actor == engine.Second
	best, bestScore := 0, float32(math.Inf(-1))
	mass := float32(0)   // sum of the priors of visited edges
	onlyVirtual := false // some edge has virtual visits and no other
	seen := int(n.seen)
	for k := range edges[:seen] {
		e := &edges[k]
		if e.visits == 0 {
			onlyVirtual = true
			continue
		}
		mass += e.prior
		visits := float32(e.visits)
		q := e.sum / visits
		if second {
			q = -q
		}
		if uint16(e.proof)|e.waiting != 0 { // both are rare
			b := e.proof.view(n.actor)
			if b.lost() {
				continue
			}
			visits += float32(e.waiting)
			q = b.hold(q) - t.virtualLoss*float32(e.waiting)/visits
		}
		s := q + u*e.prior/(1+visits)
		if s > bestScore || s == bestScore && before(e, &edges[best]) {
			best, bestScore = k, s
		}
	}
	if seen == len(edges) && !onlyVirtual {
		return n.first + index(best)
	}

	fpu := t.unvisited(i, mass)
	if onlyVirtual {
		for k := range edges[:seen] {
			e := &edges[k]
			if e.visits > 0 {
				continue
			}
			s := fpu - t.virtualLoss + u*e.prior/(1+float32(e.waiting))
			if s > bestScore || s == bestScore && before(e, &edges[best]) {
				best, bestScore = k, s
			}
		}
	}
	if seen < len(edges) {
		e := &edges[seen]
		s := fpu + u*e.prior
		if s > bestScore || s == bestScore && before(e, &edges[best]) {
			best = seen
			n.seen++
			bring(edges, seen+1)
		}
	}
	return n.first + index(best)
}

// unvisited is the value of an unvisited edge of the position behind edge i, in
// the view of the player who acts, if the visited ones have priors of sum mass.
func (t *Tree) unvisited(i index, mass float32) float32 {
	u := &t.fpu
	if i == 0 {
		u = &t.rootFPU
	}
	if u.absolute {
		return u.value
	}
	n := &t.edges[i]
	return max(-1, view(n.sum/float32(n.visits), n.actor)-u.reduction*sqrt(mass))
}

// q is the value of a visited edge in the view of the player who acts.
func q(e *edge, actor engine.Player) float32 {
	return e.proof.view(actor).hold(view(e.sum/float32(e.visits), actor))
}

// before is the order of edges with equal scores.
func before(e, f *edge) bool {
	return e.prior > f.prior || e.prior == f.prior && e.code < f.code
}

// bring moves the first in order of edges[seen:], none of them descended yet,
// to the front of them.
func bring(edges []edge, seen int) {
	if seen >= len(edges) {
		return
	}
	best := seen
	for k := seen + 1; k < len(edges); k++ {
		if edges[k].prior >= edges[best].prior && before(&edges[k], &edges[best]) {
			best = k
		}
	}
	if best != seen {
		edges[seen], edges[best] = edges[best], edges[seen]
	}
}

// pickOutcome chooses the chance outcome that lags most behind its
// probability: the largest p·(N+1) - n, the lowest code among equals.
func pickOutcome(edges []edge) index {
	total := 1.0
	for k := range edges {
		total += float64(edges[k].visits) + float64(edges[k].waiting)
	}
	best, most := 0, math.Inf(-1)
	for k := range edges {
		e := &edges[k]
		lag := float64(e.prior)*total - float64(e.visits) - float64(e.waiting)
		if lag > most {
			best, most = k, lag
		}
	}
	return index(best)
}

// exploration is cpuct(n) · sqrt(n).
func (t *Tree) exploration(n uint32) float32 {
	if int(n) < len(t.explore) {
		return t.explore[n]
	}
	return t.cfg.exploration(n)
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
