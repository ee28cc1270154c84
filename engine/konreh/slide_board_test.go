package konreh

import (
	"math/bits"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestGroundAgainstLegalMoves asks the board for the moves of each piece of both
// sides, over random games by all rules, and compares with playing the legal
// actions of that piece.
func TestGroundAgainstLegalMoves(t *testing.T) {
	count := map[string]int{}
	for _, rules := range allRules {
		g := mustGame(t, rules)
		for seed := range uint64(2) {
			randomGame(g, 200+seed, func(s *State, _ *engine.History) {
				if s.phase == phaseMove && !t.Failed() {
					for side := range engine.Side(2) {
						checkGround(t, s, side, count)
					}
				}
			})
		}
	}
	for _, what := range []string{"slides", "captures", "strikes", "strikes after a slide", "none"} {
		if count[what] < 100 {
			t.Errorf("%s came up %d times: the test is too small", what, count[what])
		}
	}
}

func checkGround(t *testing.T, s *State, side engine.Side, count map[string]int) {
	t.Helper()
	var turn State
	s.turnOf(side, &turn)
	g := s.game
	army, other := s.Army(side), s.Army(1-side)
	own := army[0] | army[1] | army[2] | army[3]
	enemy := g.Seen(side, g.Seen(1-side, other[0]|other[1]|other[2]|other[3]))
	life := s.Life(side)
	if life.Rooted > 0 || turn.overstaying() {
		return
	}
	// What each piece can do, by its square from the seat.
	var slides, struck, later [64]uint64
	for _, a := range turn.Legal(nil, nil) {
		plane, from := int(a>>6), int(a&63)
		if plane >= planeGive {
			continue
		}
		next := turn
		next.decide(a, nil)
		gone := g.Seen(side, turn.occ[1-side]&^next.occ[1-side])
		if plane >= planeStep {
			struck[from] |= gone
			continue
		}
		slides[from] |= 1 << (from + slideOf[plane].steps*g.geo.lanes[sideA][slideOf[plane].lane].turn)
		if gone != 0 {
			count["captures"]++
		}
		if next.phase == phaseSpecial {
			for _, b := range next.Legal(nil, nil) {
				if b != codeNone {
					after := next
					after.decide(b, nil)
					later[from] |= g.Seen(side, next.occ[1-side]&^after.occ[1-side])
				}
			}
		}
	}
	barred := g.Seen(side, turn.barred())
	slideFirst, specialFirst := s.FirstCaptures(side)
	if side != s.side {
		// turnOf leaves the number of the turn as it is.
		slideFirst, specialFirst = turn.FirstCaptures(side)
	}
	for from := range 64 {
		one := uint64(1) << from & own
		if one == 0 {
			continue
		}
		var f SlideBoard
		f.Set(g, own&^one, enemy, slideFirst == 1)
		var got uint64
		if one&army[Blue] == 0 {
			got = f.Slides(one&army[Red], one&army[Orange], one&army[Green])
		} else {
			for _, e := range f.BlueSlides(one) {
				got |= e &^ barred
			}
			for targets := enemy; targets != 0; targets &= targets - 1 {
				target := targets & -targets
				want := uint64(0)
				if (struck[from]|later[from])&target != 0 {
					want = one
				}
				strikers := f.Strikers(one|army[Red], target, barred, life.Hop, life.Displacement) &^ army[Red]
				if specialFirst > 1 {
					strikers = 0
				}
				if strikers != want {
					t.Errorf("%s: %s, side %d: strikers of %s: %x, want %x", g.Rules(), s.line(), side, SquareName(bits.TrailingZeros64(target)), strikers, want)
				}
				switch {
				case struck[from]&target != 0:
					count["strikes"]++
				case want != 0:
					count["strikes after a slide"]++
				default:
					count["none"]++
				}
			}
		}
		if got != slides[from] {
			t.Errorf("%s: %s, side %d: slides from %s: %x, want %x", g.Rules(), s.line(), side, SquareName(from), got, slides[from])
		}
		count["slides"] += bits.OnesCount64(got)
	}
}

// TestLife against the fields of the position line, from both seats.
func TestLife(t *testing.T) {
	g := mustGame(t, "table,seed_limit=3,buyback=true")
	s := mustPosition(t, g, "7b/8/8/3B4/8/8/8/7g A m D,r0,s2,x0,c0,nh1,h1,k0,e1 H,r2,s0,x1,c0,na8,h0,k0,e2 0 40")
	if got, want := s.Life(sideA), (Life{Displacement: true, Specials: 1, Stay: 2, Ban: 1 << 56, Left: true, Seeds: 1}); got != want {
		t.Errorf("A: %+v, want %+v", got, want)
	}
	// B's mark is eased when its turn begins; a8 is on B's right, h1 as B sees it.
	if got, want := s.Life(sideB), (Life{Hop: true, Specials: 1, Rooted: 1, Exclusion: 1, Ban: 1 << 56, Seeds: 2}); got != want {
		t.Errorf("B: %+v, want %+v", got, want)
	}
	micro := mustPosition(t, mustGame(t, "micro"), "5b/6/6/6/6/B5 A m HD,r0,s0,x0,c0,n-,h1,k0 -,r0,s0,x0,c0,n-,h1,k0 0 40")
	if a, b := micro.Life(sideA).Specials, micro.Life(sideB).Specials; a != 1 || b != 0 {
		t.Errorf("specials of micro: %d and %d, want 1 of either kind and 0", a, b)
	}
}

func TestFirstCaptures(t *testing.T) {
	for _, c := range []struct {
		rules            string
		moves            int
		slides, specials [2]int
	}{
		{"standard", 0, [2]int{1, 1}, [2]int{1, 1}},
		{"standard,balance=pie", 0, [2]int{1, 1}, [2]int{2, 1}},
		{"standard,balance=single,no_capture_turns=4", 0, [2]int{3, 3}, [2]int{3, 3}},
		{"standard,balance=single,no_capture_turns=5", 0, [2]int{4, 3}, [2]int{4, 3}},
		{"standard,balance=single,no_capture_turns=5", 1, [2]int{3, 3}, [2]int{3, 3}},
		{"standard,balance=single,no_capture_turns=5", 5, [2]int{1, 1}, [2]int{1, 1}},
	} {
		s := mustGame(t, c.rules).newState()
		for range c.moves {
			s.Apply(s.Legal(nil, nil)[0], nil)
		}
		for side := range engine.Side(2) {
			if a, b := s.FirstCaptures(side); a != c.slides[side] || b != c.specials[side] {
				t.Errorf("%s, turn %d, side %d: %d and %d, want %d and %d", c.rules, s.turn, side, a, b, c.slides[side], c.specials[side])
			}
		}
	}
}
