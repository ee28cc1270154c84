package diamondchess

import "math/bits"

// ways are the squares on which a piece can end that goes up to steps squares straight,
// in every by-th direction: open ones. It passes those and others that are through.
func ways(sq, by, steps int, open, through uint64) (to uint64) {
	for d := 0; d < 8; d += by {
		at := sq
		for range steps {
			n := next[at][d]
			if n < 0 || (open|through)>>n&1 == 0 {
				break
			}
			at = int(n)
			to |= 1 << n
		}
	}
	return to & open
}

// allowance is how far a cani may go: 1 and one more for each own cani beside it.
func (s *State) allowance(sq int) int {
	return 1 + bits.OnesCount64(s.pieces[s.side][cani]&beside[sq])
}

// ground are the squares where relocations may end, and those that they may pass.
func (s *State) ground() (free, pass uint64) {
	taken, zis := s.occupied(), s.zis()
	free = ^(taken | zis)
	if s.game.passZiri {
		return free, ^taken
	}
	return free, free
}

// targets are the squares that the acting side's piece of a kind on a square may
// relocate to, over ground. steps is the allowance of a cani.
func (s *State) targets(kind, sq, steps int, free, pass uint64) uint64 {
	switch kind {
	case ziri:
		return leaps[sq]
	case town:
		home := neighbours[sq] & sides[s.side]
		if s.game.townFords {
			home |= fords[sq]
		} else {
			home &^= fords[sq]
		}
		return home & edge & free
	case cani:
		return ways(sq, 2, steps, free&^river, pass)
	case gormoror:
		return ways(sq, 2, 3, free&^river, pass)
	case khtsoyis:
		return neighbours[sq] & free
	case herethroy:
		return ways(sq, 1, 3, free&^river, pass)
	case rassimel:
		return ways(sq, 2, 2, free&^river, pass&^river) | fords[sq]&free
	case sleeth:
		return ways(sq, 1, 3, free, pass)
	}
	to := ways(sq, 2, 3, free, pass) // an orren
	if river>>sq&1 != 0 {
		to |= river & free
	}
	return to
}

// pounces are the squares of the enemy that the acting side's sleeth may take.
func (s *State) pounces(sq int) (to uint64) {
	own, zis := s.of(s.side), s.zis()
	enemy := s.of(1-s.side) | s.pieces[1-s.side][ziri]&^own
	steps := 3
	if s.game.adjacent {
		steps = 1
	}
	through := ^(s.occupied() | zis)
	if s.game.passZiri {
		through = ^s.occupied()
	}
	for d := range 8 {
		at := sq
		for range steps {
			n := next[at][d]
			if n < 0 {
				break
			}
			to |= 1 << n
			if through>>n&1 == 0 {
				break
			}
			at = int(n)
		}
	}
	return to & enemy
}

// relocations calls do with every piece that may relocate, and the squares to which.
func (s *State) relocations(do func(kind, sq int, to uint64)) {
	free, pass := s.ground()
	if s.phase == phasePack {
		for b := s.pack; b != 0; b &= b - 1 {
			sq := bits.TrailingZeros64(b)
			do(cani, sq, s.targets(cani, sq, s.packSteps(sq), free, pass))
		}
		return
	}
	for kind, b := range s.pieces[s.side] {
		if kind == ziri && s.flown {
			continue
		}
		if kind != ziri {
			b &^= s.moved
		}
		for ; b != 0; b &= b - 1 {
			sq := bits.TrailingZeros64(b)
			steps := 0
			if kind == cani {
				steps = s.allowance(sq)
			}
			do(kind, sq, s.targets(kind, sq, steps, free, pass))
		}
	}
}

// packSteps is the fixed allowance of a member of the pack.
func (s *State) packSteps(sq int) int {
	return 1 + int(s.two>>sq&1) + int(s.three>>sq&1)
}

// packMoves tells whether a member of the pack can move.
func (s *State) packMoves() bool {
	free, pass := s.ground()
	for b := s.pack; b != 0; b &= b - 1 {
		sq := bits.TrailingZeros64(b)
		if s.targets(cani, sq, s.packSteps(sq), free, pass) != 0 {
			return true
		}
	}
	return false
}
