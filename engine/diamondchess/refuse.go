package diamondchess

import (
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine"
)

var _ engine.Refuser = (*State)(nil)

// WhyNot implements [engine.Refuser]. Towards an enemy it is about the attack.
func (s *State) WhyNot(from, to int, _ *engine.History) error {
	for _, a := range s.Legal(nil, nil) {
		if f, t := s.ends(a); f == from && (t == to || from == to) {
			return nil
		}
	}
	kind, enemies := s.ownKind(from), s.enemies()
	sign := "-"
	switch {
	case s.phase != phaseSetup && kind < 0 && enemies>>from&1 != 0:
		return fmt.Errorf("the piece on %s is the opponent's", squareName(from))
	case from == to && kind >= 0 && s.phase != phaseStrike && !s.hasMoved(from) && (s.phase != phasePack || s.pack>>from&1 != 0):
		return fmt.Errorf("the %s on %s can do nothing now", kindNames[kind], squareName(from))
	case enemies>>to&1 != 0 && kind != sleeth && kind != ziri:
		sign = "x"
	}
	word := squareName(from) + sign + squareName(to)
	if sign == "x" && s.of(1-s.side)>>to&1 == 0 {
		word += "z"
	}
	return errors.New(s.whyNot(word))
}

// ends are the squares from which and to which an action goes, -1 without them.
func (s *State) ends(a engine.Action) (from, to int) {
	if s.side == 1 {
		a = turnAction(a)
	}
	switch {
	case a >= actionStop:
		return -1, -1
	case a >= firstAttack:
		from = int(a-firstAttack) >> 4
		return from, int(next[from][a>>1&7])
	}
	return int(a >> 6), int(a & 63)
}

// ownKind is the kind of the acting side's piece on a square; a zi ri counts if no other
// stands there. It is -1 without one.
func (s *State) ownKind(sq int) int {
	if kind, side := s.kindAt(sq); kind >= 0 && side == s.side {
		return kind
	}
	if s.pieces[s.side][ziri]>>sq&1 != 0 {
		return ziri
	}
	return -1
}

// enemies are the squares of the other side's pieces, zi ri included.
func (s *State) enemies() uint64 { return s.of(1-s.side) | s.pieces[1-s.side][ziri] }

// hasMoved tells whether the own piece on a square has moved this turn.
func (s *State) hasMoved(sq int) bool {
	return s.moved>>sq&1 != 0 || s.flown && s.ownKind(sq) == ziri
}

// whyNoMove says why the piece on a square may not go to another in a phase of moves.
func (s *State) whyNoMove(from, to int) string {
	kind := s.ownKind(from)
	steps, ways := 3, "straight or diagonally"
	switch kind {
	case town:
		return "a town goes one step along the edge of its own side, to an empty square"
	case ziri:
		return "a zi ri leaps two squares one way and one to the side"
	case cani:
		if steps, ways = s.allowance(from), "straight"; s.phase == phasePack {
			steps = s.packSteps(from)
		}
	case gormoror, orren:
		ways = "straight"
	case khtsoyis:
		steps = 1
	case rassimel:
		steps, ways = 2, "straight on its bank, or across a ford"
	}
	by := 2
	if kind == khtsoyis || kind == herethroy || kind == sleeth {
		by = 1
	}
	switch {
	case s.at[to] != 0 && s.of(s.side)>>to&1 != 0:
		return "a piece of its own side stands there"
	case s.at[to] != 0 && kind != sleeth:
		return "an enemy stands there, and only a sleeth takes by moving"
	case s.zis()>>to&1 != 0 && (kind != sleeth || s.enemies()>>to&1 == 0):
		return "nobody enters the square of a zi ri"
	case (kind == cani || kind == gormoror || kind == herethroy || kind == rassimel) && river>>to&1 != 0:
		return fmt.Sprintf("a %s may not stop in the river", kindNames[kind])
	case reach(from, by, steps)>>to&1 == 0 || kind == rassimel && sides[0]>>from&1 != sides[0]>>to&1:
		return fmt.Sprintf("this %s goes at most %d %s", kindNames[kind], steps, ways)
	case kind == sleeth && s.game.adjacent && s.enemies()>>to&1 != 0:
		return "a sleeth pounces one step away only"
	}
	return "another piece is in the way"
}

// reach are the squares that a piece comes to on an empty board.
func reach(sq, by, steps int) uint64 { return ways(sq, by, steps, ^uint64(0), 0) }

// whyNoStrike says why the piece on a square may not strike at another as an attack.
func (s *State) whyNoStrike(from, to int, atZiri bool) string {
	kind, target := s.ownKind(from), ziri
	if !atZiri {
		if k, side := s.kindAt(to); k >= 0 && side != s.side {
			target = k
		} else if s.pieces[1-s.side][ziri]>>to&1 == 0 {
			return "no enemy stands there"
		} else {
			return "only a zi ri stands there: add z to strike it"
		}
	} else if s.pieces[1-s.side][ziri]>>to&1 == 0 {
		return "no enemy zi ri stands there"
	}
	straight := beside[from]>>to&1 != 0
	switch {
	case kind == town:
		return "a town does not attack"
	case kind == sleeth:
		return "a sleeth attacks by moving onto its target"
	case neighbours[from]>>to&1 == 0:
		return whyFar
	case kind == herethroy && sides[s.side]>>from&1 == 0:
		return "a herethroy attacks only on its own side of the river"
	case straight && (kind == orren || kind == ziri):
		return fmt.Sprintf("the magic of the %s strikes diagonally", kindNames[kind])
	case !straight && kind != rassimel && kind != orren && kind != ziri:
		return fmt.Sprintf("the weapon of the %s strikes straight, not diagonally", kindNames[kind])
	case straight && target == orren && river>>to&1 != 0:
		return "weapons do nothing to an orren in the river"
	case straight && target == herethroy:
		return "weapons do nothing to a herethroy"
	case target == ziri:
		return "magic does nothing to a zi ri"
	}
	return "its target must stand on the herethroy's own side" // target-home
}

const whyFar = "an attack reaches neighbouring squares only"
