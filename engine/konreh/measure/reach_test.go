package measure_test

import (
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/konreh/measure"
)

// horizon is how many turns the brute-force walks go on without success. No way that
// there is takes longer on these boards.
const horizon = 40

// stand is a Blue where a turn of it begins.
type stand struct {
	at int
	l  life
}

// next are the Blues that may begin the next turn, and whether this turn may capture
// the piece on target (-1 for none) or slide to a Sanctum and seed, from p, where side
// begins its nth turn from now with its Blue as in b.
func (p *plain) next(t testing.TB, side, nth int, b stand, target int) (list []stand, captures, seeds bool) {
	t.Helper()
	c := *p
	c.board[c.blueAt(side)] = 0
	c.board[b.at], c.lives[side] = "Bb"[side], b.l
	add := func(b stand) {
		b.l.r = max(0, b.l.r-1)
		if !slices.Contains(list, b) {
			list = append(list, b)
		}
	}
	// Another piece's turn.
	if !c.mustLeave(side) {
		stay, _ := c.g.CrossTurns()
		w := b
		switch {
		case c.inCross(b.at):
			w.l.s = min(w.l.s+1, stay)
		case w.l.x > 0:
			w.l.x--
		}
		add(w)
	}
	s := c.state(t, side, nth)
	if s == nil {
		return list, false, false
	}
	var finish func(s *konreh.State, from string)
	finish = func(s *konreh.State, from string) {
		for _, w := range words(s) {
			if !strings.HasPrefix(w, from) && w != "none" {
				continue
			}
			n := play(t, s, w)
			special := strings.ContainsAny(w, "*^")
			if special {
				if target >= 0 && !takeApart(n).of(1-side, target) {
					captures = true
				}
				continue
			}
			for ph := phase(n); ph[0] == 's' || ph[0] == 'f'; ph = phase(n) {
				if ph[0] == 's' {
					seeds = true
					n = play(t, n, "noseed")
				} else {
					finish(n, ph[1:3])
					n = play(t, n, "none")
				}
			}
			after := takeApart(n)
			add(stand{after.blueAt(side), after.lives[side]})
		}
	}
	finish(s, name(b.at))
	return list, captures, seeds
}

// bruteReach is R of opp against target and the squares where its Blue may rest on the
// way.
func (p *plain) bruteReach(t testing.TB, opp, target int) (turns int, path map[int]bool) {
	t.Helper()
	at := p.blueAt(opp)
	if at < 0 {
		return measure.Inf, nil
	}
	type link struct{ before, after stand }
	start := stand{at, p.lives[opp]}
	layer, links := []stand{start}, [][]link{}
	seen := 0
	for nth := 1; nth <= horizon; nth++ {
		var found, after []stand
		var l []link
		for _, b := range layer {
			list, captures, _ := p.next(t, opp, nth, b, target)
			if captures {
				found = append(found, b)
			}
			for _, n := range list {
				l = append(l, link{b, n})
				if !slices.Contains(after, n) {
					after = append(after, n)
				}
			}
		}
		if len(found) > 0 {
			path = map[int]bool{}
			for n := nth - 2; n >= 0; n-- {
				var before []stand
				for _, b := range found {
					path[b.at] = true
				}
				for _, k := range links[n] {
					if slices.Contains(found, k.after) {
						before = append(before, k.before)
					}
				}
				found = before
			}
			delete(path, at)
			return nth, path
		}
		links, layer = append(links, l), after
		if p.lives[opp].specials == "-" {
			break
		}
		if seen == len(after) && nth > 8 && !strings.Contains(p.g.Rules(), "no_capture") {
			break // the walk has long come everywhere
		}
		seen = len(after)
	}
	return measure.Inf, nil
}

// bruteAny is the fewest turns in which the piece of side on from ends a slide on
// goal, and the squares where it may rest on the way.
func (p *plain) bruteAny(t testing.TB, side, from, goal int) (turns int, path map[int]bool) {
	t.Helper()
	edges := p.edges(t, side, from)
	delay := 0
	if p.mustLeave(side) {
		delay = 1
	}
	layers := []map[int]bool{{from: true}}
	for range delay {
		layers = append(layers, layers[0])
	}
	for nth := 1 + delay; nth <= horizon; nth++ {
		after := maps.Clone(layers[nth-1])
		for sq := range layers[nth-1] {
			for _, to := range edges(sq, nth) {
				if to == goal {
					good := map[int]bool{goal: true}
					path = map[int]bool{}
					for n := nth; n > 1+delay; n-- {
						before := map[int]bool{}
						for sq := range layers[n-1] {
							if n < nth && good[sq] {
								before[sq] = true
							}
							for _, to := range edges(sq, n) {
								if good[to] {
									before[sq] = true
								}
							}
						}
						good = before
						maps.Copy(path, good)
					}
					delete(path, from)
					return nth, path
				}
				after[to] = true
			}
		}
		if len(after) == len(layers[nth-1]) && nth > delay+1 && !strings.Contains(p.g.Rules(), "no_capture") {
			break
		}
		layers = append(layers, after)
	}
	return measure.Inf, nil
}

// edges tells where the piece of side that stands on from may slide from other
// squares, all others standing still, by asking for the legal moves of that position.
func (p *plain) edges(t testing.TB, side, from int) func(sq, nth int) []int {
	type key struct{ sq, nth int }
	known := map[key][]int{}
	return func(sq, nth int) []int {
		k := key{sq, nth}
		if !strings.Contains(p.g.Rules(), "no_capture") {
			k.nth = 1
		}
		if list, ok := known[k]; ok {
			return list
		}
		c := *p
		if c.mustLeave(side) {
			c.lives[side].s-- // Blue has gone by then
		}
		piece := c.board[from]
		c.board[from] = 0
		if c.board[sq]|32 == 'b' {
			c.lives[1-side] = c.lives[1-side].lost()
		}
		c.board[sq] = piece
		var list []int
		if s := c.state(t, side, nth); s != nil {
			for _, w := range words(s) {
				if strings.HasPrefix(w, name(sq)) && len(w) == 4 {
					list = append(list, square(w[2:]))
				}
			}
		}
		known[k] = list
		return list
	}
}

// independent is the most of the squares of which no two are on one lane, by trying
// all sets.
func independent(squares []int) int {
	best := 0
	for set := range 1 << len(squares) {
		var letters, digits [8]int
		ok := true
		for i, sq := range squares {
			if set>>i&1 != 0 {
				letters[sq>>3]++
				digits[sq&7]++
				ok = ok && letters[sq>>3] < 2 && digits[sq&7] < 2
			}
		}
		if ok {
			best = max(best, bits.OnesCount(uint(set)))
		}
	}
	return best
}

// screening are the pieces of side but that on q next to a square of the path.
func (p *plain) screening(side, q int, path map[int]bool) (list []int) {
	for sq := range 64 {
		near := false
		for at := range path {
			da, db := at>>3-sq>>3, at&7-sq&7
			near = near || da*da+db*db == 1
		}
		if near && sq != q && p.of(side, sq) {
			list = append(list, sq)
		}
	}
	return list
}

// checkThreat compares everything about one square with brute force.
func checkThreat(t *testing.T, s *konreh.State, side, q int, count map[string]int) {
	t.Helper()
	p := takeApart(s)
	sq, opp := p.seat(side, q), 1-side
	a := p.begin(opp).attacked(side, sq)
	if a.blueAt(opp) < 0 && p.blueAt(opp) >= 0 {
		a.lives[opp] = a.lives[opp].lost()
	}
	if p.blueAt(side) == sq {
		count["a Blue attacked"]++
	}
	want := measure.Threat{ReachAny: measure.Inf}
	var blue map[int]bool
	want.R, blue = a.bruteReach(t, opp, sq)
	if a.blueAt(opp) >= 0 {
		want.S = len(strings.Trim(a.lives[opp].specials, "-"))
		if strings.HasPrefix(p.g.Rules(), "micro") {
			want.S = min(want.S, 1)
		}
		want.Barred = a.lives[opp].x > 0
	}
	any := map[int]bool{}
	for from := range 64 {
		if !a.of(opp, from) || from == a.blueAt(opp) {
			continue
		}
		turns, path := a.bruteAny(t, opp, from, sq)
		if turns < want.ReachAny {
			want.ReachAny = turns
			clear(any)
		}
		if turns == want.ReachAny {
			maps.Copy(any, path)
		}
	}
	want.BlueScreens = independent(a.screening(side, sq, blue))
	nearest := map[int]bool{}
	if want.R <= want.ReachAny {
		maps.Copy(nearest, blue)
	}
	if want.ReachAny <= want.R {
		maps.Copy(nearest, any)
	}
	want.Screens = independent(a.screening(side, sq, nearest))
	ssi := 1
	switch {
	case want.S >= 1 && want.R <= 1 || want.ReachAny <= 1:
		ssi = 0
	case (want.S == 0 || want.R >= 2) && want.ReachAny >= 2 && (want.Screens >= 1 || want.R >= 3 && want.ReachAny >= 3):
		ssi = 2
	}

	var m measure.Meter
	m.Set(s)
	v := engine.Side(side)
	got := m.Threat(v, q)
	if got != want {
		t.Errorf("%s: %s, side %c, %s: %+v, want %+v", p.g.Rules(), s.AppendPosition(nil), 'A'+side, name(sq), got, want)
	}
	if m.SSI(v, q) != ssi || got.SSI() != ssi {
		t.Errorf("%s: %s, side %c, %s: SSI %d and %d, want %d", p.g.Rules(), s.AppendPosition(nil), 'A'+side, name(sq), m.SSI(v, q), got.SSI(), ssi)
	}
	count[[]string{"SSI 0", "SSI 1", "SSI 2"}[ssi]]++
	count["R "+string('0'+rune(min(want.R, 9)))]++
	count["any "+string('0'+rune(min(want.ReachAny, 9)))]++
	count["screens "+string('0'+rune(want.Screens))]++
	count["Blue's screens "+string('0'+rune(want.BlueScreens))]++
	count[got.Advice().String()]++
}

// TestThreatsAgainstLegalMoves compares R, reachAny, screens and SSI with walks through
// legal moves, on Sanctums, in the Cross and anywhere.
func TestThreatsAgainstLegalMoves(t *testing.T) {
	count := map[string]int{}
	check := func(s *konreh.State, rng *rand.Rand) {
		size := s.Game().Size()
		q := [...]int{8 * (size - 1), size - 1, 8*(size/2) + size/2, rng.IntN(size)<<3 | rng.IntN(size)}[rng.IntN(4)]
		checkThreat(t, s, rng.IntN(2), q, count)
	}
	sample(t, 1, 3, 30, check)
	rng := rand.New(rand.NewPCG(5, 6))
	published(t, 5, func(s *konreh.State) { check(s, rng) })
	t.Log(count)
	for _, what := range []string{
		"SSI 0", "SSI 1", "SSI 2", "R 1", "R 2", "R 3", "any 1", "any 2", "any 3", "screens 1", "screens 2", "Blue's screens 2",
		"a Blue attacked", "seed", "usually seed", "borderline, rather not", "borderline, rather yes", "do not seed",
	} {
		if rare(count[what], 5) {
			t.Errorf("%s came up %d times", what, count[what])
		}
	}
}
