package konreh

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

var (
	_ engine.Describer = (*State)(nil)
	_ engine.Refuser   = (*State)(nil)
)

// Describe implements [engine.Describer]. What a decision spends are specials, a Green
// and the buyback of a life.
func (s *State) Describe(a engine.Action, after engine.State) (d engine.Description) {
	t, own := after.(*State), s.side&1
	for _, k := range s.AppendKinds(nil, a, after) {
		if k == kindFollowUp || k == kindRooted || k == kindGive && a >= codeWords {
			continue // something that comes with it
		}
		d.Kind = actionKindNames[k]
	}
	spent := s.blues[own] &^ t.blues[own]
	if spent&hasHop != 0 {
		d.Uses = append(d.Uses, "Hop")
	}
	if spent&hasStep != 0 {
		d.Uses = append(d.Uses, "Displacement")
	}
	if bits.OnesCount64(t.of(own, green)) < bits.OnesCount64(s.of(own, green)) {
		d.Uses = append(d.Uses, "Green")
	}
	if t.blues[own].bought() && !s.blues[own].bought() {
		d.Uses = append(d.Uses, "buyback")
	}
	d.Sure = len(d.Uses) > 0 || a == codeSwap
	return d
}

// WhyNot implements [engine.Refuser]. Of a Blue next to the target it is about the
// special.
func (s *State) WhyNot(from, to int, h *engine.History) error {
	size := s.game.geo.size
	square := func(cell int) uint8 { return uint8(8*(cell/size) + cell%size) }
	p, q := square(from), square(to)
	if from == to {
		return s.whyStays(p, h)
	}
	words := []string{string(appendSquare(appendSquare(nil, p), q))}
	if s.occ[s.side&1]>>p&1 != 0 && s.kindAt(p) == blue {
		sign := byte('*')
		if s.occ[1-s.side&1]>>q&1 == 0 {
			sign = '^'
		}
		if l, steps, err := s.laneOf(p, q); err == nil && steps <= 2 {
			next := s.game.geo.lanes[s.side&1][l].of(1 << p)
			if sign == '*' && steps == 1 || sign == '^' && steps == 2 && next&s.occ[1-s.side&1] != 0 {
				words = append(words, string(appendSquare(append(appendSquare(nil, p), sign), q)))
			}
		}
	}
	var why error
	for _, word := range words {
		a, err := s.parseAction(word)
		if err == nil && !slices.Contains(s.Legal(nil, h), a) {
			err = s.whyIllegal(a)
		}
		if why = err; err == nil {
			break
		}
	}
	return why
}

// whyStays says why nothing can be done with the piece on a square.
func (s *State) whyStays(sq uint8, h *engine.History) error {
	if s.phase > phaseSecond {
		return s.wrongPhase()
	}
	name := appendSquare(nil, sq)
	switch own := s.occ[s.side&1]; {
	case s.occ[1-s.side&1]>>sq&1 != 0:
		return fmt.Errorf("the piece on %s is the opponent's", name)
	case own>>sq&1 == 0:
		return fmt.Errorf("there is no piece on %s", name)
	}
	var first error
	for plane := range engine.Action(planeGive) {
		a := 64*plane + engine.Action(s.game.geo.turned(s.side, sq))
		if slices.Contains(s.Legal(nil, h), a) {
			return nil
		}
	}
	if s.phase == phaseSecond && sq == s.square {
		first = errors.New("same piece twice: the second move needs another piece")
	} else if s.kindAt(sq) == blue && s.blues[s.side&1]&rootedMask != 0 {
		first = errors.New("Blue is Rooted")
	} else if s.overstaying() {
		first = errors.New("Cross: " + s.whyBarred())
	} else {
		first = fmt.Errorf("the piece on %s has no legal move: every lane is blocked, or its count is not exact", name)
	}
	return first
}
