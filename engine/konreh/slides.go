package konreh

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// seat is the board as slides of the side to act meet it, turned so that this
// side's Home Apex is a1: shifts along the lanes are then constants, and squares are
// numbered as in action codes. Off the board nothing is empty.
type seat struct {
	// pieces that may move; blue is at most one square
	reds, oranges, greens, blue uint64
	// empty squares, enemy pieces, those that slides may capture, and those that
	// onward slides may capture short of their count.
	empty, enemy, target, contact uint64
	// squares in enemy ZoC, and the ones among them that a slide may cross to capture
	// the only piece behind.
	zoc, exempt uint64
}

const (
	rank1 = 0x0101010101010101 // squares of digit 1
	rank8 = rank1 << 7
)

// The squares one step along each lane, from the seat.
func stepOL(b uint64) uint64 { return b << 8 }
func stepOR(b uint64) uint64 { return b << 1 &^ rank1 }
func stepHL(b uint64) uint64 { return b >> 1 &^ rank8 }
func stepHR(b uint64) uint64 { return b >> 8 }

// turnBoard is a set of squares turned by 180°.
func (g *geometry) turnBoard(b uint64) uint64 { return bits.Reverse64(b) >> (63 - g.last) }

// look sets v to the board from the seat of the side to act, in phase m or d.
func (s *State) look(v *seat) {
	g := s.game
	own, enemy, k0, k1 := s.occ[s.side&1], s.occ[1-s.side&1], s.kind[0], s.kind[1]
	if s.side != sideA {
		own, enemy = g.geo.turnBoard(own), g.geo.turnBoard(enemy)
		k0, k1 = g.geo.turnBoard(k0), g.geo.turnBoard(k1)
	}
	v.face(g, own, enemy, int(s.turn) >= g.rules.noCaptureTurns)
	if s.phase == phaseSecond {
		own &^= 1 << g.geo.turned(s.side, s.square)
	}
	v.reds = own &^ (k0 | k1)
	v.oranges = own & k0 &^ k1
	v.greens = own & k1 &^ k0
	v.blue = own & k0 & k1
	if s.blues[s.side&1]&rootedMask != 0 {
		v.blue = 0
	}
	if v.blue&g.geo.cross != 0 && s.overstaying() {
		v.reds, v.oranges, v.greens = 0, 0, 0 // Blue must leave the Cross now
	}
}

// face sets what slides meet on a board of own and enemy pieces, from the seat of
// the side that slides; captures says whether the turn allows them.
func (v *seat) face(g *Game, own, enemy uint64, captures bool) {
	v.empty = g.geo.board &^ (own | enemy)
	v.enemy = enemy
	a, b, c, d := stepOL(enemy), stepOR(enemy), stepHL(enemy), stepHR(enemy)
	v.zoc = a | b | c | d
	v.target, v.contact, v.exempt = 0, 0, 0
	if captures {
		v.target = enemy
		if g.rules.targetZocExempt {
			v.exempt = v.zoc &^ (a&b | c&d | (a|b)&(c|d))
		}
		if g.rules.contactCapture {
			v.contact = enemy
		}
	}
}

// ends are sets of squares: ends[p] those at which slides of plane p end. Two
// slides never share one: plane and end give the start.
type ends [planeStep]uint64

// slides sets e to the ends of all slides of pieces but Blue.
//
// Step by step along a lane, f are the pieces that got here over squares free
// of enemy ZoC, via those that may only capture here, having crossed the ZoC of
// their target and no other. Pieces that have gone their whole way are done and
// drop out, kind by kind: Reds first, then Oranges. The four lanes differ in the
// direction of their shifts alone, which are spelled out to be constants.
func (v *seat) slides(e *ends) {
	free, cross := v.empty&^v.zoc, v.empty&v.exempt
	full, target, contact := v.empty|v.target, v.target, v.contact
	short := v.empty&v.zoc | contact
	reds, oranges := v.reds, v.oranges
	movers := reds | oranges | v.greens

	f := stepOL(movers)
	e[planeOnLeft] = f & short
	via, f := stepOL(f&cross), stepOL(f&free)
	done := reds << 16
	e[planeOnLeft+1] = f&(short|done&full) | via&(contact|done&target)
	f &^= done
	via, f = stepOL(f&cross), stepOL(f&free)
	done = oranges << 24
	e[planeOnLeft+2] = f&(short|done&full) | via&(contact|done&target)
	f &^= done
	e[planeOnLeft+3] = stepOL(f&free)&full | stepOL(f&cross)&target
	e[planeOnLeft+4] = 0

	f = stepOR(movers)
	e[planeOnRight] = f & short
	via, f = stepOR(f&cross), stepOR(f&free)
	done = reds << 2
	e[planeOnRight+1] = f&(short|done&full) | via&(contact|done&target)
	f &^= done
	via, f = stepOR(f&cross), stepOR(f&free)
	done = oranges << 3
	e[planeOnRight+2] = f&(short|done&full) | via&(contact|done&target)
	f &^= done
	e[planeOnRight+3] = stepOR(f&free)&full | stepOR(f&cross)&target
	e[planeOnRight+4] = 0

	f = stepHL(movers)
	e[planeHmLeft] = f & full
	f &^= reds >> 1
	via, f = stepHL(f&cross), stepHL(f&free)
	e[planeHmLeft+1] = f&full | via&target
	f &^= oranges >> 2
	e[planeHmLeft+2] = stepHL(f&free)&full | stepHL(f&cross)&target
	e[planeHmLeft+3] = 0

	f = stepHR(movers)
	e[planeHmRight] = f & full
	f &^= reds >> 8
	via, f = stepHR(f&cross), stepHR(f&free)
	e[planeHmRight+1] = f&full | via&target
	f &^= oranges >> 16
	e[planeHmRight+2] = stepHR(f&free)&full | stepHR(f&cross)&target
	e[planeHmRight+3] = 0
}

// blueSlides are the ends of Blue's slides along each lane, but for the rules of
// the Cross. There must be a Blue that may move.
//
// Along a lane, run is the ray up to the first square that ends the slide, and
// last that square if Blue may enter it.
func (v *seat) blueSlides(g *geometry) (e [4]uint64) {
	at := bits.TrailingZeros64(v.blue) & 63
	block := ^v.empty | v.zoc
	for l := range 2 {
		ray := g.ray5[l][at]
		first := ray & block
		first &= -first
		run, last := ray&(first-1), first&v.empty
		e[l] = run&g.fifth[l][at] | last
	}
	for l := 2; l < 4; l++ {
		ray := g.ray4[l][at]
		n := bits.Len64(ray & block)
		run, last := ray&(^uint64(0)<<n), 1<<uint(n-1)&v.empty
		e[l] = run | last
	}
	return e
}

// add adds the slides of the Blue on the square of b to e.
func (e *ends) add(b uint64, blue *[4]uint64) {
	for k := range 5 {
		e[planeOnLeft+k] |= blue[0] & (b << 8 << (8 * k))
		e[planeOnRight+k] |= blue[1] & (b << 1 << k)
	}
	for k := range 4 {
		e[planeHmLeft+k] |= blue[2] & (b >> 1 >> k)
		e[planeHmRight+k] |= blue[3] & (b >> 8 >> (8 * k))
	}
}

// firstCode[p] plus the end of a slide of plane p, as the seat sees it, is the
// slide's action.
var firstCode = func() (codes [planeStep]engine.Action) {
	for plane := range codes {
		slide := slideOf[plane]
		codes[plane] = engine.Action(64*plane - slide.steps*geometry8.lanes[sideA][slide.lane].turn)
	}
	return codes
}()

// crowded has a bit for each plane in which any Red may have a slide; the others
// seldom have more than two.
const crowded = 1<<(planeOnLeft+1) | 1<<(planeOnRight+1) | 1<<planeHmLeft | 1<<planeHmRight

// appendTo appends the slides to dst in ascending order.
//
// How many slides a plane has is random, and the end of a loop over them would
// be mispredicted time and again. So two or, in a crowded plane, six are always
// written and only then counted; the next plane overwrites what was too much.
// This needs room for maxLegal, which specials and buybacks keep above any
// number of slides, and may leave a few elements overwritten behind the end.
func (e *ends) appendTo(dst []engine.Action) []engine.Action {
	n := len(dst)
	if cap(dst)-n < maxLegal {
		for plane, f := range e {
			for ; f != 0; f &= f - 1 {
				dst = append(dst, firstCode[plane]+engine.Action(bits.TrailingZeros64(f)))
			}
		}
		return dst
	}
	out := dst[:cap(dst)]
	for plane, f := range e {
		first, next := firstCode[plane], n+bits.OnesCount64(f)
		out[n] = first + engine.Action(bits.TrailingZeros64(f))
		f &= f - 1
		out[n+1] = first + engine.Action(bits.TrailingZeros64(f))
		f &= f - 1
		if crowded>>plane&1 != 0 {
			out[n+2] = first + engine.Action(bits.TrailingZeros64(f))
			f &= f - 1
			out[n+3] = first + engine.Action(bits.TrailingZeros64(f))
			f &= f - 1
			out[n+4] = first + engine.Action(bits.TrailingZeros64(f))
			f &= f - 1
			out[n+5] = first + engine.Action(bits.TrailingZeros64(f))
			f &= f - 1
			n += 4
		}
		for ; f != 0; f &= f - 1 {
			out[n+2] = first + engine.Action(bits.TrailingZeros64(f))
			n++
		}
		n = next
	}
	return out[:n]
}

// count is the number of slides.
func (e *ends) count() int {
	n := 0
	for _, f := range e {
		n += bits.OnesCount64(f)
	}
	return n
}
