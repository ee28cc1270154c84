package konreh

import (
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine"
)

var kindNames = [4]string{"Red", "Orange", "Green", "Blue"}

// whyIllegal says why an action that belongs to the present phase is not legal.
func (s *State) whyIllegal(a engine.Action) error {
	g := s.game.geo
	own := s.occ[s.side]
	switch a {
	case codeBuyH:
		return s.whyNotBuy(hasHop)
	case codeBuyD:
		return s.whyNotBuy(hasStep)
	case codeApex:
		return errors.New("the side to move has no Green to pay with")
	case codeHome, codeLeft, codeRight:
		return fmt.Errorf("%s is occupied", appendSquare(nil, s.placement(a)))
	}
	from, plane := g.turned(s.side, uint8(a&63)), int(a>>6)
	if plane == planeGive {
		return fmt.Errorf("no own Green on %s", appendSquare(nil, from))
	}
	if own>>from&1 == 0 {
		return fmt.Errorf("no own piece on %s", appendSquare(nil, from))
	}
	k := s.kindAt(from)
	switch {
	case s.phase == phaseSecond && from == s.square:
		return errors.New("same piece twice: the second move needs another piece")
	case k == blue && s.blues[s.side]&rootedMask != 0:
		return errors.New("Blue is Rooted")
	case k != blue && s.of(s.side, blue)&g.cross != 0 && s.overstaying() && s.blues[s.side]&rootedMask == 0:
		return errors.New("Cross: " + s.whyBarred())
	case plane >= planeHop:
		return s.whyNotSpecial(from, lane(plane-planeHop), k, true)
	case plane >= planeStep:
		return s.whyNotSpecial(from, lane(plane-planeStep), k, false)
	}
	return s.whyNotSlide(from, k, slideOf[plane].lane, slideOf[plane].steps)
}

func (s *State) whyNotBuy(special blueState) error {
	b := s.blues[s.side]
	switch {
	case !s.game.rules.buyback:
		return errors.New("these rules have no buyback")
	case s.blueAt(s.side) != s.game.geo.homes[s.side]:
		return errors.New("Blue is not on its Home Apex")
	case b&rootedMask != 0:
		return errors.New("Blue is Rooted")
	case b.bought():
		return errors.New("this life has used its buyback")
	case b&special != 0:
		return errors.New("this special is not spent")
	case s.of(s.side, green) == 0:
		return errors.New("the side to move has no Green to pay with")
	}
	return errors.New("no buyback inside the opening double move")
}

func (s *State) whyNotSpecial(from uint8, l lane, k kind, hop bool) error {
	name, need := "Displacement", hasStep
	if hop {
		name, need = "Hop", hasHop
	}
	p := &s.game.geo.lanes[s.side][l]
	next := p.of(1 << from)
	landing := next
	if hop {
		landing = p.of(next)
	}
	switch {
	case k != blue:
		return fmt.Errorf("only Blue has specials, and %s is %s", appendSquare(nil, from), kindNames[k])
	case s.phase == phaseSpecial && l != s.lane:
		return errors.New("the special must go on in the direction of the slide")
	case !s.mayUseSpecials():
		return errors.New("no specials in this turn")
	case s.blues[s.side]&need == 0:
		return fmt.Errorf("this life has no %s left", name)
	case next&s.occ[1-s.side] == 0:
		return fmt.Errorf("no enemy next to Blue to use the %s on", name)
	case landing&s.barred() != 0:
		return errors.New("Cross: " + s.whyBarred())
	}
	return errors.New("blocked: a Hop needs an empty square to land on")
}

// whyBarred says which timer bars the Cross.
func (s *State) whyBarred() string {
	if b := s.blues[s.side]; b.exclusion() > 0 {
		return fmt.Sprintf("Blue is barred from it for %d more own turns", b.exclusion())
	}
	return fmt.Sprintf("Blue has been in it for %d turns and must leave", s.game.rules.crossStay)
}

// whyNotSlide walks the slide step by step, as the rules page does, from the
// seat of the side to act.
func (s *State) whyNotSlide(from uint8, k kind, l lane, steps int) error {
	g := s.game.geo
	var v seat
	s.look(&v)
	homeward := l >= homewardLeft
	n := reach[k]
	if homeward {
		n--
	}
	name := func(sq uint64) []byte { return appendSquare(nil, g.turned(s.side, squareOf(sq))) }
	if steps > n {
		if homeward {
			return fmt.Errorf("not exact: %s goes at most %s homeward", some(k), stepWords(n))
		}
		return fmt.Errorf("not exact: %s goes exactly %s onward", some(k), stepWords(n))
	}
	at := uint64(1) << g.turned(s.side, from)
	for i := 1; i <= steps; i++ {
		prev := at
		at = g.lanes[sideA][l].of(at)
		switch {
		case at&(v.empty|v.enemy) == 0:
			return fmt.Errorf("blocked by your own piece on %s", name(at))
		case i > 1 && prev&v.zoc != 0 && !(i == steps && prev&v.exempt != 0 && at&v.target != 0):
			return fmt.Errorf("ends in ZoC at %s, which the enemy controls", name(prev))
		case at&v.enemy == 0:
		case i < steps || k == blue:
			return fmt.Errorf("blocked by the enemy piece on %s", name(at))
		case v.target == 0:
			return errors.New("no captures in this turn")
		}
	}
	if k == blue && at&s.barred() != 0 {
		return errors.New("Cross: " + s.whyBarred())
	}
	return fmt.Errorf("not exact: %s goes exactly %s onward", some(k), stepWords(n))
}

// some is a piece of a kind, with its article.
func some(k kind) string {
	if k == orange {
		return "an Orange"
	}
	return "a " + kindNames[k]
}

func stepWords(n int) string {
	if n == 1 {
		return "one step"
	}
	return fmt.Sprintf("%d steps", n)
}
