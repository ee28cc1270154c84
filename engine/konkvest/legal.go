package konkvest

import (
	"math/bits"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// view is what the acting side sees.
type view struct {
	flip            uint8 // turns its squares into those of side 0
	taken, captured set
	empty, open     padded        // squares for relocations and for attacks
	areas           [areas]padded // where pieces may promote, by areaOf
}

func (s *State) view() view {
	own, enemy := s.of[s.side], s.of[1-s.side].Turned()
	wake := s.wake[1-s.side].Turned()
	v := view{flip: s.side * flip, taken: own.Or(enemy), captured: s.wake[s.side].Minus(wake)}
	empty := everywhere.Minus(v.taken)
	open := empty.Or(enemy)
	if s.held[s.side] >= most && !s.game.lost {
		open = empty
		if q := s.queens[1-s.side]; q != 0 {
			open = open.Or(kit.Single(int(q) ^ flip))
		}
	}
	v.empty, v.open = pad(empty), pad(open)
	promotional := v.captured
	if !s.pawns[s.side].Empty() {
		promotional = promotional.And(beyond)
	}
	v.areas[promotesInArea] = pad(promotional)
	v.areas[promotesBeyond] = pad(beyond.Minus(wake))
	return v
}

// nearTargets are the targets of a piece of a class but by slides; empty is what is empty
// around it.
func (m *movement) nearTargets(v *view, class, sq int, empty window) window {
	near := &m.near[class&15][sq]
	to := passable(sq, empty) & (near.attack&v.open.around(sq) | near.relocate&empty)
	if m.leaps != nil && class == support {
		to |= m.leapTargets(sq, empty) & v.open.around(sq)
	}
	return to
}

// leapTargets are the squares to which long leaps are free.
func (m *movement) leapTargets(sq int, empty window) (to window) {
	for _, l := range m.leaps[sq] {
		if l.via&^empty == 0 {
			to |= l.to
		}
	}
	return to
}

// attacked are the squares that a piece of a class attacks, whoever stands there.
func (m *movement) attacked(class, sq int, empty window, taken set) set {
	to := passable(sq, empty) & m.near[class][sq].attack
	if m.leaps != nil && class == support {
		to |= m.leapTargets(sq, empty)
	}
	if m.slides[class]&slidesAside != 0 {
		to |= slideAside(sq, empty)
	}
	if m.slides[class]&slidesAhead != 0 {
		return to.set(sq).Or(slideAhead(sq, taken))
	}
	return to.set(sq)
}

// relocations are the squares that it may only go to if they are empty.
func (m *movement) relocations(class, sq int, empty window) set {
	return (passable(sq, empty) & m.near[class][sq].relocate & empty).set(sq)
}

// targets are the squares that it may go to.
func (m *movement) targets(v *view, class, sq int) set {
	empty := v.empty.around(sq)
	return m.attacked(class, sq, empty, v.taken).And(v.open.set()).Or(m.relocations(class, sq, empty))
}

// Legal implements engine.State.
func (s *State) Legal(dst []engine.Action, h *engine.History) []engine.Action {
	if s.end != 0 {
		return dst
	}
	if s.step < toPlace {
		return appendSquares(dst, firstPlace-first, setup.Minus(s.of[s.side]))
	}
	begin := len(dst)
	v := s.view()
	own, sliders := s.of[s.side], s.sliders[s.side]
	dst = s.appendMoves(dst, &v, 0, own.Lo, sliders.Lo)
	dst = s.appendMoves(dst, &v, 64, own.Hi, sliders.Hi)
	if s.held[s.side] > 0 {
		to := v.captured.Minus(v.taken)
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

// appendSquares appends an action for each square: its number and by.
func appendSquares(dst []engine.Action, by engine.Action, to set) []engine.Action {
	return appendWord(appendWord(dst, by, 1, to.Lo), by+64, 1, to.Hi)
}

// moveAction is the action of a move without promotion.
func moveAction(from, to int) engine.Action {
	return engine.Action(2 * (hexes*(from-first) + to - first))
}

// appendMoves appends the moves and promotions of the pieces on the squares of a word,
// whose bit 0 is square base; those of sliders may slide.
func (s *State) appendMoves(dst []engine.Action, v *view, base int, own, sliders uint64) []engine.Action {
	m := s.game.movement
	for ; own != 0; own &= own - 1 {
		from := (base + bits.TrailingZeros64(own)) & flip
		kind := (s.at[(uint8(from)^v.flip)&flip] - 1) & 15
		class := int(classOf[kind])
		area := &v.areas[areaOf[kind]]
		slider := own&-own&sliders != 0
		if slider && m.slides[class]&slidesAhead != 0 {
			to := m.targets(v, class, from)
			up := area.set().And(to.And(v.empty.set()).Or(kit.Single(from)))
			dst = s.appendMixed(dst, moveAction(from, 0), to.Lo, up.Lo)
			dst = s.appendMixed(dst, moveAction(from, 64), to.Hi, up.Hi)
			continue
		}
		empty := v.empty.around(from)
		to := m.nearTargets(v, class, from, empty)
		if slider {
			to |= slideAside(from, empty) & v.open.around(from)
		}
		up := area.around(from) & (to&empty | 1<<here)
		if up == 0 {
			dst = appendWord(dst, moveAction(from, from-here), 2, uint64(to))
			continue
		}
		dst = s.appendMixed(dst, moveAction(from, from-here), uint64(to), uint64(up))
	}
	return dst
}

// appendMixed appends the moves to the squares of a word, whose bit 0 stands for action a,
// and promotions on those of up; that of the piece itself is for promotion in place.
func (s *State) appendMixed(dst []engine.Action, a engine.Action, to, up uint64) []engine.Action {
	if up == 0 {
		return appendWord(dst, a, 2, to)
	}
	if s.game.forced {
		to &^= up
	}
	for all := to | up; all != 0; all &= all - 1 {
		i := bits.TrailingZeros64(all)
		n := len(dst)
		dst = append(dst, a+engine.Action(2*i), a+engine.Action(2*i+1))
		if to>>i&1 == 0 {
			dst[n] = dst[n+1]
		}
		dst = dst[:n+int(to>>i&1+up>>i&1)]
	}
	return dst
}

// appendWord appends an action for each bit of a word: a for bit 0, and step more for each
// bit. It writes four at a time, some of them for nothing, and so branches less: how many
// there are is hard to predict.
func appendWord(dst []engine.Action, a, step engine.Action, word uint64) []engine.Action {
	for {
		n := len(dst)
		if cap(dst)-n < 4 {
			dst = slices.Grow(dst, 4)
		}
		left := bits.OnesCount64(word)
		word = putFour((*[4]engine.Action)(dst[n:n+4]), a, step, word)
		if left <= 4 {
			return dst[:n+left]
		}
		dst = dst[:n+4]
	}
}

// putFour writes an action for each of the four lowest bits of a word and returns the rest.
func putFour(to *[4]engine.Action, a, step engine.Action, word uint64) uint64 {
	to[0] = a + step*engine.Action(bits.TrailingZeros64(word))
	word &= word - 1
	to[1] = a + step*engine.Action(bits.TrailingZeros64(word))
	word &= word - 1
	to[2] = a + step*engine.Action(bits.TrailingZeros64(word))
	word &= word - 1
	to[3] = a + step*engine.Action(bits.TrailingZeros64(word))
	return word & (word - 1)
}

// canAct tells whether the acting side has a legal action.
func (s *State) canAct(h *engine.History) bool {
	if s.forbids() && h != nil {
		var buffer [2048]engine.Action
		return len(s.Legal(buffer[:0], h)) > 0
	}
	taken := pad(s.of[s.side].Or(s.of[1-s.side].Turned()))
	if q := int(s.queens[s.side]); s.game.near[queen][q].attack&^taken.around(q) != 0 {
		return true // the usual case: the Queen has an empty neighbour
	}
	v := s.view()
	if s.held[s.side] > 0 && !v.captured.Minus(v.taken).Empty() {
		return true
	}
	for own := s.of[s.side]; !own.Empty(); own = own.Rest() {
		from := own.First()
		kind := s.kindOf(s.side, from)
		if !s.game.targets(&v, int(classOf[kind]), from).Empty() || v.areas[areaOf[kind]].around(from)>>here&1 == 1 {
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
	m, q := s.game.movement, int(s.queens[1-side])^flip
	by := m.threats[q].And(s.of[side]).Or(m.lines[q].And(s.sliders[side]))
	if by.Empty() {
		return false
	}
	taken := s.of[side].Or(s.of[1-side].Turned())
	empty := pad(everywhere.Minus(taken))
	for ; !by.Empty(); by = by.Rest() {
		from := by.First()
		if m.attacked(int(classOf[s.kindOf(side, from)&15]), from, empty.around(from), taken).Has(q) {
			return true
		}
	}
	return false
}
