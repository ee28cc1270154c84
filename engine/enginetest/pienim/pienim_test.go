package pienim

import (
	"testing"

	"github.com/ludozero/ludozero/engine"
)

func play(t *testing.T, rules string, words ...string) (engine.State, *engine.History) {
	t.Helper()
	g := New(rules)
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for _, w := range words {
		a, err := s.ParseAction(w, h)
		if err != nil {
			t.Fatalf("%v: %v", words, err)
		}
		s.Apply(a, h)
	}
	return s, h
}

func TestActors(t *testing.T) {
	for _, c := range []struct {
		words []string
		actor engine.Player
		side  engine.Side
	}{
		{nil, engine.First, 0},
		{[]string{"1-1"}, engine.Second, 1}, // hold or swap
		{[]string{"1-2"}, engine.First, 0},  // even moves again
		{[]string{"1-1", "hold"}, engine.Second, 1},
		{[]string{"1-1", "swap"}, engine.First, 1},
		{[]string{"1-1", "swap", "2-3"}, engine.First, 1}, // odd moves again
		{[]string{"1-1", "swap", "2-3", "1-2"}, engine.Second, 0},
	} {
		s, _ := play(t, "", c.words...)
		if s.Actor() != c.actor || s.Side() != c.side {
			t.Errorf("%v: actor %v, side %d, want %v, %d", c.words, s.Actor(), s.Side(), c.actor, c.side)
		}
	}
}

func TestOutcomes(t *testing.T) {
	s, _ := play(t, "", "1-3", "swap", "2-3", "3-3")
	if got, want := s.Outcome(), (engine.Outcome{Over: true, Winner: engine.First, Reason: "last stone"}); got != want {
		t.Errorf("Outcome = %+v, want %+v", got, want)
	}
	// Heaps 233 after the first turn. A stone goes round: 332, 323, 233, and the
	// side to move alternates, so that a position recurs after six turns.
	round := []string{"3>1", "2>3", "1>2", "3>1", "2>3", "1>2"}
	words := append([]string{"1-1"}, round...)
	s, h := play(t, "shifting,pie=false", append(words, round[:5]...)...)
	if o := s.Outcome(); o.Over {
		t.Fatalf("over after %d turns: %+v", s.Turn(), o)
	}
	a, err := s.ParseAction(round[5], h)
	if err != nil {
		t.Fatal(err)
	}
	s.Apply(a, h)
	if got, want := s.Outcome(), (engine.Outcome{Over: true, Winner: engine.Nobody, Reason: "threefold"}); got != want {
		t.Errorf("Outcome = %+v, want %+v", got, want)
	}
}
