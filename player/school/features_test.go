package school

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// TestFeaturesByHand in a position drawn up for it:
//
//	8 |  .  .  .  .  .  .  g  b
//	7 |  .  .  .  .  .  .  .  r
//	6 |  .  .  .  .  o  .  .  .
//	5 |  .  .  .  .  B  .  .  .
//	4 |  .  .  .  R  .  .  .  .
//	3 |  .  .  .  .  .  .  .  .
//	2 |  .  O  .  .  .  .  .  .
//	1 |  .  .  .  .  .  .  .  G
//	  +------------------------
//	     a  b  c  d  e  f  g  h
//
// Blue on e5 has stayed a turn and has its Hop alone.
func TestFeaturesByHand(t *testing.T) {
	g := game(t, "standard")
	s := position(t, g, "6gb/7r/4o3/4B3/3R4/8/1O6/7G A m H,r0,s1,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 40")
	want := [2]map[string]int{{
		"cross": 1, "their_cross": 0, "stay": 1, "their_exits": 0, "cover": 2, "greens": 1, "their_greens": 1,
		"cca": 0, "specials": 1, "their_specials": 2, "sri": 0, "blue_out": 8, "blue_edge": 0, "blue_crowd": 1,
		"blue_guard": 1, "home_guard": 1, "advance": 15, "pieces": 8, "exposed": 0, "threats": 1,
	}, {
		"cross": 0, "their_cross": 1, "stay": 0, "exits": 0, "cover": 1, "greens": 1, "their_greens": 1,
		"cca": 0, "specials": 2, "their_specials": 1, "blue_out": 0, "blue_edge": 1, "blue_crowd": 0,
		"blue_guard": 2, "home_guard": 2, "advance": 7, "pieces": 8, "exposed": 1, "threats": 0,
	}}
	for side := range want {
		var v view
		v.set(s, engine.Side(side))
		for _, f := range features {
			if n, ok := want[side][f.Name]; ok && f.of(&v) != n {
				t.Errorf("side %d: %s is %d, want %d", side, f.Name, f.of(&v), n)
			}
		}
	}
}

// TestPlantTurnsOfAForcedBlue: its turn comes first, and no runner moves in it.
func TestPlantTurnsOfAForcedBlue(t *testing.T) {
	g := game(t, "standard")
	for stay, want := range map[string]int{"s1": 1, "s3": 2} {
		var v view
		v.set(position(t, g, "r7/8/8/8/b3B2G/8/R7/8 A m -,r0,"+stay+",x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h1,k0 0 40"), 0)
		if got, exact := v.plantTurns(0), v.measures().PlantTurns(0); got != want || got != exact {
			t.Errorf("%s: T* is %d, exactly %d, want %d", stay, got, exact, want)
		}
	}
}

// TestFeaturesAgree with each other from both seats, and do not change when the board
// is mirrored; each of them varies.
func TestFeaturesAgree(t *testing.T) {
	g := game(t, "standard")
	seen := map[string]map[int]bool{}
	for _, f := range features {
		seen[f.Name] = map[int]bool{}
	}
	pairs := map[string]string{
		"cross": "their_cross", "exits": "their_exits", "greens": "their_greens", "specials": "their_specials",
		"exposed": "threats", "plant_turns": "their_plant_turns",
	}
	sample(g, 300, func(s *konreh.State) {
		mirror := *s
		mirror.Transform(1)
		var v [2]view
		var m view
		for side := range engine.Side(2) {
			v[side].set(s, side)
			m.set(&mirror, side)
			for _, f := range features {
				n := f.of(&v[side])
				seen[f.Name][n] = true
				if k := f.of(&m); k != n {
					t.Errorf("%s: %s is %d, in the mirror %d", s.AppendPosition(nil), f.Name, n, k)
				}
			}
		}
		for a, b := range pairs {
			for side := range 2 {
				x, y := features[featureNamed(a)].of(&v[side]), features[featureNamed(b)].of(&v[1-side])
				if x != y {
					t.Errorf("%s: %s of side %d is %d, %s of the other %d", s.AppendPosition(nil), a, side, x, b, y)
				}
			}
		}
		n := v[0].sight(0, &v[0].ownSight).Slides
		if k := features[featureNamed("their_mobility")].of(&v[1]); k != n {
			t.Errorf("%s: their_mobility is %d, the other's slides %d", s.AppendPosition(nil), k, n)
		}
	})
	for name, values := range seen {
		if len(values) < 2 {
			t.Errorf("%s is %v in all positions", name, values)
		}
	}
}

// sample walks through n positions of random games, with a liking for captures,
// Seeds and Blues in the Cross, also in the middle of turns.
func sample(g *konreh.Game, n int, do func(*konreh.State)) {
	rng := rand.New(rand.NewPCG(4, 2))
	s, h := g.NewState().(*konreh.State), g.NewHistory()
	places := g.Cross() | g.Sanctums()[0] | g.Sanctums()[1]
	s.Start(h)
	for n > 0 {
		if s.Actor() == engine.Nobody || s.Turn() > 90 {
			s.Start(h)
		}
		list := s.Legal(nil, h)
		if len(list) == 0 {
			s.Start(h)
			continue
		}
		a := list[rng.IntN(len(list))]
		for range 3 {
			if f := s.Effect(a); !f.Loud() && f.Mover != int8(konreh.Blue) {
				a = list[rng.IntN(len(list))]
			}
		}
		for _, b := range list {
			next := *s
			if next.Apply(b, nil); s.Effect(b).Mover == int8(konreh.Blue) && next.Army(s.Side())[konreh.Blue]&places != 0 && rng.IntN(4) == 0 || string(s.AppendAction(nil, b)) == "seed" {
				a = b
			}
		}
		s.Apply(a, h)
		if s.Actor() != engine.Nobody && s.Turn() > 3 && rng.IntN(4) == 0 {
			c := *s
			do(&c)
			n--
		}
	}
}
