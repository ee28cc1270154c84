package selfplay

import (
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/mcts"
)

func TestSimulationsGrow(t *testing.T) {
	c := DefaultConfig()
	c.Search.Simulations, c.FastSimulations = 64, 16
	at := func(generations ...int) (all [][2]int) {
		for _, g := range generations {
			full, fast := c.SimulationsAt(g)
			all = append(all, [2]int{full, fast})
		}
		return all
	}
	if got, want := at(0, 7, 1000), [][2]int{{64, 16}, {64, 16}, {64, 16}}; !slices.Equal(got, want) {
		t.Errorf("simulations that do not grow are %v, want %v", got, want)
	}
	c.FirstSimulations, c.GrowthGenerations = 4, 4
	if got, want := at(0, 1, 2, 3, 4, 5), [][2]int{{4, 1}, {8, 2}, {16, 4}, {32, 8}, {64, 16}, {64, 16}}; !slices.Equal(got, want) {
		t.Errorf("from 4 to 64 in 4 generations: %v, want %v", got, want)
	}
	// 100 · 10^(g/3 - 1): 10, 21.54, 46.42, 100; of 15: 1.5, 3.15, 6.9. Of 4: never less than 1.
	c.Search.Simulations, c.FastSimulations, c.FirstSimulations, c.GrowthGenerations = 100, 15, 10, 3
	if got, want := at(0, 1, 2, 3), [][2]int{{10, 2}, {22, 3}, {46, 7}, {100, 15}}; !slices.Equal(got, want) {
		t.Errorf("from 10 to 100 in 3 generations: %v, want %v", got, want)
	}
	c.FastSimulations = 4
	if got, want := at(0, 3), [][2]int{{10, 1}, {100, 4}}; !slices.Equal(got, want) {
		t.Errorf("few fast simulations: %v, want %v", got, want)
	}
	// Every generation has at least as many as the one before, and full ones at
	// least as many as fast ones.
	c.Search.Simulations, c.FastSimulations, c.FirstSimulations, c.GrowthGenerations = 800, 800, 2, 97
	last := 2
	for g := range 100 {
		full, fast := c.SimulationsAt(g)
		if full < last || full > 800 || fast != full || g == 96 && full == 800 || g == 97 && full != 800 {
			t.Errorf("generation %d has %d and %d simulations after %d", g, full, fast, last)
		}
		last = full
	}
}

// TestGamesHaveTheSimulationsOfTheirGeneration plays games of two generations in
// one job: trees that have served one serve the other.
func TestGamesHaveTheSimulationsOfTheirGeneration(t *testing.T) {
	g := parse(t, &connect4.Family, "")
	for _, search := range []string{mcts.SearchPUCT, mcts.SearchGumbel} {
		cfg := quick()
		cfg.Search.Search, cfg.Search.CountReused, cfg.Search.NoiseFraction = search, false, 0
		cfg.Search.Simulations, cfg.FastSimulations, cfg.FullShare = 40, 20, 0.5
		cfg.FirstSimulations, cfg.GrowthGenerations = 10, 2
		cfg.GamesInFlight = 2
		fork := func() mcts.Network { return &hashNetwork{info: g.Info()} }
		j := job(g, 1, 16)
		j.Source = &twoPlayers{Range{Count: 16, Player: &Player{Generation: 1, Fork: fork}}, 8, &Player{Generation: 2, Fork: fork}}
		want := map[int][2]int{1: {20, 10}, 2: {40, 20}}
		seen := map[int]bool{}
		for _, f := range play(t, cfg, j) {
			// Nothing is kept from before the first search: its first simulation
			// evaluates the root.
			row := f.Rows[0]
			visits, kind := 1, 0
			for _, v := range row.Visits {
				visits += int(v)
			}
			if !row.Full {
				kind = 1
			}
			seen[visits] = true
			if visits != want[f.Generation][kind] {
				t.Errorf("%s: game %d of generation %d begins with %d simulations, full: %t; want %d", search, f.Number, f.Generation, visits, row.Full, want[f.Generation][kind])
			}
		}
		if len(seen) != 3 {
			t.Errorf("%s: games began with %v simulations, want 10, 20 and 40", search, seen)
		}
	}
}
