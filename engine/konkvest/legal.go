package konkvest

import (
	"math/bits"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// view is what the acting side sees.
type view struct {
	flip        uint8 // turns its squares into those of side 0
	taken       set
	empty, open set // squares for relocations and for attacks
	captured    set
	// promotional are where pieces may promote, pawnArea where pawns may: their own wake
	// covers every hex that they come to.
	promotional, pawnArea set
}

func (s *State) view() view {
	own, enemy := s.of[s.side], s.of[1-s.side].turned()
	wake := s.wake[1-s.side].turned()
	v := view{flip: s.side * flip, taken: own.or(enemy), captured: s.wake[s.side].minus(wake), pawnArea: beyond.minus(wake)}
	v.empty = everywhere.minus(v.taken)
	v.open = v.empty.or(enemy)
	if s.held[s.side] >= most && !s.game.lost {
		v.open = v.empty
		if q := s.queens[1-s.side]; q != 0 {
			v.open = v.open.or(bit(int(q) ^ flip))
		}
	}
	v.promotional = v.captured
	if !s.pawns[s.side].none() {
		v.promotional = v.captured.and(beyond)
	}
	return v
}

// targets are the squares that a piece of a class may go to.
func (s *State) targets(v *view, class, sq int) set {
	g := s.game
	near := &g.near[class][sq]
	to := near.attack.and(v.open).or(near.relocate.and(v.empty))
	for _, d := range g.slides[class] {
		to = to.or(slide(int(d), sq, v.taken).and(v.open))
	}
	start := g.start[class][sq]
	end, all := start+g.attacks[class], start+g.routes[class]
	if start < end {
		to = to.or(s.free(g.far[start:end], v.flip).and(v.open))
	}
	if end < all {
		to = to.or(s.free(g.far[end:all], v.flip).and(v.empty))
	}
	return to
}

// free are the squares to which routes are free. It does not branch: what is free is hard
// to predict.
func (s *State) free(routes []far, flip uint8) (to set) {
	for _, f := range routes {
		taken := s.at[(f.via[0]^flip)&127] | s.at[(f.via[1]^flip)&127]
		all := uint64((int64(taken) - 1) >> 63)
		b := bit(int(f.to & 127))
		to.lo |= b.lo & all
		to.hi |= b.hi & all
	}
	return to
}

// Legal implements engine.State.
func (s *State) Legal(dst []engine.Action, h *engine.History) []engine.Action {
	if s.end != 0 {
		return dst
	}
	if s.step < toPlace {
		return appendSquares(dst, firstPlace-first, 1, setup.minus(s.of[s.side]))
	}
	begin := len(dst)
	v := s.view()
	own := s.of[s.side]
	for b := own.lo; b != 0; b &= b - 1 {
		dst = s.appendMoves(dst, &v, bits.TrailingZeros64(b))
	}
	for b := own.hi; b != 0; b &= b - 1 {
		dst = s.appendMoves(dst, &v, 64+bits.TrailingZeros64(b))
	}
	if s.held[s.side] > 0 {
		to := v.captured.and(v.empty)
		for kind, n := range s.reserve[s.side] {
			if n > 0 {
				dst = appendSquares(dst, engine.Action(firstSummon+hexes*kind-first), 1, to)
			}
		}
	}
	if s.forbids() && h != nil {
		return s.dropCycles(dst, begin, h)
	}
	return dst
}

func (s *State) isLegal(a engine.Action, h *engine.History) bool {
	return slices.Contains(s.Legal(nil, h), a)
}

// appendSquares appends an action for each square: its number times by, and from.
func appendSquares(dst []engine.Action, from, by engine.Action, to set) []engine.Action {
	for ; to.lo != 0; to.lo &= to.lo - 1 {
		dst = append(dst, from+by*engine.Action(bits.TrailingZeros64(to.lo)))
	}
	from += 64 * by
	for ; to.hi != 0; to.hi &= to.hi - 1 {
		dst = append(dst, from+by*engine.Action(bits.TrailingZeros64(to.hi)))
	}
	return dst
}

// moveAction is the action of a move without promotion.
func moveAction(from, to int) engine.Action {
	return engine.Action(2 * (hexes*(from-first) + to - first))
}

// appendMoves appends the moves and promotions of the piece on a square.
func (s *State) appendMoves(dst []engine.Action, v *view, from int) []engine.Action {
	kind := int(s.at[(uint8(from)^v.flip)&127]-1) & 15
	to := s.targets(v, int(classOf[kind]), from)
	if promotes(kind) {
		area := v.promotional
		if kind == pawn {
			area = v.pawnArea
		}
		if up := area.and(to.and(v.empty).or(bit(from))); !up.none() {
			return s.appendPromotions(dst, from, to.or(up), up)
		}
	}
	return appendSquares(dst, moveAction(from, 0), 2, to)
}

// appendPromotions appends the moves to squares of which up allow a promotion. The square
// that the piece stands on, if it is among them, is for promotion in place.
func (s *State) appendPromotions(dst []engine.Action, from int, to, up set) []engine.Action {
	for ; !to.none(); to = to.rest() {
		sq := to.lowest()
		a := moveAction(from, sq)
		can := up.has(sq)
		if sq != from && !(can && s.game.forced) {
			dst = append(dst, a)
		}
		if can {
			dst = append(dst, a+1)
		}
	}
	return dst
}

// canAct tells whether the acting side has a legal action.
func (s *State) canAct(h *engine.History) bool {
	if s.forbids() && h != nil {
		var buffer [2048]engine.Action
		return len(s.Legal(buffer[:0], h)) > 0
	}
	v := s.view()
	if s.held[s.side] > 0 && !v.captured.and(v.empty).none() {
		return true
	}
	for own := s.of[s.side]; !own.none(); own = own.rest() {
		from := own.lowest()
		kind := s.kindOf(s.side, from)
		if !s.targets(&v, int(classOf[kind]), from).none() || promotes(kind) && v.promotional.has(from) {
			return true
		}
	}
	return false
}

// forbids tells whether an action may be illegal because it would be a fourth attack on
// the Queen.
func (s *State) forbids() bool { return s.game.cycle == cycleForbids && s.runs[s.side] >= 3 }

// dropCycles removes the actions from number begin on that would come back to a position
// after an earlier attack of the same run.
func (s *State) dropCycles(dst []engine.Action, begin int, h *engine.History) []engine.Action {
	kept := dst[:begin]
	for _, a := range dst[begin:] {
		t := *s
		t.play(int(a))
		if t.queens[t.side] == 0 || !t.cycled(h, h.Len()) {
			kept = append(kept, a)
		}
	}
	return kept
}

// attacks tells whether a side's pieces attack the enemy Queen.
func (s *State) attacks(side uint8) bool {
	if s.queens[1-side] == 0 {
		return false
	}
	g, q := s.game, int(s.queens[1-side])^flip
	for near := g.threats[q].and(s.of[side]); !near.none(); near = near.rest() {
		from := near.lowest()
		class := classOf[s.kindOf(side, from)]
		start := g.start[class][from]
		if g.near[class][from].attack.or(s.free(g.far[start:start+g.attacks[class]], side*flip)).has(q) {
			return true
		}
	}
	lines := g.lines[q].and(s.sliders[side])
	if lines.none() {
		return false
	}
	taken := s.of[side].or(s.of[1-side].turned())
	for ; !lines.none(); lines = lines.rest() {
		from := lines.lowest()
		for _, d := range g.slides[classOf[s.kindOf(side, from)]] {
			if slide(int(d), from, taken).has(q) {
				return true
			}
		}
	}
	return false
}
