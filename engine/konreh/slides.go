package konreh

import "math/bits"

// view is the board as slides of the side to act meet it.
type view struct {
	lanes *[4]step
	// empty squares, enemy pieces that may be captured, squares in enemy ZoC,
	// and those of them that a capture of the only piece behind it may cross.
	empty, target, zoc, exempt uint64
	// contact is target if onward slides may capture short of their count.
	contact uint64
}

// zocOf is the squares in the ZoC of at least one of the pieces given, and of
// exactly one.
func (g *geometry) zocOf(pieces uint64) (any, once uint64) {
	p := &g.lanes[0]
	a, b, c, d := p[0].of(pieces), p[1].of(pieces), p[2].of(pieces), p[3].of(pieces)
	twice := a&b | c&d | (a|b)&(c|d)
	any = a | b | c | d
	return any, any &^ twice
}

func (s *State) view() view {
	g := s.game
	enemy := s.occ[1-s.side&1]
	zoc, once := g.geo.zocOf(enemy)
	v := view{
		lanes: &g.geo.lanes[s.side&1],
		empty: g.geo.board &^ (s.occ[0] | s.occ[1]),
		zoc:   zoc,
	}
	if int(s.turn) >= g.rules.noCaptureTurns {
		v.target = enemy
		if g.rules.targetZocExempt {
			v.exempt = once
		}
		if g.rules.contactCapture {
			v.contact = enemy
		}
	}
	return v
}

// numSlides is the number of planes of slides.
const numSlides = planeStep

// ends sets e[p] to the end squares of all slides of plane p of the movers,
// which are not Blue. Two movers never share one: plane and end give the start.
//
// Step by step along a lane, f are the pieces that got here over squares free
// of enemy ZoC, via those that may only capture here, having crossed the ZoC of
// their target and no other. Pieces that have gone their whole way drop out,
// kind by kind: Reds first, then Oranges.
func (v *view) ends(e *[numSlides]uint64, reds, oranges, greens uint64) {
	free, cross := v.empty&^v.zoc, v.empty&v.exempt
	full := v.empty | v.target
	short := v.empty&v.zoc | v.contact
	movers := reds | oranges | greens

	for l := onwardLeft; l <= onwardRight; l++ {
		p, o := &v.lanes[l], slidePlane[l]
		f := p.of(movers)
		e[o] = f & short

		via := p.of(f & cross)
		f = p.of(f & free)
		done := bits.RotateLeft64(reds, 2*p.turn)
		e[o+1] = f&(short|done&full) | via&(v.contact|done&v.target)

		f &^= done
		via = p.of(f & cross)
		f = p.of(f & free)
		done = bits.RotateLeft64(oranges, 3*p.turn)
		e[o+2] = f&(short|done&full) | via&(v.contact|done&v.target)

		f &^= done
		via = p.of(f & cross)
		f = p.of(f & free)
		e[o+3] = f&full | via&v.target
		e[o+4] = 0
	}
	for l := homewardLeft; l <= homewardRight; l++ {
		p, o := &v.lanes[l], slidePlane[l]
		f := p.of(movers)
		e[o] = f & full

		f &^= bits.RotateLeft64(reds, p.turn)
		via := p.of(f & cross)
		f = p.of(f & free)
		e[o+1] = f&full | via&v.target

		f &^= bits.RotateLeft64(oranges, 2*p.turn)
		via = p.of(f & cross)
		f = p.of(f & free)
		e[o+2] = f&full | via&v.target
		e[o+3] = 0
	}
}

// blueEnds are the end squares of the slides of a Blue on sq along the lane l
// of direction d, but for the rules of the Cross.
func (g *geometry) blueEnds(l lane, d int, sq uint8, v *view) uint64 {
	ray := g.ray5[d][sq]
	block := ray & (^v.empty | v.zoc)
	// run is the ray before the first square that ends the slide, last that
	// square, which the slide may enter if it is empty.
	var run, last uint64
	if d < 2 {
		last = block & -block
		run = ray & (last - 1)
	} else {
		n := bits.Len64(block)
		last = 1 << uint(n-1) // 0 if n is 0
		run = ray & (^uint64(0) << n)
	}
	last &= v.empty
	if l <= onwardRight {
		return run&g.fifth[d][sq] | last
	}
	return (run | last) & g.ray4[d][sq]
}
