package mcts

import "math"

// Forced playouts after Wu 2020, section 3.2. At a root that is explored, an
// edge that was visited is visited again at once while it has fewer than
//
//	n_forced(a) = sqrt(ForcedPlayouts · P(a) · sum of n)
//
// visits, so that an edge favoured by noise is tried more than once. The target and
// the choice of the move leave these visits out: every edge but the most visited one
// loses up to n_forced visits as long as its score stays below the score of the most
// visited edge, and an edge left with a single visit loses that too.

// forcing reports whether the present root has forced playouts.
func (t *Tree) forcing() bool { return t.forced > 0 && t.exploratory }

// pickForced is the index of the first in order of edges, the descended edges of the
// root, that has fewer than n_forced visits; -1 if there is none.
func (t *Tree) pickForced(edges []edge) int {
	total := uint32(0)
	for k := range edges {
		total += edges[k].visits + uint32(edges[k].virtual)
	}
	n := t.at(0)
	proof := n.proof.view(n.actor)
	perPrior := t.forced * float32(total)
	best := -1
	for k := range edges {
		e := &edges[k]
		visits := float32(e.visits + uint32(e.virtual))
		if visits*visits < perPrior*e.prior && (best < 0 || ranksBefore(e, &edges[best])) && proof.permits(e.proof.view(n.actor)) {
			best = k
		}
	}
	return best
}

// mostVisitedEdge is the place of the edge of the root with the most visits among those not
// proven to be worse, -1 if none was visited, and the sum of all visits.
func (t *Tree) mostVisitedEdge() (best int, total float64) {
	n := t.at(0)
	best = -1
	edges := t.children(n)
	proof := n.proof.view(n.actor)
	for k := range edges {
		e := &edges[k]
		total += float64(e.visits)
		if e.visits == 0 || !proof.permits(e.proof.view(n.actor)) {
			continue
		}
		if best < 0 || e.visits > edges[best].visits || e.visits == edges[best].visits && ranksBefore(e, &edges[best]) {
			best = k
		}
	}
	return best, total
}

// pruneForced removes forced playouts from visits, in the order of rootActions.
func (t *Tree) pruneForced(visits []float64) {
	n := t.at(0)
	edges := t.children(n)
	best, total := t.mostVisitedEdge()
	if best < 0 {
		return
	}
	u := float64(t.exploration(n.visits) * t.spread(0))
	bonus, end := t.movesLeftBonus(0)
	score := t.rootValue(best, bonus, end) + u*float64(edges[best].prior)/float64(1+edges[best].visits)
	for k := range edges {
		e := &edges[k]
		if k == best || e.visits == 0 {
			continue
		}
		gap := score - t.rootValue(k, bonus, end)
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

// pruneNoise removes from visits, in the order of rootActions, what noise has added, and
// returns how many that were: an edge whose prior the noise has raised keeps the fewest
// visits x with which it would not be visited again by its prior P without noise,
//
//	Q(a) + exploration · P(a) / (1 + x) <= score of the most visited edge by the same,
//
// with all that Tuning adds to Q, the idea of target pruning (Wu 2020, section 3.2), without a
// bound on what is removed. Edges whose prior was lowered keep what they have.
func (t *Tree) pruneNoise(visits []float64) (removed float64) {
	n := t.at(0)
	edges := t.children(n)
	best, _ := t.mostVisitedEdge()
	if best < 0 {
		return 0
	}
	u := float64(t.exploration(n.visits) * t.spread(0))
	bonus, end := t.movesLeftBonus(0)
	score := t.rootValue(best, bonus, end) + u*float64(t.rootPriors[t.rank(edges[best].action())])/float64(1+edges[best].visits)
	for k := range edges {
		e := &edges[k]
		r := t.rank(e.action())
		if k == best || visits[r] == 0 || e.prior <= t.rootPriors[r] {
			continue
		}
		gap := score - t.rootValue(k, bonus, end)
		if gap <= 0 {
			continue
		}
		if left := math.Ceil(max(0, u*float64(t.rootPriors[r])/gap-1)); left < visits[r] {
			removed += visits[r] - left
			visits[r] = left
		}
	}
	return removed
}
