package konreh

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// NoPiece is the kind of no piece.
const NoPiece = -1

// Effect is what an action does on the board. Kinds are 0 Red, 1 Orange, 2
// Green, 3 Blue, or NoPiece.
type Effect struct {
	Mover, Captured int8
	// Plants says that a runner ends on the enemy Home Apex and that Blue will be
	// placed, Strikes that a special may follow the slide.
	Plants, Strikes bool
}

// Loud reports whether the action captures, plants or may go on to capture.
func (e *Effect) Loud() bool { return e.Captured != NoPiece || e.Plants || e.Strikes }

// Effect returns the effect of the legal action a. Words without a square, placements
// included, move no piece here.
func (s *State) Effect(a engine.Action) Effect {
	e := Effect{Mover: NoPiece, Captured: NoPiece}
	if s.phase > phaseSpecial || a >= codeWords {
		return e
	}
	g := s.game.geo
	from, plane := g.turned(s.side, uint8(a&63)), int(a>>6)
	enemy := s.occ[1-s.side&1]
	if plane >= planeStep {
		target := uint8(int(from) + g.lanes[s.side&1][(plane-planeStep)&3].turn)
		return Effect{Mover: int8(blue), Captured: int8(s.kindAt(target))}
	}
	slide := &slideOf[plane]
	to := uint8(int(from) + slide.steps*g.lanes[s.side&1][slide.lane].turn)
	k := s.kindAt(from)
	e.Mover = int8(k)
	if enemy>>(to&63)&1 != 0 {
		e.Captured = int8(s.kindAt(to))
	}
	if k == blue {
		e.Strikes = s.mayFollow(to, slide.lane)
	} else {
		e.Plants = to == g.homes[1-s.side&1] && s.blues[s.side&1]&reforgeMask != 0
	}
	return e
}

// BeginsTurn reports whether this decision is the first of a turn.
func (s *State) BeginsTurn() bool { return s.phase == phaseMove }

// Quiet is the number of player turns in a row without progress when the turn began, and
// the number at which the game is drawn, 0 for never.
func (s *State) Quiet() (turns, limit int) { return int(s.quiet), s.game.rules.noProgress }

// RepeatedSince reports whether the position where this turn begins is in h more
// than once if the first from entries of h do not count. It must be the last
// entry.
func (s *State) RepeatedSince(h *engine.History, from int) bool {
	if s.repetition < 2 || h == nil || s.phase != phaseMove {
		return false
	}
	key := s.identity()
	return h.Count(s.zobrist^kit.Mix(key[4]), key[:], from) > 1
}

// SearchKey is a hash of everything that the rest of the game depends on, except the
// history: besides Hash the counts that end the game, progress in this turn, who owns
// which side, and the number of the turn while rules depend on it. Different positions
// may share it.
func (s *State) SearchKey() uint64 {
	r := &s.game.rules
	x := uint64(uint32(s.quiet))
	if s.progress {
		x |= 1 << 32
	}
	if s.swapped {
		x |= 1 << 33
	}
	if r.maxTurns > 0 || s.Early() {
		x |= uint64(uint32(s.turn)) << 34
	}
	return s.Hash() ^ kit.Mix(x^0xa1fabe7a)
}

// Early reports whether rules still depend on the number of the turn: the opening double
// move, hold or swap, turns without captures.
func (s *State) Early() bool {
	r := &s.game.rules
	return int(s.turn) <= max(2, int(r.pieTurn()), r.noCaptureTurns)
}

// Size is the number of squares along an edge of the board.
func (g *Game) Size() int { return g.geo.size }

// GreenCap is the number of Greens of both sides that may stand on the board.
func (g *Game) GreenCap() int { return g.rules.greenCap }

// ReforgeTurns is the number of own turns in which a captured Blue must be
// replaced.
func (g *Game) ReforgeTurns() int { return g.rules.reforgeTurns }

// StalemateLoses reports whether a player without a legal move loses, instead of
// drawing.
func (g *Game) StalemateLoses() bool { return g.rules.stalemateLoses }

// captureValue orders captures: Red, Orange, Green, Blue.
var captureValue = [4]int32{1, 2, 3, 9}

// Loudness implements engine.Searched: captures by what they take and then by what
// takes it, plants, and Blue's strikes.
func (s *State) Loudness(a engine.Action) (rank int32, loud bool) {
	f := s.Effect(a)
	if f.Captured != NoPiece {
		rank = 16*captureValue[f.Captured] - captureValue[f.Mover]
	}
	if f.Plants {
		rank += 200
	}
	return rank, f.Loud()
}
