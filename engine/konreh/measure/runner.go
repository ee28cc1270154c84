package measure

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// runner is a moving piece other than Blue, from its owner's seat.
type runner struct {
	kind  int
	start uint64
	// own are the other pieces of its side, enemy those it may capture.
	own, enemy uint64
	// f slides with captures, quiet without.
	f, quiet konreh.SlideBoard
	// delay is 1 if the first turn is Blue's, slides the first turn with captures.
	delay, slides int
	game          *konreh.Game
	// visited are the squares where it may be, frontier those that were new.
	visited, frontier uint64
}

func (r *runner) set(g *konreh.Game, a *army, forced bool, kind int, start, own, enemy uint64) {
	*r = runner{kind: kind, start: start, own: own &^ start, enemy: enemy, slides: a.slides, game: g}
	if forced {
		r.delay = 1
	}
	r.f.Set(g, r.own, enemy, true)
	if r.slides > 1 {
		r.quiet.Set(g, r.own, enemy, false)
	}
}

// ends are the squares where its slides end on a turn that begin on squares of at.
func (r *runner) ends(at uint64, turn int) uint64 {
	if turn < r.slides {
		return slides(&r.quiet, r.kind, at)
	}
	all := slides(&r.f, r.kind, at&^r.enemy)
	for on := at & r.enemy; on != 0; on &= on - 1 {
		// It has captured there: that piece is off the board.
		var f konreh.SlideBoard
		f.Set(r.game, r.own, r.enemy&^(on&-on), true)
		all |= slides(&f, r.kind, on&-on)
	}
	return all
}

func slides(f *konreh.SlideBoard, kind int, at uint64) uint64 {
	if at == 0 {
		return 0
	}
	var movers [3]uint64
	movers[kind] = at
	return f.Slides(movers[konreh.Red], movers[konreh.Orange], movers[konreh.Green])
}

// begin puts r back on its square.
func (r *runner) begin() { r.visited, r.frontier = r.start, r.start }

// advance makes another turn, without a rest on a denied square, and reports whether it
// may end on the goal.
func (r *runner) advance(goal, denied uint64, turn int) bool {
	if turn == r.slides {
		r.frontier = r.visited // what was no capture yet may be one now
	}
	if r.frontier == 0 {
		return false
	}
	to := r.ends(r.frontier, turn)
	r.frontier = to &^ (r.visited | denied)
	r.visited |= r.frontier
	return to&goal != 0
}

// stuck reports that later turns would find nothing.
func (r *runner) stuck(turn int) bool { return r.frontier == 0 && turn >= r.slides }

// ring is the squares where a runner may be when turn turns have passed, until the
// next ring.
type ring struct {
	squares uint64
	turn    int
}

// walk is the fewest turns in which r ends a slide on the goal without a rest on a
// denied square before, Inf if that takes more than most; m.rings are then the
// squares where it may be before that turn.
func (m *Meter) walk(r *runner, goal, denied uint64, most int) int {
	r.begin()
	m.rings = append(m.rings[:0], ring{r.visited, 0})
	for turn := 1 + r.delay; turn <= most; turn++ {
		if r.advance(goal, denied, turn) {
			return turn
		}
		if r.stuck(turn) {
			break
		}
		m.rings = append(m.rings, ring{r.visited, turn})
	}
	return Inf
}

// nearest is the fewest turns in which any of m.runners ends a slide on the goal, Inf
// if that takes more than most.
func (m *Meter) nearest(goal uint64, most int) int {
	for i := range m.runners {
		m.runners[i].begin()
	}
	for turn := 1; turn <= most; turn++ {
		stuck := true
		for i := range m.runners {
			r := &m.runners[i]
			if turn <= r.delay {
				stuck = false
				continue
			}
			if r.advance(goal, 0, turn) {
				return turn
			}
			stuck = stuck && r.stuck(turn)
		}
		if stuck {
			break
		}
	}
	return Inf
}

// muster sets m.runners to the pieces of army a, except Blue.
func (m *Meter) muster(a *army, forced bool, kind *[4]uint64, own, enemy uint64) {
	m.runners = m.runners[:0]
	for k := range konreh.Blue {
		for on := kind[k]; on != 0; on &= on - 1 {
			m.runners = append(m.runners, runner{})
			m.runners[len(m.runners)-1].set(m.game, a, forced, k, on&-on, own, enemy)
		}
	}
}

// path is the squares where r may rest on the ways that walk has found to the goal in
// that many turns, except the one that it starts from.
func (m *Meter) path(r *runner, goal uint64, turns int) uint64 {
	good, path := goal, uint64(0)
	for n, turn := len(m.rings)-1, turns; turn > 1+r.delay; turn-- {
		for m.rings[n].turn >= turn {
			n--
		}
		before := good & m.rings[n].squares
		for at := m.rings[n].squares &^ good; at != 0; at &= at - 1 {
			if r.ends(at&-at, turn)&good != 0 {
				before |= at & -at
			}
		}
		good = before
		path |= good
	}
	return path &^ (r.start | goal)
}

// reachAny is ReachAny of an attack (see [Threat]) if it is most at most, else Inf; m.runners are
// then the attackers.
func (m *Meter) reachAny(t *attack, most int) int {
	m.muster(t.army, t.forced, &t.kind, t.own, t.enemy)
	return m.nearest(t.target, most)
}

// PlantTurns is T*: the fewest own turns of side after which one of its pieces but
// Blue, which does not plant, could end a move on the enemy Home Apex; a piece that
// stands there must leave and return. It is asked of any side: whether its Blue is
// off the board and could be placed is another matter. Inf if none ever could.
//
// [konreh.State.PlantTurns] is a quicker estimate of it that stops a runner by the ZoC
// of pieces that it has captured, also on their own squares.
func (m *Meter) PlantTurns(side engine.Side) int {
	m.planters(side)
	return m.nearest(m.game.Apex(), Inf)
}

// planters sets m.runners to the pieces of side that could plant.
func (m *Meter) planters(side engine.Side) {
	a := &m.armies[side&1]
	m.muster(a, a.forced, &a.kind, a.own, m.turned(m.armies[1-side&1].own))
}
