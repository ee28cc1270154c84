package measure_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/konreh/measure"
)

// Blue states of positions made by hand.
const (
	both     = "HD,r0,s0,x0,c0,n-,h1,k0"
	inCross  = "HD,r0,s1,x0,c0,n-,h1,k0"
	onlyD    = "D,r0,s0,x0,c0,n-,h1,k0"
	onlyDx   = "D,r0,s0,x1,c0,n-,h1,k0"
	none     = "-,r0,s0,x0,c0,n-,h1,k0"
	counting = "HD,r0,s0,x0,c5,n-,h0,k0"
)

// TestThreatsByHand on Sanctum a8 of A.
func TestThreatsByHand(t *testing.T) {
	for _, c := range []struct {
		name, line string
		want       measure.Threat
		ssi        int
		advice     measure.Advice
	}{
		// h8c8, five squares onward; then c8b8 into the Green's ZoC and the Displacement.
		{"two turns away", "7b/8/8/8/8/8/8/B7 A m " + both + " " + onlyD, measure.Threat{R: 2, ReachAny: measure.Inf, S: 1}, 1, measure.BorderlineAgainst},
		{"two turns, barred from the Cross", "7b/8/8/8/8/8/8/B7 A m " + both + " " + onlyDx,
			measure.Threat{R: 2, ReachAny: measure.Inf, S: 1, Barred: true}, 1, measure.BorderlineFor},
		{"two turns, both specials", "7b/8/8/8/8/8/8/B7 A m " + both + " " + both, measure.Threat{R: 2, ReachAny: measure.Inf, S: 2}, 1, measure.UsuallySeed},
		{"two turns, nothing left", "7b/8/8/8/8/8/8/B7 A m " + both + " " + none, measure.Threat{R: measure.Inf, ReachAny: measure.Inf}, 2, measure.DoSeed},
		// The Red on c7 has c8, the only square on the way, in its ZoC.
		{"a screen", "7b/2R5/8/8/8/8/8/B7 A m " + both + " " + onlyD,
			measure.Threat{R: 2, ReachAny: measure.Inf, S: 1, Screens: 1, BlueScreens: 1}, 2, measure.BorderlineAgainst},
		// h4h8 and others, h8c8, c8b8 with the Displacement. The Green: e7a7 or e7e8, then a8.
		{"a Green nearer than Blue", "8/4g3/8/8/3B3b/8/8/2G1R3 A m " + inCross + " " + onlyD, measure.Threat{R: 3, ReachAny: 2, S: 1}, 1, measure.UsuallySeed},
		// Those on a6 and f8 look at a7 and e8; their letters and digits differ.
		{"two screens against a Green", "5R2/4g3/R7/8/8/8/8/B7 A m " + both + " " + counting,
			measure.Threat{R: measure.Inf, ReachAny: 2, Screens: 2}, 2, measure.DoSeed},
		// d8a8, three squares onward, past b8 in the ZoC of the Green alone.
		{"next turn", "3o4/8/8/8/8/8/8/B7 A m " + both + " " + counting, measure.Threat{R: measure.Inf, ReachAny: 1}, 0, measure.DoSeed},
		// The Hop needs an empty square beyond a8, which is off the board.
		{"beside it with the Hop alone", "1b6/8/8/8/8/8/8/B7 A m " + both + " H,r0,s0,x0,c0,n-,h1,k0",
			measure.Threat{R: measure.Inf, ReachAny: measure.Inf, S: 1}, 2, measure.UsuallySeed},
		{"beside it with the Displacement", "1b6/8/8/8/8/8/8/B7 A m " + both + " " + onlyD, measure.Threat{R: 1, ReachAny: measure.Inf, S: 1}, 0, measure.DoNotSeed},
	} {
		t.Run(c.name, func(t *testing.T) {
			var m measure.Meter
			m.Set(position(t, game(t, "standard"), c.line+" 0 40"))
			got := m.Threat(0, square("a8"))
			if got != c.want || got.SSI() != c.ssi || got.Advice() != c.advice {
				t.Errorf("%+v, SSI %d, %v, want %+v, %d, %v", got, got.SSI(), got.Advice(), c.want, c.ssi, c.advice)
			}
		})
	}
}

// TestRootedBlueWaits: by table rules a Rooted Blue sits out a turn.
func TestRootedBlueWaits(t *testing.T) {
	line := "1b6/8/8/8/8/8/8/B7 A m " + both + " D,r2,s0,x0,c0,n-,h1,k0 0 40"
	for rules, want := range map[string]int{"standard": 2, "table": 2} {
		var m measure.Meter
		m.Set(position(t, game(t, rules), line))
		if got := m.Threat(0, square("a8")).R; got != want {
			t.Errorf("%s: R %d, want %d", rules, got, want)
		}
		if got := m.Clocks(1); got.Rooted != 1 {
			t.Errorf("%s: %+v", rules, got)
		}
	}
}

func TestPlantingByHand(t *testing.T) {
	for _, c := range []struct {
		name, line          string
		plant, turns, kappa int
	}{
		{"a Red at the door", "8/8/7R/8/8/8/8/8 A m " + counting + " " + counting, 1, 5, measure.Inf},
		{"two doors", "8/8/5R2/8/8/8/8/8 A m " + counting + " " + counting, 2, 5, 2},  // by f8 or h6
		{"too late", "8/8/5R2/8/8/8/8/8 A m " + counting + " " + counting, 2, 1, 0},   //
		{"three ways", "8/8/3G4/8/8/8/8/8 A m " + counting + " " + counting, 3, 3, 2}, // d4d8, d4h4, h6h4
		{"on the Apex", "7R/8/8/8/8/8/8/8 A m " + counting + " " + counting, 3, 3, 2}, // h7h6h8 or g8f8h8
		{"Blue does not plant", "8/8/7B/8/8/8/8/8 A m " + both + " " + counting, measure.Inf, 5, 0},
		// By g6, f6 and f8. What h5h7 captures is back when the Red steps to h6.
		{"a capture on the way", "8/7r/7R/8/8/8/8/B7 A m " + both + " " + counting, 4, 4, 1},
		// e8 captures on d8 and goes on from there: the captured Red's ZoC does not stop it.
		{"on from a capture", "3r4/8/8/8/3G4/8/8/B7 A m " + both + " " + counting, 2, 2, 2}, // by d8 or h4
	} {
		t.Run(c.name, func(t *testing.T) {
			var m measure.Meter
			m.Set(position(t, game(t, "standard"), c.line+" 0 40"))
			if plant, kappa := m.PlantTurns(0), m.Kappa(0, c.turns); plant != c.plant || kappa != c.kappa {
				t.Errorf("T* %d, kappa %d in %d turns, want %d and %d", plant, kappa, c.turns, c.plant, c.kappa)
			}
		})
	}
}

// TestRaceOfAMove: f6f8 leaves one turn and no square to deny.
func TestRaceOfAMove(t *testing.T) {
	s := position(t, game(t, "standard"), "8/8/5R2/8/8/8/8/b7 A m "+counting+" "+both+" 0 40")
	var m measure.Meter
	m.Set(s)
	before := [2]measure.Race{m.Race(0), m.Race(1)}
	m.Set(play(t, s, "f6f8"))
	after := [2]measure.Race{m.Race(0), m.Race(1)}
	if want := (measure.Race{PlantTurns: 2, TurnsLeft: 5, Kappa: 2}); before[0] != want {
		t.Errorf("before the move %+v, want %+v", before[0], want)
	}
	if turns, kappa := after[0].Since(before[0]); turns != -1 || kappa != measure.Inf || after[0].TurnsLeft != 4 {
		t.Errorf("A: %+d, %+d, %+v", turns, kappa, after[0])
	}
	if turns, kappa := after[1].Since(before[1]); turns != 0 || kappa != 0 || after[1].PlantTurns != measure.Inf {
		t.Errorf("B has no runner: %+d, %+d, %+v", turns, kappa, after[1])
	}
	if turns, kappa := before[0].Since(after[0]); turns != 1 || kappa != -measure.Inf {
		t.Errorf("back: %+d, %+d", turns, kappa)
	}
}

func TestCrossByHand(t *testing.T) {
	for _, c := range []struct {
		name, line string
		xs, sri    int // for A's Blue where it stands
	}{
		{"far from a Red", "7r/8/8/8/3B4/8/8/8 A m " + inCross + " " + counting, 6, 0}, // d3 d2 d1 c4 b4 a4
		// b6b4 spoils b4 and a4, c6 and c6c4 the slide to c4; the lane of d is out of reach.
		{"a Red looks in", "8/8/1r6/8/3B4/8/8/8 A m " + inCross + " " + counting, 3, 0},
		// Also d4g4 and d4d7 while ZoC makes them end there; one move takes that away.
		{"ends that ZoC lends", "8/8/8/8/3B3r/8/8/8 A m " + inCross + " " + counting, 6, 0},
		{"no Cross here", "8/8/8/8/8/8/4B3/4R3 A m " + both + " " + counting, 0, 2},
		{"alone", "8/8/8/8/8/8/4B3/8 A m " + both + " " + counting, 0, 1},
		{"a Red two squares onward", "8/8/8/8/8/8/4B1r1/4R3 A m " + both + " " + counting, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := position(t, game(t, "standard"), c.line+" 0 40")
			var m measure.Meter
			m.Set(s)
			at := takeApart(s).blueAt(0)
			if xs, sri := m.XS(0, at), m.SRI(0, at); xs != c.xs || sri != c.sri {
				t.Errorf("XS %d, SRI %d, want %d and %d", xs, sri, c.xs, c.sri)
			}
		})
	}
	// B's next turn may not capture, the one after may, with its specials as well.
	s := position(t, game(t, "standard,balance=single,no_capture_turns=10"), "7r/8/8/8/3B4/4Rb2/8/8 A m "+inCross+" "+both+" 0 8")
	var m measure.Meter
	m.Set(s)
	for sq, want := range map[string]int{"d4": 3, "e4": 0, "e5": 3} {
		p := takeApart(s)
		at := square(sq)
		if got, brute := m.XS(0, p.seat(0, at)), p.bruteXS(t, 0, at); got != want || got != brute {
			t.Errorf("XS of %s is %d, by all pairs of moves %d, want %d", sq, got, brute, want)
		}
	}
}

// TestGreensByHand: five Greens of six, A's Blue a slide from h1, B's three turns from
// a8 (c8, f8, a8).
func TestGreensByHand(t *testing.T) {
	var m measure.Meter
	m.Set(position(t, game(t, "standard"), "7b/8/8/4G2B/8/1gg5/8/1GG5 B m "+both+" "+both+" 0 41"))
	if a, b := m.SeedTurns(0), m.SeedTurns(1); a != 1 || b != 3 {
		t.Errorf("Seeds in %d and %d turns, want 1 and 3", a, b)
	}
	if a, b := m.CCA(0), m.CCA(1); a != 1.5 || b != -1.5 {
		t.Errorf("CCA %g and %g, want 1.5 and -1.5", a, b)
	}
	// With four Greens no one Seed fills the cap.
	m.Set(position(t, game(t, "standard"), "7b/8/8/7B/8/1gg5/8/1GG5 B m "+both+" "+both+" 0 41"))
	if a, b := m.CCA(0), m.CCA(1); a != 0 || b != 0 {
		t.Errorf("CCA %g and %g, want 0", a, b)
	}
}

func TestClocksByHand(t *testing.T) {
	var m measure.Meter
	m.Set(position(t, game(t, "table"), "8/8/8/3B4/8/8/8/7g A m D,r0,s2,x0,c0,nh1,h1,k0 HD,r0,s0,x0,c3,n-,h0,k0 0 40"))
	if got, want := m.Clocks(0), (measure.Clocks{Stay: 2, StayLimit: 3, Specials: 1}); got != want {
		t.Errorf("A: %+v, want %+v", got, want)
	}
	if got, want := m.Clocks(1), (measure.Clocks{StayLimit: 3, Reforge: 3}); got != want {
		t.Errorf("B: %+v, want %+v", got, want)
	}
}

func TestWhenToSeed(t *testing.T) {
	for _, c := range []struct {
		s, r, screens int
		barred        bool
		want          measure.Advice
	}{
		{0, measure.Inf, 0, false, measure.DoSeed}, {1, 1, 5, true, measure.DoNotSeed}, {2, 1, 0, false, measure.DoNotSeed},
		{1, 2, 1, false, measure.BorderlineAgainst}, {1, 2, 2, false, measure.BorderlineFor}, {1, 2, 0, true, measure.BorderlineFor},
		{1, 3, 0, false, measure.UsuallySeed}, {2, 2, 0, false, measure.UsuallySeed}, {1, measure.Inf, 0, false, measure.UsuallySeed},
	} {
		if got := measure.WhenToSeed(c.s, c.r, c.screens, c.barred); got != c.want {
			t.Errorf("S %d, R %d, %d screens, barred %t: %v, want %v", c.s, c.r, c.screens, c.barred, got, c.want)
		}
	}
	if measure.DoNotSeed.String() != "do not seed" || measure.DoSeed.String() != "seed" {
		t.Error("words do not fit")
	}
}

// turnedRound is the position with sides exchanged and the board turned.
func (p *plain) turnedRound(t testing.TB) *konreh.State {
	c := *p
	c.board = [64]byte{}
	for sq, piece := range p.board {
		if piece != 0 {
			c.board[p.seat(1, sq)] = piece ^ 32
		}
	}
	c.side, c.turn = 1-p.side, p.turn+1
	for side := range 2 {
		l := p.lives[1-side]
		switch {
		case strings.HasPrefix(l.rest, "nh1"):
			l.rest = "na8" + l.rest[3:]
		case strings.HasPrefix(l.rest, "na8"):
			l.rest = "nh1" + l.rest[3:]
		}
		c.lives[side] = l
	}
	return position(t, p.g, c.line(c.side, 1))
}

// TestSeatsAndMirrors: all measures of the other side of the turned board are the same,
// and those of the mirrored board stand on mirrored squares.
func TestSeatsAndMirrors(t *testing.T) {
	var m, n measure.Meter
	seen := 0
	check := func(s *konreh.State) {
		m.Set(s)
		mirror := *s
		mirror.Transform(1)
		var x, y measure.Sheet
		n.Set(&mirror)
		for side := range engine.Side(2) {
			m.Sheet(side, &x)
			n.Sheet(side, &y)
			flip := func(q *int) { *q = *q&7<<3 | *q>>3 }
			y.Sanctums[0], y.Sanctums[1] = y.Sanctums[1], y.Sanctums[0]
			flip(&y.Sanctums[0].Square)
			flip(&y.Sanctums[1].Square)
			if len(y.Cross) > 0 {
				y.Cross[1], y.Cross[2] = y.Cross[2], y.Cross[1]
				flip(&y.Cross[1].Square)
				flip(&y.Cross[2].Square)
			}
			if !reflect.DeepEqual(x, y) {
				t.Errorf("%s: %s, side %d: %+v, mirrored %+v", s.Game().Rules(), s.AppendPosition(nil), side, x, y)
			}
		}
		if strings.Contains(s.Game().Rules(), "no_capture_turns") {
			return // the number of the turn is another for the other side
		}
		n.Set(takeApart(s).turnedRound(t))
		for side := range engine.Side(2) {
			m.Sheet(side, &x)
			n.Sheet(1-side, &y)
			if !reflect.DeepEqual(x, y) {
				t.Errorf("%s: %s, side %d: %+v, turned %+v", s.Game().Rules(), s.AppendPosition(nil), side, x, y)
			}
			seen++
		}
	}
	sample(t, 8, 10, 40, func(s *konreh.State, _ *rand.Rand) { check(s) })
	published(t, 3, check)
	if rare(seen, 500) {
		t.Errorf("%d sheets compared", seen)
	}
}

// TestSheetAgreesWithItsParts in any phase, also over games that have ended.
func TestSheetAgreesWithItsParts(t *testing.T) {
	for i, rules := range brute {
		g, rng := game(t, rules), rand.New(rand.NewPCG(9, uint64(i)))
		s := g.NewState().(*konreh.State)
		s.Start(nil)
		var m measure.Meter
		var x measure.Sheet
		for s.Turn() < 60 {
			m.Set(s)
			for side := range engine.Side(2) {
				m.Sheet(side, &x)
				for _, z := range x.Sanctums {
					if z.Threat != m.Threat(side, z.Square) || z.SSI != m.SSI(side, z.Square) {
						t.Fatalf("%s: %+v", s.AppendPosition(nil), z)
					}
				}
				for _, c := range x.Cross {
					if c.XS != m.XS(side, c.Square) {
						t.Fatalf("%s: %+v", s.AppendPosition(nil), c)
					}
				}
				if x.Clocks != m.Clocks(side) || x.CCA != m.CCA(side) || x.SeedTurns != m.SeedTurns(side) || x.Race != m.Race(side) || x.S != m.Specials(1-side) {
					t.Fatalf("%s: %+v", s.AppendPosition(nil), x)
				}
			}
			if s.Actor() == engine.Nobody {
				break
			}
			list := s.Legal(nil, nil)
			s.Apply(list[rng.IntN(len(list))], nil)
		}
	}
}

// TestNoAllocation once the scratch has grown.
func TestNoAllocation(t *testing.T) {
	list := midgame(t, 40)
	var m measure.Meter
	var x measure.Sheet
	all := func() {
		for _, s := range list {
			m.Set(s)
			for side := range engine.Side(2) {
				m.Sheet(side, &x)
				m.SSI(side, 7)
			}
		}
	}
	all()
	if n := testing.AllocsPerRun(3, all); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
