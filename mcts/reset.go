package mcts

import (
	"cmp"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
)

// Root is a position to search.
type Root struct {
	// State is the position, of any ruleset of the tree's family. The tree copies it.
	State engine.State
	// History is the past of State, which the tree copies; nil turns repetition off.
	History *engine.History
	// Rand draws root noise, the choices of SampleAction, chance outcomes that a full tree
	// has no room for, and with which outcomes chance decisions begin; without it, that is
	// the most probable. It may be nil where none of the others occurs.
	Rand *rand.Rand
	// Method replaces Config.Search until the next Reset, if set.
	Method string
	// Tuning replaces Config.Tuning until the next Reset, if set, as Method does. It must not
	// need sums that Config.Tuning does not: where one is zero there, so it is here.
	Tuning *Tuning
	// Search is how the root is searched.
	Search Search
	// Only are the actions that the search may take from State: at least one, ascending
	// and legal there. Empty: all. The evaluator sees all; the priors of the others are
	// shared among these. It must be empty where chance decides.
	Only []engine.Action
}

// Search says how one root is searched. The zero value follows Config.
type Search struct {
	// Simulations replaces Config.Simulations, if above 0. A number that the root
	// already has ends the search.
	Simulations int
	// GumbelActions replaces Config.GumbelActions, if above 0. It must not be larger.
	GumbelActions int
	// PlannedSimulations is what a Gumbel search plans for, if more than Simulations:
	// timed searches begin with a small budget and raise it by SetBudget.
	PlannedSimulations int
	// NoExploration leaves out root noise and forced playouts. Self-play that varies
	// its budget (playout cap randomisation, Wu 2020) has cheap searches without them
	// for the move alone, and thorough ones with them to learn from.
	NoExploration bool
	// NoContempt leaves out Tuning.Contempt: analysis is without it.
	NoContempt bool
}

// Reset makes r the root of an empty tree. Leaves still pending are dropped: they
// must not be backed up any more.
func (t *Tree) Reset(r Root) {
	t.root.CopyFrom(r.State)
	t.past = nil
	if r.History != nil {
		t.past = t.ownPast
		t.past.CopyFrom(r.History)
	}
	t.rng = r.Rand
	t.setMethod(cmp.Or(r.Method, t.cfg.Search), *cmp.Or(r.Tuning, &t.cfg.Tuning))
	t.pending = 0
	t.free = t.free[:0]
	for i := range t.slots {
		t.slots[i].serial = 0
		t.free = append(t.free, int32(i))
	}
	t.only = append(t.only[:0], r.Only...)
	t.clearTree()
	t.SetSearch(r.Search)
}

func (t *Tree) setMethod(method string, tuning Tuning) {
	if t.gumbel = method == SearchGumbel; t.gumbel {
		tuning = Tuning{}
	}
	t.tuning, t.biasFactor = tuning, float32(tuning.Bias)
	t.tuned = tuning.changesSelection()
	t.plain = method == SearchPUCT && t.cfg.ForcedPlayouts == 0 && !t.cfg.Proven && !t.tuned
}

// clearTree reduces the tree to an unevaluated root.
func (t *Tree) clearTree() {
	t.keepRoot(edge{actor: unknown})
	clear(t.biases)
	t.beginRoot()
}

// beginRoot prepares the search of a new root, expanded or not.
func (t *Tree) beginRoot() {
	t.full = false
	t.rootActor = t.root.Actor()
	t.dice = 0
	if t.info.NumChance > 0 && t.rng != nil {
		t.dice = t.rng.Uint64() | 1
	}
	t.rootActions = t.rootActions[:0]
	t.rootPriors = t.rootPriors[:0]
	t.sims = 0
	if t.cfg.CountReused {
		t.sims = int(t.at(0).visits)
	}
	t.budget = t.cfg.Simulations
	t.planned, t.compares = 0, 0
	t.exploratory = true
	t.setContempt(false)
	t.halving.planned = false
	t.prepareRoot()
}

// SetSearch replaces how the present root is searched, for roots that Advance kept.
// It must come before the root's first simulation. Noise that is switched off and on
// is drawn again.
func (t *Tree) SetSearch(s Search) {
	t.budget = cmp.Or(s.Simulations, t.cfg.Simulations)
	t.planned, t.compares = s.PlannedSimulations, s.GumbelActions
	t.setContempt(s.NoContempt)
	if s.NoExploration != t.exploratory {
		return
	}
	t.exploratory = !s.NoExploration
	if len(t.rootActions) == 0 {
		return
	}
	if t.exploratory {
		t.addRootNoise()
	} else {
		t.removeRootNoise()
	}
}

// setContempt sets the contempt at the present root, whose player alone has one.
func (t *Tree) setContempt(none bool) {
	t.contempt = float32(t.tuning.Contempt)
	if none || t.rootActor == engine.Chance {
		t.contempt = 0
	}
}

// SetBudget changes the number of simulations of the present root, also during its
// search. A number that is already done ends the search. Gumbel plans with the
// budget at its first choice, or with PlannedSimulations; simulations added later go
// to the actions still compared.
func (t *Tree) SetBudget(simulations int) { t.budget = simulations }

// Done reports whether the present root has had its simulations. It is always
// true at the end of a game, and once the result is proven.
func (t *Tree) Done() bool {
	if t.rootActor == engine.Nobody {
		return true
	}
	return t.pending == 0 && (t.sims >= t.budget || t.at(0).proof.exact())
}
