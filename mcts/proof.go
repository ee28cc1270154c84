package mcts

import "github.com/ludozero/ludozero/engine"

// Proven results, after the score bounds of Cazenave and Saffidine 2010. The end of a
// game has an exact value. The lower bound of a decision is the best lower bound of
// its edges, the upper bound the best upper bound. A chance decision has the worst
// lower and the best upper bound of its outcomes and is exact only if every outcome
// has the same result.
//
// A draw by repetition belongs to the line of play, not to the position. The tree is
// one of lines, with the game's past before its root, so the result holds for its
// edge, and still holds when Advance makes a part of that line the past.

// bounds are the proven bounds of a position's value in one player's view: the lower
// bound plus one in two bits, one less the upper bound in the next two, and hasBounds.
// Zero is [-1, 1], nothing proven.
type bounds uint8

// hasBounds is set at a position that has an edge with bounds.
const hasBounds bounds = 1 << 4

// exactBounds are the bounds of a proven value -1, 0 or 1.
func exactBounds(value float32) bounds {
	return bounds(1+int(value)) | bounds(1-int(value))<<2
}

func (b bounds) low() float32  { return float32(b&3) - 1 }
func (b bounds) high() float32 { return 1 - float32(b>>2&3) }

// exact reports whether the bounds are equal.
func (b bounds) exact() bool { return b&3+b>>2&3 == 2 }

// view converts bounds between the first player's view and player p's.
func (b bounds) view(p engine.Player) bounds {
	if p == engine.Second {
		return b&^0b1111 | b&3<<2 | b>>2&3
	}
	return b
}

// lost reports whether a loss is proven.
func (b bounds) lost() bool { return b>>2&3 == 2 }

// clamp moves a value between the bounds.
func (b bounds) clamp(value float32) float32 {
	return max(b.low(), min(b.high(), value))
}

// permits reports whether the search may visit an edge with bounds e at a decision
// with bounds b, both in the view of the player who acts: if b is exact, only an edge
// that achieves the result, else any edge that is not lost. (If b is not exact, the
// best proven result is a draw, and only a loss is worse.)
func (b bounds) permits(e bounds) bool {
	if b.exact() {
		return e.low() >= b.low()
	}
	return !e.lost()
}

// pickExact is the edge that a simulation takes at a decision whose bounds, in the
// first player's view, are exact: the most visited of those that achieve the result.
func pickExact(proof bounds, actor engine.Player, edges []edge) index {
	proof = proof.view(actor)
	best := -1
	for k := range edges {
		e := &edges[k]
		if proof.permits(e.proof.view(actor)) && (best < 0 || e.visits > edges[best].visits) {
			best = k
		}
	}
	return index(best)
}

// prove records that the game ends behind edge i with this value for the first player,
// and updates the bounds of the positions before.
func (t *Tree) prove(i index, value float32) {
	t.at(i).proof = exactBounds(value)
	for i != 0 {
		i = t.at(i).parent
		n := t.at(i)
		before := n.proof
		n.proof = hasBounds | tighter(before, combine(n.actor, t.children(n)))
		if n.proof&^hasBounds == before&^hasBounds {
			return
		}
	}
}

// tighter are the bounds that follow from both. Those of a position are looser than
// Know's only.
func tighter(a, b bounds) bounds {
	return max(a&3, b&3) | max(a>>2&3, b>>2&3)<<2
}

// Know tells a tree whose root is expanded that action a wins (1) or loses (-1) by
// force for the player who acts there, which somebody has found out by other means. It
// is used as if it were proven by the search, with Config.Proven or without, and
// forgotten with the root.
func (t *Tree) Know(a engine.Action, value int) {
	n, e := t.at(0), t.at(t.child(a))
	e.proof = e.proof&hasBounds | tighter(e.proof, exactBounds(float32(value)).view(n.actor))
	n.proof = hasBounds | combine(n.actor, t.children(n))
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

// Bounds are the proven bounds of the root's value, in the view of the player who acts
// there (of the first player at a chance decision): -1 and 1 if nothing is proven,
// equal if the result is. Without Config.Proven only what Know was told is proven.
func (t *Tree) Bounds() (low, high float32) {
	b := t.at(0).proof.view(t.rootActor)
	return b.low(), b.high()
}

// provenWorse reports whether action a of the expanded root is proven to be worse than
// another: another achieves a better result, or a loses and not all do.
func (t *Tree) provenWorse(a engine.Action) bool {
	n := t.at(0)
	return n.proof != 0 && !n.proof.view(n.actor).permits(t.at(t.child(a)).proof.view(n.actor))
}
