package mcts

import (
	"math"

	"github.com/ludozero/ludozero/engine"
)

// pick chooses the edge that a simulation takes from the expanded position behind edge
// i, or 0 if the root has to wait for pending leaves. Config has the formulas for
// decisions. PUCT computes a score for each edge descended before and one more: the
// others all have the same Q, and the one with the highest prior comes first.
func (t *Tree) pick(i index) index {
	n := t.at(i)
	edges := t.children(n)
	if n.actor == engine.Chance {
		return n.first + pickOutcome(edges, t.firstOutcome(i, edges))
	}
	if !t.plain {
		switch {
		case n.proof.exact():
			return n.first + pickExact(n.proof, n.actor, edges)
		case t.gumbel && i == 0:
			return t.pickCandidate()
		case t.gumbel:
			return t.pickImproved(i)
		case i == 0 && t.forcing():
			if k := t.pickForced(edges[:n.seen]); k >= 0 {
				return n.first + index(k)
			}
		}
		if t.tuned {
			return t.pickTuned(i)
		}
	}
	u := t.exploration(n.visits + uint32(n.virtual))
	second := n.actor == engine.Second
	best, bestScore := 0, float32(math.Inf(-1))
	mass := float32(0)   // sum of the priors of visited edges
	onlyVirtual := false // some edge was descended, but not completely
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
		if uint16(e.proof)|e.virtual != 0 { // both are rare
			b := e.proof.view(n.actor)
			if b.lost() {
				continue
			}
			visits += float32(e.virtual)
			q = b.clamp(q) - t.virtualLoss*float32(e.virtual)/visits
		}
		s := q + u*e.prior/(1+visits)
		if s > bestScore || s == bestScore && ranksBefore(e, &edges[best]) {
			best, bestScore = k, s
		}
	}
	if seen == len(edges) && !onlyVirtual {
		return n.first + index(best)
	}

	fpu := t.firstPlayAt(i).of(view(n.sum/float32(n.visits), n.actor), mass)
	if onlyVirtual {
		for k := range edges[:seen] {
			e := &edges[k]
			if e.visits > 0 {
				continue
			}
			s := fpu
			if e.virtual > 0 { // else its leaf was cancelled
				s -= t.virtualLoss
			}
			s += u * e.prior / (1 + float32(e.virtual))
			if s > bestScore || s == bestScore && ranksBefore(e, &edges[best]) {
				best, bestScore = k, s
			}
		}
	}
	if seen < len(edges) {
		e := &edges[seen]
		s := fpu + u*e.prior
		if s > bestScore || s == bestScore && ranksBefore(e, &edges[best]) {
			best = seen
			n.seen++
			bringBestPrior(edges, seen+1)
		}
	}
	return n.first + index(best)
}

// firstPlayAt is the rule for unvisited edges of the position behind edge i.
func (t *Tree) firstPlayAt(i index) *firstPlay {
	if i == 0 {
		return &t.rootFPU
	}
	return &t.fpu
}

// of is the assumed value of an unvisited edge of a position with this value, both in
// the view of the player who acts. mass is the sum of the priors of visited edges.
func (u *firstPlay) of(value, mass float32) float32 {
	if u.absolute {
		return u.value
	}
	return max(-1, value-u.reduction*sqrt(mass))
}

// q is the value of a visited edge in the view of the player who acts.
func q(e *edge, actor engine.Player) float32 {
	return e.proof.view(actor).clamp(view(e.sum/float32(e.visits), actor))
}

// ranksBefore breaks ties between edges with equal scores.
func ranksBefore(e, f *edge) bool {
	return e.prior > f.prior || e.prior == f.prior && e.code < f.code
}

// bringBestPrior moves the first in order of edges[seen:], none of them descended yet,
// to index seen.
func bringBestPrior(edges []edge, seen int) {
	if seen >= len(edges) {
		return
	}
	best := seen
	for k := seen + 1; k < len(edges); k++ {
		if edges[k].prior >= edges[best].prior && ranksBefore(&edges[k], &edges[best]) {
			best = k
		}
	}
	if best != seen {
		edges[seen], edges[best] = edges[best], edges[seen]
	}
}

// pickOutcome chooses the chance outcome furthest below its share of visits: the
// largest p·(N+1) - n, ties to the first from begin on, cyclically. The very first visit
// goes to begin, or by the same rule if that is below 0.
func pickOutcome(edges []edge, begin int) index {
	total := 1.0
	for k := range edges {
		total += float64(edges[k].visits) + float64(edges[k].virtual)
	}
	if total == 1 && begin >= 0 {
		return index(begin)
	}
	best, most := 0, math.Inf(-1)
	k := max(0, begin)
	for range edges {
		e := &edges[k]
		lag := float64(e.prior)*total - float64(e.visits) - float64(e.virtual)
		if lag > most {
			best, most = k, lag
		}
		if k++; k == len(edges) {
			k = 0
		}
	}
	return index(best)
}

// firstOutcome draws, by their probabilities, the outcome that the search visits first at
// the chance decision behind edge i, or -1 if no root has brought random numbers. Most
// chance decisions of a search have fewer visits than outcomes, so that a fixed first one
// would have all values judged by that roll. All alternatives of a decision have the same,
// which compares them without the luck of the dice: the number follows from the root's and
// from what led to the decision before.
func (t *Tree) firstOutcome(i index, edges []edge) int {
	if t.dice == 0 {
		return -1
	}
	code := uint64(0)
	if i != 0 && t.at(i).parent != 0 {
		code = 1 + uint64(t.at(t.at(i).parent).code)
	}
	h := (t.dice ^ code) * 0x9e3779b97f4a7c15
	h = (h ^ h>>31) * 0xbf58476d1ce4e5b9
	u := float32(h>>40) / (1 << 24)
	for k := range edges {
		if u -= edges[k].prior; u < 0 {
			return k
		}
	}
	return len(edges) - 1 // the probabilities' rounding
}

// exploration is cpuct(n) · sqrt(n).
func (t *Tree) exploration(n uint32) float32 {
	if int(n) < len(t.explore) {
		return t.explore[n]
	}
	return t.cfg.exploration(n)
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
