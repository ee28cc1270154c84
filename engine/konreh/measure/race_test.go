package measure_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/konreh/measure"
)

// brutePlant is T* of side.
func (p *plain) brutePlant(t testing.TB, side int) int {
	best := measure.Inf
	for from := range 64 {
		if p.of(side, from) && from != p.blueAt(side) {
			turns, _ := p.bruteAny(t, side, from, p.seat(1-side, 0))
			best = min(best, turns)
		}
	}
	return best
}

// TestPlantTurnsAgainstLegalMoves compares T* with walks through legal moves.
func TestPlantTurnsAgainstLegalMoves(t *testing.T) {
	count := map[int]int{}
	var m measure.Meter
	check := func(s *konreh.State) {
		m.Set(s)
		for side := range 2 {
			want := takeApart(s).begin(side).brutePlant(t, side)
			if got := m.PlantTurns(engine.Side(side)); got != want {
				t.Errorf("%s: %s, side %c: T* %d, want %d", s.Game().Rules(), s.AppendPosition(nil), 'A'+side, got, want)
			}
			count[want]++
		}
	}
	sample(t, 2, 2, 10, func(s *konreh.State, _ *rand.Rand) { check(s) })
	published(t, 5, check)
	t.Log(count)
	for turns := range 6 {
		if turns > 0 && rare(count[turns], 10) {
			t.Errorf("T* %d came up %d times", turns, count[turns])
		}
	}
}

// routes tells whether some piece of side may come to the Apex within so many turns
// without a rest on a denied square, and where it may rest if it may.
func routes(edges map[int]func(sq, nth int) []int, goal, delay, turns int, denied map[int]bool) (squares map[int]bool) {
	for from, edge := range edges {
		at := map[int]bool{from: true}
		layers := []map[int]bool{}
		for nth := 1 + delay; nth <= turns; nth++ {
			layers = append(layers, at)
			after := maps.Clone(at)
			for sq := range at {
				for _, to := range edge(sq, nth) {
					if to == goal {
						if squares == nil {
							squares = map[int]bool{}
						}
						for _, l := range layers {
							maps.Copy(squares, l)
						}
					} else if !denied[to] {
						after[to] = true
					}
				}
			}
			at = after
		}
	}
	for from := range edges {
		delete(squares, from)
	}
	return squares
}

// bruteKappa removes sets of squares, smallest first; -1 if that would take too long.
func (p *plain) bruteKappa(t testing.TB, side, turns int) int {
	goal, delay := p.seat(1-side, 0), 0
	if p.mustLeave(side) {
		delay = 1
	}
	edges := map[int]func(sq, nth int) []int{}
	for from := range 64 {
		if p.of(side, from) && from != p.blueAt(side) {
			edge := p.edges(t, side, from)
			// Only pieces that may come there at all.
			if routes(map[int]func(sq, nth int) []int{from: edge}, goal, delay, turns, nil) != nil {
				edges[from] = edge
			}
		}
	}
	all := routes(edges, goal, delay, turns, nil)
	if all == nil {
		return 0
	}
	if routes(edges, goal, delay, turns, all) != nil {
		return measure.Inf // with everything denied
	}
	candidates := slices.Sorted(maps.Keys(all))
	tries := 0
	var try func(denied map[int]bool, first, n int) bool
	try = func(denied map[int]bool, first, n int) bool {
		if tries++; tries > 1000 {
			return false
		}
		if n == 0 {
			return routes(edges, goal, delay, turns, denied) == nil
		}
		for i := first; i < len(candidates); i++ {
			denied[candidates[i]] = true
			if try(denied, i+1, n-1) {
				return true
			}
			delete(denied, candidates[i])
		}
		return false
	}
	for n := 1; ; n++ {
		if try(map[int]bool{}, 0, n) {
			return n
		}
		if tries > 1000 {
			return -1
		}
	}
}

// TestKappaAgainstRemoval compares kappa with the removal of all sets of squares.
func TestKappaAgainstRemoval(t *testing.T) {
	count, skipped := map[int]int{}, 0
	var m measure.Meter
	check := func(s *konreh.State, rng *rand.Rand) {
		m.Set(s)
		side := rng.IntN(2)
		turns := min(m.PlantTurns(engine.Side(side)), 6) + rng.IntN(2)
		want := takeApart(s).begin(side).bruteKappa(t, side, turns)
		if want < 0 {
			skipped++
			return
		}
		if got := m.Kappa(engine.Side(side), turns); got != want {
			t.Errorf("%s: %s, side %c, %d turns: kappa %d, want %d", s.Game().Rules(), s.AppendPosition(nil), 'A'+side, turns, got, want)
		}
		count[want]++
	}
	sample(t, 3, 2, 20, check)
	rng := rand.New(rand.NewPCG(7, 8))
	published(t, 6, func(s *konreh.State) { check(s, rng) })
	t.Log(count, skipped, "skipped")
	for _, n := range []int{0, 1, 2, 3, measure.Inf} {
		if rare(count[n], 5) {
			t.Errorf("kappa %d came up %d times", n, count[n])
		}
	}
}

// bruteSeed is the fewest turns to a slide of side's Blue that may seed.
func (p *plain) bruteSeed(t testing.TB, side int) int {
	at := p.blueAt(side)
	if at < 0 {
		return measure.Inf
	}
	_, mobilization, _ := p.g.Seeding()
	stays := mobilization && strings.Contains(p.lives[side].rest, "h0")
	layer := []stand{{at, p.lives[side]}}
	for nth := 1; nth <= 25; nth++ {
		var after []stand
		for _, b := range layer {
			list, _, seeds := p.next(t, side, nth, b, -1)
			if seeds && !(stays && b.at == p.seat(side, 0)) {
				return nth
			}
			for _, n := range list {
				if !slices.Contains(after, n) {
					after = append(after, n)
				}
			}
		}
		if nth > 8 && len(after) == len(layer) {
			break // the walk has long come everywhere
		}
		layer = after
	}
	return measure.Inf
}

// TestSeedTurnsAgainstLegalMoves compares the turns to a Seed, and the half Green of
// CCA that they decide.
func TestSeedTurnsAgainstLegalMoves(t *testing.T) {
	count := map[int]int{}
	var m measure.Meter
	check := func(s *konreh.State) {
		m.Set(s)
		p := takeApart(s)
		var turns, greens [2]int
		for side := range 2 {
			turns[side] = p.begin(side).bruteSeed(t, side)
			if got := m.SeedTurns(engine.Side(side)); got != turns[side] {
				t.Errorf("%s: %s, side %c: Seed in %d, want %d", s.Game().Rules(), s.AppendPosition(nil), 'A'+side, got, turns[side])
			}
			for _, c := range p.board {
				if c == "Gg"[side] {
					greens[side]++
				}
			}
			count[turns[side]]++
		}
		want := float64(greens[0] - greens[1])
		if greens[0]+greens[1] == s.Game().GreenCap()-1 && min(turns[0], turns[1]) < measure.Inf {
			if turns[0] < turns[1] || turns[0] == turns[1] && p.side == 0 {
				want += 0.5
			} else {
				want -= 0.5
			}
			count[-1]++
		}
		if a, b := m.CCA(0), m.CCA(1); a != want || b != -want {
			t.Errorf("%s: %s: CCA %g and %g, want %g", s.Game().Rules(), s.AppendPosition(nil), a, b, want)
		}
	}
	sample(t, 4, 1, 10, func(s *konreh.State, _ *rand.Rand) { check(s) })
	published(t, 10, check)
	t.Log(count)
	for _, n := range []int{-1, 1, 2, 3, measure.Inf} {
		if rare(count[n], 3) {
			t.Errorf("%d came up %d times", n, count[n])
		}
	}
}
