package mcts

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// RootAction is one legal action at the root and its statistics.
type RootAction struct {
	Action engine.Action
	// Visits are completed simulations, including those that Advance kept.
	Visits int
	// Prior is the evaluator's probability, without root noise.
	Prior float32
	// Value is the mean of the values backed up through the action, within what
	// is proven, in the view of the player who acts at the root; 0 without
	// visits.
	Value float32
	// Low and High are the proven bounds of the value, else -1 and 1.
	Low, High float32
}

// Root appends one element for each legal action at the root, in ascending
// order; none before the root is expanded, and none at a chance decision.
func (t *Tree) Root(dst []RootAction) []RootAction {
	start := len(dst)
	for i, a := range t.rootActions {
		dst = append(dst, RootAction{Action: a, Prior: t.rootPriors[i], Low: -1, High: 1})
	}
	if len(dst) == start {
		return dst
	}
	n := t.at(0)
	edges := t.children(n)
	for k := range edges {
		if e := &edges[k]; e.visits > 0 {
			r := &dst[start+t.rank(e.action())]
			r.Visits = int(e.visits)
			r.Value = q(e, n.actor)
			b := e.proof.view(n.actor)
			r.Low, r.High = b.low(), b.high()
		}
	}
	return dst
}

// rank is the index of a among the legal actions of the expanded root.
func (t *Tree) rank(a engine.Action) int {
	k, ok := slices.BinarySearch(t.rootActions, a)
	if !ok {
		panic("BUG: an action at the root is not in its list")
	}
	return k
}

// RootState is the position at the root. It must not be changed and is valid until
// the next Advance or Reset.
func (t *Tree) RootState() engine.State { return t.root }

// History is the past of the root position, or nil if repetition is off. It must not
// be changed and is valid until the next Advance or Reset.
func (t *Tree) History() *engine.History { return t.past }

// NetworkValue is the evaluator's value of the root itself, in the view of the
// player who acts there; 0 before the root is expanded. It is computed as the
// root's value sum less those of its edges, over the difference of their visits
// (more than 1 if the tree was once full there), and so off by the rounding of sums,
// less than 1e-4 at a thousand visits.
func (t *Tree) NetworkValue() float32 {
	n := t.at(0)
	if n.count == 0 || n.actor == engine.Chance {
		return 0
	}
	if t.biasFactor > 0 {
		return view(t.moment(0).own, n.actor)
	}
	v, visits := float64(n.sum), n.visits
	for _, e := range t.children(n) {
		v -= float64(e.sum)
		visits -= e.visits
	}
	return view(float32(max(-1, min(1, v/float64(visits)))), n.actor)
}

// RootValue is the mean of all values backed up to the root, clamped to what is
// proven, in the view of the player who acts there (of the first player at a chance
// decision); 0 before the first. In a Gumbel search, where visits serve to compare
// actions, it is the value of the improved policy instead.
func (t *Tree) RootValue() float32 {
	if t.gumbel && len(t.rootActions) > 0 {
		return t.improvedValue()
	}
	e := t.at(0)
	if e.visits == 0 {
		return 0
	}
	return q(e, t.rootActor)
}

// The kinds of policy targets, by the names that records use.
const (
	// TargetVisits is each action's visits over their sum.
	TargetVisits = "visits"
	// TargetPruned is TargetVisits without forced visits and without the visits of
	// actions that are proven to be worse than others; where Config.Target asks for it,
	// also without visits owed to root noise.
	TargetPruned = "pruned-visits"
	// TargetImproved is the improved policy of a Gumbel search, or of PUCT where
	// Config.Target asks for it.
	TargetImproved = "improved"
)

// TargetKind names what Target returns at the present root.
func (t *Tree) TargetKind() string {
	switch {
	case t.improves():
		return TargetImproved
	case t.forcing(), t.cfg.Proven, t.cfg.Target == TargetPruned:
		return TargetPruned
	}
	return TargetVisits
}

// improves reports whether the policy target is the improved policy.
func (t *Tree) improves() bool { return t.gumbel || t.cfg.Target == TargetImproved }

// Target appends the policy target, in the order of Root: each action's visits over
// the sum of visits, pruned as TargetKind says, or its probability in the improved
// policy; before any temperature. A search of one simulation has
// no visits below the root and gives the priors.
func (t *Tree) Target(dst []float32) []float32 {
	if t.improves() {
		if len(t.rootActions) > 0 {
			probs, _ := t.improvedPolicy()
			for _, p := range probs {
				dst = append(dst, float32(p))
			}
		}
		return dst
	}
	weights, sum := t.weights()
	if t.cfg.Target == TargetPruned {
		sum -= t.pruneNoise(weights)
	}
	for _, w := range weights {
		dst = append(dst, float32(w/sum))
	}
	return dst
}

// weights returns the visits that Target and SampleAction of PUCT use, in the order
// of Root, without those that TargetPruned leaves out, or the priors if no visits
// are left; and the sum that makes them probabilities. They are valid until the next
// use of t.noise.
func (t *Tree) weights() (weights []float64, sum float64) {
	t.report = t.Root(t.report[:0])
	weights = t.noise[:len(t.report)]
	for i, r := range t.report {
		weights[i] = float64(r.Visits)
	}
	if t.forcing() && len(weights) > 0 {
		t.pruneForced(weights)
	}
	t.excludeProvenWorse(weights)
	for _, w := range weights {
		sum += w
	}
	if sum > 0 {
		return weights, sum
	}
	for i, r := range t.report {
		weights[i] = float64(r.Prior)
	}
	if t.at(0).proof == 0 {
		return weights, 1
	}
	t.excludeProvenWorse(weights)
	for _, w := range weights {
		sum += w
	}
	if sum == 0 { // the priors left were rounded to 0
		weights[t.rank(t.Best())], sum = 1, 1
	}
	return weights, sum
}

// excludeProvenWorse zeroes the weights of actions that are proven to be worse than
// others.
func (t *Tree) excludeProvenWorse(weights []float64) {
	for i, r := range t.report {
		if t.provenWorse(r.Action) {
			weights[i] = 0
		}
	}
}

// Best is the action at the root with the most visits; ties go to the higher value,
// the higher prior, the lower action. In a Gumbel search it is the action with the
// highest probability in the improved policy among those that sequential halving
// left. Actions that are proven to be worse than others are left out. Tuning.LowerBound
// chooses otherwise. The root must be expanded.
func (t *Tree) Best() engine.Action {
	if t.gumbel {
		return t.survivor(0, nil)
	}
	if t.tuning.LowerBound {
		return t.bestByBound(t.mostVisited())
	}
	return t.mostVisited()
}

// mostVisited is Best of PUCT without tuning.
func (t *Tree) mostVisited() engine.Action {
	t.report = t.Root(t.report[:0])
	best := &t.report[0]
	for i := range t.report {
		r := &t.report[i]
		switch {
		case t.provenWorse(r.Action):
		case t.provenWorse(best.Action):
			best = r
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
// visits^(1/temperature), with the visits of Target, or to prior^(1/temperature) if
// only the root was visited. Temperature 0 is Best. The root must be expanded.
//
// In a Gumbel search it draws from improved policy^(1/temperature): the highest sum of
// logit and temperature times noise. Where the halving had noise, that noise decides
// among the actions it left, so that temperature 1 plays its winner, as in Danihelka et
// al.; else noise from rng decides among all actions.
func (t *Tree) SampleAction(temperature float64, rng *rand.Rand) engine.Action {
	if temperature == 0 {
		return t.Best()
	}
	if t.gumbel {
		return t.survivor(temperature, rng)
	}
	w, _ := t.weights()
	most := slices.Max(w)
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

// PrincipalVariation appends the most visited line from the root: at decisions as
// Best chooses but without comparing values, at chance decisions the most visited
// outcome. It ends where no edge was visited. In a Gumbel search it begins with Best.
func (t *Tree) PrincipalVariation(dst []engine.Action) []engine.Action {
	n := t.at(0)
	if t.gumbel && len(t.rootActions) > 0 {
		return t.Variation(dst, t.Best())
	}
	return t.mostVisitedLine(dst, n)
}

// Variation appends a, an action or chance outcome that is possible at the expanded
// root, and the most visited line after it.
func (t *Tree) Variation(dst []engine.Action, a engine.Action) []engine.Action {
	return t.mostVisitedLine(append(dst, a), t.at(t.child(a)))
}

// mostVisitedLine appends the most visited line from the position of n.
func (t *Tree) mostVisitedLine(dst []engine.Action, n *edge) []engine.Action {
	for n.count > 0 {
		edges := t.children(n)
		// Not n.proof: that may be what Know said, which no edge need achieve.
		proof := combine(n.actor, edges).view(n.actor)
		var best *edge
		for k := range edges {
			e := &edges[k]
			if n.actor != engine.Chance && !proof.permits(e.proof.view(n.actor)) {
				continue
			}
			if best == nil || e.visits > best.visits || e.visits == best.visits && ranksBefore(e, best) {
				best = e
			}
		}
		if best.visits == 0 {
			break
		}
		dst = append(dst, best.action())
		n = best
	}
	return dst
}

// Stats describes the tree.
type Stats struct {
	// Simulations are completed and count for the present root.
	Simulations int
	// RootVisits includes those that Advance kept.
	RootVisits int
	// Edges are in use of Room, 32 bytes each.
	Edges, Room int
	// Full is set once a position under the present root could not be expanded for
	// lack of room. Such a position keeps the value of its first evaluation.
	Full bool
}

// Simulations is Stats.Simulations.
func (t *Tree) Simulations() int { return t.sims }

// Full is Stats.Full.
func (t *Tree) Full() bool { return t.full }

// Stats returns the present state of the tree.
func (t *Tree) Stats() Stats {
	return Stats{
		Simulations: t.sims,
		RootVisits:  int(t.at(0).visits),
		Edges:       t.used(),
		Room:        t.room,
		Full:        t.full,
	}
}
