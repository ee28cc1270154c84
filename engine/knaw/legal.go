package knaw

import (
	"math/bits"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// Legal implements engine.State.
func (s *State) Legal(dst []engine.Action, _ *engine.History) []engine.Action {
	switch s.phase {
	case phaseDeclare:
		dst = append(dst, actionGo)
		matured := s.matured()
		for piece, x := range s.at[s.side] {
			dst = s.appendSet(dst, firstPath+spaces*piece, beside[x].and(matured))
		}
	case phaseMove:
		return s.moves(dst)
	case phaseSecond:
		begin := len(dst)
		dst = s.normalMoves(dst, firstMove, s.mayMove(), int(s.dice[0]))
		if len(dst) == begin {
			dst = append(dst, actionGo)
		}
	case phaseErrand:
		return s.appendSet(dst, firstMove+spaces*int(s.piece), s.errandEnds(int(s.piece), int(s.dice[s.die])))
	case phasePath:
		begin := len(dst)
		dst = s.appendSet(dst, firstMove+spaces*int(s.piece), s.pathEnds())
		if len(dst) == begin {
			dst = append(dst, actionGo)
		}
	case phasePost:
		begin := len(dst)
		dst = append(dst, actionGo)
		dst = s.connecting(dst)
		if s.game.compulsory && len(dst) > begin+1 {
			dst = slices.Delete(dst, begin, begin+1)
		}
	}
	return dst
}

// appendSet appends the actions that begin with a number and go by space, in ascending
// order of the spaces as the acting side sees them.
func (s *State) appendSet(dst []engine.Action, first int, b set) []engine.Action {
	if s.side == 1 {
		b = b.turned()
	}
	for w := b.lo; w != 0; w &= w - 1 {
		dst = append(dst, engine.Action(first+bits.TrailingZeros64(w)))
	}
	for w := b.hi; w != 0; w &= w - 1 {
		dst = append(dst, engine.Action(first+half+bits.TrailingZeros64(w)))
	}
	return dst
}

// open are the spaces where a move may end: neither occupied nor influenced by the enemy.
func (s *State) open() set {
	return all.minus(s.occupied()).minus(s.influence[1-s.side])
}

// moves appends what is legal in the phase move.
func (s *State) moves(dst []engine.Action) []engine.Action {
	begin := len(dst)
	dst = append(dst, actionGo)
	may := uint8(1<<pieces-1) &^ (1 << s.barred)
	dst = s.normalMoves(dst, firstMove, may, int(s.dice[0]))
	moves := len(dst) - begin - 1
	dst = s.errands(dst, firstErrand, int(s.dice[0]))
	if d := s.dice[1]; d != 0 && d != s.dice[0] {
		was := len(dst)
		dst = s.normalMoves(dst, firstSecond, may, int(d))
		moves += len(dst) - was
		dst = s.errands(dst, secondErrand, int(d))
	}
	if moves > 0 {
		dst = slices.Delete(dst, begin, begin+1)
	}
	return dst
}

// normalMoves appends the normal moves of a number of jumps by the pieces whose bits are
// set.
func (s *State) normalMoves(dst []engine.Action, begin int, may uint8, n int) []engine.Action {
	open := s.open()
	barrier := all.minus(open)
	for piece, x := range s.at[s.side] {
		if may>>piece&1 != 0 {
			dst = s.appendSet(dst, begin+spaces*piece, s.game.routes.reach(int(x), n, barrier, open))
		}
	}
	return dst
}

// mayMove are the pieces that may make the second move of a turn, as bits: those of the
// first one's type, or all others if that stands connected.
func (s *State) mayMove() uint8 {
	if s.connected(s.side, int(s.piece)) {
		return (1<<pieces - 1) &^ (1 << s.piece)
	}
	return 1 << (s.piece ^ 1)
}

// errands appends the requests for errands with a die. A turn has one.
func (s *State) errands(dst []engine.Action, begin, n int) []engine.Action {
	if s.barred != noPiece {
		return dst
	}
	for piece := range pieces {
		if s.lockedOut(piece) && !s.errandEnds(piece, n).empty() {
			dst = append(dst, engine.Action(begin+piece))
		}
	}
	return dst
}

// lockedOut tells whether a piece of the acting side may be put forward for an errand.
func (s *State) lockedOut(piece int) bool {
	around, enemy := beside[s.at[s.side][piece]], s.influence[1-s.side]
	if s.game.allContention {
		return around.within(enemy)
	}
	return around.meets(enemy) && around.within(enemy.or(s.occupied()))
}

// errandEnds are the ends of exceptional moves of a piece of the acting side.
func (s *State) errandEnds(piece, n int) set {
	return s.game.routes.reach(int(s.at[s.side][piece]), n, s.occupied(), s.open())
}

// pathEnds are the ends of the Path that was won: its first jump is into the challenged
// space.
func (s *State) pathEnds() set {
	barrier := s.occupied()
	if s.game.contentionOnly {
		barrier = barrier.or(s.influence[1-s.side].minus(s.contention()))
	}
	return s.game.routes.reach(int(s.space), int(s.dice[0])-1, barrier, s.open())
}

// connecting appends the moves after the other's resolution: exceptional ones of pieces
// that are not connected to where they are.
func (s *State) connecting(dst []engine.Action) []engine.Action {
	open := s.open()
	for piece, x := range s.at[s.side] {
		to := opposite(int(s.at[s.side][piece^1]))
		if to == int(x) || !open.has(to) {
			continue
		}
		dst = s.appendSet(dst, firstMove+spaces*piece, s.game.routes.reach(int(x), int(s.dice[0]), s.occupied(), single(to)))
	}
	return dst
}
