package konreh

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// AppendAction implements [engine.State].
func (s *State) AppendAction(dst []byte, a engine.Action) []byte {
	if a >= codeWords {
		return append(dst, words[a-codeWords]...)
	}
	g := s.game.geo
	from, plane := g.turned(s.side, uint8(a&63)), int(a>>6)
	lanes := &g.lanes[s.side&1]
	switch {
	case plane == planeGive:
		return appendSquare(append(dst, '-'), from)
	case plane >= planeHop:
		dst = append(appendSquare(dst, from), '^')
		return appendSquare(dst, uint8(int(from)+2*lanes[plane-planeHop].turn))
	case plane >= planeStep:
		dst = append(appendSquare(dst, from), '*')
		return appendSquare(dst, uint8(int(from)+lanes[plane-planeStep].turn))
	}
	slide := slideOf[plane]
	return appendSquare(appendSquare(dst, from), uint8(int(from)+slide.steps*lanes[slide.lane].turn))
}

// ParseAction implements [engine.State].
func (s *State) ParseAction(word string, h *engine.History) (engine.Action, error) {
	a, err := s.parseAction(word)
	if err != nil {
		return 0, fmt.Errorf("move %q: %w", word, err)
	}
	var buf [maxLegal]engine.Action
	if !slices.Contains(s.Legal(buf[:0], h), a) {
		return 0, fmt.Errorf("move %q: %w", word, s.whyIllegal(a))
	}
	return a, nil
}

// parseAction reads a word as an action of the present phase, legal or not.
func (s *State) parseAction(word string) (engine.Action, error) {
	if s.phase == phaseOver {
		return 0, errors.New("the game is over")
	}
	if i := slices.Index(words[:], word); i >= 0 {
		a := codeWords + engine.Action(i)
		if !slices.Contains(s.phaseCodes(), a) {
			return 0, s.wrongPhase()
		}
		return a, nil
	}
	if rest, ok := strings.CutPrefix(word, "-"); ok {
		sq, ok := s.game.geo.parseSquare(rest)
		switch {
		case !ok:
			return 0, fmt.Errorf("%q is no square of this board", rest)
		case s.phase != phaseGreen && s.phase != phaseBuyHop && s.phase != phaseBuyStep:
			return 0, s.wrongPhase()
		}
		return 64*planeGive + engine.Action(s.game.geo.turned(s.side, sq)), nil
	}
	return s.parseSlide(word)
}

// parseSlide reads a slide, Displacement or Hop.
func (s *State) parseSlide(word string) (engine.Action, error) {
	g := s.game.geo
	special := byte(0)
	first, second := word, ""
	if len(word) == 5 && (word[2] == '*' || word[2] == '^') {
		special, first, second = word[2], word[:2], word[3:]
	} else if len(word) == 4 {
		first, second = word[:2], word[2:]
	}
	from, ok1 := g.parseSquare(first)
	to, ok2 := g.parseSquare(second)
	if !ok1 || !ok2 {
		return 0, errors.New("unknown word")
	}
	if s.phase > phaseSpecial || s.phase == phaseSpecial && special == 0 {
		return 0, s.wrongPhase()
	}
	l, steps, err := s.laneOf(from, to)
	if err != nil {
		return 0, err
	}
	at := engine.Action(g.turned(s.side, from))
	switch {
	case special == '*' && steps != 1:
		return 0, errors.New("a Displacement goes one step")
	case special == '^' && steps != 2:
		return 0, errors.New("a Hop lands two steps away")
	case special == '*':
		return 64*(planeStep+engine.Action(l)) + at, nil
	case special == '^':
		return 64*(planeHop+engine.Action(l)) + at, nil
	case steps > maxSteps[l]:
		return 0, fmt.Errorf("%d steps are too far for any piece", steps)
	}
	return 64*engine.Action(slidePlane[l]+steps-1) + at, nil
}

// laneOf is the lane, as the side to act names it, and the number of steps from
// one square to another.
func (s *State) laneOf(from, to uint8) (lane, int, error) {
	da, db := int(to>>3)-int(from>>3), int(to&7)-int(from&7)
	if (da == 0) == (db == 0) {
		return 0, 0, errors.New("these squares are not on one lane")
	}
	for l := range lane(4) {
		delta := deltas[direction(s.side, l)]
		if steps := da*delta[0] + db*delta[1]; steps > 0 {
			return l, steps, nil
		}
	}
	panic("BUG: two squares of a line have no lane")
}

// phaseCodes are the words without a square that the present phase knows.
func (s *State) phaseCodes() []engine.Action {
	switch s.phase {
	case phaseMove:
		return []engine.Action{codeBuyH, codeBuyD}
	case phaseSpecial:
		return []engine.Action{codeNone}
	case phaseSeed:
		return []engine.Action{codeSeed, codeKeep}
	case phasePlace:
		return []engine.Action{codeHome, codeLeft, codeRight, codeApex}
	case phasePie:
		return []engine.Action{codeHold, codeSwap}
	}
	return nil
}

func (s *State) wrongPhase() error {
	return fmt.Errorf("not now: this decision asks for %s", s.AppendAsked(nil))
}
