package balance

import (
	"context"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/study"
)

// The trap that player, side and exchange are one thing: with the exchange the first
// player wins as side B.
func TestPlayerSideAndExchangeAreApart(t *testing.T) {
	g := game(t, "konreh", "micro,balance=pie")
	cfg := DefaultConfig()
	cfg.Games, cfg.Sampled, cfg.MaxTurns = 40, 6, 200
	cfg.Temperatures = []float64{2}
	starts, err := FindStarts(g)
	if err != nil {
		t.Fatal(err)
	}
	s, cells, err := cfg.Series(&Variant{Name: "pie", Game: g, Starts: starts}, []study.Participant{{Spec: spec(t, "mcts:sims=12,cap=40")}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Run(context.Background(), nil, match.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	r := NewReader(g, cells)
	kind := func(p *Played, name string) int {
		for k, n := range r.KindNames {
			if n == name {
				return p.Kinds[k]
			}
		}
		t.Fatalf("no kind %q", name)
		return 0
	}
	swapped, won := 0, 0
	for i := range list {
		p, err := r.Read(&list[i])
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Fields(list[i].Moves)
		if said := words[1] == "swap"; p.Swapped != said || kind(&p, "swap") != boolInt(said) || kind(&p, "hold") != boolInt(!said) {
			t.Errorf("game %d: swapped %t, moves %s", p.Number, p.Swapped, list[i].Moves)
		}
		if want := starts.List[p.Start].Words; want != strings.Join(words[:2], " ") {
			t.Errorf("game %d: start %q of %q, want the first move and hold or swap", p.Number, want, p.Opening)
		}
		want := p.First
		if p.Swapped {
			want = 1 - want
			swapped++
			if p.First != 0.5 {
				won++
			}
		}
		if p.SideA != want {
			t.Errorf("game %d: first player %g, side A %g, swapped %t", p.Number, p.First, p.SideA, p.Swapped)
		}
		// Whoever owns the winning side: Points are A's, whichever seat A has.
		if first := list[i].Points == 1 == list[i].AFirst; list[i].Points != 0.5 && (p.First == 1) != first {
			t.Errorf("game %d: first player made %g, A %g, first %t", p.Number, p.First, list[i].Points, list[i].AFirst)
		}
		moves := 0
		for _, n := range p.Pieces {
			moves += n
		}
		if p.Decisions != len(words) || moves == 0 || moves > len(words) || p.Opening != strings.Join(words[:OpeningDecisions], " ") {
			t.Errorf("game %d: %d decisions, %d moves of pieces, begins %q", p.Number, p.Decisions, moves, p.Opening)
		}
	}
	if won == 0 || swapped == len(list) {
		t.Errorf("%d of %d games with an exchange, %d of them won: want some of each", swapped, len(list), won)
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestRepeatedGamesAreThoseOfOnePlayer(t *testing.T) {
	g := game(t, "tictactoe", "")
	cells := []Cell{{Player: 0}, {Player: 1}, {Player: 0, Temperature: 1}}
	moves := "a1 b1 a2 b2 a3"
	want := []bool{false, true, false, true, true, true}
	r := NewReader(g, cells)
	for i, repeats := range want {
		p, err := r.Read(&match.Game{Number: i + 1, Pair: i/2 + 1, AFirst: i%2 == 0, Points: float64(boolInt(i%2 == 0)), Moves: moves})
		if err != nil {
			t.Fatal(err)
		}
		if p.Repeats != repeats || p.First != 1 {
			t.Errorf("game %d: repeats %t, first player %g; want %t and 1", i+1, p.Repeats, p.First, repeats)
		}
	}
	if _, err := r.Read(&match.Game{Number: 9, Pair: 1, Moves: "a1 a1"}); err == nil || !strings.Contains(err.Error(), "game 9: move 2") {
		t.Errorf("an impossible move: %v", err)
	}
}
