package knaw

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// Apply implements engine.State.
func (s *State) Apply(a engine.Action, h *engine.History) {
	kit.Precondition(s, a, h)
	switch s.phase {
	case phaseRoll:
		s.roll(int(a))
		return
	case phaseErrandRoll:
		s.rollErrand(uint8(a) + 1)
		return
	case phasePathRoll:
		s.rollPath(int(a))
		return
	case phasePostRoll:
		s.dice[0], s.phase = uint8(a)+1, phasePost
		return
	}
	switch d := s.decode(a); d.kind {
	case doMove:
		s.move(&d)
	case doErrand:
		s.piece, s.die, s.phase = uint8(d.piece), uint8(d.die), phaseErrandRoll
	case doPath:
		s.piece, s.space, s.carried, s.phase = uint8(d.piece), uint8(d.space), 0, phasePathRoll
	default:
		switch s.phase {
		case phaseDeclare:
			s.cast()
		case phasePost:
			s.end()
		default:
			s.endTurn()
		}
	}
}

// move moves a piece of the acting side and goes on from there.
func (s *State) move(d *deed) {
	s.at[s.side][d.piece] = uint8(d.space)
	s.settle(s.side)
	contention := s.contention()
	for side := range s.rolled {
		s.rolled[side] = s.rolled[side].and(contention)
	}
	switch {
	case s.phase == phasePost:
		if s.connections(s.side) == pieces/2 {
			s.end()
			return
		}
		s.dice[0], s.phase = 0, phasePostRoll
	case s.resolved(s.side):
		s.clearTurn()
		s.resolver = int8(s.side)
		s.side ^= 1
		s.phase = phasePostRoll
		if s.connections(s.side) == pieces/2 {
			s.end()
		}
	case s.dice[1] != 0:
		left := s.dice[1]
		if s.phase == phaseErrand && s.die == 1 || d.die == 1 {
			left = s.dice[0]
		}
		s.clearTurn()
		s.dice[0], s.piece, s.phase = left, uint8(d.piece), phaseSecond
	default:
		s.endTurn()
	}
}

// cast lets the turn's dice be rolled, unless the side has kept one.
func (s *State) cast() {
	s.phase = phaseRoll
	if s.carried != 0 {
		s.dice[0], s.carried = s.carried, 0
		s.mark()
		s.phase = phaseMove
	}
}

// mark notes a turn roll of the acting side at all points of contention.
func (s *State) mark() { s.rolled[s.side] = s.contention() }

func (s *State) roll(code int) {
	if s.game.symmetric {
		s.dice[1] = uint8(code%6) + 1
		code /= 6
	}
	s.dice[0] = uint8(code) + 1
	s.mark()
	s.phase = phaseMove
}

// rollErrand compares the opponent's die with that of the errand.
func (s *State) rollErrand(die uint8) {
	own := s.dice[s.die]
	if own > die || own == die && s.game.tie == tieMover {
		s.phase = phaseErrand
		return
	}
	s.barred, s.piece, s.die, s.phase = s.piece, noPiece, 0, phaseMove
}

// rollPath compares both dice with the tallies.
func (s *State) rollPath(code int) {
	s.mark()
	mover, contender := code/6+1, code%6+1
	if mover+s.tally(s.side) > contender+s.tally(1-s.side) {
		s.dice[0], s.phase = uint8(mover), phasePath
		return
	}
	if s.game.conserve {
		s.carried = uint8(contender)
	}
	s.endTurn()
}

// tally is what a side adds to its die for a Path.
func (s *State) tally(side uint8) int {
	area := set{}
	for _, x := range s.at[side] {
		if around := beside[x]; around.has(int(s.space)) {
			area = area.or(around)
		}
	}
	return area.minus(s.contention()).count()
}

// Chance implements engine.State.
func (s *State) Chance(dst []engine.Weighted) []engine.Weighted {
	n, not := 6, -1
	switch s.phase {
	case phaseRoll:
		if s.game.symmetric {
			n = 36
		}
	case phasePostRoll:
	case phaseErrandRoll:
		if s.game.tie == tieReroll {
			not = int(s.dice[s.die]) - 1
		}
	case phasePathRoll:
		return s.pathRolls(dst)
	default:
		return dst
	}
	p := 1 / float64(n)
	if not >= 0 {
		p = 1 / float64(n-1)
	}
	for code := range n {
		if code != not {
			dst = append(dst, engine.Weighted{Code: engine.Action(code), Prob: p})
		}
	}
	return dst
}

// pathRolls appends the pairs of dice that decide a Path.
func (s *State) pathRolls(dst []engine.Weighted) []engine.Weighted {
	lead := s.tally(1-s.side) - s.tally(s.side) // what the mover must roll more for a tie
	p := 1 / float64(36-max(0, 6-max(lead, -lead)))
	for code := range 36 {
		if code/6-code%6 != lead {
			dst = append(dst, engine.Weighted{Code: engine.Action(code), Prob: p})
		}
	}
	return dst
}

// clearTurn forgets what a turn has come to.
func (s *State) clearTurn() {
	s.dice, s.die, s.piece, s.barred, s.space = [2]uint8{}, 0, noPiece, noPiece, 0
}

func (s *State) endTurn() {
	s.clearTurn()
	s.side ^= 1
	s.turn++
	switch {
	case int(s.turn) >= s.game.maxTurns:
		s.carried, s.phase = 0, phaseOver
	case !s.matured().empty():
		s.phase = phaseDeclare
	default:
		s.cast()
	}
}

// end ends the game after a resolution.
func (s *State) end() {
	s.clearTurn()
	s.phase = phaseOver
}
