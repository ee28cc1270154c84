package diamondchess

import (
	"github.com/ludozero/ludozero/engine"
)

var _ engine.Searched = (*State)(nil)

// BeginsTurn implements engine.Searched.
func (s *State) BeginsTurn() bool { return s.phase == phaseStart || s.phase == phaseSetup }

// SearchKey implements engine.Searched.
func (s *State) SearchKey() uint64 {
	x := uint64(s.turn) | uint64(uint16(s.quiet))<<16 | uint64(s.passes)<<32 | uint64(s.side)<<40 | uint64(s.phase)<<41
	return s.Hash() ^ x*0x9e3779b97f4a7c15
}

// RepeatedSince implements engine.Searched.
func (s *State) RepeatedSince(h *engine.History, from int) bool {
	if h == nil || s.phase != phaseStart {
		return false
	}
	k := s.key()
	return h.Count(s.Hash(), k[:], from) > 1
}

// Loudness implements engine.Searched: attacks by what they take.
func (s *State) Loudness(a engine.Action) (rank int32, loud bool) {
	if a >= actionStop {
		return 0, false
	}
	if s.side == 1 {
		a = turnAction(a)
	}
	enemy := 1 - s.side
	if a < firstAttack {
		to := int(a & 63)
		kind, side := s.kindAt(to)
		if leaps[a>>6]>>to&1 != 0 || (kind < 0 || side != enemy) && s.pieces[enemy][ziri]>>to&1 == 0 {
			return 0, false
		}
		if kind < 0 {
			kind = ziri
		}
		return worth[kind] - 1, true
	}
	a -= firstAttack
	to := int(next[a>>4][a>>1&7])
	if a&1 != 0 {
		return worth[ziri], true
	}
	kind, _ := s.kindAt(to)
	if absorbs(kind, a>>1&1 == 0) && s.spent[enemy]>>to&1 == 0 {
		return spentWorth, true
	}
	return worth[kind], true
}

// worth ranks what is taken, by hand, in hundredths of a cani; spentWorth ranks
// a hit which is absorbed.
var worth = [kinds]int32{4000, 100, 180, 220, 210, 230, 240, 420, 230}

const spentWorth = 90
