package mcts

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// RootAction is what the search knows of one legal action at the root.
type RootAction struct {
	Action engine.Action
	// Visits are completed simulations, those carried over by Advance included.
	Visits int
	// Prior is the evaluator's probability, without root noise.
	Prior float32
	// Value is the mean of the values backed up through the action, in the view
	// of the player who acts at the root; 0 without visits.
	Value float32
}

// Root appends one element for each legal action at the root, in ascending
// order; none before the root is expanded, and none at a chance decision.
func (t *Tree) Root(dst []RootAction) []RootAction {
	start := len(dst)
	for i, a := range t.rootActions {
		dst = append(dst, RootAction{Action: a, Prior: t.rootPriors[i]})
	}
	if len(dst) == start {
		return dst
	}
	n := &t.edges[0]
	for _, e := range t.edges[n.first : n.first+index(n.count)] {
		if e.visits > 0 {
			r := &dst[start+t.rank(e.action)]
			r.Visits = int(e.visits)
			r.Value = view(e.sum/float32(e.visits), n.actor)
		}
	}
	return dst
}

// rank is the place of a among the legal actions of the expanded root.
func (t *Tree) rank(a engine.Action) int {
	k, ok := slices.BinarySearch(t.rootActions, a)
	if !ok {
		panic("BUG: an action at the root is not in its list")
	}
	return k
}

// RootState is the position at the root. It must not be changed and holds
// until the next Advance or Reset.
func (t *Tree) RootState() engine.State { return t.root }

// RootValue is the mean of all values backed up to the root, in the view of the
// player who acts there (at a chance decision: of the first player); 0 before
// the first.
func (t *Tree) RootValue() float32 {
	e := &t.edges[0]
	if e.visits == 0 {
		return 0
	}
	return view(e.sum/float32(e.visits), t.rootActor)
}

// Target appends the policy target: for each legal action, in the order of
// Root, its visits over the sum of visits, before any temperature. A search of
// one simulation has none below the root and gives the priors.
func (t *Tree) Target(dst []float32) []float32 {
	t.report = t.Root(t.report[:0])
	sum := 0
	for _, r := range t.report {
		sum += r.Visits
	}
	for _, r := range t.report {
		p := r.Prior
		if sum > 0 {
			p = float32(float64(r.Visits) / float64(sum))
		}
		dst = append(dst, p)
	}
	return dst
}

// Best is the action at the root with the most visits; equal ones are decided
// by the higher value, the higher prior, the lower action. The root must be
// expanded.
func (t *Tree) Best() engine.Action {
	t.report = t.Root(t.report[:0])
	best := &t.report[0]
	for i := range t.report {
		r := &t.report[i]
		switch {
		case r.Visits != best.Visits:
			if r.Visits > best.Visits {
				best = r
			}
		case r.Value != best.Value:
			if r.Value > best.Value {
				best = r
			}
		case r.Prior > best.Prior:
			best = r
		}
	}
	return best.Action
}

// SampleAction draws an action at the root with probability proportional to
// visits^(1/temperature), or to prior^(1/temperature) if only the root was
// visited. Temperature 0 is Best. The root must be expanded.
func (t *Tree) SampleAction(temperature float64, rng *rand.Rand) engine.Action {
	if temperature == 0 {
		return t.Best()
	}
	t.report = t.Root(t.report[:0])
	w := t.noise[:len(t.report)]
	visited := slices.ContainsFunc(t.report, func(r RootAction) bool { return r.Visits > 0 })
	most := 0.0
	for i, r := range t.report {
		w[i] = float64(r.Prior)
		if visited {
			w[i] = float64(r.Visits)
		}
		most = max(most, w[i])
	}
	sum := 0.0
	for i := range w {
		w[i] = math.Pow(w[i]/most, 1/temperature)
		sum += w[i]
	}
	u := rng.Float64() * sum
	last := 0
	for i := range w {
		if w[i] == 0 {
			continue
		}
		last = i
		if u -= w[i]; u < 0 {
			break
		}
	}
	return t.report[last].Action
}

// PrincipalVariation appends the most visited line from the root: at decisions
// as Best chooses but without regard to values, at chance decisions the
// outcome visited most. It ends where no edge was visited.
func (t *Tree) PrincipalVariation(dst []engine.Action) []engine.Action {
	for n := &t.edges[0]; n.count > 0; {
		edges := t.edges[n.first : n.first+index(n.count)]
		best := &edges[0]
		for k := range edges {
			e := &edges[k]
			if e.visits > best.visits || e.visits == best.visits && before(e, best) {
				best = e
			}
		}
		if best.visits == 0 {
			break
		}
		dst = append(dst, best.action)
		n = best
	}
	return dst
}

// Stats describes the tree.
type Stats struct {
	// Simulations are the completed ones that count for the present root.
	Simulations int
	// RootVisits includes those carried over by Advance.
	RootVisits int
	// Edges of the tree's Room are in use, 32 bytes each.
	Edges, Room int
	// Full is set once a position of the present root's search could not be
	// expanded. Such a position keeps the value of its first evaluation.
	Full bool
}

// Stats describes the tree at present.
func (t *Tree) Stats() Stats {
	return Stats{
		Simulations: t.sims,
		RootVisits:  int(t.edges[0].visits),
		Edges:       len(t.edges),
		Room:        cap(t.edges),
		Full:        t.full,
	}
}
