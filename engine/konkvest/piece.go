package konkvest

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine/kit"
)

// The kinds of pieces, in the order of the rules page: first those that can be in
// reserve, at last the promoted ones, each with the kind that it was.
const (
	pawn = iota
	support
	guard
	rook
	lanser
	general
	queen
	promoted // a promoted pawn; then support, guard, rook and lanser
	kinds    = promoted + 5
	hands    = queen // kinds that can be in reserve
)

// letters of the kinds of side 0; a promoted piece has a + before that of its kind.
const letters = "PSGRLNQ"

var kindNames = [kinds]string{
	"pawn", "support", "guard", "rook", "lanser", "general", "queen",
	"hero (pawn)", "hero (support)", "hero (guard)", "champion (rook)", "champion (lanser)",
}

// plain is the kind as which a captured piece comes into a reserve.
func plain(kind int) int {
	if kind >= promoted {
		return kind - promoted
	}
	return kind
}

// promotes tells whether pieces of a kind can be promoted.
func promotes(kind int) bool { return kind < general }

// Where a kind may promote: nowhere, on promotional territory, or wherever beyond the
// divider no enemy wake is, as pawns do, since their own wake covers every hex that they
// come to.
const (
	promotesNowhere = iota
	promotesInArea
	promotesBeyond
	areas
)

var areaOf = [16]uint8{promotesBeyond, promotesInArea, promotesInArea, promotesInArea, promotesInArea}

// Two classes more than unpromoted kinds: the ways in which pieces move.
const (
	hero     = queen + 1
	champion = queen + 2
	classes  = champion + 1
)

// classOf is the class of a kind.
var classOf = [16]uint8{pawn, support, guard, rook, lanser, general, queen, hero, hero, hero, champion, champion}

var classNames = [classes]string{"pawn", "support", "guard", "rook", "lanser", "general", "Queen", "hero", "champion"}

// movement is how pieces go under one ruleset, by class and square, as the mover sees the
// board.
type movement struct {
	// near is where pieces go but by slides if nothing is in between: attack are hexes that
	// they may enter, relocate those only if they are empty.
	near [16][squares]struct{ attack, relocate window }
	// leaps are a support's leaps over two hexes, by square, and nil where they are over one.
	leaps *[squares][]leap
	// slides are the slides of a class, which capture.
	slides [16]uint8
	// threats are the squares from which a piece of some class may attack one but by a
	// slide, lines those from which a slide may come.
	threats, lines [squares]set
	// wakes are the squares in the wake of a pawn or Queen on one.
	wakes [squares]set
}

// leap is a hex that a piece comes to over two others, which have to be empty.
type leap struct{ to, via window }

// reach says where a class may go from a hex: to neighbours, over one to others by the
// ways of overOne, and by slides.
type reach struct {
	attack, relocate []kit.Way
	slides           uint8
}

// reaches are the classes' reaches under the options of g.
func (g *Game) reaches() [classes]reach {
	list := func(ways ...kit.Way) []kit.Way { return ways }
	lines, leaps := list(times(frontLeft, 2), times(frontRight, 2)), list(leftLeap, rightLeap)

	var r [classes]reach
	r[pawn] = reach{attack: list(frontLeft, frontRight), relocate: list(ahead)}
	r[support] = reach{attack: list(ahead), relocate: list(frontLeft, frontRight)}
	if !g.longLeap {
		r[support].attack = append(r[support].attack, leaps...)
	}
	reachOf := [...][]kit.Way{reachVertical: list(ahead), reachLines: lines, reachBoth: append(list(ahead), lines...)}
	r[guard] = reach{attack: append(list(frontLeft, frontRight), reachOf[g.guardReach]...), relocate: list(left, right)}
	r[rook] = reach{attack: list(frontLeft, frontRight), slides: slidesAside}
	r[lanser] = reach{slides: slidesAhead}
	if g.lanserSides {
		r[lanser].slides = slidesAside | slidesAhead
	}
	r[general] = reach{attack: append(list(left, right, frontLeft, frontRight, times(left, 2), times(right, 2)), lines...), relocate: list(backLeft, backRight)}
	if g.generalReach != reachLines {
		r[general].attack = append(r[general].attack, ahead)
	}
	if g.generalReach == reachDisc {
		r[general].attack = append(r[general].attack, leaps...)
	}
	r[queen] = reach{attack: neighbours[:], relocate: list(times(left, 2), times(right, 2), behind)}
	r[hero] = reach{attack: list(left, right, frontLeft, frontRight, ahead), relocate: list(backLeft, backRight)}
	switch g.heroForward {
	case heroExact:
		r[hero].attack = list(left, right, ahead)
	case heroLines:
		r[hero].attack = append(r[hero].attack, lines...)
	}
	r[champion] = reach{relocate: list(backLeft, backRight), slides: slidesAside | slidesAhead}
	return r
}

// newMovement fills in the tables of g.
func newMovement(g *Game) *movement {
	m := new(movement)
	if g.longLeap {
		m.leaps = new([squares][]leap)
	}
	for class, r := range g.reaches() {
		m.slides[class] = r.slides
		for sq := first; sq < first+hexes; sq++ {
			near := &m.near[class][sq]
			near.attack, near.relocate = steps(sq, r.attack), steps(sq, r.relocate)
			attacked := near.attack
			if class == support && m.leaps != nil {
				m.leaps[sq] = longLeaps(sq)
				for _, l := range m.leaps[sq] {
					attacked |= l.to
				}
			}
			for attacked := attacked.set(sq); !attacked.Empty(); attacked = attacked.Rest() {
				m.threats[attacked.First()] = m.threats[attacked.First()].Or(kit.Single(sq))
			}
			var lines set
			if r.slides&slidesAside != 0 {
				lines = slideAside(sq, ^window(0)).set(sq)
			}
			if r.slides&slidesAhead != 0 {
				lines = lines.Or(slideAhead(sq, set{}))
			}
			for to := lines; !to.Empty(); to = to.Rest() {
				m.lines[to.First()] = m.lines[to.First()].Or(kit.Single(sq))
			}
		}
	}
	for i := range hexes {
		for j := range hexes {
			w := hex.Way(j, i) // from the hex behind
			aside := max(w.X, -w.X)
			if w.Y >= 0 && (g.wake == wakeRows || g.wake == wakeCone && aside <= w.Y || g.wake == wakeColumn && aside <= w.Y&1) {
				m.wakes[first+i] = m.wakes[first+i].Or(kit.Single(first + j))
			}
		}
	}
	return m
}

// longLeaps are the ways of a support's long leaps from a square.
func longLeaps(sq int) (to []leap) {
	for _, l := range [...]struct{ side, front, leap kit.Way }{{left, frontLeft, leftLeap}, {right, frontRight, rightLeap}} {
		end := steps(sq, []kit.Way{plus(l.leap, l.front)})
		for _, over := range [...][2]kit.Way{{l.front, times(l.front, 2)}, {l.side, l.leap}, {l.front, l.leap}} {
			via := steps(sq, over[:])
			if end != 0 && bits.OnesCount64(uint64(via)) == len(over) {
				to = append(to, leap{end, via})
			}
		}
	}
	return to
}
