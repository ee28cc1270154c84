package player

import (
	"context"
	"errors"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/knaw"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// TestAlphaBetaAnalyses random games: its choice equals the one without analysis, and where
// nothing is to choose it sees what comes.
func TestAlphaBetaAnalyses(t *testing.T) {
	for _, f := range []*engine.Family{&konreh.Family, &knaw.Family} {
		t.Run(f.Name, func(t *testing.T) { testAlphaBetaAnalyses(t, f) })
	}
}

func testAlphaBetaAnalyses(t *testing.T, f *engine.Family) {
	g := game(t, f)
	chooser := alphaBetaOf(g, alphabeta.New(g), 1, pace{})
	analyst := alphaBetaOf(g, alphabeta.New(g), 1, pace{})
	number := uint64(0)
	compare := func(s engine.State, h *engine.History) *match.Analysis {
		number++
		chooser.NewGame(t.Context(), number)
		analyst.NewGame(t.Context(), number)
		want, err := choose(context.Background(), chooser, s, h)
		if err != nil {
			t.Fatal(err)
		}
		before := string(s.AppendPosition(nil))
		got, err := analyze(context.Background(), analyst, s, h)
		if err != nil {
			t.Fatal(err)
		}
		if got.Choice != want || !got.Judged || string(s.AppendPosition(nil)) != before {
			t.Fatalf("%s: %+v, Choose takes %d", before, got, want)
		}
		checkAnalysis(t, g, s, h, got, before)
		return got
	}
	walk(t, g, 3, 200, func(s engine.State, h *engine.History) { compare(s, h) })

	// Blue can be placed at Home alone; then B has a choice. A Path has one end; then the
	// other side rolls.
	line, least := "R3b3/8/8/8/8/8/8/7R A pR HD,r0,s0,x0,c3,n-,h0,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 8", 2
	if f == &knaw.Family {
		line, least = "F14,C6,F23,F7,R10,S6 C1,S25,R0,S31,F19,S22 south path dice=3 piece=fool-a space=F22 south=S23,F22 north=S23,F22 turn=72", 1
	}
	s, h := g.NewState(), g.NewHistory()
	if err := s.ParsePosition(line); err != nil {
		t.Fatal(err)
	}
	s.Begin(h)
	if x := compare(s, h); len(x.Moves) != 1 || len(x.Line) < least || x.Value == 0 {
		t.Errorf("%s: %+v, want one move and what comes after it", s.AppendPosition(nil), x)
	}
}

// TestAlphaBetaAnalysisHasAView: what is good for one side is bad for the other.
func TestAlphaBetaAnalysisHasAView(t *testing.T) {
	g := game(t, &konreh.Family)
	p := alphaBetaOf(g, alphabeta.New(g), 2, pace{})
	const fresh = " HD,r0,s0,x0,c0,n-,h0,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 "
	for line, good := range map[string]bool{
		"4rrob/5rgo/7r/8/R7/RR6/OGR5/BORR4 A m" + fresh + "8": true,
		"4rrob/5rgo/7r/8/R7/RR6/OGR5/BORR4 B m" + fresh + "9": false,
		"4rrob/5rgo/6rr/7r/8/R7/OGR5/BORR4 A m" + fresh + "8": false,
		"4rrob/5rgo/6rr/7r/8/R7/OGR5/BORR4 B m" + fresh + "9": true,
	} {
		s := g.NewState()
		if err := s.ParsePosition(line); err != nil {
			t.Fatal(err)
		}
		a, err := analyze(context.Background(), p, s, nil)
		if err != nil || good != (a.Value > 0.02) || good == (a.Value < -0.02) || a.Value < -1 || a.Value > 1 {
			t.Errorf("%s: %+v, %v, want it good: %v", line, a, err, good)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := g.NewState()
	s.Start(nil)
	if _, err := analyze(ctx, p, s, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the end of the context", err)
	}
}
