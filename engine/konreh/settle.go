package konreh

import "github.com/ludozero/ludozero/engine"

var _ engine.Settler = (*State)(nil)

// Settled implements [engine.Settler]: B's double move has been made, if the
// rules give it one, and hold or swap has been said, if they ask for it.
//
//	single                   from the start
//	pie                      after hold or swap at the start of B's first turn
//	double-move, pie-double  after B's first turn
//	double-pie               after hold or swap at the start of A's second turn
func (s *State) Settled() bool {
	r := &s.game.rules
	if r.double() && s.turn < 2 {
		return false
	}
	pie := r.pieTurn()
	return s.turn > pie || s.turn == pie && s.phase != phasePie
}

// Neutral implements [engine.Settler]: hold.
func (s *State) Neutral() (engine.Action, bool) { return codeHold, s.phase == phasePie }
