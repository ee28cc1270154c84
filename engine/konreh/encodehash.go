package konreh

import "math/bits"

// EncodingHash implements [engine.State]. Like Encode it sees the position from
// the acting side's seat, so that a position and its half turn with the sides
// exchanged share a hash. What Encode derives from the pieces and the rules is
// left out.
func (s *State) EncodingHash() uint64 {
	g, r := s.game.geo, &s.game.rules
	h := chain(0, g.seen(s.side, s.occ[s.side&1]))
	h = chain(h, g.seen(s.side, s.occ[1-s.side&1]))
	h = chain(h, g.seen(s.side, s.kind[0]))
	h = chain(h, g.seen(s.side, s.kind[1]))

	own, other := s.blues[s.side&1], s.blues[1-s.side&1]
	if s.side == sideB {
		own, other = own.turned(), other.turned()
	}
	h = chain(h, uint64(own)|uint64(other)<<32)

	w := uint64(s.phase) | uint64(min(s.repetition, 3))<<8
	switch s.phase {
	case phaseSecond, phaseSeed:
		w |= uint64(g.turned(s.side, s.square)) << 16
	case phaseSpecial:
		w |= uint64(g.turned(s.side, s.square))<<16 | uint64(s.lane)<<24
	case phasePlace:
		w |= uint64(s.runner) << 32
	}
	for i, on := range [5]bool{s.progress, s.doubleAhead(), s.pieAhead(), s.turn == 0, s.swapped} {
		if on {
			w |= 1 << (40 + i)
		}
	}
	h = chain(h, w)

	w = uint64(max(0, r.noCaptureTurns-int(s.turn))) << 32
	if r.noProgress > 0 {
		w |= uint64(s.quiet)
	}
	h = chain(h, w)
	if r.maxTurns > 0 {
		h = chain(h, uint64(s.turn))
	}
	a, b := r.words()
	return chain(chain(h, a), b)
}

// turned is a Blue state as it looks from the other seat.
func (b blueState) turned() blueState {
	if i := b.ban(); i > 0 {
		return b.with(banMask, banShift, 3-i)
	}
	return b
}

// words is all options of a ruleset in two words.
func (r *rules) words() (a, b uint64) {
	a = uint64(r.noProgress) | uint64(r.maxTurns)<<16 | uint64(r.noCaptureTurns)<<32 |
		uint64(r.balance)<<48 | uint64(r.specials)<<56
	b = uint64(r.crossStay) | uint64(r.crossExclusion)<<8 | uint64(r.reforgeTurns)<<16 |
		uint64(r.greenCap)<<24 | uint64(r.seedLimit)<<32 | uint64(r.size)<<40
	for i, on := range [9]bool{
		r.contactCapture, r.targetZocExempt, r.slideSpecial, r.rootedThrough,
		r.seed, r.mobilization, r.speed, r.buyback, r.stalemateLoses,
	} {
		if on {
			b |= 1 << (48 + i)
		}
	}
	return a, b
}

// chain mixes a word into a hash by a full 64 by 64 bit product. Both factors
// are odd multiples away from plain counts, so that small words spread.
func chain(h, w uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, w^0xd1b54a32d192ed03)
	return hi ^ lo ^ h>>17 ^ w<<13
}
