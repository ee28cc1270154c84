package player

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
)

func mustGame(t *testing.T, name, rules string) engine.Game {
	t.Helper()
	f, err := games.All().ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestDrawGoesByPolicyAndTemperature(t *testing.T) {
	a := &match.Analysis{Choice: 7, Moves: []match.Move{{Action: 3, Prob: 0.1}, {Action: 5}, {Action: 7, Prob: 0.9}}}
	share := func(temperature float64) float64 {
		const n = 100_000
		hits := 0
		for i := range n {
			switch Draw(a, temperature, (float64(i)+0.5)/n) {
			case 3:
				hits++
			case 5:
				t.Fatalf("temperature %g: a move without visits was drawn", temperature)
			}
		}
		return float64(hits) / n
	}
	for temperature, want := range map[float64]float64{1: 0.1, 0.5: 0.01 / 0.82, 2: math.Sqrt(0.1) / (math.Sqrt(0.1) + math.Sqrt(0.9)), 0.001: 0} {
		if got := share(temperature); math.Abs(got-want) > 1e-4 {
			t.Errorf("temperature %g: drawn in %.4f, want %.4f", temperature, got, want)
		}
	}
	if got := Draw(&match.Analysis{Choice: 2, Moves: []match.Move{{Action: 1}, {Action: 2}}}, 1, 0.3); got != 2 {
		t.Errorf("without a policy move %d is drawn, want the choice", got)
	}
}

// playSampled has a sampled player of both seats play and returns its actions up to n of them,
// beside what the player thinks best in the same positions.
func playSampled(t *testing.T, g engine.Game, p Sampling, seed uint64, n int) (played, best []engine.Action, settled []bool) {
	t.Helper()
	spec, err := Parse("mcts:sims=60", nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := spec.Sampled(g, p)
	if err != nil {
		t.Fatal(err)
	}
	one, err := c.New()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := spec.New(g)
	if err != nil {
		t.Fatal(err)
	}
	one.NewGame(t.Context(), seed)
	plain.NewGame(t.Context(), seed)
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for range n {
		a, err := choose(context.Background(), one, s, h)
		if err != nil {
			t.Fatal(err)
		}
		b, err := choose(context.Background(), plain, s, h)
		if err != nil {
			t.Fatal(err)
		}
		played, best, settled = append(played, a), append(best, b), append(settled, engine.Settled(s))
		s.Apply(a, h)
	}
	return played, best, settled
}

func TestSamplesOnlyOnceTheStartIsSettled(t *testing.T) {
	g := mustGame(t, "konreh", "standard,balance=pie-double")
	differ, unsettled := 0, 0
	for seed := range uint64(6) {
		played, best, settled := playSampled(t, g, Sampling{Decisions: 3, Temperature: 3}, seed, 12)
		drawn := 0
		for i := range played {
			if !settled[i] {
				unsettled++
			} else if drawn++; drawn <= 3 {
				if played[i] != best[i] {
					differ++
				}
				continue
			}
			if played[i] != best[i] {
				t.Errorf("seed %d: decision %d, settled %t, was drawn", seed, i+1, settled[i])
			}
		}
	}
	if differ == 0 || unsettled == 0 {
		t.Errorf("%d of the drawn decisions differ from the best, %d came before the start was settled: want both", differ, unsettled)
	}
}

func TestSampledGamesFollowFromTheSeed(t *testing.T) {
	g := mustGame(t, "connect4", "")
	p := Sampling{Decisions: 6, Temperature: 1}
	a, _, _ := playSampled(t, g, p, 1, 8)
	again, _, _ := playSampled(t, g, p, 1, 8)
	other, _, _ := playSampled(t, g, p, 2, 8)
	same := func(x, y []engine.Action) bool {
		for i := range x {
			if x[i] != y[i] {
				return false
			}
		}
		return true
	}
	if !same(a, again) || same(a, other) {
		t.Errorf("seed 1 played %v and %v, seed 2 %v", a, again, other)
	}
}

// A search to a depth has one best move; slips are what makes its games differ.
func TestSlipsAreAnyMove(t *testing.T) {
	g := mustGame(t, "connect4", "")
	spec, err := Parse("alphabeta:depth=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	first := func(slips float64) map[engine.Action]int {
		c, err := spec.Sampled(g, Sampling{Decisions: 1, Temperature: 1, Slips: slips})
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.New()
		if err != nil {
			t.Fatal(err)
		}
		counts := map[engine.Action]int{}
		s := g.NewState()
		s.Start(nil)
		for seed := range uint64(700) {
			a, err := match.Analyze(t.Context(), p, seed, s, nil)
			if err != nil {
				t.Fatal(err)
			}
			counts[a.Choice]++
		}
		return counts
	}
	if n := len(first(0)); n != 1 {
		t.Errorf("%d first moves without slips, want the best one", n)
	}
	for a, n := range first(1) {
		if n < 60 || n > 140 { // 100 and four standard errors
			t.Errorf("move %d in %d of 700 slips, want about 100", a, n)
		}
	}
}

func TestSampledRefusesWhoCannotVary(t *testing.T) {
	g := mustGame(t, "tictactoe", "")
	spec, err := Parse("mcts:time=10ms", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spec.Sampled(g, Sampling{Decisions: 1, Temperature: 1}); err == nil || !strings.Contains(err.Error(), "limited by time") {
		t.Errorf("%s: %v, want it refused as limited by time", spec.Text, err)
	}
	for _, p := range []Sampling{{-1, 1, 0}, {1, 0, 0}, {1, 11, 0}, {1, math.NaN(), 0}, {1, 1, -0.1}, {1, 1, 1.1}} {
		if p.Validate() == nil {
			t.Errorf("%v is accepted", p)
		}
	}
}
