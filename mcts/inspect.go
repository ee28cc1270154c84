package mcts

import "github.com/ludozero/ludozero/engine"

// History is the past of the root position, or nil if repetition is off. It
// must not be changed and holds until the next Advance or Reset.
func (t *Tree) History() *engine.History { return t.past }

// NetworkValue is the value that the evaluator gave the root itself, in the
// view of the player who acts there; 0 before the root is expanded. It is what
// the root's sum holds beyond the sums of its edges, and so off by their
// rounding, less than 1e-4 at a thousand visits.
func (t *Tree) NetworkValue() float32 {
	n := &t.edges[0]
	if n.count == 0 || n.actor == engine.Chance {
		return 0
	}
	v := float64(n.sum)
	for _, e := range t.edges[n.first : n.first+index(n.count)] {
		v -= float64(e.sum)
	}
	return view(float32(max(-1, min(1, v))), n.actor)
}
