package konreh

import (
	"github.com/ludozero/ludozero/engine"
)

// The kinds of pieces, as [State.Army], [Measures] and [Effect] number them.
const (
	Red    = int(red)
	Orange = int(orange)
	Green  = int(green)
	Blue   = int(blue)
)

// Life is the state of a side's Blue, from its seat, as if the side were to begin a
// turn now.
type Life struct {
	// Hop and Displacement say which specials are left, Specials how many may still
	// be used: under specials: 1 the first use of either spends both. For a
	// captured Blue they are its next life's.
	Hop, Displacement bool
	Specials          int
	// Rooted is the number of own turns that Blue sits out, including the one that
	// begins. Stay, Exclusion and Reforge are the counters of the Cross and of the
	// countdown to plant, all in own turns.
	Rooted, Stay, Exclusion, Reforge int
	// Ban is the Sanctum from which this life may not seed, Left whether it has left
	// Home, Seeds how many Seeds it and earlier ones have made, which only rules with
	// a seed_limit count.
	Ban   uint64
	Left  bool
	Seeds int
}

// Life is the state of side's Blue.
func (s *State) Life(side engine.Side) Life {
	var t State
	s.turnOf(side, &t)
	b := t.blues[side&1]
	l := Life{
		Hop: b&hasHop != 0, Displacement: b&hasStep != 0, Specials: min(b.specials(), s.game.rules.specials),
		Rooted: b.rooted(), Stay: b.stay(), Exclusion: b.exclusion(), Reforge: b.reforge(),
		Left: b.left() != 0, Seeds: b.seeds(),
	}
	if n := b.ban(); n > 0 {
		l.Ban = 1 << s.game.geo.turned(side, s.game.geo.sanctums[n-1])
	}
	return l
}

// FirstCaptures are the fewest own turns in which side may capture by a slide and
// by a special: 1 is its next turn, or the one that is under way. Only rules about
// the first turns of a game, no_capture_turns and the pie, make it more.
func (s *State) FirstCaptures(side engine.Side) (slides, specials int) {
	r := &s.game.rules
	turn := int(s.turn)
	if side != s.side {
		turn++
	}
	first := r.noCaptureTurns
	slides = 1 + max(0, first-turn+1)/2
	if r.balance == balancePie || r.balance == balancePieDouble {
		first = max(first, 1)
	}
	return slides, 1 + max(0, first-turn+1)/2
}

// Reforge is the number of own turns in which side must plant, 0 with its Blue on
// the board or after the countdown has run out.
func (s *State) Reforge(side engine.Side) int { return s.blues[side&1].reforge() }

// Army is the pieces of side by kind, Red, Orange, Green, Blue, from its seat:
// bits 8a+b of the board turned so that its Home Apex is a1.
func (s *State) Army(side engine.Side) [4]uint64 {
	own, k0, k1 := s.occ[side&1], s.kind[0], s.kind[1]
	g := s.game.geo
	own, k0, k1 = g.seen(side, own), g.seen(side, k0), g.seen(side, k1)
	return [4]uint64{own &^ (k0 | k1), own & k0 &^ k1, own & k1 &^ k0, own & k0 & k1}
}

// Identity is what the repetition rule compares at the beginning of a turn. Unlike Hash
// it differs for different positions.
func (s *State) Identity() [5]uint64 { return s.identity() }

// MaxTurns is the number of player turns after which a game is drawn, 0 for never.
func (g *Game) MaxTurns() int { return g.rules.maxTurns }

// Cross is the squares of the Cross, which look the same from both seats.
func (g *Game) Cross() uint64 { return g.geo.cross }

// CrossTurns are the number of own turns in a row that Blue may end in the Cross, and the
// number for which it is barred from it afterwards; with stay 0 nothing counts as Cross.
func (g *Game) CrossTurns() (stay, exclusion int) {
	return g.rules.crossStay, g.rules.crossExclusion
}

// Sanctums are the squares of the Sanctums from a seat, the left one first.
func (g *Game) Sanctums() [2]uint64 {
	return [2]uint64{1 << g.geo.sanctums[0], 1 << g.geo.sanctums[1]}
}

// Apex is the square of the enemy Home Apex from a seat.
func (g *Game) Apex() uint64 { return 1 << g.geo.last }

// Around are the squares a step away from square sq, the ZoC of a piece there.
func (g *Game) Around(sq int) uint64 { return g.geo.around[sq&63] }

// Step is the squares one step along lane l from a set of squares, from the side's seat:
// onward left and right, homeward left and right.
func (g *Game) Step(l int, squares uint64) uint64 { return g.geo.lanes[sideA][l&3].of(squares) }

// RootedTurns is the number of own turns that a Blue sits out when it has become
// Rooted, 0 or 1.
func (g *Game) RootedTurns() int { return g.rules.rootedMark() - 1 }

// Seen converts a set of squares to side's view, and back.
func (g *Game) Seen(side engine.Side, squares uint64) uint64 { return g.geo.seen(side, squares) }

// LifeSpecials is the number of specials that a new Blue has; 1 is of either kind.
func (g *Game) LifeSpecials() int { return g.rules.specials }

// Seeding reports whether the rules have Seeds, whether a life may not seed with its
// first departure from Home, and how many Seeds a side may make, 0 for any number.
func (g *Game) Seeding() (seed, mobilization bool, limit int) {
	return g.rules.seed, g.rules.mobilization, g.rules.seedLimit
}

// SquareName is the name of square 8a+b of the board.
func SquareName(sq int) string { return string(appendSquare(nil, uint8(sq))) }

// Game is the ruleset that s is played by.
func (s *State) Game() *Game { return s.game }
