package konreh

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// maxLegal bounds the legal actions of any position. A slide leaves its square
// towards one that its own side does not hold: at most one such step for each
// of the 112 pairs of neighbours. It leads to two ends for a Red or an Orange,
// three for one of twelve Greens and four for Blue homeward; Blue has eight
// specials and two buybacks besides.
const maxLegal = 112*2 + 12*2 + 2*2 + 8 + 2

// Legal implements [engine.State]. History does not matter in this game. A few
// elements of dst behind those appended may be overwritten, within its capacity.
func (s *State) Legal(dst []engine.Action, _ *engine.History) []engine.Action {
	switch s.phase {
	case phaseMove, phaseSecond:
		return s.legalMoves(dst)
	case phaseSpecial:
		step, hop := s.specials(s.square, s.lane)
		from := engine.Action(s.game.geo.turned(s.side, s.square))
		if step {
			dst = append(dst, 64*(planeStep+engine.Action(s.lane))+from)
		}
		if hop {
			dst = append(dst, 64*(planeHop+engine.Action(s.lane))+from)
		}
		return append(dst, codeNone)
	case phaseSeed:
		return append(dst, codeSeed, codeKeep)
	case phasePlace:
		for a := codeHome; a <= codeApex; a++ {
			if s.mayPlace(a, s.runner) {
				dst = append(dst, a)
			}
		}
		return dst
	case phaseGreen, phaseBuyHop, phaseBuyStep:
		return s.appendFrom(dst, planeGive, s.of(s.side, green))
	case phasePie:
		return append(dst, codeHold, codeSwap)
	}
	return dst
}

// appendFrom appends the actions of a plane from a set of squares.
func (s *State) appendFrom(dst []engine.Action, plane int, from uint64) []engine.Action {
	if s.side == sideA {
		for ; from != 0; from &= from - 1 {
			dst = append(dst, engine.Action(64*plane+bits.TrailingZeros64(from)))
		}
		return dst
	}
	last := int(s.game.geo.last)
	for from != 0 {
		sq := bits.Len64(from) - 1
		from &^= 1 << sq
		dst = append(dst, engine.Action(64*plane+last-sq))
	}
	return dst
}

// barred is the squares where Blue of the side to act may not come to rest.
func (s *State) barred() uint64 {
	if s.blues[s.side&1]&exclMask != 0 || s.overstaying() {
		return s.game.geo.cross
	}
	return 0
}

// overstaying reports whether the Blue of the side to act began its turn in the
// Cross and may not end it there.
func (s *State) overstaying() bool {
	limit := s.game.rules.crossStay
	return limit > 0 && s.blues[s.side&1].stay() >= limit
}

// mayUseSpecials reports whether the turn allows specials at all.
func (s *State) mayUseSpecials() bool {
	r := &s.game.rules
	return int(s.turn) >= r.noCaptureTurns &&
		(s.turn > 0 || r.balance != balancePie && r.balance != balancePieDouble)
}

// specials reports whether a Displacement and a Hop along lane l are legal for
// the Blue of the side to act on sq, as far as the target, the landing square,
// the Cross and the specials left go.
func (s *State) specials(sq uint8, l lane) (displace, hop bool) {
	p := &s.game.geo.lanes[s.side&1][l&3]
	b := s.blues[s.side&1]
	barred := s.barred()
	next := p.of(1<<sq) & s.occ[1-s.side&1]
	beyond := p.of(next) &^ (s.occ[0] | s.occ[1] | barred)
	return next&^barred != 0 && b&hasStep != 0, beyond != 0 && b&hasHop != 0
}

// mayBuy reports whether the side to act may buy back a special.
func (s *State) mayBuy(special blueState) bool {
	g := s.game
	b := s.blues[s.side&1]
	return g.rules.buyback && b&(bought|rootedMask|special) == 0 &&
		s.blueAt(s.side) == g.geo.homes[s.side&1] && s.of(s.side, green) != 0 &&
		!(s.turn == 1 && g.rules.double())
}

// mayPlace reports whether the side to act may place its Blue as placement a
// says, after a plant by the runner.
func (s *State) mayPlace(a engine.Action, runner kind) bool {
	if a == codeApex {
		return runner == green || s.of(s.side, green) != 0
	}
	return (s.occ[0]|s.occ[1])>>s.placement(a)&1 == 0
}

// placement is the square that a placement word names.
func (s *State) placement(a engine.Action) uint8 {
	g := s.game.geo
	switch a {
	case codeHome:
		return g.homes[s.side&1]
	case codeLeft:
		return g.sanctums[s.side&1]
	case codeRight:
		return g.sanctums[1-s.side&1]
	}
	return g.homes[1-s.side&1]
}

func (s *State) legalMoves(dst []engine.Action) []engine.Action {
	var v seat
	var e ends
	s.look(&v)
	v.slides(&e)
	if v.blue == 0 {
		dst = e.appendTo(dst)
	} else {
		blue := v.blueSlides(s.game.geo)
		if s.barred() != 0 {
			for l := range blue {
				blue[l] &^= s.game.geo.cross
			}
		}
		e.add(v.blue, &blue)
		dst = e.appendTo(dst)
		if s.game.geo.around[squareOf(v.blue)&63]&v.enemy != 0 && s.mayUseSpecials() {
			dst = s.appendSpecials(dst)
		}
	}
	if s.game.rules.buyback && s.phase == phaseMove {
		if s.mayBuy(hasHop) {
			dst = append(dst, codeBuyH)
		}
		if s.mayBuy(hasStep) {
			dst = append(dst, codeBuyD)
		}
	}
	return dst
}

// appendSpecials appends the specials of Blue that need no slide.
func (s *State) appendSpecials(dst []engine.Action) []engine.Action {
	blueAt := s.blueAt(s.side)
	at := engine.Action(s.game.geo.turned(s.side, blueAt))
	var hops [4]bool
	for l := range lane(4) {
		var displace bool
		if displace, hops[l] = s.specials(blueAt, l); displace {
			dst = append(dst, 64*(planeStep+engine.Action(l))+at)
		}
	}
	for l, hop := range hops {
		if hop {
			dst = append(dst, 64*(planeHop+engine.Action(l))+at)
		}
	}
	return dst
}

// CountLegal is the number of legal actions, without listing them.
func (s *State) CountLegal() int {
	if s.phase > phaseSecond {
		var few [16]engine.Action
		return len(s.Legal(few[:0], nil))
	}
	var v seat
	var e ends
	s.look(&v)
	v.slides(&e)
	n := e.count()
	if v.blue != 0 {
		keep := ^s.barred()
		for _, f := range v.blueSlides(s.game.geo) {
			n += bits.OnesCount64(f & keep)
		}
		if s.game.geo.around[squareOf(v.blue)&63]&v.enemy != 0 && s.mayUseSpecials() {
			var some [8]engine.Action
			n += len(s.appendSpecials(some[:0]))
		}
	}
	if s.game.rules.buyback && s.phase == phaseMove {
		if s.mayBuy(hasHop) {
			n++
		}
		if s.mayBuy(hasStep) {
			n++
		}
	}
	return n
}

// stuck reports whether the side to act has no legal move.
func (s *State) stuck() bool {
	// Nearly always some piece may go one step homeward, which the count of
	// steps never forbids; only otherwise is the whole list counted.
	own := s.occ[s.side&1] &^ (s.kind[0] & s.kind[1])
	if s.phase == phaseSecond {
		own &^= 1 << s.square
	}
	p := &s.game.geo.lanes[s.side&1]
	to := p[homewardLeft].of(own) | p[homewardRight].of(own)
	if to&^(s.occ[0]|s.occ[1]) != 0 && !s.overstaying() {
		return false
	}
	return s.CountLegal() == 0
}
