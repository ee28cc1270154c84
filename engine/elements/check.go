package elements

import (
	"errors"
	"fmt"
)

// check refuses positions that break a rule. Positions need not be reachable.
func (s *State) check() error {
	g := s.game
	if b := s.of[0].Or(s.of[1]).Minus(g.board); !b.Empty() {
		return fmt.Errorf("a piece stands on %s, beyond the board", squareName(b.First()))
	}
	if int(s.slot) >= len(g.cycle) {
		return fmt.Errorf("slot %d: want 0 to %d", s.slot, len(g.cycle)-1)
	}
	for side := range uint8(2) {
		if s.room(side) < 0 {
			return fmt.Errorf("the reserve of %s holds more than %d", info.Sides[side], g.reserveMax)
		}
	}
	if x := s.under; x != 0 {
		top := s.at[g.goal]
		if x&kindBits == 0 || x.kind() >= kinds || x&^(kindBits|sideBit|copyBit) != 0 || x.copy() && x.kind() != mirror || top == 0 || top.side() != x.side() ||
			top == x && !x.copy() || !x.copy() && int(s.where[x.kind()]) != g.goal {
			return errors.New("under: want a piece beneath one of its own side on the goal")
		}
	}
	if s.phase >= phases {
		return errors.New("phase: unknown")
	}
	if int(s.turn) > g.maxTurns || int(s.seen) >= g.repetition {
		return fmt.Errorf("turn %d, seen %d: beyond what ends the game", s.turn, s.seen)
	}
	return s.checkPhase()
}

func (s *State) checkPhase() error {
	over := s.Outcome().Over
	own := s.game.cycle[s.slot] == s.side
	if s.fresh && s.phase != phasePlace && (s.phase != phaseAct || s.lead) {
		return errors.New("first: a turn begins with act, or with place")
	}
	if s.lead && (s.phase != phaseAct || s.territory() < 0) {
		return errors.New("lead: only for the action of a territory's turn")
	}
	if (s.phase == phaseDraft) != (s.drafts > 0) || int(s.drafts) >= s.game.draftMax && s.phase == phaseDraft {
		return fmt.Errorf("drafts: want 1 to %d in the phase draft, none in others", s.game.draftMax-1)
	}
	won := s.under != 0 || over && s.Outcome().Winner < 2
	if won {
		if !s.fresh || s.phase != phaseAct {
			return errors.New("phase: the game is won, and wants act")
		}
		return nil
	}
	switch t := s.territory(); {
	case t < 0 && !own:
		return fmt.Errorf("slot %d is not that of %s", s.slot, info.Sides[s.side])
	case t >= 0 && (s.phase == phaseAct && !s.lead || s.phase >= phasePlace) && !s.controls(s.side, t):
		return fmt.Errorf("slot %d: %s does not control territory %s", s.slot, info.Sides[s.side], slotName(s.game.cycle[s.slot]))
	}
	if k := actors[s.phase]; k > 0 && !s.owned(k, s.side) {
		return fmt.Errorf("phase %s: %s has no %s on the board", phaseNames[s.phase], info.Sides[s.side], kindNames[k])
	}
	if s.lead && !s.owned(leadership, s.side) {
		return fmt.Errorf("lead: %s has no Leadership on the board", info.Sides[s.side])
	}
	if s.phase == phaseAct && !s.fresh && !s.lead {
		return errors.New("first: the phase act begins a turn")
	}
	if s.phase > phaseAct && !over && !s.choice() {
		return fmt.Errorf("phase %s: there is nothing to decide", phaseNames[s.phase])
	}
	return nil
}
