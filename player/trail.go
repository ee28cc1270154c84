package player

import (
	"bytes"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/mcts"
)

// trailDecisions is how many decisions may lie between two searches of a player
// whose tree goes on: its own, and those of an opponent's turn.
const trailDecisions = 4

// trailPositions bounds how many positions are compared before a way is given up:
// some milliseconds at most, where two decisions of forty actions each take a
// fraction of one.
const trailPositions = 8192

// trail is where a player searched last, to tell how the game went on from there.
// A nil trail knows of nothing.
type trail struct {
	known  bool
	last   engine.State
	past   *engine.History
	choice engine.Action // looked for first
	steps  [trailDecisions]trailStep
	path   []engine.Action
	left   int    // positions that may still be looked at
	want   []byte // the position sought, packed
	have   []byte // scratch
}

// trailStep is the scratch of one decision of the way.
type trailStep struct {
	state    engine.State
	legal    []engine.Action
	outcomes []engine.Weighted
}

func newTrail(g engine.Game) *trail {
	t := &trail{last: g.NewState(), past: g.NewHistory(), path: make([]engine.Action, 0, trailDecisions)}
	for i := range t.steps {
		t.steps[i].state = g.NewState()
	}
	return t
}

func (t *trail) forget() {
	if t != nil {
		t.known = false
	}
}

// remember notes the position that is searched, and later what was chosen.
func (t *trail) remember(s engine.State, h *engine.History) {
	t.known = h != nil // else nothing tells positions apart that repeat
	if t.known {
		t.last.CopyFrom(s)
		t.past.CopyFrom(h)
	}
}

// to returns the actions that lead from the position searched last to s with its
// past h, valid until the next call; nil if there is no way of so few decisions.
// None at all is a way, too, if the position is the same: it is not nil.
func (t *trail) to(s engine.State, h *engine.History) []engine.Action {
	if !t.known || h == nil || s.Turn() < t.last.Turn() {
		return nil
	}
	t.want = s.Pack(t.want[:0])
	t.left = trailPositions
	for decisions := range trailDecisions + 1 { // the shortest ways first
		if t.path = t.path[:0]; t.walk(t.last, s, h, decisions) {
			return t.path
		}
	}
	return nil
}

// walk appends to t.path a way of so many decisions from the state from, which
// t.past belongs to.
func (t *trail) walk(from, to engine.State, h *engine.History, decisions int) bool {
	if decisions == 0 {
		if t.left--; from.Hash() == to.Hash() && from.Turn() != to.Turn() || from.Hash() != to.Hash() || !t.past.Equal(h) {
			return false
		}
		t.have = from.Pack(t.have[:0])
		return bytes.Equal(t.have, t.want)
	}
	if from.Turn() > to.Turn() {
		return false
	}
	depth := len(t.path)
	p := &t.steps[depth]
	p.legal = p.legal[:0]
	switch from.Actor() {
	case engine.Nobody:
	case engine.Chance:
		p.outcomes = from.Chance(p.outcomes[:0])
		for _, o := range p.outcomes {
			p.legal = append(p.legal, o.Code)
		}
	default:
		p.legal = from.Legal(p.legal, t.past)
	}
	if depth == 0 { // most likely the game went on as this player chose
		for i, a := range p.legal {
			if a == t.choice {
				p.legal[0], p.legal[i] = a, p.legal[0]
			}
		}
	}
	past := t.past.Len()
	for _, a := range p.legal {
		if t.left <= 0 {
			return false
		}
		p.state.CopyFrom(from)
		p.state.Apply(a, t.past)
		t.path = append(t.path, a)
		if t.walk(p.state, to, h, decisions-1) {
			return true
		}
		t.path = t.path[:depth]
		t.past.Truncate(past)
	}
	return false
}

// follow makes s the root of the tree: with what is known of it, if the game came
// there from the position searched last, or alone.
func (n *net) follow(s engine.State, h *engine.History) {
	if path := n.trail.to(s, h); path != nil {
		for _, a := range path {
			n.tree.Advance(a)
		}
	} else {
		n.tree.Reset(mcts.Root{State: s, History: h, Rand: rand.New(&n.pcg)})
	}
	n.trail.remember(s, h)
}
