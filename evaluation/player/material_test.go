package player

import (
	"context"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// TestKonrehMaterial counts by hand: Red 1, Orange 2, Green 3, Blue 5 and half
// for each special, less a Red for each turn of the Reforge countdown gone by.
func TestKonrehMaterial(t *testing.T) {
	g, err := konreh.Family.Parse("balance=pie") // the players may have swapped
	if err != nil {
		t.Fatal(err)
	}
	k, s := &konrehMaterial{}, g.NewState()
	const fresh = "HD,r0,s0,x0,c0,n-,h1,k0"
	for _, c := range []struct {
		line string
		a, b float32
	}{
		{"4rrob/5rgo/6rr/7r/R7/RR6/OGR5/BORR4 A m HD,r0,s0,x0,c0,n-,h0,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 0", 19, 19},
		{"8/8/8/r4Gb1/8/2B5/8/O7 A m H,r0,s0,x0,c0,n-,h1,k0 " + fresh + " 0 54", 10.5, 7},
		{"8/8/8/r4G2/8/2B5/8/O7 A m -,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c3,n-,h0,k0 0 54", 10, 0},
		{"8/8/8/r4G2/8/2B5/8/O7 B m -,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c5,n-,h0,k0 0 55/s", 10, 2},
	} {
		if err := s.ParsePosition(c.line); err != nil {
			t.Fatal(err)
		}
		owner := [2]engine.Player{engine.First, engine.Second}
		if strings.HasSuffix(c.line, "/s") {
			owner = [2]engine.Player{engine.Second, engine.First}
		}
		if a, b := k.of(s, owner[0]), k.of(s, owner[1]); a != c.a || b != c.b {
			t.Errorf("%s: A has %g, B %g, want %g, %g", c.line, a, b, c.a, c.b)
		}
	}
	if n := testing.AllocsPerRun(100, func() { k.of(s, engine.First) }); n != 0 {
		t.Errorf("counting allocates %g times, want 0", n)
	}
}

// TestKonrehMinimaxTakesWhatHangs needs the search to win material that the
// rules let it have for nothing.
func TestKonrehMinimaxTakesWhatHangs(t *testing.T) {
	g := game(t, &konreh.Family)
	s, h := g.NewState(), g.NewHistory()
	// B's Green on d3 is two squares homeward of A's Orange on d5; nothing
	// protects it.
	if err := s.ParsePosition("7b/8/8/3O4/8/3g4/8/B7 A m HD,r0,s0,x0,c0,n-,h0,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 54"); err != nil {
		t.Fatal(err)
	}
	s.Begin(h)
	for depth := 1; depth <= 3; depth++ {
		m := newMinimax(g, depth)
		a, err := m.Choose(context.Background(), s, h)
		if word := string(s.AppendAction(nil, a)); err != nil || word != "d5d3" {
			t.Errorf("depth %d: Choose = %s, %v, want d5d3", depth, word, err)
		}
	}
}

func BenchmarkKonrehUCT(b *testing.B) {
	g := game(b, &konreh.Family)
	u := newUCT(g, 200, 600)
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for b.Loop() {
		if _, err := u.Choose(context.Background(), s, h); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(200*float64(b.N)/b.Elapsed().Seconds(), "sims/s")
}
