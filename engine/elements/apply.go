package elements

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// Apply implements engine.State.
func (s *State) Apply(a engine.Action, h *engine.History) {
	kit.Precondition(s, a, h)
	s.fresh = false
	if next, over := s.play(a); !over {
		s.enterPhase(next, h)
	}
}

// nextPhase is what follows a decision: a phase, or the end of the turn.
const turnOver = phases

// play changes the pieces and says which phase follows.
func (s *State) play(a engine.Action) (next phase, over bool) {
	next = phasePlace
	switch {
	case a < firstSwap:
		return s.move(int(a)/squares, int(a)%squares)
	case a < firstLeaf:
		s.exchange(int(s.where[balance]), int(a-firstSwap))
	case a < firstPull:
		s.exchange(int(s.where[leaf]), int(a-firstLeaf))
		next = phaseLeaf
	case a < firstPush:
		v := s.view(s.side)
		from, to := s.pulled(int(a-firstPull), &v)
		s.put(s.remove(from), to)
		next = phaseMoon
	case a < firstTake:
		v := s.view(s.side)
		from, to := s.pushed(int(a-firstPush), &v)
		s.put(s.remove(from), to)
	case a < actionStop:
		s.discard(int(a - firstTake))
	case a == actionStop:
		if s.phase >= phasePlace {
			next = turnOver
		}
	case a == actionWind:
		next = phaseWind
	case a == actionLead:
		s.lead = true
		next = phaseAct
	case a < firstCopy:
		kind := int(a-firstPlace) / squares
		s.unstore(kind, s.side)
		s.put(pieceOf(kind, s.side), int(a-firstPlace)%squares)
		if next = turnOver; kind == mirror {
			next = phaseCopy
		}
	case a < firstDraft:
		s.put(pieceOf(mirror, s.side)|copyBit, int(a-firstCopy))
		next = turnOver
	case a < firstShadow:
		kind := int(a - firstDraft)
		s.draft &^= 1 << kind
		s.store(kind, s.side)
		if s.phase == phasePlace {
			s.drafts = uint8(s.game.draftMax)
		}
		s.drafts--
		next = phaseDraft
	case a < firstBring:
		return s.move(int(s.where[shadow]), int(a-firstShadow))
	default:
		from, to := s.brought(a)
		return s.move(from, to)
	}
	return next, s.won()
}

// move moves an own piece, which may capture or land on an own piece on the goal.
func (s *State) move(from, to int) (next phase, over bool) {
	captured := false
	if x := s.at[to]; x != 0 && x.side() == s.side {
		s.under = x
		s.remove(to)
		if !x.copy() {
			s.where[x.kind()] = uint8(to)
		}
	} else if x != 0 {
		s.discard(to)
		captured = true
	}
	p := s.remove(from)
	s.put(p, to)
	next = phasePlace
	switch {
	case p.kind() == fire && captured && (s.phase == phaseAct || s.phase == phaseFire):
		next = phaseFire
	case s.phase != phaseAct:
	case p.kind() == power:
		next = phasePush
	case p.kind() == wind:
		next = phaseWind
	}
	return next, s.won()
}

// exchange lets the pieces on two squares swap places.
func (s *State) exchange(x, y int) {
	p, q := s.remove(x), s.remove(y)
	s.put(p, y)
	s.put(q, x)
}

// discard removes a captured piece.
func (s *State) discard(sq int) {
	p := s.remove(sq)
	switch {
	case p.copy():
	case p.kind() == rock && s.room(p.side()) > 0:
		s.store(rock, p.side())
	default:
		s.draft |= 1 << p.kind()
		s.where[p.kind()] = inDraft
	}
}

// won tells whether somebody has the goal, and ends the turn's phases then.
func (s *State) won() bool {
	if s.under == 0 && int(s.where[sun]) != s.game.goal || !s.Outcome().Over {
		return false
	}
	s.phase, s.lead, s.drafts, s.fresh = phaseAct, false, 0, true
	return true
}

// enterPhase begins a phase, or the one that follows if there is nothing to decide in it.
func (s *State) enterPhase(next phase, h *engine.History) {
	if next != phaseAct {
		s.lead = false
	}
	if next < phasePlace {
		if s.phase = next; s.choice() {
			return
		}
		next = phasePlace
	}
	s.lead = false
	if t := s.territory(); next != phasePlace || t < 0 || s.controls(s.side, t) {
		if next < turnOver {
			if s.phase = next; s.choice() {
				return
			}
		}
	}
	s.endTurn(h)
}

// endTurn goes on to the next turn in which there is something to decide. Turns without a
// choice count, and so do their positions.
func (s *State) endTurn(h *engine.History) {
	s.drafts = 0
	s.fresh = true
	for {
		s.turn++
		s.advance()
		s.phase = phaseAct
		choice := s.choice()
		if !choice {
			s.phase = phasePlace
			choice = s.choice()
		}
		s.seen = uint8(min(s.enter(h), 255))
		if choice || s.Outcome().Over {
			return
		}
	}
}

// advance moves the marker to the next slot with an owner.
func (s *State) advance() {
	for {
		if s.slot++; int(s.slot) == len(s.game.cycle) {
			s.slot = 0
		}
		t := s.territory()
		if t < 0 {
			s.side = uint8(t + 2)
			return
		}
		for side := range uint8(2) {
			if s.controls(side, t) {
				s.side = side
				return
			}
		}
	}
}
