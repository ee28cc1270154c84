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
	promotional set
}

func (s *State) view() view {
	own, enemy := s.of[s.side], s.of[1-s.side].turned()
	v := view{flip: s.side * flip, taken: own.or(enemy), captured: s.captured(s.side)}
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
	to := g.attack[class][sq].and(v.open).or(g.relocate[class][sq].and(v.empty))
	for _, d := range g.slides[class] {
		to = to.or(slide(int(d), sq, v.taken).and(v.open))
	}
	for i := range g.far[class][sq] {
		f := &g.far[class][sq][i]
		open := v.empty
		if f.attack {
			open = v.open
		}
		if b := bit(int(f.to)); !open.and(b).none() && s.passes(f, v.flip) {
			to = to.or(b)
		}
	}
	return to
}

// passes tells whether one of the routes is free.
func (s *State) passes(f *far, flip uint8) bool {
	for i := range f.via {
		if v := &f.via[i]; s.at[v[0]^flip]|s.at[v[1]^flip] == 0 {
			return true
		}
	}
	return false
}

// Legal implements engine.State.
func (s *State) Legal(dst []engine.Action, h *engine.History) []engine.Action {
	if s.end != 0 {
		return dst
	}
	if s.step < toPlace {
		return appendSquares(dst, firstPlace-first, setup.minus(s.of[s.side]))
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
				dst = appendSquares(dst, firstSummon+hexes*kind-first, to)
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

// appendSquares appends an action for each square: its number and by.
func appendSquares(dst []engine.Action, by int, to set) []engine.Action {
	for ; to.lo != 0; to.lo &= to.lo - 1 {
		dst = append(dst, engine.Action(by+bits.TrailingZeros64(to.lo)))
	}
	for by += 64; to.hi != 0; to.hi &= to.hi - 1 {
		dst = append(dst, engine.Action(by+bits.TrailingZeros64(to.hi)))
	}
	return dst
}

// moveAction is the action of a move without promotion.
func moveAction(from, to int) engine.Action {
	return engine.Action(2 * (hexes*(from-first) + to - first))
}

// appendMoves appends the moves and promotions of the piece on a square.
func (s *State) appendMoves(dst []engine.Action, v *view, from int) []engine.Action {
	kind := int(s.at[uint8(from)^v.flip]&15) - 1
	to := s.targets(v, int(classOf[kind]), from)
	if promotes(kind) {
		area := v.promotional
		if kind == pawn {
			// Its wake covers every hex that it comes to.
			area = beyond.minus(s.wake[1-s.side].turned())
		}
		here := area.and(bit(from))
		if up := area.and(to).and(v.empty).or(here); !up.none() {
			return s.appendPromotions(dst, from, to.or(here), up)
		}
	}
	by := moveAction(from, 0)
	for ; to.lo != 0; to.lo &= to.lo - 1 {
		dst = append(dst, by+engine.Action(2*bits.TrailingZeros64(to.lo)))
	}
	for ; to.hi != 0; to.hi &= to.hi - 1 {
		dst = append(dst, by+engine.Action(128+2*bits.TrailingZeros64(to.hi)))
	}
	return dst
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
	for near := g.near[q].and(s.of[side]); !near.none(); near = near.rest() {
		from := near.lowest()
		class := classOf[s.kindOf(side, from)]
		if g.attack[class][from].has(q) {
			return true
		}
		for i := range g.far[class][from] {
			if f := &g.far[class][from][i]; f.attack && int(f.to) == q && s.passes(f, side*flip) {
				return true
			}
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
