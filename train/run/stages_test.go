package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

func lastReason(t *testing.T, dir string) string {
	t.Helper()
	events, err := rundir.ReadEvents(dir)
	if err != nil || len(events) == 0 || events[len(events)-1].Stop == nil {
		t.Fatalf("the last event is no stop: %v, %v", events, err)
	}
	return events[len(events)-1].Stop.Reason
}

// TestStagesAreTheLoop alternates the two halves by hand, with other numbers of
// workers, each time in a process of its own, and once again where there is
// nothing left to play.
func TestStagesAreTheLoop(t *testing.T) {
	dir := newDir(t)
	cfg := tiny()
	opt := Options{Games: games.All(), Resolved: []byte(resolved)}
	for g := range cfg.Generations {
		for workers := 3; workers > 0; workers -= 2 {
			cfg.Workers = workers
			if err := SelfPlay(t.Context(), dir, cfg, opt); err != nil {
				t.Fatal(err)
			}
			if reason := lastReason(t, dir); reason != "played" {
				t.Errorf("self-play stops for %q", reason)
			}
		}
		if done, err := rundir.Generations(dir); err != nil || len(done) != g+1 {
			t.Fatalf("Generations = %v, %v after the self-play of generation %d", done, err, g)
		}
		if err := Fit(t.Context(), dir, cfg, opt); err != nil {
			t.Fatal(err)
		}
		if reason := lastReason(t, dir); reason != "fitted" {
			t.Errorf("training stops for %q", reason)
		}
	}
	compare(t, dir)
	// A run that has all its generations goes on if it is told to.
	if err := SelfPlay(t.Context(), dir, cfg, opt); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(filepath.Join(dir, rundir.ShardsDir)); err != nil || len(entries) != 12 {
		t.Errorf("%d shards, %v, want 4 for each of 3 generations", len(entries), err)
	}
}

// TestFitDemandsAllGames takes away the last games of a generation.
func TestFitDemandsAllGames(t *testing.T) {
	dir := newDir(t)
	opt := Options{Games: games.All(), Resolved: []byte(resolved)}
	err := Fit(t.Context(), dir, tiny(), opt)
	if err == nil || !strings.Contains(err.Error(), dir+": generation 0 has 0 of its 14 games, 14 are missing: self-play comes first") {
		t.Errorf("Fit without games: %v", err)
	}
	if err := SelfPlay(t.Context(), dir, tiny(), opt); err != nil {
		t.Fatal(err)
	}
	shards, err := filepath.Glob(filepath.Join(dir, rundir.ShardsDir, "*"))
	if err != nil || len(shards) != 4 {
		t.Fatalf("shards %v, %v", shards, err)
	}
	if err := os.Remove(shards[3]); err != nil {
		t.Fatal(err)
	}
	if err = Fit(t.Context(), dir, tiny(), opt); err == nil || !strings.Contains(err.Error(), "12 of its 14 games, 2 are missing") {
		t.Errorf("Fit without the last shard: %v", err)
	}
	if err := SelfPlay(t.Context(), dir, tiny(), opt); err != nil {
		t.Fatal(err)
	}
	if err := Fit(t.Context(), dir, tiny(), opt); err != nil {
		t.Error(err)
	}
}

// TestStoppedStagesGoOn cancels at every call that asks whether to go on.
func TestStoppedStagesGoOn(t *testing.T) {
	dir := newDir(t)
	opt := Options{Games: games.All(), Resolved: []byte(resolved)}
	stops := 0
	for _, do := range []func(context.Context, string, plan.Config, Options) error{SelfPlay, Fit, SelfPlay, Fit} {
		for n := 1; ; n++ {
			err := do(cancelAtCall(n), dir, tiny(), opt)
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) || lastReason(t, dir) != "interrupted" {
				t.Fatalf("a stopped stage returns %v and notes %q", err, lastReason(t, dir))
			}
			if stops++; n > 200 {
				t.Fatal("the stage does not end")
			}
		}
	}
	if stops < 8 {
		t.Errorf("only %d stops", stops)
	}
	compare(t, dir)
}
