package konreh

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// Measures are inputs of programs that evaluate positions, for one side and from its
// seat: squares are bits 8a+b of the board turned so that this side's Home Apex is a1.
// Moves are counted as if the side were to begin a turn now.
type Measures struct {
	// Own and Other are the pieces of the side and of its opponent by kind: Red,
	// Orange, Green, Blue.
	Own, Other [4]uint64
	// Hop and Displacement say which specials are left to Blue.
	Hop, Displacement bool
	// Rooted says that Blue would sit out the turn; Stay, Exclusion and Reforge
	// are the counters of the Cross and of the countdown to plant.
	Rooted                   bool
	Stay, Exclusion, Reforge int
	// Seedable says that Blue may end a slide on a Sanctum from which it could
	// seed.
	Seedable bool
	// Slides is the number of slides. Hits is the enemy pieces that slides may
	// capture, SpecialHits those that Blue's specials may, at once or after a
	// slide.
	Slides            int
	Hits, SpecialHits uint64
	// Ends is the squares on which slides may end, Blue's among them.
	Ends uint64
}

// turnOf sets t to s as if side were to begin a turn with it.
func (s *State) turnOf(side engine.Side, t *State) {
	*t = *s
	if t.side != side || t.phase != phaseMove {
		t.phase, t.square, t.lane, t.runner, t.second = phaseMove, 0, 0, 0, false
	}
	if t.side != side {
		t.side = side
		if b := &t.blues[side&1]; *b&rootedMask != 0 {
			*b -= 1 << rootedShift
		}
	}
}

// Measure sets m to the measures of side. It does not allocate.
func (s *State) Measure(side engine.Side, m *Measures) {
	var t State
	var v seat
	var e ends
	s.turnOf(side, &t)
	g := t.game
	t.look(&v)
	b := t.blues[side&1]
	*m = Measures{
		Hop: b&hasHop != 0, Displacement: b&hasStep != 0, Rooted: b&rootedMask != 0,
		Stay: b.stay(), Exclusion: b.exclusion(), Reforge: b.reforge(),
	}
	own, k0, k1 := g.geo.seen(side, t.occ[side&1]), g.geo.seen(side, t.kind[0]), g.geo.seen(side, t.kind[1])
	m.Own = [4]uint64{own &^ (k0 | k1), own & k0 &^ k1, own & k1 &^ k0, own & k0 & k1}
	m.Other = [4]uint64{v.enemy &^ (k0 | k1), v.enemy & k0 &^ k1, v.enemy & k1 &^ k0, v.enemy & k0 & k1}
	v.slides(&e)
	for _, to := range e {
		m.Slides += bits.OnesCount64(to)
		m.Hits |= to & v.enemy
		m.Ends |= to
	}
	if v.blue != 0 {
		t.measureBlue(&v, m)
	}
}

// measureBlue adds what the Blue of the side to act may do.
func (s *State) measureBlue(v *seat, m *Measures) {
	g := s.game.geo
	barred := s.barred()
	sanctums := uint64(1)<<(g.sanctums[0]&63) | 1<<(g.sanctums[1]&63)
	may := s.mayUseSpecials()
	at := squareOf(v.blue)
	fresh := s.blues[s.side&1].left() == 0 && at == 0 && s.game.rules.mobilization
	for l, to := range v.blueSlides(g) {
		to &^= barred // the Cross looks the same from both seats
		m.Slides += bits.OnesCount64(to)
		m.Ends |= to
		if seeds := to & sanctums; seeds != 0 && !fresh && s.maySeed(g.turned(s.side, squareOf(seeds))) {
			m.Seedable = true
		}
		// Only the end in ZoC can have a special follow.
		if to &= v.zoc; to != 0 && may {
			if end := g.turned(s.side, squareOf(to)); s.mayFollow(end, lane(l)) {
				m.SpecialHits |= g.lanes[sideA][l].of(to)
			}
		}
		if next := g.lanes[sideA][l].of(v.blue) & v.enemy; next != 0 && may {
			if displace, hop := s.specials(g.turned(s.side, at), lane(l)); displace || hop {
				m.SpecialHits |= next
			}
		}
	}
}

// PlantTurns is T*: the fewest own turns in which any piece of side could end a
// move on the enemy Home Apex if every other piece stood still, and most+1 if
// that takes more than most turns. Specials and Blue do not plant. Pieces that
// the runner captures on its way still stop it with their ZoC afterwards. It
// does not allocate and costs about a list of legal moves for each runner and
// turn looked at.
func (s *State) PlantTurns(side engine.Side, most int) int {
	var t State
	var v seat
	s.turnOf(side, &t)
	t.look(&v)
	reds, oranges, greens, empty := v.reds, v.oranges, v.greens, v.empty
	best := most + 1
	for runners := reds | oranges | greens; runners != 0; runners &= runners - 1 {
		one := runners & -runners
		v.empty = empty | one
		best = v.turnsTo(1<<(t.game.geo.last&63), one, reds&one != 0, oranges&one != 0, best)
	}
	return best
}

// turnsTo is the fewest turns in which the runner on the square of one ends a
// slide on the square of goal, or most if it takes that many or more.
func (v *seat) turnsTo(goal, one uint64, isRed, isOrange bool, most int) int {
	var e ends
	for turns := 1; turns < most; turns++ {
		v.reds, v.oranges, v.greens = 0, 0, 0
		switch {
		case isRed:
			v.reds = one
		case isOrange:
			v.oranges = one
		default:
			v.greens = one
		}
		v.slides(&e)
		reached := one
		for _, to := range e {
			reached |= to
		}
		if reached&^one&goal != 0 {
			return turns
		}
		if goal&one != 0 && turns == 1 {
			// A piece on the Apex must leave it and come back.
			reached &^= goal
		}
		if reached == one {
			break
		}
		one = reached
	}
	return most
}
