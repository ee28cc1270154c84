package race

import (
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/konreh"
)

func game(t testing.TB, rules string) *konreh.Game {
	t.Helper()
	g, err := konreh.Family.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g.(*konreh.Game)
}

func position(t testing.TB, g *konreh.Game, line string) *konreh.State {
	t.Helper()
	s := g.NewState().(*konreh.State)
	if err := s.ParsePosition(line); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return s
}

// words writes the turns that keep the verdict.
func words(s *konreh.State, r *Result) string {
	var list []string
	for _, turn := range r.Turns {
		if turn.Verdict != r.Verdict {
			continue
		}
		next := *s
		var w []string
		for _, a := range turn.Actions {
			w = append(w, string(next.AppendAction(nil, a)))
			next.Apply(a, nil)
		}
		list = append(list, strings.Join(w, " "))
	}
	return strings.Join(list, ", ")
}

const (
	fresh = "HD,r0,s0,x0,c0,n-,h1,k0"
	spent = "-,r0,s0,x0,c0,n-,h1,k0"
	last  = "HD,r0,s0,x0,c1,n-,h0,k0"
	two   = "HD,r0,s0,x0,c2,n-,h0,k0"
)

func TestRacesByHand(t *testing.T) {
	for _, c := range []struct {
		name, line  string
		verdict     Verdict
		left, depth int
		keep        string
	}{
		{
			"a Red two squares from the Apex plants with its last turn", "5R2/8/8/8/1b6/8/8/8 A m " + last + " " + spent + " 0 40",
			Open, 1, 1, "",
		},
		{
			"a Red three squares away does not", "4R3/8/8/8/1b6/8/8/8 A m " + last + " " + spent + " 0 40",
			Lost, 1, 1, "",
		},
		{
			// The Red on f8 slides to h8 next. To take it leaves A without a
			// move, which is a draw; the ZoC of g7 stops it on its way.
			"the last runner must not be taken", "5R2/5r2/8/8/1b6/8/8/8 B m " + last + " " + spent + " 0 41",
			Won, 1, 2, "f7g7",
		},
		{
			// A's Blue must leave the Cross with its next move and cannot: no
			// other piece may move then, which is a draw.
			"the Cross freezes the hunter", "8/8/8/3R4/2RBR3/8/3rr3/5r2 B m -,r0,s3,x0,c0,n-,h1,k0 " + two + " 0 41",
			Open, 2, 3, "d2d3",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := game(t, "standard")
			s := position(t, g, c.line)
			r := agree(t, New(g, 1<<16), s)
			if r.Verdict != c.verdict || r.Left != c.left || r.Depth != c.depth || c.keep != "" && words(s, r) != c.keep {
				t.Errorf("%v, %d left, depth %d, kept by %s; want %v, %d, %d, %s", r.Verdict, r.Left, r.Depth, words(s, r), c.verdict, c.left, c.depth, c.keep)
			}
		})
	}
}

// TestSteadyIsCertain: if steady says that a side can move, no removal and
// relocation of pieces leaves every piece but Blue above own pieces or the edge. A
// piece that was moved is taken to be wherever it does most harm.
func TestSteadyIsCertain(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	certain := 0
	for range 20_000 {
		var army [4]uint64
		for range 2 + rng.IntN(4) {
			army[0] |= 1 << (rng.IntN(8)*8 + rng.IntN(8))
		}
		if rng.IntN(2) == 0 {
			a := rng.IntN(8) * 8 * rng.IntN(2)
			army[3] = 1 << (a + rng.IntN(8)) &^ army[0]
		}
		moves, lost := rng.IntN(3), rng.IntN(3)
		if !steady(&army, moves, lost) {
			continue
		}
		certain++
		var list []uint64
		for p := army[0]; p != 0; p &= p - 1 {
			list = append(list, p&-p)
		}
		for gone := uint(0); gone < 1<<len(list); gone++ {
			for moved := uint(0); moved < 1<<len(list); moved++ {
				if gone&moved != 0 || bits.OnesCount(gone) > lost || bits.OnesCount(moved) > moves {
					continue
				}
				stay := uint64(0)
				for i, p := range list {
					if (gone|moved)>>i&1 == 0 {
						stay |= p
					}
				}
				if lack := bits.OnesCount64(below(stay, army[3]) &^ (stay | army[3])); lack <= bits.OnesCount(moved) {
					t.Fatalf("pieces %x, Blue %x, %d moves, %d lost: stuck if %b go and %b move", army[0], army[3], moves, lost, gone, moved)
				}
			}
		}
	}
	if certain < 2000 {
		t.Errorf("steady said so %d times, want 2000", certain)
	}
}

// below is all squares that must be a side's own for its pieces on stay to be
// without a step homeward, but not for Blue.
func below(stay, blue uint64) uint64 {
	for {
		from := stay &^ blue
		more := stay | from>>8 | from&^0x0101010101010101>>1
		if more == stay {
			return stay
		}
		stay = more
	}
}

// TestDistanceIsALowerBound: no runner on an empty board or among enemies plants
// in fewer turns than near says.
func TestDistanceIsALowerBound(t *testing.T) {
	for _, rules := range []string{"standard", "letter", "micro"} {
		g := game(t, rules)
		var m near
		m.init(g)
		rng := rand.New(rand.NewPCG(5, 6))
		tight := 0
		for range 3000 {
			s := scatter(g, rng, [2]int{g.ReforgeTurns(), 0}, 3)
			army := s.Army(0)
			turns := s.PlantTurns(0, 12)
			if turns <= 12 && !m.reaches(&army, turns) {
				t.Fatalf("%s: planted in %d turns, too far by the table", s.AppendPosition(nil), turns)
			}
			if turns <= 12 && !m.reaches(&army, turns-1) {
				tight++
			}
		}
		if tight < 300 {
			t.Errorf("%s: the bound was met %d times, want 300", rules, tight)
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	for _, c := range []struct{ rules, line, want string }{
		{"standard", "5R2/8/8/8/1b6/8/8/B7 A m " + fresh + " " + spent + " 0 40", "no countdown"},
		{"standard", "5R2/8/8/8/1b6/8/8/8 A m " + two + " " + spent + " 0 2", "turn 2: rules about the opening"},
		{"standard,no_capture_turns=50", "5R2/8/8/8/1b6/8/8/8 A m " + two + " " + spent + " 0 40", "turn 40: rules"},
		{"standard", "5R2/8/8/8/1b6/8/8/8 A m " + two + " " + spent + " 96 140", "96 turns without progress: the limit of 100"},
		{"standard,max_turns=600", "5R2/8/8/8/1b6/8/8/8 A m " + two + " " + spent + " 0 596", "turn 596: the limit of 600"},
		{"standard", "5R2/8/8/8/1b6/8/8/8 A pR " + two + " " + spent + " 0+ 40", "no turn begins"},
	} {
		g := game(t, c.rules)
		v, s := New(g, 1<<16), position(t, g, c.line)
		if r, err := v.Solve(t.Context(), s, 0); r != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Solve(%s) = %v, %v, want %q", c.line, r, err, c.want)
		}
	}
}

// long is a race of five turns from a game.
const long = "g2g4/5r2/1r6/1rg4O/1O1r4/2r4B/4Ro2/8 B m D,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c5,n-,h0,k0 0 131"

func TestSolveStops(t *testing.T) {
	g := game(t, "standard")
	v, s := New(g, 1<<16), position(t, g, long)
	if _, err := v.Solve(t.Context(), s, 100); !errors.Is(err, ErrNodes) {
		t.Errorf("Solve with 100 nodes: %v", err)
	}
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	u := unbounded(g)
	if _, err := u.Solve(ctx, s, 0); !errors.Is(err, cause) {
		t.Errorf("Solve after its context ended: %v after %d nodes", err, u.Nodes())
	}
	// What a table holds of other races changes neither results nor cost.
	first, err := v.Solve(t.Context(), s, 0)
	if err != nil {
		t.Fatal(err)
	}
	cost := v.Nodes()
	again, err := v.Solve(t.Context(), s, 0)
	if err != nil || again.Verdict != first.Verdict || again.Keeping != first.Keeping || v.Nodes() != cost {
		t.Errorf("again: %+v after %d nodes, %v, want %+v after %d", again, v.Nodes(), err, first, cost)
	}
	if want := "d4b4, c3c1, a8a4, f2f3"; first.Verdict != Open || first.Left != 5 || first.Depth != 5 || words(s, first) != want || len(first.Turns) != 32 {
		t.Errorf("%v, %d left, depth %d, kept by %s of %d; want open, 5, 5, %s of 32", first.Verdict, first.Left, first.Depth, words(s, first), len(first.Turns), want)
	}
}

func TestSearchDoesNotAllocate(t *testing.T) {
	g := game(t, "standard")
	v := New(g, 1<<16)
	s := position(t, g, long)
	if n := testing.AllocsPerRun(3, func() {
		v.begin(t.Context(), 3000)
		v.ask(0, 0)
		v.holds(s, 0)
	}); n != 0 {
		t.Errorf("a search allocates %v times", n)
	}
	if v.Nodes() < 1000 {
		t.Errorf("%d nodes: too few for this test", v.Nodes())
	}
}
