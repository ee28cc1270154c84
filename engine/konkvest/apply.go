package konkvest

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// Apply implements engine.State.
func (s *State) Apply(a engine.Action, h *engine.History) {
	kit.Precondition(s, a, h)
	s.play(int(a))
	s.seen = uint8(min(s.enter(h), 255))
	if s.step == toPlace {
		s.end = s.finish(h)
	}
}

// play makes an action on the board and gives the turn to the other side.
func (s *State) play(a int) {
	side := s.side
	s.side ^= 1
	if a >= firstPlace {
		s.put(side, int(formation[s.step/4]), first+a-firstPlace)
		s.step++
		return
	}
	s.ply++
	if a >= firstSummon {
		kind, to := (a-firstSummon)/hexes, first+(a-firstSummon)%hexes
		s.keep(side, kind, -1)
		s.put(side, kind, to)
		if kind == pawn {
			s.refresh(side)
		}
	} else {
		s.move(side, first+a/2/hexes, first+a/2%hexes, a&1 == 1)
	}
	s.runs[side] = s.run(side)
}

// move moves a piece, or promotes it where it stands.
func (s *State) move(side uint8, from, to int, promote bool) {
	kind, enemy := s.kindOf(side, from), 1-side
	if other := s.kindOf(side, to); other >= 0 && to != from {
		s.take(enemy, other, to^flip)
		if other == pawn || other == queen {
			s.refresh(enemy)
		}
		if other != queen && s.held[side] < most {
			s.keep(side, plain(other), 1)
		}
	}
	s.take(side, kind, from)
	after := kind
	if promote {
		after += promoted
	}
	s.put(side, after, to)
	if kind == pawn || kind == queen {
		s.refresh(side)
	}
}

// run is the number of turns of a side in a row that have ended with an attack on the
// Queen, after one of its turns.
func (s *State) run(side uint8) uint16 {
	if s.game.cycle == cycleOff || !s.attacks(side) {
		return 0
	}
	return s.runs[side] + 1
}

// finish is the reason for which the game ends with this position, which is in h.
func (s *State) finish(h *engine.History) ending {
	switch {
	case s.queens[0] == 0 || s.queens[1] == 0:
		return endToppled
	case s.queens[0] == base^flip || s.queens[1] == base^flip:
		return endOccupied
	case !s.canAct(h):
		return endBlocked
	case s.game.cycle == cycleLoses && s.cycled(h, h.Len()-1):
		return endCycle
	case int(s.seen)+1 >= s.game.repetition:
		return endRepetition
	case int(s.ply) >= s.game.maxPlies:
		return endLength
	}
	return 0
}

// cycled tells whether the side that has just acted has attacked the Queen for the fourth
// time in a row or more and came to a position that one of these attacks had led to. The
// position, entered or not, is number now of h.
func (s *State) cycled(h *engine.History, now int) bool {
	n := int(s.runs[1-s.side])
	if n < 4 || h == nil {
		return false
	}
	k := s.key()
	return h.Count(s.Hash(), k[:], max(0, now-2*(n-1))) > h.Len()-now
}
