package mcts

import (
	"math"

	"github.com/ludozero/ludozero/engine"
)

// A value says by how much wins outweigh losses, not how many games are drawn.
// No search decides anything by draws, so they are not backed up: each position
// keeps what was said of itself, and the mean over a subtree is taken when it is
// asked for. That costs nothing on the way down or up, 16 bits that a record had
// to spare, and survives Advance, which moves whole records.

// drawOne is probability 1 in edge.draw. Being a power of two it holds halves and
// quarters exactly; others are off by 1/65536 at most.
const drawOne = 1 << 15

// noteDraw takes the probability of a draw into the mean over the evaluations of
// the position behind edge i, before update counts the visit. All visits of the
// edge so far were such evaluations: they come before edges below it are visited.
// One is the rule. There are more where a full tree had no room, and the mean is
// then rounded each time.
func (t *Tree) noteDraw(i index, draw float32) {
	e := &t.edges[i]
	n := uint64(e.visits)
	e.draw = uint16((uint64(e.draw)*n + uint64(draw*drawOne+0.5) + n/2) / (n + 1))
}

// drawSum is the sum over all visits of edge i of the probability of a draw, in
// 1/drawOne: a visit counts with the position that it ended in.
func (t *Tree) drawSum(i index) int64 {
	n := &t.edges[i]
	descended := index(n.seen)
	if n.actor == engine.Chance {
		descended = index(n.count)
	}
	sum, own := int64(0), n.visits
	for k := n.first; k < n.first+descended; k++ {
		if visits := t.edges[k].visits; visits > 0 {
			own -= visits
			sum += t.drawSum(k)
		}
	}
	return sum + int64(own)*int64(n.draw)
}

// drawOf is the mean probability of a draw behind edge i, which was visited, in
// keeping with q: with bounds that leave out a win or a loss whatever q is short
// of the other is a draw.
func (t *Tree) drawOf(i index, actor engine.Player) float64 {
	e := &t.edges[i]
	if e.proof&^informed != 0 {
		return 1 - math.Abs(float64(q(e, actor)))
	}
	return float64(t.drawSum(i)) / (drawOne * float64(e.visits))
}

// RootDraw is the share of draws in RootValue, in [0, 1-|RootValue|]: with value v
// and draws d the search expects a win with probability (1-d+v)/2 and a loss with
// (1-d-v)/2. It is the mean probability of a draw over all visits of the root, those
// carried over by Advance included, where the end of a game counts 1 or 0; within
// what is proven; and in a Gumbel search, as RootValue, that of the improved
// policy. 0 before the first visit. The cost is linear in the positions visited.
func (t *Tree) RootDraw() float32 {
	n := &t.edges[0]
	if n.visits == 0 {
		return 0
	}
	room := 1 - float32(math.Abs(float64(t.RootValue())))
	if n.proof&^informed != 0 {
		return room
	}
	draw := 0.0
	if t.gumbel && len(t.rootActions) > 0 {
		draw = t.improvedDraw()
	} else {
		draw = t.drawOf(0, t.rootActor)
	}
	return max(0, min(room, float32(draw)))
}

// improvedDraw is the probability of a draw under the improved policy at the
// expanded root. As in improvedValue actions without visits have the mixed one.
func (t *Tree) improvedDraw() float64 {
	n := &t.edges[0]
	probs, _ := t.improvedPolicy()
	visits, share := uint32(0), 0.0       // of the visited actions, in the policy
	mass, weighted, draw := 0.0, 0.0, 0.0 // sums of P, P·D and pi'·D over them
	for k := n.first; k < n.first+index(n.count); k++ {
		e := &t.edges[k]
		if e.visits == 0 {
			continue
		}
		r, d := t.rank(e.action()), t.drawOf(k, n.actor)
		visits += e.visits
		mass += float64(t.rootPriors[r])
		weighted += float64(t.rootPriors[r]) * d
		share += probs[r]
		draw += probs[r] * d
	}
	own := float64(n.draw) / drawOne
	return draw + (1-share)*mixedValue(own, float64(visits), mass, weighted)
}
