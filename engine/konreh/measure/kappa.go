package measure

import "github.com/ludozero/ludozero/engine"

// TurnsLeft is the number of own turns in which side has to plant: what is left of its
// countdown, or with its Blue on the board the whole one, as if Blue fell now.
func (m *Meter) TurnsLeft(side engine.Side) int {
	if c := m.armies[side&1].life.Reforge; c > 0 {
		return c
	}
	return m.game.ReforgeTurns()
}

// Kappa is the fewest squares that opp must deny to leave side no way to the enemy
// Home Apex within that many own turns: the smallest vertex cut of the ways that
// [Meter.PlantTurns] counts, of all pieces but Blue together. On a denied square no
// piece of side may come to rest; sliding across it stays legal, as nothing moves. The
// squares where the pieces stand now and the Apex cannot be denied, so that it is Inf
// if a piece may reach the Apex by its first move. 0 if there is no way at all.
//
// Ways are bounded in length, so that flows do not find the cut. It is found by search:
// some square of any shortest way must be denied, and ways that share no square bound
// the number from below. The search is at most mostDenied deep, since the Apex is a corner:
// a piece comes to it by one of two lanes, onward and so from four steps away at most. Of
// 12,000 random positions with up to 15 turns left the worst had 6 squares and took 422
// steps.
func (m *Meter) Kappa(side engine.Side, turns int) int {
	apex, n := m.game.Apex(), 0
	m.planters(side)
	for i := range m.runners {
		r := &m.runners[i]
		if m.walk(r, apex, 0, turns) == Inf {
			continue
		}
		if r.direct(apex, turns) {
			return Inf
		}
		m.runners[n] = *r
		n++
	}
	m.runners = m.runners[:n]
	for n := m.apart(0, turns, mostDenied); n < mostDenied; n++ {
		if m.cut(0, 0, turns, n) {
			return n
		}
	}
	return mostDenied
}

// mostDenied squares always suffice to deny the Apex: a Green can come from no others.
const mostDenied = 8

// direct reports whether r may end on the goal with its first move, within turns.
func (r *runner) direct(goal uint64, turns int) bool {
	now, later := 1+r.delay, max(1+r.delay, r.slides)
	return r.ends(r.start, now)&goal != 0 || later <= turns && r.ends(r.start, later)&goal != 0
}

// way is the squares where a piece rests on a shortest way that avoids denied squares,
// 0 if there is none within turns.
func (m *Meter) way(denied uint64, turns int) uint64 {
	best, apex := uint64(0), m.game.Apex()
	for i := range m.runners {
		r := &m.runners[i]
		if found := m.walk(r, apex, denied, turns); found < Inf {
			best, turns = m.route(r, apex, found), found-1
		}
	}
	return best
}

// route is the squares of one of the ways of that many turns that walk has found.
func (m *Meter) route(r *runner, goal uint64, turns int) uint64 {
	squares := uint64(0)
	for n, turn := len(m.rings)-1, turns; n > 0; turn-- {
		for m.rings[n].turn >= turn {
			n--
		}
		if turn < turns && goal&m.rings[n].squares != 0 {
			continue // it waits for captures to be allowed
		}
		for at := m.rings[n].squares; ; at &= at - 1 {
			if r.ends(at&-at, turn)&goal != 0 {
				goal = at & -at
				break
			}
		}
		squares |= goal
	}
	return squares &^ r.start
}

// apart counts ways that share no square and no denied one, as a greedy choice of
// shortest ones finds them, and stops after most.
func (m *Meter) apart(denied uint64, turns, most int) int {
	for n := range most {
		way := m.way(denied, turns)
		if way == 0 {
			return n
		}
		denied |= way
	}
	return most
}

// cut reports whether n more denied squares, none of them kept, leave no way.
func (m *Meter) cut(denied, kept uint64, turns, n int) bool {
	way := m.way(denied, turns)
	if way == 0 {
		return true
	}
	if n == 0 || m.apart(denied|way, turns, n) == n {
		return false
	}
	for at := way &^ kept; at != 0; at &= at - 1 {
		if m.cut(denied|at&-at, kept, turns, n-1) {
			return true
		}
		kept |= at & -at
	}
	return false
}

// Race is how a side stands in planting, in its own turns; see [Meter.PlantTurns],
// [Meter.TurnsLeft] and [Meter.Kappa].
type Race struct{ PlantTurns, TurnsLeft, Kappa int }

// Race returns how side stands, with Kappa for the turns left.
func (m *Meter) Race(side engine.Side) Race {
	left := m.TurnsLeft(side)
	return Race{PlantTurns: m.PlantTurns(side), TurnsLeft: left, Kappa: m.Kappa(side, left)}
}

// Since are ΔT* and Δkappa of the move that led from before to r, both of one side:
// what they are now less what they were. Measure before the move, play it to the end
// of its turn, and measure again. The side that moves gains by a negative ΔT* and a
// positive Δkappa of its own, and by the opposite of opp's. If both are Inf the
// difference is 0, if one is, plus or minus Inf.
func (r Race) Since(before Race) (turns, kappa int) {
	return difference(r.PlantTurns, before.PlantTurns), difference(r.Kappa, before.Kappa)
}

func difference(now, before int) int {
	switch {
	case now == before:
		return 0
	case now == Inf:
		return Inf
	case before == Inf:
		return -Inf
	}
	return now - before
}
