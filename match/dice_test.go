package match_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/knaw"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/rating"
)

// rolls are the dice that turns of a game begin by, by turn; those of Paths, which have
// more outcomes than six, are left out.
func rolls(t *testing.T, g engine.Game, moves string) map[int]engine.Action {
	t.Helper()
	s, h, first := g.NewState(), g.NewHistory(), map[int]engine.Action{}
	s.Start(h)
	for _, word := range strings.Fields(moves) {
		a, err := s.ParseAction(word, h)
		if err != nil {
			t.Fatal(err)
		}
		if _, later := first[s.Turn()]; s.Actor() == engine.Chance && !later {
			if first[s.Turn()] = a; len(s.Chance(nil)) != 6 {
				first[s.Turn()] = -1
			}
		}
		s.Apply(a, h)
	}
	maps.DeleteFunc(first, func(_ int, a engine.Action) bool { return a < 0 })
	return first
}

// TestPairsHaveTheSameDice in kn@w, whose turns begin by a roll of six unless a Path is
// declared: by players who never play alike.
func TestPairsHaveTheSameDice(t *testing.T) {
	g, err := knaw.Family.Parse("standard,max_turns=40")
	if err != nil {
		t.Fatal(err)
	}
	r := matchOf(t, match.Config{Pairs: 40, Workers: 2, Seed: 5}, g, script("low", lowest), contestant(t, "random", g))
	if r.Dice != match.PairDice {
		t.Errorf("dice %q, want %q", r.Dice, match.PairDice)
	}
	r.PairCorrelation = nil // as where all games end alike
	var text strings.Builder
	if err := r.WriteText(&text); err != nil || !strings.Contains(text.String(), "\ndice       the same in both games of a pair\n") {
		t.Errorf("text %v:\n%s", err, text.String())
	}
	var counts [6]int
	total, alike, others := 0, 0, 0
	var before map[int]engine.Action
	for i := 0; i < len(r.Games); i += 2 {
		x, y := rolls(t, g, r.Games[i].Moves), rolls(t, g, r.Games[i+1].Moves)
		if r.Games[i].Moves == r.Games[i+1].Moves {
			t.Errorf("pair %d: both games are the same: this test shows nothing", i/2+1)
		}
		for turn, a := range x {
			if b, both := y[turn]; both && a != b {
				t.Errorf("pair %d turn %d: rolls %d and %d", i/2+1, turn, a+1, b+1)
			}
			if turn == 0 { // the opening's
				continue
			}
			counts[a]++
			if c, ok := before[turn]; ok {
				others++
				if a == c {
					alike++
				}
			}
			total++
		}
		before = x
	}
	if total < 1000 {
		t.Fatalf("only %d rolls", total)
	}
	chi := 0.0
	for _, n := range counts {
		d := float64(n) - float64(total)/6
		chi += d * d * 6 / float64(total)
	}
	if chi > 20.5 { // 0.1 % of fair dice have more, by 5 degrees of freedom
		t.Errorf("rolls %v: chi square %.1f", counts, chi)
	}
	if share := float64(alike) / float64(others); share < 0.12 || share > 0.22 { // 1/6 ± 4 standard errors
		t.Errorf("%.3f of %d rolls are those of the pair before, want 1/6", share, others)
	}
}

// TestSameDiceNarrowTheInterval compares the games of a pair with games of two pairs,
// which have dice of their own.
func TestSameDiceNarrowTheInterval(t *testing.T) {
	g := game(t, &racegame.Family)
	r := matchOf(t, match.Config{Pairs: 400, Workers: 2, Seed: 3}, g, contestant(t, "exact", g), contestant(t, "mcts:sims=10", g))
	if c := r.PairCorrelation; c == nil || c.High > -0.3 {
		t.Errorf("games of a pair correlate by %v, want less than -0.3", c)
	}
	var p rating.Pairing
	for i := 0; i+3 < len(r.Games); i += 2 {
		p.Pairs[int(2*r.Games[i].Points)][int(2*r.Games[i+3].Points)]++
	}
	if c, ok := p.Correlation(); !ok || c.Value < -0.15 || c.Value > 0.15 { // three standard errors
		t.Errorf("games of different pairs correlate by %v, want 0", c)
	}
	var b strings.Builder
	if err := r.WriteText(&b); err != nil || !strings.Contains(b.String(), "\ndice       the same in both games of a pair; its games correlate by -0.") {
		t.Errorf("text %v:\n%s", err, b.String())
	}
}
