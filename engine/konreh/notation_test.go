package konreh

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

const (
	atHome   = " HD,r0,s0,x0,c0,n-,h0,k0"
	captured = " HD,r0,s0,x0,c5,n-,h0,k0"
)

// Each row plays words from a position and gives the notation of each.
func TestAnnotation(t *testing.T) {
	const start = "4rrob/5rgo/6rr/7r/R7/RR6/OGR5/BORR4 A m" + atHome + atHome + " 0 0"
	for _, c := range []struct{ rules, line, words, want string }{
		{"standard", start, "d1f1 h5f5 e8e6", "R onL 2; R onL 2; R onR 2"},
		{"standard,balance=pie", start, "a4a6 swap h5f5", "R onR 2; ; R onL 2"},
		{"standard", "7b/8/8/8/3gO3/8/8/B7 A m" + atHome + atHome + " 0 10", "e4d4", "O hmR 1xG [G:0-0]"},
		{"standard", "7b/8/8/8/3Og3/8/8/B7 B m" + atHome + atHome + " 0 11", "e4e5", "G hmL 1"},
		// Specials, with and without one left.
		{"standard", "7b/8/8/8/8/2Br4/8/8 A m HD,r0,s0,x0,c0,n-,h1,k0" + atHome + " 0 10", "c3*d3", "B onL 1xR [S:D]"},
		{"standard", "7b/8/8/8/8/2Br4/8/8 A m D,r0,s0,x0,c0,n-,h1,k0" + atHome + " 0 10", "c3*d3", "B onL 1xR [S:D] [Rooted]"},
		{"standard", "7b/8/8/8/8/2Br4/8/8 A m HD,r0,s0,x0,c0,n-,h1,k0" + atHome + " 0 10", "c3^e3", "B onL 2xR [S:H]"},
		{"standard", "7b/8/8/8/8/B5r1/8/8 A m HD,r0,s0,x0,c0,n-,h1,k0" + atHome + " 0 10", "a3f3 f3*g3", "B onL 5; B onL 1xR [S:D]"},
		{"standard", "7b/8/8/8/8/B5r1/8/8 A m HD,r0,s0,x0,c0,n-,h1,k0" + atHome + " 0 10", "a3f3 none", "B onL 5; "},
		// The Cross.
		{"standard", "7b/8/8/8/2Br4/8/8/8 A m HD,r0,s0,x0,c0,n-,h1,k0" + atHome + " 0 10", "c4^e4", "B onL 2xR [S:H] [CF:in 1/3]"},
		{"standard", "7b/8/8/7r/3B4/8/8/8 A m HD,r0,s1,x0,c0,n-,h1,k0" + atHome + " 0 10",
			"d4c4 h5h6 c4b4 h6h7 b4b3", "B hmR 1 [CF:out]; R hmL 1; B hmR 1 [CF:ex 1/2]; R hmL 1; B hmL 1 [CF:ex 2/2]"},
		// Seed.
		{"standard", "7b/8/8/8/8/8/8/2B5 A m HD,r0,s0,x0,c0,n-,h1,k0" + atHome + " 0 10", "c1h1 seed", "B onL 5; [Seed] [Rooted] [G:1-0]"},
		{"standard", "7b/8/8/8/8/8/8/2B5 A m HD,r0,s0,x0,c0,n-,h1,k0" + atHome + " 0 10", "c1h1 noseed", "B onL 5; "},
		// Reforge.
		{"standard", "8/8/7R/8/8/1G4b1/R7/8 A m" + captured + " HD,r0,s0,x0,c0,n-,h1,k0 0 10", "a2c2", "R onL 2 [RC 4/5]"},
		{"standard", "8/8/7R/8/8/1G4b1/R7/8 A m HD,r0,s0,x0,c1,n-,h0,k0 HD,r0,s0,x0,c0,n-,h1,k0 0 10", "a2c2", "R onL 2 [RC 0/5]"},
		{"standard", "8/8/7R/8/8/1G4b1/R7/8 A m" + captured + " HD,r0,s0,x0,c0,n-,h1,k0 0 10", "h6h8 left", "R onR 2; [Plant left]"},
		{"standard", "8/8/7R/8/8/1G4b1/R7/8 A m" + captured + " HD,r0,s0,x0,c0,n-,h1,k0 0 10", "h6h8 apex -b3", "R onR 2; ; [Plant apex] [G:0-0]"},
	} {
		g := mustGame(t, c.rules)
		s := mustPosition(t, g, c.line)
		var got []string
		for _, w := range strings.Fields(c.words) {
			a, err := s.ParseAction(w, nil)
			if err != nil {
				t.Fatalf("%s: %s: %v", c.line, w, err)
			}
			after := *s
			after.Apply(a, nil)
			got = append(got, string(s.AppendAnnotation(nil, a, &after)))
			*s = after
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %s = %q, want %q", c.line, c.words, text, c.want)
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s: line %d is %q, want %q", path, i+1, g[i], w[min(i, len(w)-1)])
		}
	}
	t.Fatalf("%s: %d lines, want %d", path, len(g), len(w))
}

func TestBoardPictures(t *testing.T) {
	var b strings.Builder
	b.WriteString(mustGame(t, "standard").newState().Board(false))
	b.WriteString(mustGame(t, "micro").newState().Board(false))
	s := mustPosition(t, mustGame(t, "standard"),
		"8/8/5r2/3B4/4R3/8/G7/8 A m H,r0,s2,x0,c0,nh1,h1,k0"+captured+" 12 30")
	b.WriteString(s.Board(false))
	b.WriteString(s.Board(true))
	golden(t, "boards.txt", b.String())
}

// A whole game, chosen for having nearly every kind of event, by decision: word, notation, position, and the hash of
// what a network sees. If only the last column moves, so must EncoderVersion.
func TestTranscript(t *testing.T) {
	g := mustGame(t, "standard,balance=pie-double,buyback=true")
	r := rand.New(rand.NewPCG(209, 1))
	s, h := g.newState(), g.NewHistory()
	s.Start(h)
	var b strings.Builder
	fmt.Fprintf(&b, "rules %s, encoder version %d\n%s\n", g.Rules(), info.EncoderVersion, s.line())
	for s.phase != phaseOver {
		legal := s.Legal(nil, h)
		a := legal[r.IntN(len(legal))]
		before := *s
		s.Apply(a, h)
		fmt.Fprintf(&b, "%-6s %-22s | %s", before.AppendAction(nil, a), before.AppendAnnotation(nil, a, s), s.line())
		if s.phase != phaseOver {
			fmt.Fprintf(&b, " %016x", s.EncodingHash())
		}
		b.WriteByte('\n')
	}
	golden(t, "transcript.txt", b.String())
}
