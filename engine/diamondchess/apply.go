package diamondchess

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// Apply implements engine.State.
func (s *State) Apply(a engine.Action, h *engine.History) {
	kit.Precondition(s, a, h)
	if s.side == 1 {
		a = turnAction(a)
	}
	switch {
	case a >= firstPlace:
		s.place(int(a-firstPlace)+cani, h)
	case a == actionStop:
		s.stop(h)
	case a >= firstAttack:
		a -= firstAttack
		s.attack(int(a>>4), int(a>>1&7), a&1 != 0, h)
	default:
		s.relocate(int(a>>6), int(a&63), h)
	}
}

// place sets a piece up.
func (s *State) place(kind int, h *engine.History) {
	s.put(s.side, kind, fill[s.side][s.placed(s.side)])
	s.side ^= 1
	if s.placed(1) == toPlace {
		s.phase = phaseStart
		s.seen = uint8(s.enter(h))
	}
}

// stop ends a phase, or is the pass of a player who can do nothing.
func (s *State) stop(h *engine.History) {
	switch s.phase {
	case phasePack:
		s.endMove(h)
	case phaseStart:
		passes := s.passes + 1
		s.endTurn(h)
		s.passes = passes
	default:
		s.endTurn(h)
	}
}

// relocate moves a piece, or lets the sleeth pounce.
func (s *State) relocate(from, to int, h *engine.History) {
	if leaps[from]>>to&1 != 0 {
		s.remove(s.side, ziri, from)
		s.put(s.side, ziri, to)
		s.flown = true
		s.endMove(h)
		return
	}
	kind, _ := s.kindAt(from)
	if s.at[to] != 0 || kind == sleeth && s.pieces[1-s.side][ziri]>>to&1 != 0 {
		s.pounce(from, to, h)
		return
	}
	if kind == cani && s.phase != phasePack {
		s.gather(from)
	}
	spent := s.spent[s.side] >> from & 1
	s.remove(s.side, kind, from)
	s.put(s.side, kind, to)
	s.spent[s.side] |= spent << to
	s.moved |= 1 << to
	if kind == cani {
		s.leave(from)
		if s.packMoves() {
			s.phase = phasePack
			return
		}
	}
	s.endMove(h)
}

// gather fixes the pack of a cani that is about to move, and the allowances.
func (s *State) gather(from int) {
	all := s.pieces[s.side][cani]
	group := uint64(1) << from
	for grown := uint64(0); grown != group; {
		grown = group
		for b := group; b != 0; b &= b - 1 {
			group |= beside[bits.TrailingZeros64(b)] & all
		}
	}
	s.pack = group &^ s.moved
	for b := s.pack; b != 0; b &= b - 1 {
		sq := bits.TrailingZeros64(b)
		if n := s.allowance(sq); n >= 2 {
			s.two |= 1 << sq
			s.three |= uint64(n/3) << sq
		}
	}
}

// leave takes a square out of the pack.
func (s *State) leave(sq int) {
	s.pack &^= 1 << sq
	s.two &^= 1 << sq
	s.three &^= 1 << sq
}

// endMove ends the first or second move of a turn.
func (s *State) endMove(h *engine.History) {
	if s.second {
		s.endTurn(h)
		return
	}
	s.pack, s.two, s.three = 0, 0, 0
	s.second, s.phase = true, phaseSecond
}

func (s *State) endTurn(h *engine.History) {
	s.moved, s.pack, s.two, s.three = 0, 0, 0, 0
	s.flown, s.second, s.strikes, s.passes = false, false, 0, 0
	s.phase = phaseStart
	s.side ^= 1
	s.turn++
	s.quiet++
	s.seen = uint8(min(s.enter(h), 255))
}

// capture takes a side's piece off the board.
func (s *State) capture(side uint8, kind, sq int) {
	s.remove(side, kind, sq)
	s.quiet = -1
}

// pounce moves the sleeth onto an enemy's square and takes what stands there.
func (s *State) pounce(from, to int, h *engine.History) {
	s.sacrifice(from)
	if kind, _ := s.kindAt(to); kind >= 0 {
		s.capture(1-s.side, kind, to)
	} else if s.pieces[1-s.side][ziri]>>to&1 != 0 {
		s.capture(1-s.side, ziri, to)
	}
	s.remove(s.side, sleeth, from)
	s.put(s.side, sleeth, to)
	s.endTurn(h)
}

// sacrifice takes the enemy's zi ri if it shares a square with a piece of the player who
// attacks from a square.
func (s *State) sacrifice(from int) {
	shared := s.pieces[1-s.side][ziri] & (s.of(s.side) | s.pieces[s.side][ziri])
	if s.game.piece {
		shared &= 1 << from
	}
	if shared != 0 {
		s.capture(1-s.side, ziri, bits.TrailingZeros64(shared))
	}
}

// attack strikes at the neighbour in a direction: its zi ri or its other piece.
func (s *State) attack(from, dir int, atZiri bool, h *engine.History) {
	to, weapon := int(next[from][dir]), dir&1 == 0
	if s.phase == phaseStart {
		s.sacrifice(from)
	}
	enemy := 1 - s.side
	if atZiri {
		if weapon && s.pieces[enemy][ziri]>>to&1 != 0 {
			s.capture(enemy, ziri, to)
		}
	} else if kind, _ := s.kindAt(to); resists(kind, to, weapon) {
		// A futile attack uses up the turn.
	} else if absorbs(kind, weapon) && s.spent[enemy]>>to&1 == 0 {
		s.spent[enemy] |= 1 << to
		s.quiet = -1
	} else {
		s.capture(enemy, kind, to)
	}
	if kind, _ := s.kindAt(from); weapon && kind == khtsoyis && s.pieces[enemy][town] != 0 {
		if s.phase == phaseStart {
			s.strikes = 3
		}
		if s.strikes--; s.strikes > 0 && s.strikesFrom(from) {
			s.phase = phaseStrike
			return
		}
	}
	s.endTurn(h)
}

// resists tells whether attacks of a kind have no effect on a piece.
func resists(kind, sq int, weapon bool) bool {
	return weapon && (kind == herethroy || kind == orren && river>>sq&1 != 0)
}

// absorbs tells whether a kind of piece survives the first hit of a kind.
func absorbs(kind int, weapon bool) bool {
	return weapon && kind == gormoror || !weapon && kind == rassimel
}
