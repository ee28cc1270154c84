package mcts

import (
	"math"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
)

// leastPrior keeps the logarithm of a prior finite: softmax rounds less to 0.
const leastPrior = 1e-38

// pickImproved chooses the edge that a simulation takes from the expanded position
// behind edge i, a decision below the root: the one furthest below its share of the
// improved policy, pi'(a) - n(a) / (1 + sum of n). Config has the formulas. Edges
// without visits all have the mixed value, so only the one with the highest prior,
// which comes first, can be the best of them, and their share of the policy follows
// from the sum of their priors.
func (t *Tree) pickImproved(i index) index {
	n := t.at(i)
	edges := t.children(n)
	second := n.actor == engine.Second
	seen := int(n.seen)
	weights := t.scratch[:seen]
	own := n.sum // becomes the sum of the position's own evaluations
	total, visited, most := uint32(0), uint32(0), uint32(0)
	mass, weighted := float32(0), float32(0) // sums of P and P·Q over visited edges
	top := float32(-1)
	for k := range edges[:seen] {
		e := &edges[k]
		total += e.visits + uint32(e.virtual)
		if e.visits == 0 {
			continue
		}
		own -= e.sum
		visited += e.visits
		most = max(most, e.visits)
		q := e.sum / float32(e.visits)
		if second {
			q = -q
		}
		if e.proof != 0 {
			q = e.proof.view(n.actor).clamp(q)
		}
		mass += e.prior
		weighted += e.prior * q
		top = max(top, q)
		weights[k] = q
	}
	value := view(own/float32(n.visits-visited), n.actor)
	mixed := mixedValue(max(-1, min(1, value)), float32(visited), mass, weighted)
	top = max(top, mixed)
	scale := t.sigma(most)
	blank := exp(scale * (mixed - top)) // weight of an edge without visits, over its prior
	sum := blank * max(0, 1-mass)
	for k := range edges[:seen] {
		e := &edges[k]
		if e.visits == 0 {
			weights[k] = e.prior * blank
			continue
		}
		weights[k] = e.prior * exp(scale*(weights[k]-top))
		sum += weights[k]
	}
	share := float32(0) // of a weight in the policy
	if sum > 0 {
		share = 1 / sum
	}
	perVisit := 1 / float32(1+total)
	best, bestScore := 0, float32(math.Inf(-1))
	for k := range edges[:seen] {
		e := &edges[k]
		if e.proof != 0 && e.proof.view(n.actor).lost() {
			continue
		}
		s := weights[k]*share - float32(e.visits+uint32(e.virtual))*perVisit
		if s > bestScore || s == bestScore && ranksBefore(e, &edges[best]) {
			best, bestScore = k, s
		}
	}
	if seen < len(edges) {
		e := &edges[seen]
		s := e.prior * blank * share
		if s > bestScore || s == bestScore && ranksBefore(e, &edges[best]) {
			best = seen
			n.seen++
			bringBestPrior(edges, seen+1)
		}
	}
	return n.first + index(best)
}

// mixedValue is v_mix: it estimates the value of a position under its prior policy
// from its own evaluation and its visited edges, which have visits in total and the
// sums mass of P and weighted of P·Q.
func mixedValue[F float32 | float64](value, visits, mass, weighted F) F {
	if mass <= 0 {
		return value
	}
	return (value + visits*weighted/mass) / (1 + visits)
}

// sigma is the weight of Q against logits where the most visited edge has most visits.
func (t *Tree) sigma(most uint32) float32 {
	return (t.cvisit + float32(most)) * t.cscale
}

// improvedLogits returns the logits of the improved policy at the expanded root, in
// the order of rootActions: log P(a) + sigma(Q(a)), with the mixed value where there
// are no visits. They are valid until the next call.
func (t *Tree) improvedLogits() (logits []float64, mixed float64) {
	n := t.at(0)
	edges := t.children(n)
	visits, most := uint32(0), uint32(0)
	mass, weighted := 0.0, 0.0
	for k := range edges {
		e := &edges[k]
		if e.visits == 0 {
			continue
		}
		visits += e.visits
		most = max(most, e.visits)
		p := float64(t.rootPriors[t.rank(e.action())])
		mass += p
		weighted += p * float64(q(e, n.actor))
	}
	mixed = mixedValue(float64(t.NetworkValue()), float64(visits), mass, weighted)
	scale := float64(t.sigma(most))
	logits = t.logits[:len(edges)]
	for k := range edges {
		e := &edges[k]
		value := mixed
		if e.visits > 0 {
			value = float64(q(e, n.actor))
		}
		r := t.rank(e.action())
		logits[r] = math.Log(max(float64(t.rootPriors[r]), leastPrior)) + scale*value
	}
	return logits, mixed
}

// improvedPolicy returns the improved policy at the expanded root, in the order
// of rootActions, and the mixed value. Actions that are proven to be worse than
// others have probability 0. It is valid until the next call of improvedLogits.
func (t *Tree) improvedPolicy() (probs []float64, mixed float64) {
	probs, mixed = t.improvedLogits()
	most, sum := math.Inf(-1), 0.0
	for i, x := range probs {
		if t.provenWorse(t.rootActions[i]) {
			probs[i] = math.Inf(-1)
			continue
		}
		most = max(most, x)
	}
	for i, x := range probs {
		probs[i] = math.Exp(x - most)
		sum += probs[i]
	}
	for i := range probs {
		probs[i] /= sum
	}
	return probs, mixed
}

// improvedValue is the value of the expanded root under the improved policy, in
// the view of the player who acts there.
func (t *Tree) improvedValue() float32 {
	n := t.at(0)
	probs, mixed := t.improvedPolicy()
	value := mixed
	edges := t.children(n)
	for k := range edges {
		if e := &edges[k]; e.visits > 0 {
			value += probs[t.rank(e.action())] * (float64(q(e, n.actor)) - mixed)
		}
	}
	return n.proof.view(n.actor).clamp(float32(value))
}

// survivor is the action at the expanded root with the highest logit of the improved
// policy plus temperature times Gumbel noise. With the halving's own noise, or at
// temperature 0, it is one of those that the halving left; of all if the halving has not
// begun, or if those left are proven to be worse than others.
//
// A halving without noise leaves the same actions in every search. Drawn among them,
// cheap searches of self-play would have two moves to choose from, so the draw is from
// the whole improved policy instead, with noise from rng.
func (t *Tree) survivor(temperature float64, rng *rand.Rand) engine.Action {
	h := &t.halving
	whole := !h.noisy && temperature > 0
	best, most, bestLeft := 0, math.Inf(-1), false
	logits, _ := t.improvedLogits()
	for r, x := range logits {
		noise := h.noise[r]
		if whole {
			noise = gumbel(rng)
		}
		x += temperature * noise
		a := t.rootActions[r]
		left := whole || h.contains(a)
		if (left == bestLeft && x > most || left && !bestLeft) && !t.provenWorse(a) {
			best, most, bestLeft = r, x, left
		}
	}
	return t.rootActions[best]
}

// gumbel draws from the standard Gumbel distribution.
func gumbel(rng *rand.Rand) float64 {
	return -math.Log(max(rng.ExpFloat64(), math.SmallestNonzeroFloat64))
}
