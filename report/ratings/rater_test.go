package ratings

import (
	"errors"
	"os"
	"path/filepath"
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
