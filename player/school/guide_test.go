package school

import (
	"testing"

	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/player/alphabeta"
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
	s.Start(nil)
	if line != "" {
		if err := s.ParsePosition(line); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func parse(t testing.TB, text string) *School {
	t.Helper()
	s, err := Parse("test.yaml", []byte("name: Test\nabout: A test.\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// choice is what the school plays in s, looking two turns ahead.
func choice(x *School, weight float64, s *konreh.State) string {
	e := alphabeta.NewGuided(s.Game(), x.Guide(weight))
	return string(s.AppendAction(nil, e.Search(s, nil, s.Legal(nil, nil), 2, nil).Action))
}

// onSanctum may seed, placing has just planted, fork may go into the Cross.
const (
	onSanctum = "7b/8/8/8/8/8/8/R6B A sh1 HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 40"
	placing   = "8/6b1/8/8/8/8/1G6/2R5 A pR HD,r0,s0,x0,c3,n-,h0,k0 HD,r0,s0,x0,c0,n-,h1,k0 0 40"
	fork      = "7b/4B1r1/8/8/8/8/8/OR6 A m HD,r0,s0,x0,c0,n-,h1,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 40"
)

// TestEachKindOfRule makes a school differ from the control where it must.
func TestEachKindOfRule(t *testing.T) {
	g := game(t, "standard")
	for _, c := range []struct{ name, line, text, control, want string }{
		{"never", onSanctum, "never: [{do: seed}]", "seed", "noseed"},
		{"never under a condition that holds", onSanctum, "never: [{do: seed, if: {turn: 20}}]", "seed", "noseed"},
		{"never under one that does not", onSanctum, "never: [{do: seed, if: {turn: ..19}}]", "seed", "seed"},
		{"no runner advances by a seed", onSanctum, "never: [{do: advance}]", "seed", "seed"},
		{"favour", onSanctum, "favour: [{do: decline_seed, by: 2000}]", "seed", "noseed"},
		{"favour under several conditions", onSanctum, "favour: [{do: seed, if: {greens: 1, ssi: 2, their_greens: 1..}, by: -2000}]", "seed", "seed"},
		{"placement at Home", placing, "placement: {home: 2000}", "left", "home"},
		{"placement on a Sanctum", placing, "placement: {sanctum: -2000}", "left", "home"},
		{"placement on the Apex", placing, "placement: {apex: 2000}", "left", "apex"},
		{"a term", fork, "terms: {cross: 1000}", "e7e6", "e7e4"},
		{"an opening", "", "opening: {by: 2000, lines: [[d1f1]]}", "b3d3", "d1f1"},
	} {
		s := position(t, g, c.line)
		if got := choice(shipped[0], 1, s); got != c.control {
			t.Errorf("%s: the control plays %s, want %s", c.name, got, c.control)
		}
		for weight, want := range map[float64]string{0: c.control, 1: c.want} {
			if got := choice(parse(t, c.text), weight, s); got != want {
				t.Errorf("%s: weight %g: plays %s, want %s", c.name, weight, got, want)
			}
		}
	}
}
