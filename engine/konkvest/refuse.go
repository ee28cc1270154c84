package konkvest

import (
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var _ engine.Refuser = (*State)(nil)

// ends are the squares from which and to which an action goes, as the acting side sees
// them; from is 0 for a piece that comes onto the board.
func ends(a engine.Action) (from, to int) {
	x := int(a)
	if x >= firstSummon {
		return 0, first + (x-firstSummon)%hexes
	}
	return first + x/2/hexes, first + x/2%hexes
}

// WhyNot implements [engine.Refuser].
func (s *State) WhyNot(from, to int, h *engine.History) error {
	f, t := seen(s.side, first+from), seen(s.side, first+to)
	for _, a := range s.Legal(nil, h) {
		start, end := ends(a)
		if from == to && (start == f || start == 0 && end == t) || from != to && start == f && end == t {
			return nil
		}
	}
	kind, side := s.pieceAt(first + from)
	switch {
	case s.end != 0, s.step < toPlace, from != to:
	case kind < 0:
		return fmt.Errorf("%s is empty, and nothing can be summoned there", hex.Name(from))
	case side != s.side:
		return fmt.Errorf("the piece on %s is the opponent's", hex.Name(from))
	default:
		return fmt.Errorf("the %s on %s can do nothing now", classNames[classOf[kind]], hex.Name(from))
	}
	a := moveAction(f, t)
	if from == to {
		a = engine.Action(firstPlace + t - first)
	}
	return errors.New(s.whyNot(a, h))
}

// whyNot says why an action, as the acting side numbers it, is not legal.
func (s *State) whyNot(a engine.Action, h *engine.History) string {
	switch {
	case s.end != 0:
		return "the game is over"
	case s.step < toPlace:
		return "a " + kindNames[formation[s.step/4]] + " has to be placed on an empty hex of the two rows behind the pawns"
	case a >= firstPlace:
		return "the formation is over"
	case a >= firstSummon:
		return s.whyNoSummon(int(a-firstSummon)/hexes, first+int(a-firstSummon)%hexes)
	}
	from, to := ends(a)
	mover := int(s.at[seen(s.side, from)])
	if mover == 0 || uint8(mover>>4) != s.side {
		return info.Sides[s.side] + " has no piece there"
	}
	kind := mover&15 - 1
	v := s.view()
	reached := s.game.targets(&v, int(classOf[kind]), from).Has(to)
	switch {
	case from != to && !reached:
		return s.whyNoMove(&v, kind, from, to)
	case s.forbids() && kit.IsLegal(s, a, nil):
		return "a fourth attack on the Queen may not repeat a position after an earlier one"
	case a&1 == 0:
		return "this piece has to promote there: add a +"
	case !promotes(kind):
		return fmt.Sprintf("a %s does not promote", classNames[classOf[kind]])
	case from != to && v.taken.Has(to):
		return "no promotion with a capture"
	}
	return "promotion needs undisputed territory of one's own from the divider on"
}

func (s *State) whyNoSummon(kind, to int) string {
	v := s.view()
	switch {
	case s.reserve[s.side][kind] == 0:
		return fmt.Sprintf("%s has no %s in reserve", info.Sides[s.side], kindNames[kind])
	case v.taken.Has(to):
		return "the hex is taken"
	}
	return "a piece is summoned onto territory of one's own, which no wake of the enemy covers"
}

// whyNoMove says why a piece may not go to another square.
func (s *State) whyNoMove(v *view, kind, from, to int) string {
	class := classOf[kind]
	// On a board with nothing but the target, and with nothing at all.
	alone, empty := *s, *s
	for side := range uint8(2) {
		for of := s.of[side]; !of.Empty(); of = of.Rest() {
			sq := of.First()
			empty.take(side, s.kindOf(side, sq), sq)
			if seen(side, sq) != seen(s.side, to) {
				alone.take(side, s.kindOf(side, sq), sq)
			}
		}
	}
	lone, free := alone.view(), empty.view()
	switch {
	case !s.game.targets(&free, int(class), from).Has(to):
		return fmt.Sprintf("a %s does not go there", classNames[class])
	case s.of[s.side].Has(to):
		return "a piece of its own side stands there"
	case v.taken.Has(to) && v.open.around(to)>>here&1 == 0:
		return fmt.Sprintf("with %d pieces in reserve nothing but the Queen is captured", most)
	case !s.game.targets(&lone, int(class), from).Has(to):
		return fmt.Sprintf("the %s goes there only if the hex is empty", classNames[class])
	}
	return "other pieces are in the way"
}
