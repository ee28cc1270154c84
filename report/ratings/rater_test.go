package ratings

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestRatersShare goes through a run by hand.
func TestRatersShare(t *testing.T) {
	run, cfg := plan.DefaultConfig(), DefaultConfig()
	run.Budget = 100 * time.Minute
	cfg.Opponents = []string{"random"}
	cfg.During = During{Share: 0.1, Ratings: 10, Pairs: 2}
	r, err := NewRater(nil, t.TempDir(), &run, &cfg, tictactoeGame(t), Players{}, false)
	if err != nil {
		t.Fatal(err)
	}
	add := func(generation int, opponent string, learned, took time.Duration) {
		r.matches = append(r.matches, Match{
			Generation: generation, Opponent: opponent, Simulations: 64, Learned: learned, Took: took,
			Result: &match.Result{Rules: "standard", Seed: seed.Number(1, "rating", uint64(generation)), OpeningTurns: 4, MaxTurns: 2000, Pairs: match.PairCounts{2}},
		})
	}
	due := func(want bool, generation int, learned time.Duration) {
		t.Helper()
		if got := r.Due(generation, learned); got != want {
			t.Errorf("generation %d after %v is due: %v, want %v", generation, learned, got, want)
		}
	}
	weights := func(generation int) {
		path := rundir.WeightsPath(r.dir, generation)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	weights(0)
	weights(1)
	due(true, 1, time.Minute) // the first
	add(1, "random", time.Minute, time.Minute)
	due(true, 1, time.Minute) // the match against generation 0 is missing
	add(1, "", time.Minute, time.Minute)
	due(false, 1, time.Minute)
	due(false, 2, 10*time.Minute) // a tenth of the run later, but the share is used up
	due(false, 2, 20*time.Minute)
	due(true, 2, 21*time.Minute)
	add(2, "random", 40*time.Minute, time.Second)
	r.matches[2].Other = 0
	add(2, "", 40*time.Minute, time.Second)
	r.matches[3].Other = 1
	due(false, 2, 41*time.Minute)
	due(false, 3, 49*time.Minute) // there is time, but it is too soon
	due(true, 3, 51*time.Minute)
	for g, want := range []bool{false, true, true, false} {
		if r.Keeps(g) != want {
			t.Errorf("keeps %d: %v, want %v", g, !want, want)
		}
	}
	cfg.During.Ratings = 0 // as many as may be, which is not after each generation
	due(false, 3, 40*time.Minute+50*time.Second)
	due(true, 3, 41*time.Minute+10*time.Second)
	cfg.During.Share = 0
	due(false, 9, 99*time.Minute)
}

// TestUntrainedNetworkPlaysAQuarter: the end of a run plans fewer games of a network that
// loses them all, takes older matches that were longer, and says how long the rest takes.
func TestUntrainedNetworkPlaysAQuarter(t *testing.T) {
	run, cfg := plan.DefaultConfig(), DefaultConfig()
	cfg.Opponents, cfg.Match.Pairs, cfg.During.Share = []string{"random", "exact"}, 10, 0
	dir := t.TempDir()
	r, err := NewRater(nil, dir, &run, &cfg, tictactoeGame(t), Players{}, false)
	if err != nil {
		t.Fatal(err)
	}
	list := r.finalPlan(7)
	var pairs []int
	for _, p := range list {
		pairs = append(pairs, p.match.Pairs)
	}
	if want := []int{10, 3, 10, 3}; !slices.Equal(pairs, want) || r.FinalGames(true) != 52 || r.FinalGames(false) != 80 {
		t.Errorf("pairs %v, %d and %d games, want %v, 52 and 80", pairs, r.FinalGames(true), r.FinalGames(false), want)
	}
	if _, games, about := r.missing(7, list); games != 52 || about != 0 {
		t.Errorf("%d games in %v, want 52 in an unknown time", games, about)
	}
	for i, opponent := range cfg.Opponents {
		m := matchOf(1, opponent, 0, 1, 0) // two games in a second
		m.Took *= time.Duration(1 + i)
		r.matches = append(r.matches, m)
	}
	if _, games, about := r.missing(7, list); games != 52 || about != 39*time.Second {
		t.Errorf("%d games in %v, want 52 in 39s", games, about)
	}
	old := matchOf(0, "exact", 0, make([]float64, 20)...)
	old.Final, old.Took = true, time.Minute
	old.Result.Rules, old.Result.Seed, old.Result.OpeningTurns, old.Result.MaxTurns = "standard", cfg.Match.Seed, cfg.Match.OpeningTurns, cfg.Match.MaxTurns
	r.matches = append(r.matches, old)
	if _, games, _ := r.missing(7, list); games != 46 {
		t.Errorf("%d games are missing after a longer match of an earlier program, want 46", games)
	}
	if during, final := r.Took(); during != 3*time.Second || final != time.Minute {
		t.Errorf("Took = %v, %v, want 3s and 1m", during, final)
	}
	state := rundir.State{Version: rundir.StateVersion, First: "net.safetensors"}
	folder := rundir.CheckpointDir(dir, 0)
	if err := errors.Join(os.MkdirAll(folder, 0o777), state.Write(filepath.Join(folder, rundir.StateFile))); err != nil {
		t.Fatal(err)
	}
	if p := r.finalPlan(7)[1]; p.generation != 0 || p.match.Pairs != 10 {
		t.Errorf("a network that the run was given plays %d pairs, want 10", p.match.Pairs)
	}
}

// TestRatersShareOfCoreTime: ratings are spread over a core budget by what the
// checkpoints have of it, however long they took.
func TestRatersShareOfCoreTime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	cores := [3]time.Duration{0, time.Second, 5 * time.Second}
	for g, spent := range cores {
		st := rundir.State{Version: rundir.StateVersion, Generation: g, CoreTime: &spent}
		if g > 0 {
			st.Metrics = &rundir.Metrics{Generation: int32(g)}
		}
		folder := rundir.CheckpointDir(dir, g)
		if err := errors.Join(os.MkdirAll(folder, 0o777), st.Write(filepath.Join(folder, rundir.StateFile))); err != nil {
			t.Fatal(err)
		}
	}
	run, cfg := plan.DefaultConfig(), DefaultConfig()
	cfg.Opponents = []string{"random"}
	cfg.During = During{Share: 1, Ratings: 10, Pairs: 2}
	r, err := NewRater(nil, dir, &run, &cfg, tictactoeGame(t), Players{}, false)
	if err != nil {
		t.Fatal(err)
	}
	r.matches = []Match{{Generation: 1, Opponent: "random", Learned: time.Minute, Result: &match.Result{}}}
	between := cores[2] - cores[1]
	for _, c := range []struct {
		budget time.Duration
		want   bool
	}{{9 * between, true}, {11 * between, false}} {
		run.CoreBudget = c.budget
		if got := r.Due(2, time.Hour); got != c.want {
			t.Errorf("after %v of %v since the last, a rating is due: %t", between, c.budget, got)
		}
	}
}

func tictactoeGame(t *testing.T) engine.Game {
	t.Helper()
	g, err := tictactoe.Family.Parse("standard")
	if err != nil {
		t.Fatal(err)
	}
	return g
}
