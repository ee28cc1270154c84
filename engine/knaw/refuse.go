package knaw

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

var _ engine.Refuser = (*State)(nil)

// WhyNot implements [engine.Refuser].
func (s *State) WhyNot(from, to int, _ *engine.History) error {
	if a := s.Actor(); a != engine.First && a != engine.Second {
		return errors.New("nobody has a decision to make")
	}
	piece := slices.Index(s.at[s.side][:], uint8(from))
	if piece < 0 {
		if s.taken[1-s.side].has(from) {
			return fmt.Errorf("the piece on %s is the opponent's", names[from])
		}
		return fmt.Errorf("%s has no piece on %s", info.Sides[s.side], names[from])
	}
	kind := doMove
	if s.phase == phaseDeclare {
		kind = doPath
	}
	for _, a := range s.Legal(nil, nil) {
		if d := s.decode(a); d.kind != doGo && d.piece == piece && (from == to || d.kind == kind && d.space == to) {
			return nil
		}
	}
	if from == to {
		return fmt.Errorf("the %s on %s can do nothing now", pieceNames[piece], names[from])
	}
	return errors.New(s.whyNot(&deed{kind: kind, piece: piece, space: to}))
}

// whyNot says why a well-formed deed is not legal.
func (s *State) whyNot(d *deed) string {
	switch {
	case s.phase == phaseDeclare && d.kind == doPath:
		switch x := s.at[s.side][d.piece]; {
		case !beside[x].has(d.space):
			return fmt.Sprintf("%s does not border %s", names[d.space], pieceNames[d.piece])
		case !s.contention().has(d.space):
			return names[d.space] + " is no point of contention"
		}
		return names[d.space] + " has not matured: both sides must have rolled since both influence it"
	case s.phase == phaseDeclare:
		return "a Path may be declared before the roll, or go"
	case d.kind == doPath:
		return "a Path is declared before the roll"
	case d.kind == doGo && s.phase == phasePost:
		return "a connection is possible, and may not be declined"
	case d.kind == doGo:
		return "a move is possible, and one must be made"
	case d.die == 1 && (s.phase != phaseMove || s.dice[1] == 0):
		return "there is no second die to choose"
	case d.die == 1 && s.dice[1] == s.dice[0]:
		return "equal dice are one choice: leave the suffix out"
	case d.kind == doErrand:
		return s.whyNoErrand(d)
	}
	return s.whyNoMove(d)
}

func (s *State) whyNoErrand(d *deed) string {
	switch {
	case s.phase != phaseMove:
		return "an errand is asked for in place of the first move"
	case s.barred != noPiece:
		return "a turn has one errand"
	case !s.lockedOut(d.piece):
		return "only a piece that is locked out goes on an errand"
	}
	return fmt.Sprintf("it would find no end with a %d", s.dice[d.die])
}

func (s *State) whyNoMove(d *deed) string {
	n := int(s.dice[d.die])
	if s.phase == phaseErrand {
		n = int(s.dice[s.die])
	}
	x := int(s.at[s.side][d.piece])
	seconds := s.phase == phaseSecond && s.mayMove()>>d.piece&1 == 0
	switch {
	case uint8(d.piece) == s.barred:
		return "the piece has lost its errand"
	case (s.phase == phaseErrand || s.phase == phasePath) && uint8(d.piece) != s.piece:
		return "the move is that of " + pieceNames[s.piece]
	case seconds && uint8(d.piece) == s.piece:
		return "the piece has moved this turn"
	case seconds:
		return "the second move is for a piece of the same type, unless the first one stands connected"
	case s.phase == phasePost && s.connected(s.side, d.piece):
		return "the piece is connected, and stays"
	case s.phase == phasePost && d.space != opposite(int(s.at[s.side][d.piece^1])):
		return "a move after a resolution must make a connection"
	case s.occupied().has(d.space):
		return "a piece stands on " + names[d.space]
	case s.influence[1-s.side].has(d.space):
		return "the enemy influences " + names[d.space]
	case !s.game.routes.reach(x, n, set{}, single(d.space)).has(d.space):
		return fmt.Sprintf("no path of %d jumps leads from %s to %s", n, names[x], names[d.space])
	case s.phase == phasePath:
		return "no free path of this length leads there by way of " + names[s.space]
	case s.phase == phaseErrand || s.phase == phasePost:
		return "every path of this length passes a piece"
	}
	return "every path of this length passes a piece, or a space that the enemy influences"
}
