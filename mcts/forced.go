package mcts

import "math"

// Forced playouts after Wu 2020, section 3.2. At a root that is explored, an
// edge that was visited is visited again at once while it has fewer than
//
//	n_forced(a) = sqrt(ForcedPlayouts · P(a) · sum of n)
//
// visits, so that what noise suggests is looked at more than once. The target
// and the move are then freed of these visits: from every edge but the one
// visited most, up to n_forced are taken out as long as its score stays below
// that of the edge visited most, and an edge left with a single visit loses it.

// forcing reports whether the present root has forced playouts.
func (t *Tree) forcing() bool { return t.forced > 0 && t.exploratory }

// force is the place among edges, those of the root that were descended, of the
// first in order that has fewer visits than it is to be forced to, or -1.
func (t *Tree) force(edges []edge) int {
	total := uint32(0)
	for k := range edges {
		total += edges[k].visits + uint32(edges[k].waiting)
	}
	n := &t.edges[0]
	proof := n.proof.view(n.actor)
	perPrior := t.forced * float32(total)
	best := -1
	for k := range edges {
		e := &edges[k]
		visits := float32(e.visits + uint32(e.waiting))
		if visits*visits < perPrior*e.prior && (best < 0 || before(e, &edges[best])) && proof.allows(e.proof.view(n.actor)) {
			best = k
		}
	}
	return best
}

// pruneForced takes forced playouts out of visits, those of the root's actions
// in the order of rootActions. It does nothing if the root has none.
func (t *Tree) pruneForced(visits []float64) {
	n := &t.edges[0]
	edges := t.edges[n.first : n.first+index(n.count)]
	proof := n.proof.view(n.actor)
	best, total := (*edge)(nil), 0.0
	for k := range edges {
		e := &edges[k]
		total += float64(e.visits)
		if e.visits == 0 || !proof.allows(e.proof.view(n.actor)) {
			continue
		}
		if best == nil || e.visits > best.visits || e.visits == best.visits && before(e, best) {
			best = e
		}
	}
	if best == nil {
		return
	}
	u := float64(t.exploration(n.visits))
	score := float64(q(best, n.actor)) + u*float64(best.prior)/float64(1+best.visits)
	for k := range edges {
		e := &edges[k]
		if e == best || e.visits == 0 {
			continue
		}
		gap := score - float64(q(e, n.actor))
		if gap <= 0 {
			continue
		}
		// The fewest visits whose score is below: u·P/(1+x) < gap.
		least := math.Floor(u*float64(e.prior)/gap-1) + 1
		forced := math.Floor(math.Sqrt(float64(t.forced) * float64(e.prior) * total))
		left := max(0, least, float64(e.visits)-forced)
		if left < float64(e.visits) {
			if left <= 1 {
				left = 0
			}
			visits[t.rank(e.action())] = left
		}
	}
}
