package knaw

import (
	"errors"
	"fmt"
)

// check refuses positions that break a rule; at must be settled.
func (s *State) check() error {
	if s.occupied().count() < sides*pieces {
		return errors.New("pieces: want one on a space")
	}
	for side := range uint8(sides) {
		if b := s.taken[side].and(s.influence[1-side]); !b.empty() {
			return fmt.Errorf("the piece of %s on %s borders an enemy: no move ends there", info.Sides[side], names[b.first()])
		}
		if b := s.rolled[side].minus(s.contention()); !b.empty() {
			return fmt.Errorf("%s: %s is no point of contention", info.Sides[side], names[b.first()])
		}
	}
	post := s.phase == phasePostRoll || s.phase == phasePost
	switch over := s.phase == phaseOver; {
	case s.resolver < 0 && (s.resolved(0) || s.resolved(1)):
		return errors.New("resolver: want the side that has resolved")
	case s.resolver >= 0 && (!post && !over || s.resolver == int8(s.side) || !s.resolved(uint8(s.resolver))):
		return errors.New("resolver: want one who has resolved, while the other has its moves or the game is over")
	case post && (s.resolver < 0 || s.connections(s.side) == pieces/2):
		return errors.New("post: want a resolver, and a connection that is missing")
	case over && s.resolver < 0 && int(s.turn) != s.game.maxTurns:
		return fmt.Errorf("over: nobody has resolved, and %d turns are not %d", s.turn, s.game.maxTurns)
	case !(over && s.resolver < 0) && int(s.turn) >= s.game.maxTurns:
		return fmt.Errorf("turn %d: the game ends after %d", s.turn, s.game.maxTurns)
	}
	if err := s.checkDice(); err != nil {
		return err
	}
	return s.checkPhase()
}

// checkDice checks that there are as many dice as the phase has.
func (s *State) checkDice() error {
	first, second := s.dice[0] != 0, s.dice[1] != 0
	switch s.phase {
	case phaseMove, phaseErrandRoll, phaseErrand:
		// A die kept from a Path is rolled alone.
		if !first || second != s.game.symmetric && !(s.game.conserve && s.game.symmetric) {
			return fmt.Errorf("dice: want as many as the version has in the phase %s", phaseNames[s.phase])
		}
	case phaseSecond, phasePath, phasePost:
		if !first || second {
			return fmt.Errorf("dice: want one in the phase %s", phaseNames[s.phase])
		}
	default:
		if first || second {
			return fmt.Errorf("dice: none in the phase %s", phaseNames[s.phase])
		}
	}
	errand := s.phase == phaseErrandRoll || s.phase == phaseErrand
	if s.die != 0 && (!errand || !second || s.dice[0] == s.dice[1]) {
		return errors.New("die: only for an errand with the second of two dice that differ")
	}
	if s.carried != 0 && (!s.game.conserve || s.phase != phaseDeclare) {
		return errors.New("carried: only if dice are kept, while a Path may be declared")
	}
	return nil
}

func (s *State) checkPhase() error {
	errand := s.phase == phaseErrandRoll || s.phase == phaseErrand
	path := s.phase == phasePathRoll || s.phase == phasePath
	switch {
	case (s.piece != noPiece) != (errand || path || s.phase == phaseSecond):
		return errors.New("piece: want one on an errand, on a Path and before a second move, else none")
	case s.barred != noPiece && s.phase != phaseMove:
		return errors.New("barred: only in the phase move")
	case s.phase == phaseSecond && !s.game.symmetric:
		return errors.New("second: a turn has one die")
	case s.phase == phaseDeclare && s.matured().empty():
		return errors.New("declare: no point of contention has matured")
	case path && (!s.matured().has(int(s.space)) || !beside[s.at[s.side][s.piece]].has(int(s.space))):
		return errors.New("space: want a matured point of contention beside the piece")
	case !path && s.space != 0:
		return errors.New("space: only for a Path")
	case s.phase == phaseMove && s.barred != noPiece && !s.errandOf(s.barred):
		return errors.New("barred: the piece could not ask for an errand")
	case errand && !s.errandOf(s.piece):
		return errors.New("piece: it cannot ask for an errand")
	case s.phase == phaseErrand && s.dice[s.die] == 1 && s.game.tie != tieMover:
		return errors.New("dice: 1 wins no errand")
	}
	return nil
}

// errandOf tells whether a piece can ask for an errand with one of the dice.
func (s *State) errandOf(piece uint8) bool {
	if !s.lockedOut(int(piece)) {
		return false
	}
	if s.phase == phaseMove && s.dice[1] != 0 && !s.errandEnds(int(piece), int(s.dice[1])).empty() {
		return true
	}
	return !s.errandEnds(int(piece), int(s.dice[s.die])).empty()
}
