package mcts

import "github.com/ludozero/ludozero/engine"

// History is the past of the root position, or nil if repetition is off. It
// must not be changed and holds until the next Advance or Reset.
func (t *Tree) History() *engine.History { return t.past }

// NetworkValue is the value that the evaluator gave the root itself, in the
// view of the player who acts there; 0 before the root is expanded. It is the
// mean of what the root's visits and sum hold beyond those of its edges (more
// than one visit if the tree was once full there), and so off by the rounding
// of sums, less than 1e-4 at a thousand visits.
func (t *Tree) NetworkValue() float32 {
	n := &t.edges[0]
	if n.count == 0 || n.actor == engine.Chance {
		return 0
	}
	v, visits := float64(n.sum), n.visits
	for _, e := range t.edges[n.first : n.first+index(n.count)] {
		v -= float64(e.sum)
		visits -= e.visits
	}
	return view(float32(max(-1, min(1, v/float64(visits)))), n.actor)
}
