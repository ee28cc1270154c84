package mcts

import "github.com/ludozero/ludozero/engine"

// Proven results, after the score bounds of Cazenave and Saffidine 2010. The
// end of a game has a certain value; a decision is worth at least what its best
// edge is certainly worth and at most what any may be; a chance decision lies
// between its worst and its best outcome and is settled only if every outcome
// has the same result.
//
// A draw by repetition belongs to the line of play and not to the position.
// The tree is one of lines, with the game's past before its root, so that the
// result holds for its edge, and goes on to hold when Advance makes a part of
// that line the past.

// bounds are what is certain of the value of a position, in one player's view:
// the lower bound plus one in two bits, one less the upper bound in the next
// two, and whether any edge of the position has bounds. Zero knows nothing.
type bounds uint8

// informed is set at a position that has an edge with bounds.
const informed bounds = 1 << 4

// exactly are the bounds of a value that is -1, 0 or 1.
func exactly(value float32) bounds {
	return bounds(1+int(value)) | bounds(1-int(value))<<2
}

func (b bounds) low() float32  { return float32(b&3) - 1 }
func (b bounds) high() float32 { return 1 - float32(b>>2&3) }

// settled reports whether nothing is left to find out.
func (b bounds) settled() bool { return b&3+b>>2&3 == 2 }

// view turns bounds of the first player into those of player p, and back.
func (b bounds) view(p engine.Player) bounds {
	if p == engine.Second {
		return b&^0b1111 | b&3<<2 | b>>2&3
	}
	return b
}

// lost reports whether the player in whose view the bounds are loses.
func (b bounds) lost() bool { return b>>2&3 == 2 }

// hold moves a value between the bounds.
func (b bounds) hold(value float32) float32 {
	return max(b.low(), min(b.high(), value))
}

// allows reports whether an edge with bounds e is worth a visit at a decision
// with bounds b, both in the view of the player who acts: at a settled one only
// if it achieves the result, else unless it is lost. (At one that is not settled
// a draw is the most that can be certain, and only what is lost is worse.)
func (b bounds) allows(e bounds) bool {
	if b.settled() {
		return e.low() >= b.low()
	}
	return !e.lost()
}

// pickSettled is the edge that a simulation takes at a decision whose bounds,
// in the first player's view, are settled: the one visited most of those that
// achieve the result. The values on the way to the end of the game are certain.
func pickSettled(proof bounds, actor engine.Player, edges []edge) index {
	proof = proof.view(actor)
	best := -1
	for k := range edges {
		e := &edges[k]
		if proof.allows(e.proof.view(actor)) && (best < 0 || e.visits > edges[best].visits) {
			best = k
		}
	}
	return index(best)
}

// prove notes that the game ends behind edge i with this value for the first
// player, and what follows for the positions before.
func (t *Tree) prove(i index, value float32) {
	t.edges[i].proof = exactly(value)
	for i != 0 {
		i = t.edges[i].parent
		n := &t.edges[i]
		before := n.proof
		n.proof = informed | combine(n.actor, t.edges[n.first:n.first+index(n.count)])
		if n.proof&^informed == before&^informed {
			return
		}
	}
}

// combine are the bounds of a position where actor decides between edges.
func combine(actor engine.Player, edges []edge) bounds {
	low, high := edges[0].proof&3, edges[0].proof>>2&3
	for k := range edges[1:] {
		l, h := edges[1+k].proof&3, edges[1+k].proof>>2&3
		switch actor {
		case engine.First:
			low, high = max(low, l), min(high, h)
		case engine.Second:
			low, high = min(low, l), max(high, h)
		default:
			low, high = min(low, l), min(high, h)
		}
	}
	return low | high<<2
}

// Bounds are what is proven of the value of the root, in the view of the player
// who acts there (at a chance decision: of the first player): -1 and 1 if
// nothing is, the same number twice if all is. Without Config.Proven nothing is.
func (t *Tree) Bounds() (low, high float32) {
	b := t.edges[0].proof.view(t.rootActor)
	return b.low(), b.high()
}

// barred reports whether it is proven that action a of the expanded root is
// not to be chosen: another is better, or a loses and not all do.
func (t *Tree) barred(a engine.Action) bool {
	n := &t.edges[0]
	return n.proof != 0 && !n.proof.view(n.actor).allows(t.edges[t.child(a)].proof.view(n.actor))
}
