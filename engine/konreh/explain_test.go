package konreh

import (
	"strings"
	"testing"
)

// TestTellsWhatRuns has positions of each phase and counter, and what a person
// must be told of it.
func TestTellsWhatRuns(t *testing.T) {
	const fresh = " HD,r0,s0,x0,c0,n-,h0,k0"
	for _, c := range []struct{ rules, line, asked, status string }{
		{"standard", "4rrob/5rgo/6rr/7r/R7/RR6/OGR5/BORR4 A m" + fresh + fresh + " 0 0",
			"a slide or a special",
			"A: Blue on a1; Hop and Displacement left; its first departure may not seed\n" +
				"B: Blue on h8; Hop and Displacement left; its first departure may not seed\n" +
				"Greens 2 of 6; 0 of 100 turns without progress; turn 0\n"},
		{"tutor,max_turns=600", "7b/8/8/3B4/8/8/8/8 B m D,r1,s2,x0,c0,na8,h1,k0" + fresh + " 7 9",
			"a slide or a special",
			"A: Blue on d5; Displacement left; Rooted; in the Cross for 2 of 3 turns; may not seed from a8\n" +
				"B: Blue on h8; Hop and Displacement left\n" +
				"Greens 0 of 6; 7 of 100 turns without progress; turn 9 of 600\n"},
		{"standard", "8/8/8/8/8/3R4/8/B7 A m -,r0,s0,x2,c0,n-,h1,k0 HD,r0,s0,x0,c3,n-,h0,k0 0 8",
			"a slide or a special",
			"A: Blue on a1; no special left; barred from the Cross for 2 of 2 turns\n" +
				"B: Reforge: 3 of 5 own turns left to plant\n" +
				"Greens 0 of 6; 0 of 100 turns without progress; turn 8\n"},
		{"standard", "7b/8/8/8/8/8/8/7B A sh1 HD,r0,s0,x0,c0,n-,h1,k0" + fresh + " 0 8", "seed or noseed: a Green on a8, for a Rooted Blue", "Blue on h1"},
		{"standard,balance=pie", "4rrob/5rgo/6rr/7r/R4R2/RR6/OGR5/BOR5 B pie" + fresh + fresh + " 1 1", "hold or swap", "turn 1\n"},
		{"standard", "4rrob/5rgo/6r1/5r1r/R7/RR6/OGR5/BOR2R2 B df5" + fresh + fresh + " 1 1", "a second slide or special, of another piece than that on f5", "turn 1\n"},
	} {
		g, err := Family.Parse(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		s := g.NewState().(*State)
		if err := s.ParsePosition(c.line); err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		if got := string(s.AppendAsked(nil)); got != c.asked {
			t.Errorf("%s: asked %q, want %q", c.line, got, c.asked)
		}
		if got := string(s.AppendStatus(nil)); !strings.Contains(got, c.status) || strings.Count(got, "\n") != 3 {
			t.Errorf("%s: status\n%swant\n%s", c.line, got, c.status)
		}
	}
}

// TestEveryPhaseAsks but the end of the game.
func TestEveryPhaseAsks(t *testing.T) {
	for p, text := range asked {
		if want := phase(p) != phaseOver; (text != "") != want {
			t.Errorf("phase %d asks for %q", p, text)
		}
	}
}
