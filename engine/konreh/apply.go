package konreh

import (
	"math/bits"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/invariants"
)

// Apply implements [engine.State].
func (s *State) Apply(a engine.Action, h *engine.History) {
	s.decide(a, h)
	if s.phase <= phaseSecond && s.stuck() {
		s.stalemate()
	}
}

// decide plays an action and leaves open whether the next move, in the phases
// m and d, is stalemate.
func (s *State) decide(a engine.Action, h *engine.History) {
	if invariants.Enabled {
		var buf [maxLegal]engine.Action
		if !slices.Contains(s.Legal(buf[:0], h), a) {
			panic("BUG: konreh: illegal action " + string(s.AppendAction(nil, a)) + " in " + string(s.AppendPosition(nil)))
		}
	}
	switch s.phase {
	case phaseMove, phaseSecond:
		s.move(a, h)
	case phaseSpecial:
		at, l := s.square, s.lane
		s.clearPhase()
		if a == codeNone {
			s.blueMoved(at, h)
		} else {
			s.special(at, l, a >= 64*planeHop, h)
		}
	case phaseSeed:
		at := s.square
		s.clearPhase()
		if a == codeSeed {
			s.sow(at)
		}
		s.moveDone(at, h)
	case phasePlace:
		s.place(a, h)
	case phaseGreen:
		s.give(a)
		s.reforge(s.game.geo.homes[1-s.side&1], h)
	case phaseBuyHop:
		s.buy(a, hasHop, h)
	case phaseBuyStep:
		s.buy(a, hasStep, h)
	case phasePie:
		if a == codeSwap {
			s.swapped = true
		}
		s.beginTurn(h)
	}
}

func (s *State) clearPhase() {
	s.phase, s.square, s.lane, s.runner = phaseMove, 0, 0, 0
	if s.second {
		s.phase = phaseSecond
	}
}

// slideOf tells how each plane of slides moves.
var slideOf = func() (t [planeStep]struct {
	lane  lane
	steps int
}) {
	for l, first := range slidePlane {
		for k := range maxSteps[l] {
			t[first+k].lane, t[first+k].steps = lane(l), k+1
		}
	}
	return t
}()

// move plays an action of the phases m and d.
func (s *State) move(a engine.Action, h *engine.History) {
	if a >= codeWords {
		s.phase = phaseBuyHop
		if a == codeBuyD {
			s.phase = phaseBuyStep
		}
		return
	}
	g := s.game.geo
	from, plane := g.turned(s.side, uint8(a&63)), int(a>>6)
	if plane >= planeStep {
		s.departed(from)
		s.special(from, lane(plane-planeStep)&3, plane >= planeHop, h)
		return
	}
	slide := &slideOf[plane]
	to := uint8(int(from) + slide.steps*g.lanes[s.side&1][slide.lane].turn)
	k := s.kindAt(from)
	if s.occ[1-s.side&1]>>(to&63)&1 != 0 {
		s.capture(to)
	}
	s.shift(s.side, k, from, to)
	switch {
	case k == blue:
		s.departed(from)
		s.blueSlid(to, slide.lane, h)
	case to == g.homes[1-s.side&1] && s.blues[s.side&1]&reforgeMask != 0 && s.mayPlant(k):
		s.toggle(s.side, k, to)
		s.phase, s.square, s.runner = phasePlace, 0, k
	default:
		s.moveDone(to, h)
	}
}

// shift moves a piece of a kind to an empty square.
func (s *State) shift(side engine.Side, k kind, from, to uint8) {
	m := uint64(1)<<(from&63) | uint64(1)<<(to&63)
	s.occ[side&1] ^= m
	s.kind[0] ^= m & -uint64(k&1)
	s.kind[1] ^= m & -uint64(k>>1)
	keys := &zobristKeys[side&1][k&3]
	s.zobrist ^= keys[from&63] ^ keys[to&63]
}

// toggle puts a piece on an empty square or takes it away.
func (s *State) toggle(side engine.Side, k kind, sq uint8) {
	m := uint64(1) << (sq & 63)
	s.occ[side&1] ^= m
	s.kind[0] ^= m & -uint64(k&1)
	s.kind[1] ^= m & -uint64(k>>1)
	s.zobrist ^= zobristKeys[side&1][k&3][sq&63]
}

// capture removes the enemy piece on a square.
func (s *State) capture(sq uint8) {
	enemy := 1 - s.side&1
	k := s.kindAt(sq)
	s.toggle(enemy, k, sq)
	s.progress = true
	if k == blue {
		b := &s.blues[enemy]
		*b = *b&seedsMask | (newLife).with(reforgeMask, reforgeShft, s.game.rules.reforgeTurns)
	}
}

// departed marks Blue's first departure from its Home Apex as under way.
func (s *State) departed(from uint8) {
	b := &s.blues[s.side&1]
	if b.left() == 0 && from == s.game.geo.homes[s.side&1] {
		*b = b.with(leftMask, leftShift, 2)
	}
}

// blueSlid continues the turn after Blue's slide to a square along a lane.
func (s *State) blueSlid(to uint8, l lane, h *engine.History) {
	if s.mayFollow(to, l) {
		s.phase, s.square, s.lane = phaseSpecial, to, l
		return
	}
	s.blueMoved(to, h)
}

// mayFollow reports whether a special may follow Blue's slide: the only enemy
// whose ZoC holds the last square is the next one along the lane.
func (s *State) mayFollow(to uint8, l lane) bool {
	g := s.game
	around := g.geo.around[to&63] & s.occ[1-s.side&1]
	if around == 0 || around&(around-1) != 0 || !g.rules.slideSpecial || !s.mayUseSpecials() {
		return false
	}
	displace, hop := s.specials(to, l)
	return displace || hop
}

// special plays a Displacement or a Hop of Blue.
func (s *State) special(from uint8, l lane, hop bool, h *engine.History) {
	r := &s.game.rules
	turn := s.game.geo.lanes[s.side&1][l&3].turn
	target := uint8(int(from) + turn)
	to := target
	used := hasStep
	if hop {
		to, used = uint8(int(target)+turn), hasHop
	}
	s.capture(target)
	s.shift(s.side, blue, from, to)
	b := &s.blues[s.side&1]
	*b &^= used
	if r.specials == 1 {
		*b &^= hasHop | hasStep
	} else if *b&(hasHop|hasStep) == 0 {
		s.root()
	}
	s.blueMoved(to, h)
}

// root makes the Blue of the side to act Rooted.
func (s *State) root() {
	b := &s.blues[s.side&1]
	*b = b.with(rootedMask, rootedShift, s.game.rules.rootedMark())
}

// blueMoved continues the turn after Blue's own move has ended on a square.
func (s *State) blueMoved(at uint8, h *engine.History) {
	b := &s.blues[s.side&1]
	first := b.left() == 2
	if first {
		*b = b.with(leftMask, leftShift, 1)
	}
	if s.maySeed(at) && !(first && s.game.rules.mobilization) {
		s.phase, s.square = phaseSeed, at
		return
	}
	s.moveDone(at, h)
}

// maySeed reports whether Blue on a square may seed, if its move may.
func (s *State) maySeed(at uint8) bool {
	g := s.game
	i := 0
	switch at {
	case g.geo.sanctums[0]:
	case g.geo.sanctums[1]:
		i = 1
	default:
		return false
	}
	b := s.blues[s.side&1]
	return g.rules.seed && b.ban() != i+1 &&
		(s.occ[0]|s.occ[1])>>g.geo.sanctums[1-i]&1 == 0 &&
		bits.OnesCount64(s.pieces(green)) < g.rules.greenCap &&
		(g.rules.seedLimit == 0 || b.seeds() < g.rules.seedLimit)
}

// sow puts a Green on the Sanctum across from Blue's.
func (s *State) sow(at uint8) {
	g := s.game
	other := g.geo.sanctums[0]
	if at == other {
		other = g.geo.sanctums[1]
	}
	s.toggle(s.side, green, other)
	s.progress = true
	b := &s.blues[s.side&1]
	if g.rules.seedLimit > 0 {
		*b = b.with(seedsMask, seedsShift, b.seeds()+1)
	}
	s.root()
}

// mayPlant reports whether Blue could be placed anywhere after a plant by a
// runner of kind k. The runner stands on the enemy Home Apex.
func (s *State) mayPlant(k kind) bool {
	for a := codeHome; a <= codeApex; a++ {
		if a == codeApex && k != green {
			return s.of(s.side, green) != 0
		}
		if s.mayPlace(a, k) {
			return true
		}
	}
	return false
}

// place plays a placement word.
func (s *State) place(a engine.Action, h *engine.History) {
	if a == codeApex && s.runner != green {
		s.clearPhase()
		s.phase = phaseGreen
		return
	}
	s.reforge(s.placement(a), h)
}

// reforge puts a new Blue life on a square and ends the turn.
func (s *State) reforge(sq uint8, h *engine.History) {
	s.toggle(s.side, blue, sq)
	b := &s.blues[s.side&1]
	*b = *b&seedsMask | newLife
	for i, sanctum := range s.game.geo.sanctums {
		if sq == sanctum {
			*b = b.with(banMask, banShift, i+1)
		}
	}
	if s.game.rules.speed {
		s.progress = true
	}
	s.endTurn(h)
}

// give takes the own Green that an action names.
func (s *State) give(a engine.Action) {
	s.toggle(s.side, green, s.game.geo.turned(s.side, uint8(a&63)))
}

// buy pays for a special with a Green and ends the turn.
func (s *State) buy(a engine.Action, special blueState, h *engine.History) {
	s.give(a)
	s.blues[s.side&1] |= special | bought
	s.endTurn(h)
}

// moveDone continues the turn after a move that planted nothing; at is where the piece
// that moved stands now.
func (s *State) moveDone(at uint8, h *engine.History) {
	if s.turn == 1 && !s.second && s.game.rules.double() {
		s.phase, s.square, s.lane, s.runner, s.second = phaseSecond, at, 0, 0, true
		return
	}
	s.endTurn(h)
}
