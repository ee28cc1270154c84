package mcts

import (
	"math"

	"github.com/ludozero/ludozero/engine"
)

// A value says by how much wins outweigh losses, not how many games are drawn. Without
// Tuning no choice of the search depends on draws, so they are not backed up: each
// position keeps its own probability, and RootDraw averages over a subtree on request.
// That costs a simulation nothing but 16 spare bits of a record, and survives Advance,
// which moves whole records. Contempt backs them up, in moments beside the records.

// drawOne is probability 1 in edge.draw. A power of two represents halves and quarters
// exactly; other values are off by at most 1/65536.
const drawOne = 1 << 15

// addDraw adds the probability of a draw to the mean over the evaluations of the
// position behind edge i, before update counts the visit. All visits of the edge so
// far were such evaluations: they come before edges below it are visited. Usually
// there is one. There are more where a full tree had no room, and the mean is then
// rounded each time.
func (t *Tree) addDraw(i index, draw float32) {
	e := t.at(i)
	n := uint64(e.visits)
	e.draw = uint16((uint64(e.draw)*n + uint64(draw*drawOne+0.5) + n/2) / (n + 1))
}

// drawSum is the sum over all visits of edge i of the probability of a draw where the
// visit ended, in units of 1/drawOne.
func (t *Tree) drawSum(i index) int64 {
	n := t.at(i)
	descended := index(n.seen)
	if n.actor == engine.Chance {
		descended = index(n.count)
	}
	sum, own := int64(0), n.visits
	for k := n.first; k < n.first+descended; k++ {
		if visits := t.at(k).visits; visits > 0 {
			own -= visits
			sum += t.drawSum(k)
		}
	}
	return sum + int64(own)*int64(n.draw)
}

// drawOf is the mean probability of a draw behind the visited edge i, consistent with
// q: if bounds exclude a win or a loss, the draw has the rest of the probability.
func (t *Tree) drawOf(i index, actor engine.Player) float64 {
	e := t.at(i)
	if e.proof&^hasBounds != 0 {
		return 1 - math.Abs(float64(q(e, actor)))
	}
	return float64(t.drawSum(i)) / (drawOne * float64(e.visits))
}

// RootDraw is the probability of a draw that goes with RootValue, in
// [0, 1-|RootValue|]: with value v and draws d the search expects a win with
// probability (1-d+v)/2 and a loss with (1-d-v)/2. It is the mean over all visits of
// the root, including those that Advance kept, where the end of a game counts 1 or 0;
// clamped to what is proven; and in a Gumbel search, like RootValue, under the
// improved policy. 0 before the first visit. The cost is linear in the positions
// visited.
func (t *Tree) RootDraw() float32 {
	n := t.at(0)
	if n.visits == 0 {
		return 0
	}
	room := 1 - float32(math.Abs(float64(t.RootValue())))
	if n.proof&^hasBounds != 0 {
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

// Draws appends, in the order of Root, the probability of a draw that goes with the
// value of each action: 0 without visits. It costs what RootDraw costs.
func (t *Tree) Draws(dst []float32) []float32 {
	for _, a := range t.rootActions {
		draw := 0.0
		if i := t.child(a); t.at(i).visits > 0 {
			draw = min(t.drawOf(i, t.rootActor), 1-math.Abs(float64(q(t.at(i), t.rootActor))))
		}
		dst = append(dst, float32(draw))
	}
	return dst
}

// improvedDraw is the probability of a draw under the improved policy at the expanded
// root. As in improvedValue, actions without visits have the mixed value.
func (t *Tree) improvedDraw() float64 {
	n := t.at(0)
	probs, _ := t.improvedPolicy()
	visits, share := uint32(0), 0.0       // of the visited actions, in the policy
	mass, weighted, draw := 0.0, 0.0, 0.0 // sums of P, P·D and pi'·D over them
	for k := n.first; k < n.first+index(n.count); k++ {
		e := t.at(k)
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
