package konkvest

import (
	"math/bits"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// view is what the acting side sees.
type view struct {
	flip            uint8 // turns its squares into those of side 0
	taken, captured set
	empty, open     padded // squares for relocations and for attacks
	// promotional are where pieces may promote, pawnArea where pawns may: their own wake
	// covers every hex that they come to.
	promotional, pawnArea padded
}

func (s *State) view() view {
	own, enemy := s.of[s.side], s.of[1-s.side].turned()
	wake := s.wake[1-s.side].turned()
	v := view{flip: s.side * flip, taken: own.or(enemy), captured: s.wake[s.side].minus(wake), pawnArea: beyond.minus(wake).padded()}
	empty := everywhere.minus(v.taken)
	open := empty.or(enemy)
	if s.held[s.side] >= most && !s.game.lost {
		open = empty
		if q := s.queens[1-s.side]; q != 0 {
			open = open.or(bit(int(q) ^ flip))
		}
	}
	v.empty, v.open = empty.padded(), open.padded()
	v.promotional = v.captured.padded()
	if !s.pawns[s.side].none() {
		v.promotional = v.captured.and(beyond).padded()
	}
	return v
}

// nearTargets are the targets of a piece of a class but by slides.
func (m *movement) nearTargets(v *view, class, sq int) window {
	empty, open := v.empty.around(sq), v.open.around(sq)
	near := &m.near[class][sq]
	start := m.start[class][sq]
	end, all := start+m.attacks[class], start+m.routes[class]
	return (near.attack|free(m.far[start:end], empty))&open | (near.relocate|free(m.far[end:all], empty))&empty
}

// free are the hexes to which routes are free. It does not branch: what is free is hard to
// predict.
func free(routes []far, empty window) (to window) {
	for _, f := range routes {
		taken := empty&f.via ^ f.via
		to |= f.to &^ window(int64(taken|-taken)>>63)
	}
	return to
}

// targets are the squares that a piece of a class may go to.
func (m *movement) targets(v *view, class, sq int) set {
	to := m.nearTargets(v, class, sq).set(sq)
	open := set{v.open[1], v.open[2]}
	for _, d := range m.slides[class] {
		to = to.or(slide(int(d), sq, v.taken).and(open))
	}
	return to
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
		to := v.captured.minus(v.taken)
		for kind, n := range s.reserve[s.side] {
			if n > 0 {
				dst = appendSquares(dst, engine.Action(firstSummon+hexes*kind-first), to)
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
func appendSquares(dst []engine.Action, by engine.Action, to set) []engine.Action {
	for ; to.lo != 0; to.lo &= to.lo - 1 {
		dst = append(dst, by+engine.Action(bits.TrailingZeros64(to.lo)))
	}
	for ; to.hi != 0; to.hi &= to.hi - 1 {
		dst = append(dst, by+engine.Action(64+bits.TrailingZeros64(to.hi)))
	}
	return dst
}

// moveAction is the action of a move without promotion.
func moveAction(from, to int) engine.Action {
	return engine.Action(2 * (hexes*(from-first) + to - first))
}

// appendMoves appends the moves and promotions of the piece on a square.
func (s *State) appendMoves(dst []engine.Action, v *view, from int) []engine.Action {
	g := s.game
	kind := int(s.at[(uint8(from)^v.flip)&flip]&15) - 1
	class := int(classOf[kind&15])
	area := &v.promotional
	if kind == pawn {
		area = &v.pawnArea
	}
	if len(g.slides[class]) == 0 {
		to, up := g.nearTargets(v, class, from), window(0)
		if promotes(kind) {
			up = area.around(from) & (to&v.empty.around(from) | 1<<here)
		}
		return g.appendWord(dst, from, from-here, uint64(to), uint64(up))
	}
	to, up := g.targets(v, class, from), set{}
	if promotes(kind) {
		up = set{area[1], area[2]}.and(to.and(set{v.empty[1], v.empty[2]}).or(bit(from)))
	}
	return g.appendWord(g.appendWord(dst, from, 0, to.lo, up.lo), from, 64, to.hi, up.hi)
}

// appendWord appends the moves to the squares of a word whose bit 0 is square base, and
// promotions on those of up; that of the piece itself is for promotion in place.
func (g *Game) appendWord(dst []engine.Action, from, base int, to, up uint64) []engine.Action {
	a := moveAction(from, base)
	if up == 0 {
		for ; to != 0; to &= to - 1 {
			dst = append(dst, a+engine.Action(2*bits.TrailingZeros64(to)))
		}
		return dst
	}
	for all := to | up; all != 0; all &= all - 1 {
		i := bits.TrailingZeros64(all)
		can := up>>i&1 == 1
		if to>>i&1 == 1 && !(can && g.forced) {
			dst = append(dst, a+engine.Action(2*i))
		}
		if can {
			dst = append(dst, a+engine.Action(2*i+1))
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
	taken := s.of[s.side].or(s.of[1-s.side].turned()).padded()
	if q := int(s.queens[s.side]); s.game.near[queen][q].attack&^taken.around(q) != 0 {
		return true // the usual case: the Queen has an empty neighbour
	}
	v := s.view()
	if s.held[s.side] > 0 && !v.captured.minus(v.taken).none() {
		return true
	}
	for own := s.of[s.side]; !own.none(); own = own.rest() {
		from := own.lowest()
		kind := s.kindOf(s.side, from)
		if !s.game.targets(&v, int(classOf[kind]), from).none() || promotes(kind) && v.promotional.around(from)>>here&1 == 1 {
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
	taken := s.of[side].or(s.of[1-side].turned())
	if near := g.threats[q].and(s.of[side]); !near.none() {
		empty := everywhere.minus(taken).padded()
		for ; !near.none(); near = near.rest() {
			from := near.lowest()
			class := classOf[s.kindOf(side, from)&15]
			start := g.start[class][from]
			to := g.near[class][from].attack | free(g.far[start:start+g.attacks[class]], empty.around(from))
			if to>>(q-from+here)&1 == 1 {
				return true
			}
		}
	}
	for lines := g.lines[q].and(s.sliders[side]); !lines.none(); lines = lines.rest() {
		from := lines.lowest()
		for _, d := range g.slides[classOf[s.kindOf(side, from)]] {
			if slide(int(d), from, taken).has(q) {
				return true
			}
		}
	}
	return false
}
