package player

import (
	"context"
	"testing"

	"github.com/ludozero/ludozero/engine/konreh"
)

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
		a, err := choose(context.Background(), m, s, h)
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
		if _, err := choose(context.Background(), u, s, h); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(200*float64(b.N)/b.Elapsed().Seconds(), "sims/s")
}
