package konreh

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// check returns an error that names the field if a position whose fields are well formed
// contradicts the rules.
func (s *State) check() error {
	if int(s.turn)&1 != int(s.side) {
		return fmt.Errorf("field 7, turn: after %d turns %c is not to move", s.turn, 'B'-byte(s.side))
	}
	if n := bits.OnesCount64(s.pieces(green)); n > s.game.rules.greenCap {
		return fmt.Errorf("field 1, board: %d Greens, above the cap of %d", n, s.game.rules.greenCap)
	}
	for side := sideA; side <= sideB; side++ {
		if err := s.checkBlue(side); err != nil {
			return fmt.Errorf("field %d, %s: %w", 4+side, fieldNames[3+side], err)
		}
	}
	if err := s.checkSwapped(); err != nil {
		return fmt.Errorf("field 7, turn: %w", err)
	}
	if err := s.checkPhase(); err != nil {
		return fmt.Errorf("field 3, phase: %w", err)
	}
	switch s.phase {
	case phaseMove, phasePie, phaseOver, phaseBuyHop, phaseBuyStep:
		if s.progress {
			return errors.New("field 6, quiet turns: + belongs to the middle of a turn")
		}
	}
	return nil
}

func (s *State) checkBlue(side engine.Side) error {
	b := s.blues[side]
	own := s.of(side, blue)
	inCross := own&s.game.geo.cross != 0
	acts := side == s.side
	placing := acts && (s.phase == phasePlace || s.phase == phaseGreen)
	lost := acts && s.phase == phaseOver && s.why == whyReforge
	// A game that is over was so when a turn began, but for a lost Blue and a stalemate
	// within the opening double move.
	over := s.phase == phaseOver && s.why != whyReforge && !(s.why == whyStalemate && s.turn == 1 && s.game.rules.double())
	// Blue of the side to act may have entered or left the Cross in this turn.
	moved := acts && (s.phase == phaseSpecial || s.phase == phaseSeed || s.phase == phaseOver && !over ||
		s.phase == phaseSecond && own == 1<<s.square)
	switch {
	case own&(own-1) != 0:
		return errors.New("two Blues on the board")
	case own != 0 && placing:
		return errors.New("Blue is on the board and cannot be placed")
	case own != 0 && b.reforge() > 0:
		return errors.New("c is above 0 with Blue on the board")
	case lost && (own != 0 || b.reforge() > 0):
		return errors.New("over:reforge needs Blue of the side to move off the board, and c0")
	case own == 0 && b.reforge() == 0 && !placing && !lost:
		return errors.New("c is 0 with Blue off the board")
	case b.stay() > 0 && !inCross && !moved:
		return errors.New("s is above 0 with Blue outside the Cross")
	case b.stay() == 0 && inCross && s.game.rules.crossStay > 0 && (!acts || s.phase == phaseMove || s.phase == phasePie || over):
		return errors.New("s is 0 with Blue in the Cross")
	case b.exclusion() > 0 && inCross:
		return errors.New("x is above 0 with Blue in the Cross")
	case b.left() == 2 && !(acts && s.phase == phaseSpecial):
		return errors.New("h is 2 outside phase f of that side")
	}
	return nil
}

func (s *State) checkSwapped() error {
	pie := s.game.rules.pieTurn()
	switch {
	case s.swapped && pie < 0:
		return fmt.Errorf("balance=%s has no swap", balanceWords[s.game.rules.balance])
	case s.swapped && (s.turn < pie || s.phase == phasePie):
		return errors.New("the players have swapped before it was asked")
	}
	return nil
}

func (s *State) checkPhase() error {
	g := s.game
	own := s.occ[s.side]
	occupied := s.occ[0] | s.occ[1]
	blueAt := s.blueAt(s.side)
	opening := s.turn == 1 && g.rules.double()
	switch s.phase {
	case phaseMove:
		if s.CountLegal() == 0 {
			return errors.New("no legal move: the game is over:stalemate")
		}
	case phaseSecond:
		switch {
		case !opening:
			return errors.New("d belongs to the second turn of a game with an opening double move")
		case own>>s.square&1 == 0:
			return errors.New("no piece of the side to move stands on the square that moved first")
		case s.CountLegal() == 0:
			return errors.New("no legal second move: the game is over:stalemate")
		}
	case phaseSpecial:
		switch {
		case blueAt != s.square:
			return errors.New("Blue of the side to move is not on the square")
		case s.blues[s.side]&rootedMask != 0:
			return errors.New("a Rooted Blue cannot have moved")
		case s.barred()>>s.square&1 != 0:
			return errors.New("Blue may not stay in the Cross, and has slid onto it")
		case !s.mayFollow(s.square, s.lane):
			return errors.New("nothing to decide: no special may follow the slide")
		case g.geo.lanes[s.side][3-s.lane].of(1<<s.square)&^occupied == 0:
			return errors.New("Blue cannot have slid there along the lane: want an empty square behind it")
		}
	case phaseSeed:
		switch {
		case blueAt != s.square:
			return errors.New("Blue of the side to move is not on the square")
		case !s.maySeed(s.square):
			return errors.New("nothing to decide: Blue may not seed from the square")
		}
	case phasePlace, phaseGreen:
		switch {
		case occupied>>g.geo.homes[1-s.side]&1 != 0:
			return errors.New("the runner has left the enemy Home Apex, yet a piece stands there")
		case s.phase == phasePlace && !s.mayPlant(s.runner):
			return errors.New("nothing to decide: Blue can be placed nowhere")
		case s.phase == phaseGreen && s.of(s.side, green) == 0:
			return errors.New("nothing to decide: the side to move has no Green")
		}
	case phaseBuyHop, phaseBuyStep:
		special := hasHop
		if s.phase == phaseBuyStep {
			special = hasStep
		}
		if !s.mayBuy(special) {
			return errors.New("nothing to decide: the special cannot be bought back")
		}
	case phaseOver:
		return s.checkReason()
	case phasePie:
		if s.turn != g.rules.pieTurn() {
			return fmt.Errorf("balance=%s does not ask for hold or swap after %d turns", balanceWords[g.rules.balance], s.turn)
		}
	}
	return nil
}

// checkReason refuses an end that the position does not bear out, as far as it shows;
// that of a Reforge is in checkBlue, and repetitions are not in a position.
func (s *State) checkReason() error {
	r := &s.game.rules
	switch s.why {
	case whyNoProgress:
		if r.noProgress == 0 || int(s.quiet) < r.noProgress {
			return fmt.Errorf("over:no-progress after %d quiet turns: no_progress=%d", s.quiet, r.noProgress)
		}
	case whyMaxTurns:
		if r.maxTurns == 0 || int(s.turn) < r.maxTurns {
			return fmt.Errorf("over:max-turns after %d turns: max_turns=%d", s.turn, r.maxTurns)
		}
	case whyStalemate:
		at := *s
		at.phase, at.why = phaseMove, whyNone
		if at.CountLegal() == 0 {
			return nil
		}
		// The game may end before the second move of an opening double move, and the line
		// does not say which piece moved first.
		if s.turn == 1 && r.double() {
			at.phase, at.second = phaseSecond, true
			for own := s.occ[s.side]; own != 0; own &= own - 1 {
				if at.square = uint8(bits.TrailingZeros64(own)); at.CountLegal() == 0 {
					return nil
				}
			}
		}
		return errors.New("over:stalemate, but the side to move has a legal move")
	}
	return nil
}
