package konreh

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestKindsByHand: each row plays words from a position and gives the kinds of
// each.
func TestKindsByHand(t *testing.T) {
	const fresh = " HD,r0,s0,x0,c0,n-,h1,k0"
	for _, c := range []struct{ rules, line, words, want string }{
		{"standard", "7b/8/8/8/3gO3/8/8/B7 A m" + atHome + atHome + " 0 10", "e4d4", "slide+capture"},
		{"standard", "8/8/8/8/2bO4/8/8/B7 A m" + atHome + fresh + " 0 10", "d4c4", "slide+capture+capture of Blue"},
		{"standard", "7b/8/8/8/8/2Br4/8/8 A m D,r0,s0,x0,c0,n-,h1,k0" + atHome + " 0 10", "c3*d3", "capture+Displacement+Blue becomes Rooted"},
		{"standard", "7b/8/8/8/2Br4/8/8/8 A m" + fresh + atHome + " 0 10", "c4^e4", "capture+Hop+Blue enters the Cross"},
		{"standard,cross_stay=0", "7b/8/8/8/2Br4/8/8/8 A m" + fresh + atHome + " 0 10", "c4^e4", "capture+Hop"},
		{"standard", "7b/8/8/8/8/B5r1/8/8 A m" + fresh + atHome + " 0 10", "a3f3 f3*g3", "slide; capture+Displacement+special after a slide"},
		{"standard", "7b/8/8/8/8/8/8/2B5 A m" + fresh + atHome + " 0 10", "c1h1 seed", "slide; Seed+Blue becomes Rooted"},
		{"standard", "7b/8/8/8/8/8/8/2B5 A m" + fresh + atHome + " 0 10", "c1h1 noseed", "slide; Seed declined"},
		{"standard", "8/8/7R/8/8/1G4b1/R7/8 A m" + captured + fresh + " 0 10", "h6h8 left", "slide+plant; placement on a Sanctum"},
		{"standard", "8/8/7R/8/8/1G4b1/R7/8 A m" + captured + fresh + " 0 10", "h6h8 home", "slide+plant; placement at Home"},
		{"standard", "8/8/7R/8/8/1G4b1/R7/8 A m" + captured + fresh + " 0 10", "h6h8 apex -b3", "slide+plant; placement on the enemy Apex; Green given up"},
		{"standard,buyback=true", "7b/8/8/8/8/1G6/8/B7 A m D,r0,s0,x0,c0,n-,h0,k0" + atHome + " 0 10", "buyH -b3", "buyback; Green given up"},
		{"standard,balance=pie", "4rrob/5rgo/6rr/7r/R7/RR6/OGR5/BORR4 A m" + atHome + atHome + " 0 0", "a4a6 swap", "slide; swap"},
	} {
		s := mustPosition(t, mustGame(t, c.rules), c.line)
		var got []string
		for _, w := range strings.Fields(c.words) {
			a, err := s.ParseAction(w, nil)
			if err != nil {
				t.Fatalf("%s: %s: %v", c.line, w, err)
			}
			after := *s
			after.Apply(a, nil)
			var names []string
			for _, k := range s.AppendKinds(nil, a, &after) {
				names = append(names, s.Kinds()[k])
			}
			got = append(got, strings.Join(names, "+"))
			*s = after
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %s is of kinds %q, want %q", c.line, c.words, text, c.want)
		}
	}
}

// TestKindsAgreeWithNotation on random play in all rulesets: what the notation
// has a sign for is of that kind, and nothing else is.
func TestKindsAgreeWithNotation(t *testing.T) {
	signs := map[int]string{kindCapture: "x", kindBlueCapture: "xB", kindDisplacement: "[S:D]", kindHop: "[S:H]", kindSeed: "[Seed]"}
	met := [numActionKinds]int{}
	for _, rules := range allRules {
		g := mustGame(t, rules)
		for n := range uint64(shortGames) {
			r := rand.New(rand.NewPCG(n, 11))
			s, h := g.newState(), g.NewHistory()
			s.Start(h)
			for s.phase != phaseOver {
				legal := s.Legal(nil, h)
				a := legal[r.IntN(len(legal))]
				before := *s
				s.Apply(a, h)
				kinds := before.AppendKinds(nil, a, s)
				if !slices.IsSorted(kinds) {
					t.Fatalf("kinds %v do not ascend", kinds)
				}
				notation := string(before.AppendAnnotation(nil, a, s))
				for _, k := range kinds {
					met[k]++
				}
				path, _, _ := strings.Cut(notation, "[") // [CF:ex has an x of its own
				for k, sign := range signs {
					in := notation
					if sign[0] == 'x' {
						in = path
					}
					if has := slices.Contains(kinds, k); has != strings.Contains(in, sign) {
						t.Fatalf("%s: %s: %s is written %q, kinds %v: sign %q", rules, before.line(), before.AppendAction(nil, a), notation, kinds, sign)
					}
				}
			}
		}
	}
	for k, n := range met {
		rare := k == kindHome || k == kindApex || k == kindGive || k == kindBuyback // TestKindsByHand has them
		if n == 0 && !rare {
			t.Errorf("random play has no action of kind %q", actionKindNames[k])
		}
	}
}

func TestAppendKindsDoesNotAllocate(t *testing.T) {
	s := mustGame(t, "standard").newState()
	s.Start(nil)
	after, a := *s, s.Legal(nil, nil)[0]
	after.Apply(a, nil)
	dst := make([]int, 0, numActionKinds)
	var to engine.State = &after
	if n := testing.AllocsPerRun(100, func() { dst = s.AppendKinds(dst[:0], a, to) }); n != 0 {
		t.Errorf("AppendKinds allocates %v times", n)
	}
}
