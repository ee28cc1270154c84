package player

import (
	"bytes"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/mcts"
)

// pathDecisions is how many decisions may lie between two searches of a player
// that keeps its tree: its own, and those of an opponent's turn.
const pathDecisions = 4

// pathPositions bounds how many positions are compared before the search for a path
// is given up: some milliseconds at most, where two decisions of forty actions each
// take a fraction of one.
const pathPositions = 8192

// pathFinder knows where a player searched last and finds how the game went on from
// there. A nil pathFinder finds nothing.
type pathFinder struct {
	known  bool
	last   engine.State
	past   *engine.History
	choice engine.Action // looked for first
	steps  [pathDecisions]pathStep
	path   []engine.Action
	left   int    // positions that may still be looked at
	want   []byte // the position sought, packed
	have   []byte // scratch
}

// pathStep is the scratch of one decision on the path.
type pathStep struct {
	state    engine.State
	legal    []engine.Action
	outcomes []engine.Weighted
}

func newPathFinder(g engine.Game) *pathFinder {
	t := &pathFinder{last: g.NewState(), past: g.NewHistory(), path: make([]engine.Action, 0, pathDecisions)}
	for i := range t.steps {
		t.steps[i].state = g.NewState()
	}
	return t
}

func (t *pathFinder) forget() {
	if t != nil {
		t.known = false
	}
}

// remember notes the position that is searched, and later what was chosen.
func (t *pathFinder) remember(s engine.State, h *engine.History) {
	t.known = h != nil // else nothing tells positions apart that repeat
	if t.known {
		t.last.CopyFrom(s)
		t.past.CopyFrom(h)
	}
}

// to returns the actions that lead from the position searched last to s with its
// past h, valid until the next call; nil if there is no path of at most pathDecisions.
// It is empty, and not nil, if the position is the same.
func (t *pathFinder) to(s engine.State, h *engine.History) []engine.Action {
	if !t.known || h == nil || s.Turn() < t.last.Turn() {
		return nil
	}
	t.want = s.Pack(t.want[:0])
	t.left = pathPositions
	for decisions := range pathDecisions + 1 { // the shortest paths first
		if t.path = t.path[:0]; t.walk(t.last, s, h, decisions) {
			return t.path
		}
	}
	return nil
}

// walk appends to t.path a path of the given number of decisions from the state from,
// which t.past belongs to.
func (t *pathFinder) walk(from, to engine.State, h *engine.History, decisions int) bool {
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
	p.legal = engine.AppendPossible(p.legal[:0], &p.outcomes, from, t.past)
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

// follow makes s the root of the tree. It keeps what is known of s if the game came
// there from the position searched last.
func (n *net) follow(s engine.State, h *engine.History) {
	if path := n.path.to(s, h); path != nil {
		for _, a := range path {
			n.tree.Advance(a)
		}
	} else {
		n.tree.Reset(mcts.Root{State: s, History: h, Rand: rand.New(&n.pcg)})
	}
	n.path.remember(s, h)
}
