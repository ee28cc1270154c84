package mcts

import (
	"fmt"
	"math"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// Leaf is a position to evaluate. State and Actions belong to the tree, must not be
// changed and are valid until the leaf is backed up.
type Leaf struct {
	// State is the position; a player decides there.
	State engine.State
	// Actions are its legal actions in ascending order.
	Actions []engine.Action

	slot   int32
	serial uint32
}

// Collect runs simulations until it has filled leaves with positions that need an
// evaluation and returns their number. Simulations that end in a finished game need
// none and are backed up at once. It stops early when the budget is used up, the
// root's result is proven, Config.PendingLeaves are pending, or the next simulation
// would reach a pending leaf again or depends on one. After a return of 0 there is
// nothing to collect before a Backup, or before the next root if Done.
func (t *Tree) Collect(leaves []Leaf) int {
	n := 0
	for n < len(leaves) && len(t.free) > 0 && t.sims+t.pending < t.budget && t.rootActor != engine.Nobody && !t.at(0).proof.exact() {
		slot, ok := t.simulate()
		if !ok {
			break
		}
		if slot < 0 {
			t.sims++
			continue
		}
		s := &t.slots[slot]
		leaves[n] = Leaf{State: s.state, Actions: s.actions, slot: slot, serial: s.serial}
		n++
	}
	return n
}

// simulate descends from the root to a position without edges. It returns the slot
// of the leaf to evaluate, or -1 if the simulation is complete and backed up. If ok
// is false no visit was made: the position is pending, or the root's choice depends
// on a pending one.
func (t *Tree) simulate() (slot int32, ok bool) {
	i, e := index(0), t.at(0)
	t.path = t.path[:0]
	for e.count > 0 {
		if i = t.pick(i); i == 0 {
			return 0, false
		}
		e = t.at(i)
		t.path = append(t.path, e.action())
	}
	if e.virtual > 0 {
		return 0, false
	}
	if e.actor != unknown { // over, or evaluated in a full tree: same value again
		if t.moments != nil {
			t.repeatMoments(i)
		}
		t.update(i, e.sum/float32(e.visits))
		return -1, true
	}
	slot = t.free[len(t.free)-1]
	s := &t.slots[slot]
	s.state.CopyFrom(t.root)
	past := t.past.Len()
	for _, a := range t.path {
		s.state.Apply(a, t.past)
	}
	leaf := t.applyChance(s, i)
	t.past.Truncate(past)
	if !leaf {
		return -1, true
	}
	t.free = t.free[:len(t.free)-1]
	t.pending++
	t.serial = max(1, t.serial+1)
	s.serial = t.serial
	if len(t.slots) > 1 {
		t.addVirtual(s.edge, 1)
	}
	return slot, true
}

// applyChance completes the descent to s.state, the position behind edge i: through
// chance decisions, which it expands, to a leaf (true) or to the end of the game,
// which it backs up (false).
func (t *Tree) applyChance(s *slot, i index) bool {
	s.detached = false
	for {
		s.actor = s.state.Actor()
		switch s.actor {
		case engine.Nobody:
			value := s.state.Outcome().Value(engine.First)
			if !s.detached {
				t.at(i).actor = engine.Nobody
				if t.cfg.Proven {
					t.prove(i, value)
				}
			}
			t.addDraw(i, 1-value*value) // 1 if it is 0, else 0
			if t.moments != nil {
				t.addMoments(i, value, 1-value*value, float32(s.state.Turn()))
			}
			t.update(i, value)
			return false
		case engine.Chance:
			t.outcomes = s.state.Chance(t.outcomes[:0])
			if s.detached || !t.expandChance(i) {
				s.detached = true
				s.state.Apply(engine.Draw(t.outcomes, t.rng.Float64()), t.past)
				continue
			}
			i = t.pick(i)
			s.state.Apply(t.at(i).action(), t.past)
		default:
			s.edge = i
			s.actions = s.state.Legal(s.actions[:0], t.past)
			return true
		}
	}
}

// expandChance gives edge i the edges of t.outcomes, if there is room.
func (t *Tree) expandChance(i index) bool {
	edges := t.appendEdges(i, len(t.outcomes))
	if edges == nil {
		return false
	}
	for k, o := range t.outcomes {
		edges[k] = edge{prior: float32(o.Prob), code: uint16(o.Code), parent: i, actor: unknown}
	}
	t.at(i).actor = engine.Chance
	return true
}

// appendEdges appends n edges for the position behind edge i. If there is no room it
// returns nil and marks the tree as full.
func (t *Tree) appendEdges(i index, n int) []edge {
	edges, first := t.add(n)
	if edges == nil {
		t.full = true
		return nil
	}
	e := t.at(i)
	e.first, e.count = first, uint16(n)
	return edges
}

// Backup completes the simulation that led to l. logits has one finite number for
// each of l.Actions, in that order; their softmax gives the priors. e is in the view
// of the player who acts at l. Without Tuning no choice uses its draw, which RootDraw
// reports, or its turns. l must not be used again.
func (t *Tree) Backup(l *Leaf, logits []float32, e Evaluation) {
	s := t.pendingSlot(l)
	if len(logits) != len(s.actions) {
		panic(fmt.Sprintf("BUG: %d logits for %d legal actions", len(logits), len(s.actions)))
	}
	if !(e.Value >= -1 && e.Value <= 1) {
		panic(fmt.Sprintf("BUG: value %g is not in [-1, 1]", e.Value))
	}
	if !(e.Draw >= 0 && e.Draw <= 1) {
		panic(fmt.Sprintf("BUG: probability %g of a draw is not in [0, 1]", e.Draw))
	}
	if !(e.Turns >= 0 && e.Turns <= math.MaxFloat32) {
		panic(fmt.Sprintf("BUG: %g turns left", e.Turns))
	}
	i := s.edge
	if !s.detached {
		t.expand(i, s, logits)
	}
	if len(t.slots) > 1 {
		t.addVirtual(i, -1)
	}
	t.addDraw(i, e.Draw)
	value := view(e.Value, s.actor)
	if t.moments != nil {
		if !s.detached {
			value = t.evaluated(i, value)
		}
		t.addMoments(i, value, e.Draw, float32(s.state.Turn())+e.Turns)
	}
	t.update(i, value)
	t.release(l)
	t.sims++
	if i == 0 {
		t.prepareRoot()
	}
}

// Cancel gives l back without an evaluation, as if it had not been collected: where time
// is up. l must not be used again.
func (t *Tree) Cancel(l *Leaf) {
	s := t.pendingSlot(l)
	if len(t.slots) > 1 {
		t.addVirtual(s.edge, -1)
	}
	t.release(l)
}

func (t *Tree) pendingSlot(l *Leaf) *slot {
	s := &t.slots[l.slot]
	if l.serial == 0 || l.serial != s.serial {
		panic("BUG: a leaf was backed up or cancelled that is not pending")
	}
	return s
}

// release frees the slot of l.
func (t *Tree) release(l *Leaf) {
	t.slots[l.slot].serial, l.serial = 0, 0
	t.free = append(t.free, l.slot)
	t.pending--
}

// expand gives edge i the edges of the leaf in s, if there is room.
func (t *Tree) expand(i index, s *slot, logits []float32) {
	t.at(i).actor = s.actor
	if i == 0 && len(t.only) > 0 {
		logits = t.permitted(s, logits)
	}
	edges := t.appendEdges(i, len(s.actions))
	if edges == nil {
		return
	}
	priors := t.scratch[:len(edges)]
	softmax(priors, logits)
	for k := range edges {
		edges[k] = edge{prior: priors[k], code: uint16(s.actions[k]), parent: i, actor: unknown}
	}
	bringBestPrior(edges, 0)
}

// permitted leaves in s, the leaf of the root, the actions of t.only, and returns their
// logits in t.scratch.
func (t *Tree) permitted(s *slot, logits []float32) []float32 {
	n := 0
	for k, a := range s.actions {
		if _, ok := slices.BinarySearch(t.only, a); ok {
			s.actions[n], t.scratch[n] = a, logits[k]
			n++
		}
	}
	if n != len(t.only) {
		panic(fmt.Sprintf("BUG: %d of the root's only actions %v are legal", n, t.only))
	}
	s.actions = s.actions[:n]
	return t.scratch[:n]
}

// update adds one visit of value v, first player's view, on the path to i.
func (t *Tree) update(i index, v float32) {
	if t.biasFactor > 0 {
		t.updateCorrected(i, v)
		return
	}
	for {
		e := t.at(i)
		e.visits++
		e.sum += v
		if i == 0 {
			return
		}
		i = e.parent
	}
}

// addVirtual adds d virtual visits on the path to i.
func (t *Tree) addVirtual(i index, d int) {
	for {
		e := t.at(i)
		e.virtual = uint16(int(e.virtual) + d)
		if i == 0 {
			return
		}
		i = e.parent
	}
}
