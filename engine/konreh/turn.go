package konreh

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// endTurn does what the end of a turn asks for, in the order of the rules page:
// Cross counters, Reforge counter, turn count, side, quiet count, Rooted mark,
// then either hold or swap or the beginning of the next turn.
func (s *State) endTurn(h *engine.History) {
	r := &s.game.rules
	b := s.blues[s.side&1]
	if r.crossStay > 0 && b&reforgeMask == 0 {
		in := s.occ[s.side&1]&s.kind[0]&s.kind[1]&s.game.geo.cross != 0
		switch stay := b.stay(); {
		case in:
			b = b.with(stayMask, stayShift, min(stay+1, r.crossStay))
		case stay > 0:
			b = b.with(stayMask|exclMask, exclShift, r.crossExclusion)
		case b&exclMask != 0:
			b -= 1 << exclShift
		}
		if r.speed && in != (s.blues[s.side&1]&stayMask != 0) {
			s.progress = true
		}
	}
	s.second = false
	s.square, s.lane, s.runner = 0, 0, 0
	if b&reforgeMask != 0 {
		b -= 1 << reforgeShft
		if b&reforgeMask == 0 {
			s.blues[s.side&1] = b
			s.progress = false
			s.phase, s.why = phaseOver, whyReforge
			return
		}
	}
	s.blues[s.side&1] = b

	s.turn++
	s.side ^= 1
	s.quiet++
	if s.progress {
		s.quiet = 0
	}
	s.progress = false
	if n := &s.blues[s.side&1]; *n&rootedMask != 0 {
		*n -= 1 << rootedShift
	}
	if s.turn == r.pieTurn() {
		s.phase = phasePie
		return
	}
	s.beginTurn(h)
}

// beginTurn enters the position where a turn begins into the history and
// judges it, stalemate excepted.
func (s *State) beginTurn(h *engine.History) {
	s.phase = phaseMove
	s.remember(h)
	r := &s.game.rules
	switch {
	case s.repetition >= 3:
		s.phase, s.why = phaseOver, whyThreefold
	case r.noProgress > 0 && int(s.quiet) >= r.noProgress:
		s.phase, s.why = phaseOver, whyNoProgress
	case r.maxTurns > 0 && int(s.turn) >= r.maxTurns:
		s.phase, s.why = phaseOver, whyMaxTurns
	}
}

// stalemate ends the game if there is no legal move. In the middle of the opening double
// move the turn does not count.
func (s *State) stalemate() {
	s.phase, s.why = phaseOver, whyStalemate
	s.square, s.second, s.progress = 0, false, false
}

// remember enters the position into the history.
func (s *State) remember(h *engine.History) {
	s.repetition = 1
	if h != nil {
		key := s.identity()
		s.repetition = uint8(min(255, h.Push(s.zobrist^kit.Mix(key[4]), key[:])))
	}
}

// identity is the exact identity of a position where a turn begins.
func (s *State) identity() [keyWords]uint64 {
	return [keyWords]uint64{s.occ[0], s.occ[1], s.kind[0], s.kind[1], s.bluesAndSide()}
}

// bluesAndSide is what belongs to a position's identity besides the pieces.
func (s *State) bluesAndSide() uint64 {
	return uint64(s.blues[0]) | uint64(s.blues[1])<<32 | uint64(s.side)<<blueStateBits
}

// Hash implements [engine.State]. Positions in the middle of a turn differ by
// their phase too.
func (s *State) Hash() uint64 {
	h := s.zobrist ^ kit.Mix(s.bluesAndSide())
	if s.phase != phaseMove {
		p := uint64(s.phase) | uint64(s.square)<<8 | uint64(s.lane)<<16 | uint64(s.runner)<<24 | uint64(s.why)<<32
		if s.second {
			p |= 1 << 40
		}
		h ^= kit.Mix(p + 1<<48)
	}
	return h
}

// Begin implements [engine.State]: only a position where a turn begins is
// entered.
func (s *State) Begin(h *engine.History) {
	h.Clear()
	if s.phase == phaseMove {
		s.remember(h)
	}
}

// Start implements [engine.State].
func (s *State) Start(h *engine.History) {
	g := s.game
	*s = State{game: g, occ: g.geo.startOcc, kind: g.geo.startKind, blues: [2]blueState{newLife, newLife}}
	s.zobrist = s.zobristFromScratch()
	s.repetition = 1
	s.Begin(h)
}

// Turn implements [engine.State].
func (s *State) Turn() int { return int(s.turn) }

// Side implements [engine.State].
func (s *State) Side() engine.Side { return s.side }

// SideOf implements [engine.State].
func (s *State) SideOf(p engine.Player) engine.Side {
	if s.swapped {
		p = p.Other()
	}
	return engine.Side(p)
}

func (s *State) owner(side engine.Side) engine.Player {
	if s.swapped {
		side ^= 1
	}
	return engine.Player(side)
}

// Actor implements [engine.State].
func (s *State) Actor() engine.Player {
	if s.phase == phaseOver {
		return engine.Nobody
	}
	return s.owner(s.side)
}

// Chance implements [engine.State]: there is none.
func (s *State) Chance(dst []engine.Weighted) []engine.Weighted { return dst }

// Outcome implements [engine.State].
func (s *State) Outcome() engine.Outcome {
	if s.phase != phaseOver {
		return engine.Outcome{}
	}
	o := engine.Outcome{Over: true, Winner: engine.Nobody, Reason: reasonWords[s.why]}
	if s.why == whyReforge || s.why == whyStalemate && s.game.rules.stalemateLoses {
		o.Winner = s.owner(1 - s.side)
	}
	return o
}
