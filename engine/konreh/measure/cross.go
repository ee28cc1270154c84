package measure

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// blueOnward is the number of squares that Blue slides onward.
const blueOnward = 5

// XS is the number of slides out of the Cross that the Blue of side has from square q
// of it and that stay legal whatever two moves in a row opp makes, or one, or none. It
// is exact: all pairs of moves are tried, not bounded by how far ZoC could reach.
//
// Blue is taken to stand on q instead of where it does, with whatever stood there
// gone, free to move, and not to be captured: moves that capture it are left aside,
// since Reach and ReachAny tell of them. A move is a slide, a special or a slide
// followed by a special of a piece now on the board; Seeds, plants and buybacks are
// left aside, and a runner on the Apex stands there. Counters of opp's Blue run. 0 if
// q is no square of the Cross or nothing counts as Cross.
func (m *Meter) XS(side engine.Side, q int) int {
	at := uint64(1) << (q & 63)
	if at&m.cross == 0 {
		return 0
	}
	a, opp := &m.armies[side&1], &m.armies[1-side&1]
	own := a.own &^ (a.kind[konreh.Blue] | at)
	// From here on as opp sees it.
	s := siege{m: m, opp: opp, blue: m.turned(at)}
	t := troop{
		own: opp.own &^ s.blue, enemy: m.turned(own) | s.blue, turn: 1, level: m.first(&opp.life),
		specials: opp.life.Specials, rooted: opp.life.Rooted,
		hop: opp.life.Hop, displacement: opp.life.Displacement,
	}
	for k := range t.kind {
		t.kind[k] = opp.kind[k] &^ s.blue
	}
	s.list(own, at, m.turned(t.own))
	if s.n == 0 {
		return 0
	}
	s.first(&t)
	return bits.OnesCount32(s.open)
}

// exit is a slide of Blue out of the Cross, by squares as opp sees them.
type exit struct {
	// spoil are the squares where the arrival of an enemy makes it illegal: those it
	// crosses, those next to them and its end.
	spoil uint64
	// hold are the squares from which enemies make it end where it does: those next
	// to the end of an onward slide short of its count, else 0.
	hold uint64
}

// siege is opp moving against the exits of a Blue that stands on one square.
type siege struct {
	m     *Meter
	opp   *army
	blue  uint64 // the square of that Blue
	exits [16]exit
	n     int
	open  uint32 // a bit for each exit that no move has spoilt yet
}

// troop is opp's pieces as one of its turns begins.
type troop struct {
	kind       [4]uint64
	own, enemy uint64
	turn       int
	// What is left to its Blue: the level of its Cross counters, specials, turns to
	// sit out.
	level, specials, rooted int
	hop, displacement       bool
	f                       konreh.SlideBoard
}

// list finds the exits of Blue on square at, with own and enemy pieces from its seat.
func (s *siege) list(own, at, enemy uint64) {
	g := s.m.game
	var f konreh.SlideBoard
	f.Set(g, own, enemy, true)
	for l, to := range f.BlueSlides(at) {
		for to &^= s.m.cross; to != 0; to &= to - 1 {
			end, crossed, steps := to&-to, uint64(0), 1
			for on := g.Step(l, at); on != end; on = g.Step(l, on) {
				crossed |= on
				steps++
			}
			x := exit{spoil: crossed | end}
			for ; crossed != 0; crossed &= crossed - 1 {
				x.spoil |= g.Around(squareOf(crossed))
			}
			x.spoil = s.m.turned(x.spoil)
			if onward := l < 2; onward && steps < blueOnward {
				x.hold = s.m.turned(g.Around(squareOf(end)))
			}
			s.exits[s.n] = x
			s.open |= 1 << s.n
			s.n++
		}
	}
}

// first plays every first move of opp; those after it are looked at as sets.
func (s *siege) first(t *troop) {
	s.ready(t)
	s.second(t)
	if !s.forced(t) {
		for k := range konreh.Blue {
			for on := t.kind[k]; on != 0; on &= on - 1 {
				from := on & -on
				for to := slides(&t.f, k, from) &^ s.blue; to != 0; to &= to - 1 {
					s.move(t, k, from, to&-to, to&-to, false, false)
				}
			}
		}
	}
	blue := t.kind[konreh.Blue]
	if blue == 0 || t.rooted > 0 {
		return
	}
	barred := s.m.barred(t.level)
	special := func(l int, at uint64) {
		if t.turn < s.opp.specials {
			return
		}
		step, jump := t.f.Special(l, at)
		if step&^(barred|s.blue) != 0 && t.displacement {
			s.move(t, konreh.Blue, blue, step, step, false, true)
		}
		if step != s.blue && jump&^barred != 0 && t.hop {
			s.move(t, konreh.Blue, blue, jump, step, true, false)
		}
	}
	for l, to := range t.f.BlueSlides(blue) {
		special(l, blue)
		for to &^= barred; to != 0; to &= to - 1 {
			s.move(t, konreh.Blue, blue, to&-to, 0, false, false)
			if t.f.Follow(l, to&-to) != 0 {
				special(l, to&-to)
			}
		}
	}
}

// ready prepares t for its turn.
func (s *siege) ready(t *troop) {
	t.f.Set(s.m.game, t.own, t.enemy, t.turn >= s.opp.slides)
}

// forced reports whether Blue must leave the Cross with this move.
func (s *siege) forced(t *troop) bool {
	return t.level == s.m.limit && t.kind[konreh.Blue]&s.m.cross != 0 && t.rooted == 0
}

// move plays a move and looks at all that may follow it; gone is what it captures, if
// an enemy stands there.
func (s *siege) move(t *troop, k int, from, to, gone uint64, hop, displacement bool) {
	if s.open == 0 {
		return
	}
	u := *t
	u.kind[k] = u.kind[k]&^from | to
	u.own = u.own&^from | to
	u.enemy &^= gone
	u.turn++
	u.rooted = max(u.rooted-1, 0)
	in, out := s.m.after(t.level)
	if u.level = out; u.kind[konreh.Blue]&s.m.cross != 0 {
		u.level = in
	}
	if hop || displacement {
		u.hop, u.displacement = u.hop && !hop, u.displacement && !displacement
		if u.specials--; u.specials == 0 {
			u.hop, u.displacement = false, false
			if s.m.game.LifeSpecials() > 1 {
				u.rooted = s.m.game.RootedTurns()
			}
		}
	}
	s.ready(&u)
	s.second(&u)
}

// second closes the exits that one more move, or none, can spoil.
func (s *siege) second(t *troop) {
	var to, blueTo uint64
	if !s.forced(t) {
		to = t.f.Slides(t.kind[konreh.Red], t.kind[konreh.Orange], t.kind[konreh.Green])
	}
	blueTo = s.arrivals(t)
	to = (to | blueTo) &^ s.blue
	for open := s.open; open != 0; open &= open - 1 {
		x := &s.exits[bits.TrailingZeros32(open)]
		if (to|t.own)&x.spoil != 0 || x.hold != 0 && s.letsGo(t, x.hold, blueTo) {
			s.open &^= open & -open
		}
	}
}

// letsGo reports whether no enemy is left on the squares of hold, or the last one may
// move away.
func (s *siege) letsGo(t *troop, hold, blueTo uint64) bool {
	last := hold & t.own
	if last&(last-1) != 0 {
		return false
	}
	away := ^(hold | s.blue)
	for k := range konreh.Blue {
		if last&t.kind[k] != 0 {
			return !s.forced(t) && slides(&t.f, k, last)&away != 0
		}
	}
	return last == 0 || blueTo&away != 0
}

// arrivals are the squares where a move of opp's Blue may end.
func (s *siege) arrivals(t *troop) uint64 {
	blue := t.kind[konreh.Blue]
	if blue == 0 || t.rooted > 0 {
		return 0
	}
	all := uint64(0)
	special := func(l int, at uint64) {
		if t.turn < s.opp.specials {
			return
		}
		step, jump := t.f.Special(l, at)
		if t.displacement {
			all |= step
		}
		if t.hop && step != s.blue {
			all |= jump
		}
	}
	barred := s.m.barred(t.level)
	for l, to := range t.f.BlueSlides(blue) {
		all |= to
		special(l, blue)
		for to &= s.m.game.Step(3-l, t.enemy) &^ barred; to != 0; to &= to - 1 {
			if t.f.Follow(l, to&-to) != 0 {
				special(l, to&-to)
			}
		}
	}
	return all &^ (barred | s.blue)
}

// SRI says how risky it is to have spent the second special on a move that lands on
// square q:
//
//	2  outside the Cross, with no capture on q possible on opp's next turn and a piece
//	   of side next to q
//	0  in the Cross, or a capture on q is possible on opp's next turn
//	1  otherwise
//
// The Blue of side is taken to stand on q instead of where it does, with whatever stood
// there gone. A piece that a Hop jumps is not taken away: to judge a special, play it,
// set the meter to the position after it and ask for Blue's square.
func (m *Meter) SRI(side engine.Side, q int) int {
	a, at := &m.armies[side&1], uint64(1)<<(q&63)
	own := a.own &^ (a.kind[konreh.Blue] | at)
	if at&m.cross != 0 || m.capture(side, q, own) {
		return 0
	}
	if m.game.Around(q)&own != 0 {
		return 2
	}
	return 1
}

// capture reports whether opp could capture a piece on q of side, whose others are own,
// on its next turn.
func (m *Meter) capture(side engine.Side, q int, own uint64) bool {
	var t attack
	m.on(side, q, own, &t)
	var f konreh.SlideBoard
	f.Set(m.game, t.own, t.enemy, true)
	if t.slides == 1 && !t.forced && f.Slides(t.kind[konreh.Red], t.kind[konreh.Orange], t.kind[konreh.Green])&t.target != 0 {
		return true
	}
	blue := t.kind[konreh.Blue]
	return blue != 0 && t.specials == 1 && t.life.Rooted == 0 &&
		f.Strikers(blue, t.target, m.barred(m.first(&t.life)), t.life.Hop, t.life.Displacement) != 0
}
