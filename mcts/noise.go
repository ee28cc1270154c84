package mcts

import (
	"math"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
)

// prepareRoot lists the actions and priors of the root, if it is expanded, and adds
// noise to the priors that the search uses there.
func (t *Tree) prepareRoot() {
	n := t.at(0)
	if n.count == 0 || n.actor == engine.Chance {
		return
	}
	edges := t.children(n)
	t.rootActions, t.rootPriors = t.rootActions[:0], t.rootPriors[:0]
	for k := range edges {
		a := edges[k].action()
		at := len(t.rootActions)
		t.rootActions = append(t.rootActions, a)
		t.rootPriors = append(t.rootPriors, edges[k].prior)
		for ; at > 0 && t.rootActions[at-1] > a; at-- {
			t.rootActions[at], t.rootActions[at-1] = t.rootActions[at-1], t.rootActions[at]
			t.rootPriors[at], t.rootPriors[at-1] = t.rootPriors[at-1], t.rootPriors[at]
		}
	}
	t.addRootNoise()
}

// addRootNoise draws the noise of an expanded root, if the search has any. It draws in
// ascending order of actions, so that the noise does not depend on the order of edges.
func (t *Tree) addRootNoise() {
	if t.gumbel {
		t.drawGumbels()
		return
	}
	if t.cfg.NoiseFraction == 0 || !t.exploratory {
		return
	}
	n := t.at(0)
	edges := t.children(n)
	alpha := t.cfg.DirichletAlpha
	if alpha == 0 {
		alpha = t.cfg.DirichletTotal / float64(len(edges))
	}
	noise := t.noise[:len(edges)]
	dirichlet(noise, alpha, t.rng)
	for k := range edges {
		e := &edges[k]
		w := t.cfg.NoiseFraction
		e.prior = float32((1-w)*float64(e.prior) + w*noise[t.rank(e.action())])
	}
	bringBestPrior(edges, int(n.seen))
}

// removeRootNoise restores the evaluator's priors of an expanded root.
func (t *Tree) removeRootNoise() {
	if t.gumbel {
		t.drawGumbels() // none, since the root is not exploratory
		return
	}
	n := t.at(0)
	edges := t.children(n)
	for k := range edges {
		edges[k].prior = t.rootPriors[t.rank(edges[k].action())]
	}
	bringBestPrior(edges, int(n.seen))
}

// dirichlet fills p with a draw from the symmetric Dirichlet distribution of
// concentration alpha.
func dirichlet(p []float64, alpha float64, rng *rand.Rand) {
	most := math.Inf(-1)
	for i := range p {
		p[i] = logGamma(alpha, rng)
		most = max(most, p[i])
	}
	sum := 0.0
	for i := range p {
		p[i] = math.Exp(p[i] - most)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
}

// logGamma draws the logarithm of a gamma variate of shape alpha, by Marsaglia and
// Tsang 2000. Small shapes use shape alpha+1; the logarithm avoids underflow there.
func logGamma(alpha float64, rng *rand.Rand) float64 {
	if alpha < 1 {
		return logGamma(alpha+1, rng) - rng.ExpFloat64()/alpha
	}
	d := alpha - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := rng.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-rng.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return math.Log(d * v)
		}
	}
}
