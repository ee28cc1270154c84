package konreh

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestCorners plays out rules that the reference data hardly meets; the section
// of the rules page is named with each.
func TestCorners(t *testing.T) {
	const empty = "8/8/8/8/8/8/"
	table := []struct{ name, rules, from, words, to string }{
		{"8: a plant that captures Blue does both", "standard",
			"r4R1b/" + empty + "8 A m " + counting + " " + fresh + " 3 8", "f8h8 home",
			"r7/" + empty + "B7 B m " + fresh + " HD,r0,s0,x0,c5,n-,h0,k0 0 9"},
		{"3: a plant ends the opening double move", "standard",
			"r7/" + empty + "2r4B B m " + fresh + " " + counting + " 0 1", "c1a1 home",
			"r6b/" + empty + "7B A m " + fresh + " " + fresh + " 1 2"},
		{"9: no second move is stalemate with nothing counted", "standard",
			"8/r7/8/8/8/8/8/B1R5 B m " + fresh + " " + counting + " 5 1", "a7a5",
			"8/8/8/r7/8/8/8/B1R5 B over:stalemate " + fresh + " " + counting + " 5 1"},
		{"7: a Rooted Blue may overstay", "table",
			"7b/8/8/4B3/8/8/8/2R5 A m HD,r1,s3,x0,c0,n-,h1,k0 " + fresh + " 0 8", "c1b1",
			"7b/8/8/4B3/8/8/8/1R6 B m HD,r1,s3,x0,c0,n-,h1,k0 " + fresh + " 1 9"},
		{"7: leaving the Cross bars it for two turns", "standard",
			"7b/8/8/4B3/8/8/8/2R5 A m HD,r0,s2,x0,c0,n-,h1,k0 " + fresh + " 0 8", "e5c5 h8h3 c1b1",
			"8/8/8/2B5/8/7b/8/1R6 B m HD,r0,s0,x1,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h1,k0 3 11"},
		{"10: the last Seed of seed_limit is made", "standard,seed_limit=1",
			"7b/8/8/8/8/7B/8/2R5 A m HD,r0,s0,x0,c0,n-,h1,k0,e0 " + fresh + ",e0 4 8", "h3h1 seed",
			"G6b/" + empty + "2R4B B m HD,r1,s0,x0,c0,n-,h1,k0,e1 " + fresh + ",e0 0 9"},
		{"10: no Seed is asked for beyond seed_limit", "standard,seed_limit=1",
			"7b/8/8/8/8/7B/8/2R5 A m HD,r0,s0,x0,c0,n-,h1,k0,e1 " + fresh + ",e0 4 8", "h3h1",
			"7b/" + empty + "2R4B B m HD,r0,s0,x0,c0,n-,h1,k0,e1 " + fresh + ",e0 5 9"},
		{"10: in micro one special spends both, without Crown Stagger", "micro",
			"5b/6/6/6/6/Br4 A m " + fresh + " " + fresh + " 0 8", "a1*b1",
			"5b/6/6/6/6/1B4 B m -,r0,s0,x0,c0,n-,h1,k0 " + fresh + " 0 9"},
		{"10: a special is bought back, which is no progress", "micro,buyback=true",
			"5b/6/6/6/6/B1G3 A m -,r0,s0,x0,c0,n-,h0,k0 " + fresh + " 0 8", "buyH -c1",
			"5b/6/6/6/6/B5 B m H,r0,s0,x0,c0,n-,h0,k1 " + fresh + " 1 9"},
		{"5: Crown Stagger after a buyback too", "standard,buyback=true",
			"7b/" + empty + "Br6 A m H,r0,s0,x0,c0,n-,h0,k1 " + fresh + " 0 8", "a1^c1",
			"7b/" + empty + "2B5 B m -,r1,s0,x0,c0,n-,h1,k1 " + fresh + " 0 9"},
		{"8: the Apex costs a Green, named even if there is one", "standard",
			"r4R2/8/8/8/8/8/8/6G1 A m " + counting + " HD,r0,s0,x0,c5,n-,h0,k0 0 8", "f8h8 apex -g1",
			"r6B/" + empty + "8 B m " + fresh + " HD,r0,s0,x0,c5,n-,h0,k0 1 9"},
		{"8: a Sanctum placed upon is banned", "standard",
			"r4R2/8/8/8/8/8/8/6G1 A m " + counting + " HD,r0,s0,x0,c5,n-,h0,k0 0 8", "f8h8 left",
			"r7/" + empty + "6GB B m HD,r0,s0,x0,c0,nh1,h0,k0 HD,r0,s0,x0,c5,n-,h0,k0 1 9"},
		{"8: the counter runs out", "standard",
			"r4R2/8/8/8/8/8/8/6G1 A m HD,r0,s0,x0,c1,n-,h0,k0 " + "HD,r0,s0,x0,c5,n-,h0,k0 0 8", "f8e8",
			"r3R3/8/8/8/8/8/8/6G1 A over:reforge " + fresh + " HD,r0,s0,x0,c5,n-,h0,k0 0 8"},
		{"3: after swap side B moves, and makes the double move", "standard,balance=pie-double",
			"r6b/" + empty + "B1R5 B pie " + fresh + " " + fresh + " 1 1", "swap a8a6 h8h3",
			"8/8/r7/8/8/7b/8/B1R5 A m " + fresh + " HD,r0,s0,x0,c0,n-,h1,k0 2 2/s"},
	}
	for _, row := range table {
		s := mustPosition(t, mustGame(t, row.rules), row.from)
		h := s.game.NewHistory()
		s.Begin(h)
		for _, word := range strings.Fields(row.words) {
			a, err := s.ParseAction(word, h)
			if err != nil {
				t.Fatalf("%s: %s: %v", row.name, s.line(), err)
			}
			s.Apply(a, h)
		}
		if s.line() != row.to {
			t.Errorf("%s:\n%s, want\n%s", row.name, s.line(), row.to)
		}
	}
}

// TestStalemate has a side lose its Blue, the last piece it had.
func TestStalemate(t *testing.T) {
	for rules, winner := range map[string]engine.Player{"standard": engine.Nobody, "standard,stalemate=loss": engine.First, "micro,stalemate=loss": engine.First} {
		from, word, to := "5R1b/8/8/8/8/8/8/B7", "f8h8", "7R/8/8/8/8/8/8/B7"
		counter := "5"
		if strings.HasPrefix(rules, "micro") {
			from, word, to, counter = "3R1b/6/6/6/6/B5", "d6f6", "5R/6/6/6/6/B5", "3"
		}
		s := mustPosition(t, mustGame(t, rules), from+" A m "+fresh+" "+fresh+" 3 8")
		a, err := s.ParseAction(word, nil)
		if err != nil {
			t.Fatalf("%s: %v", rules, err)
		}
		s.Apply(a, nil)
		if want := to + " B over:stalemate " + fresh + " HD,r0,s0,x0,c" + counter + ",n-,h0,k0 0 9"; s.line() != want {
			t.Errorf("%s: %s, want %s", rules, s.line(), want)
		}
		if o := s.Outcome(); !o.Over || o.Winner != winner || o.Reason != "stalemate" {
			t.Errorf("%s: %+v, want winner %v", rules, o, winner)
		}
	}
}

// TestNoSpecialOnTheFirstTurnOfPie: section 3 bars specials on turn 0 of the two
// forms of pie in which A's one move is offered for swap, and there only.
func TestNoSpecialOnTheFirstTurnOfPie(t *testing.T) {
	for balance, want := range map[string]bool{"pie": false, "pie-double": false, "double-pie": true, "single": true} {
		s := mustPosition(t, mustGame(t, "standard,balance="+balance), "7b/8/8/8/8/8/8/Br6 A m "+fresh+" "+fresh+" 0 0")
		if _, err := s.ParseAction("a1*b1", nil); (err == nil) != want {
			t.Errorf("balance=%s: a1*b1 on turn 0: %v, legal should be %v", balance, err, want)
		}
	}
}

// TestPerftCountsLeaves compares counting leaves with playing them.
func TestPerftCountsLeaves(t *testing.T) {
	depth := 4
	if testing.Short() {
		depth = 3
	}
	for _, rules := range allRules {
		g := mustGame(t, rules)
		h := g.NewHistory()
		n := 0
		randomGame(g, 11, func(s *State, past *engine.History) {
			if n++; n%97 != 1 {
				return
			}
			h.CopyFrom(past)
			if got, want := s.Perft(h, depth-1), engine.Perft(g, s, h, depth-1); got != want {
				t.Errorf("%s: %s: Perft = %d, want %d", rules, s.line(), got, want)
			}
		})
		s := g.newState()
		s.Begin(h)
		if got, want := s.Perft(h, depth), engine.Perft(g, s, h, depth); got != want {
			t.Errorf("%s: Perft = %d, want %d", rules, got, want)
		}
	}
}
