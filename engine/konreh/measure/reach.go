package measure

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// levels are the squares where a Blue may stand when its turn begins, by its Cross
// counters: [i] with i turns stayed, up to the limit, [limit+x] barred for x more
// turns. Sets are exact, not the best of each square: a level may be open to a Blue
// that also has a better one there.
type levels [32]uint64

// count is how many levels the rules have.
func (m *Meter) count() int { return m.limit + m.exclusion + 1 }

// first is the level of a Blue that begins a turn.
func (m *Meter) first(l *konreh.Life) int {
	switch {
	case m.limit == 0:
		return 0
	case l.Exclusion > 0:
		return m.limit + l.Exclusion
	}
	return l.Stay
}

// barred are the squares where a Blue of level i may not come to rest.
func (m *Meter) barred(i int) uint64 {
	if i >= m.limit {
		return m.cross // none if nothing counts as Cross
	}
	return 0
}

// after is the level with which a Blue of level i begins its next turn if it ends
// this one in the Cross or outside.
func (m *Meter) after(i int) (in, out int) {
	switch {
	case i > m.limit+1:
		return min(1, m.limit), i - 1
	case i > m.limit:
		return min(1, m.limit), 0
	case i > 0 && m.exclusion > 0:
		return min(i+1, m.limit), m.limit + m.exclusion
	}
	return min(i+1, m.limit), 0
}

// step sets to to where the Blues of from may be one own turn later by the slides of f.
func (m *Meter) step(f *konreh.SlideBoard, from, to *levels, rooted bool) {
	*to = levels{}
	for i := range m.count() {
		at := from[i]
		if at == 0 {
			continue
		}
		if !rooted {
			barred := m.barred(i)
			e := f.BlueSlides(at)
			all := e[0] | e[1] | e[2] | e[3]
			if i == m.limit {
				at &^= barred // Blue must leave the Cross now
			}
			at |= all &^ barred
		}
		in, out := m.after(i)
		to[in] |= at & m.cross
		to[out] |= at &^ m.cross
	}
}

// strikers are the squares of level i of at from which Blue may capture the target
// within its turn.
func (m *Meter) strikers(f *konreh.SlideBoard, t *attack, at *levels, i int) uint64 {
	return f.Strikers(at[i], t.target, m.barred(i), t.life.Hop, t.life.Displacement)
}

// reach is R of an attack (see [Threat]); m.layers[:n+1] are then the squares open to Blue as each
// turn begins, n turns before the one that captures.
func (m *Meter) reach(t *attack) (turns, n int) {
	blue := t.kind[konreh.Blue]
	if blue == 0 || t.life.Specials == 0 {
		return Inf, 0
	}
	var f konreh.SlideBoard
	f.Set(m.game, t.own&^blue, t.enemy, true)
	m.begin(blue, &t.life)
	for turn := 1; ; turn++ {
		rooted := turn <= t.life.Rooted
		at := &m.layers[n]
		if !rooted && turn >= t.specials {
			for i := range m.count() {
				if at[i] != 0 && m.strikers(&f, t, at, i) != 0 {
					return turn, n
				}
			}
		}
		if !m.further(&f, n, rooted) && !rooted {
			if turn >= t.specials {
				return Inf, 0
			}
			turn = t.specials - 1 // nothing changes until then
			continue
		}
		n++
	}
}

// begin puts a Blue on its square into the first layer.
func (m *Meter) begin(blue uint64, l *konreh.Life) {
	if len(m.layers) == 0 {
		m.layers = make([]levels, 16)
	}
	m.layers[0] = levels{}
	m.layers[0][m.first(l)] = blue
}

// further sets layer n+1 to where layer n may be one turn later and reports whether
// that is anything else.
func (m *Meter) further(f *konreh.SlideBoard, n int, rooted bool) bool {
	if n+1 == len(m.layers) {
		m.layers = append(m.layers, levels{})
	}
	m.step(f, &m.layers[n], &m.layers[n+1], rooted)
	return m.layers[n+1] != m.layers[n]
}

// bluePath is the squares where Blue may rest on ways to capture on turn R, but for
// the one that it starts from; reach has found R, with layers up to n.
func (m *Meter) bluePath(t *attack, turns, n int) uint64 {
	blue := t.kind[konreh.Blue]
	var f konreh.SlideBoard
	f.Set(m.game, t.own&^blue, t.enemy, true)
	var good, before, one, after levels
	for i := range m.count() {
		good[i] = m.strikers(&f, t, &m.layers[n], i)
	}
	path := uint64(0)
	for turn := turns - 1; turn > 0; turn-- {
		for _, at := range good {
			path |= at
		}
		if turn == 1 {
			break // any square of the first layer is a turn away
		}
		// The last layer stands for all later turns, if specials had to wait.
		was := &m.layers[min(turn-1, n)]
		before = levels{}
		for i := range m.count() {
			for at := was[i]; at != 0; at &= at - 1 {
				one[i] = at & -at
				m.step(&f, &one, &after, turn <= t.life.Rooted)
				for j := range m.count() {
					if after[j]&good[j] != 0 {
						before[i] |= one[i]
					}
				}
				one[i] = 0
			}
		}
		good = before
	}
	return path &^ blue
}

// SeedTurns is the fewest own turns of side after which its Blue could make a slide
// that ends on a Sanctum from which it may then seed: the other Sanctum empty, fewer
// Greens than the cap, not the Sanctum that this life was reforged onto, and not this
// life's first departure from Home where that forbids it. A slide from Home counts
// only if this life has left it before now. Inf if it never may. Specials that land
// on a Sanctum are left aside.
func (m *Meter) SeedTurns(side engine.Side) int {
	a, opp := &m.armies[side&1], &m.armies[1-side&1]
	blue := a.kind[konreh.Blue]
	seed, mobilization, most := m.game.Seeding()
	greens := bits.OnesCount64(a.kind[konreh.Green]) + bits.OnesCount64(opp.kind[konreh.Green])
	if blue == 0 || !seed || greens >= m.game.GreenCap() || most > 0 && a.life.Seeds >= most {
		return Inf
	}
	enemy := m.turned(opp.own)
	others := a.own&^blue | enemy
	sanctums, goal := m.game.Sanctums(), uint64(0)
	for i, z := range sanctums {
		if others&sanctums[1-i] == 0 && z != a.life.Ban {
			goal |= z
		}
	}
	home := uint64(0)
	if mobilization && !a.life.Left {
		home = 1
	}
	var f konreh.SlideBoard
	f.Set(m.game, a.own&^blue, enemy, true)
	m.begin(blue, &a.life)
	for n := 0; ; n++ {
		rooted := n < a.life.Rooted
		if !rooted {
			all := uint64(0)
			for _, at := range m.layers[n][:m.count()] {
				all |= at
			}
			e := f.BlueSlides(all &^ home)
			if (e[0]|e[1]|e[2]|e[3])&goal != 0 {
				return n + 1
			}
		}
		if !m.further(&f, n, rooted) && !rooted {
			return Inf
		}
	}
}
