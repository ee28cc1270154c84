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

// Ground is a board on which a side may be asked how pieces would slide, whether
// or not they stand there: from its seat, squares are bits 8a+b of the board turned
// so that its Home Apex is a1. Set it before use. It knows nothing of the Cross,
// which is a matter of Blue's counters: callers take away the squares where Blue may
// not rest.
type Ground struct {
	game *Game
	seat seat
}

// Set puts the pieces of the side that slides and of its enemy. A piece that is
// asked for from another square than its own, or over more than one move, must not
// be among own: it would be in its own way. captures says whether the turn allows
// captures by slides.
func (f *Ground) Set(g *Game, own, enemy uint64, captures bool) {
	f.game = g
	f.seat.face(g, own, enemy, captures)
}

// Slides are the squares where slides end that begin on squares of reds, oranges and
// greens by pieces of that kind, captures among them.
func (f *Ground) Slides(reds, oranges, greens uint64) uint64 {
	var e ends
	v := &f.seat
	v.reds, v.oranges, v.greens = reds, oranges, greens
	v.slides(&e)
	all := uint64(0)
	for _, to := range e {
		all |= to
	}
	return all
}

// BlueSlides are the squares where slides of Blue end that begin on squares of
// from, by lane: onward left and right, homeward left and right.
func (f *Ground) BlueSlides(from uint64) (e [4]uint64) {
	empty, zoc := f.seat.empty, f.seat.zoc
	for l := range e {
		p := &f.game.geo.lanes[sideA][l]
		at := from
		for k := range maxSteps[l] {
			at = p.of(at) & empty
			if l >= int(homewardLeft) || k == maxSteps[l]-1 {
				e[l] |= at
			} else {
				e[l] |= at & zoc
			}
			at &^= zoc
		}
	}
	return e
}

// Follow is the enemy that a special along lane l may capture after Blue's slide
// along that lane to the square of at, if Blue has the special and may land; 0 if
// none.
func (f *Ground) Follow(l int, at uint64) uint64 {
	target := f.game.geo.lanes[sideA][l&3].of(at) & f.seat.enemy
	if f.game.geo.around[squareOf(at)&63]&f.seat.enemy != target || !f.game.rules.slideSpecial {
		return 0
	}
	return target
}

// Special are the squares where Blue on the square of at lands after a Displacement
// and after a Hop along lane l, as far as the target and the landing square are
// concerned; 0 for one that cannot be.
func (f *Ground) Special(l int, at uint64) (displacement, hop uint64) {
	p := &f.game.geo.lanes[sideA][l&3]
	target := p.of(at) & f.seat.enemy
	return target, p.of(target) & f.seat.empty
}

// Strikers are the squares of from on which Blue could capture the enemy on the
// square of target within its move, at once or after a slide, with the specials it
// has left and without a rest on a square of barred.
func (f *Ground) Strikers(from, target, barred uint64, hop, displacement bool) uint64 {
	g := f.game.geo
	found := uint64(0)
	for l := range 4 {
		at := g.lanes[sideA][3-l].of(target)
		step, jump := f.Special(l, at)
		if at == 0 || (!displacement || step&^barred == 0) && (!hop || jump&^barred == 0) {
			continue
		}
		found |= at & from
		if at&f.seat.empty&^barred == 0 || f.Follow(l, at) == 0 {
			continue
		}
		// The square before the target is in ZoC: a slide ends there from anywhere.
		for range maxSteps[l] {
			at = g.lanes[sideA][3-l].of(at)
			found |= at & from
			at &= f.seat.empty &^ f.seat.zoc
		}
	}
	return found
}

// Cross is the squares of the Cross, which look the same from both seats.
func (g *Game) Cross() uint64 { return g.geo.cross }

// CrossTurns are the own turns in a row that Blue may end in the Cross and those for
// which it is barred from it afterwards; stay 0 means that nothing counts as Cross.
func (g *Game) CrossTurns() (stay, exclusion int) {
	return g.rules.crossStay, g.rules.crossExclusion
}

// Sanctums are the squares of the Sanctums from a seat, that on the left first.
func (g *Game) Sanctums() [2]uint64 {
	return [2]uint64{1 << g.geo.sanctums[0], 1 << g.geo.sanctums[1]}
}

// Apex is the square of the enemy Home Apex from a seat.
func (g *Game) Apex() uint64 { return 1 << g.geo.last }

// Around are the squares a step away from square sq, the ZoC of a piece there.
func (g *Game) Around(sq int) uint64 { return g.geo.around[sq&63] }

// Step is the squares one step along lane l of the side, as it sees them, from those
// of a set: onward left and right, homeward left and right.
func (g *Game) Step(l int, squares uint64) uint64 { return g.geo.lanes[sideA][l&3].of(squares) }

// RootedTurns is the number of own turns that a Blue sits out when it has become
// Rooted, 0 or 1.
func (g *Game) RootedTurns() int { return g.rules.rootedMark() - 1 }

// Seen is a set of squares of the board as side sees it, and back.
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
