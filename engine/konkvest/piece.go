package konkvest

import (
	"slices"

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

// Two classes more than unpromoted kinds: the ways in which pieces move.
const (
	hero     = queen + 1
	champion = queen + 2
	classes  = champion + 1
)

// classOf is the class of a kind.
var classOf = [16]uint8{pawn, support, guard, rook, lanser, general, queen, hero, hero, hero, champion, champion}

var classNames = [classes]string{"pawn", "support", "guard", "rook", "lanser", "general", "Queen", "hero", "champion"}

// far is a hex that a piece comes to over others, and those that have to be empty. A hex
// with several routes is there once for each.
type far struct{ to, via window }

// movement is how pieces go under one ruleset, by class and square, as the mover sees the
// board.
type movement struct {
	// attack are neighbours that may be entered, relocate those only if they are empty.
	near [classes][squares]struct{ attack, relocate window }
	// Routes over others begin at far[start], first of all those of attacks.
	far             []far
	start           [classes][squares]uint16
	attacks, routes [classes]uint16
	// slides are the directions of slides, which capture.
	slides [classes][]uint8
	// threats are the squares from which a piece of some class may attack one but by a
	// slide, lines those from which a slide may come.
	threats, lines [squares]set
	// wakes are the squares in the wake of a pawn or Queen on one.
	wakes [squares]set
}

// reach says where a class may go from a hex: steps to neighbours, ways over others, and
// slides.
type reach struct {
	attack, relocate       []kit.Way
	farAttack, farRelocate []route
	slides                 []uint8
}

// route is a way with the ways by which it passes, all of a list and one list at least.
type route struct {
	to  kit.Way
	via [][]kit.Way
}

func over(to kit.Way, via ...kit.Way) route {
	r := route{to: to}
	for _, v := range via {
		r.via = append(r.via, []kit.Way{v})
	}
	return r
}

// reaches are the classes' reaches under the options of g.
func (g *Game) reaches() [classes]reach {
	both := []kit.Way{frontLeft, frontRight}
	back := []kit.Way{backLeft, backRight}
	sides := []kit.Way{left, right}
	around := []kit.Way{left, right, frontLeft, frontRight}
	straight := over(ahead, frontLeft, frontRight)
	twice := func(w kit.Way) route { return over(times(w, 2), w) }
	lines := []route{twice(frontLeft), twice(frontRight)}
	leftLeap, rightLeap := plus(left, frontLeft), plus(right, frontRight)
	leaps := []route{over(leftLeap, frontLeft, left), over(rightLeap, frontRight, right)}

	var r [classes]reach
	r[pawn] = reach{attack: both, farRelocate: []route{straight}}
	r[support] = reach{relocate: both, farAttack: append([]route{straight}, leaps...)}
	if g.longLeap {
		long := func(side, front, leap kit.Way) route {
			return route{plus(leap, front), [][]kit.Way{{front, times(front, 2)}, {side, leap}, {front, leap}}}
		}
		r[support].farAttack = []route{straight, long(left, frontLeft, leftLeap), long(right, frontRight, rightLeap)}
	}
	reachOf := [...][]route{reachVertical: {straight}, reachLines: lines, reachBoth: append([]route{straight}, lines...)}
	r[guard] = reach{attack: both, relocate: sides, farAttack: reachOf[g.guardReach]}
	r[rook] = reach{attack: both, slides: []uint8{toRight, toLeft}}
	r[lanser] = reach{slides: []uint8{toFrontLeft, toFrontRight}}
	if g.lanserSides {
		r[lanser].slides = []uint8{toRight, toFrontLeft, toFrontRight, toLeft}
	}
	two := append([]route{twice(left), twice(right)}, lines...)
	r[general] = reach{attack: around, relocate: back, farAttack: two}
	if g.generalReach != reachLines {
		r[general].farAttack = append(two, straight)
	}
	if g.generalReach == reachDisc {
		r[general].farAttack = append(r[general].farAttack, leaps...)
	}
	r[queen] = reach{attack: append(around, back...), farRelocate: []route{twice(left), twice(right), over(behind, backLeft, backRight)}}
	r[hero] = reach{attack: around, relocate: back, farAttack: []route{straight}}
	switch g.heroForward {
	case heroExact:
		r[hero].attack = sides
	case heroLines:
		r[hero].farAttack = reachOf[reachBoth]
	}
	r[champion] = reach{relocate: back, slides: []uint8{toRight, toFrontLeft, toFrontRight, toLeft}}
	return r
}

// newMovement fills in the tables of g.
func newMovement(g *Game) *movement {
	m := new(movement)
	for class, r := range g.reaches() {
		m.slides[class] = r.slides
		for _, far := range r.farAttack {
			m.attacks[class] += uint16(len(far.via))
		}
		m.routes[class] = m.attacks[class]
		for _, far := range r.farRelocate {
			m.routes[class] += uint16(len(far.via))
		}
		for sq := first; sq < first+hexes; sq++ {
			near := &m.near[class][sq]
			near.attack, near.relocate = steps(sq, r.attack), steps(sq, r.relocate)
			m.start[class][sq] = m.share(routes(sq, append(r.farAttack, r.farRelocate...)), m.start[class][sq-1])
			attacked := near.attack
			for _, f := range m.far[m.start[class][sq]:][:m.attacks[class]] {
				attacked |= f.to
			}
			for attacked := attacked.set(sq); !attacked.none(); attacked = attacked.rest() {
				m.threats[attacked.lowest()] = m.threats[attacked.lowest()].or(bit(sq))
			}
			for _, d := range r.slides {
				for to := rays[d][sq]; !to.none(); to = to.rest() {
					m.lines[to.lowest()] = m.lines[to.lowest()].or(bit(sq))
				}
			}
		}
	}
	for i := range hexes {
		for j := range hexes {
			w := hex.Way(j, i) // from the hex behind
			aside := max(w.X, -w.X)
			if w.Y >= 0 && (g.wake == wakeRows || g.wake == wakeCone && aside <= w.Y || g.wake == wakeColumn && aside <= w.Y&1) {
				m.wakes[first+i] = m.wakes[first+i].or(bit(first + j))
			}
		}
	}
	return m
}

func steps(sq int, ways []kit.Way) (to window) {
	for _, w := range ways {
		if t := step(sq, w); t != 0 {
			to |= 1 << (t - sq + here)
		}
	}
	return to
}

// routes are the routes from a square; those over the edge lead nowhere.
func routes(sq int, list []route) (to []far) {
	for _, r := range list {
		end := step(sq, r.to)
		for _, via := range r.via {
			f := far{}
			if over, under := step(sq, via[0]), step(sq, via[len(via)-1]); end != 0 && over != 0 && under != 0 {
				f = far{1 << (end - sq + here), 1<<(over-sq+here) | 1<<(under-sq+here)}
			}
			to = append(to, f)
		}
	}
	return to
}

// share returns where routes stand in far. Within a row most squares have those of their
// neighbour, which begin at last.
func (m *movement) share(list []far, last uint16) uint16 {
	if end := int(last) + len(list); end <= len(m.far) && slices.Equal(list, m.far[last:end]) {
		return last
	}
	m.far = append(m.far, list...)
	return uint16(len(m.far) - len(list))
}
