package configs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/train/rundir"
)

// source has tic-tac-toe's smallest run as its file, or none.
func source(path string, set ...string) *Source {
	return &Source{Games: games.All(), Path: path, Overrides: set, Level: "generic"}
}

// stored writes the settings of a run into a folder of its own.
func stored(t *testing.T, set ...string) string {
	t.Helper()
	r, err := source("tictactoe/tiny", set...).Run("")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), Dump(r), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestRunIsHeldAgainstItsFile: what a run cannot change is refused, each key by name.
func TestRunIsHeldAgainstItsFile(t *testing.T) {
	dir := stored(t, "seed=5")
	if r, err := source("").Run(dir); err != nil || r.Seed != 5 || r.Game != "tictactoe" {
		t.Errorf("the run's own: seed %d of %s, %v", r.Seed, r.Game, err)
	}
	if r, err := source("", "generations=77").Run(dir); err != nil || r.Generations != 77 {
		t.Errorf("a free key: %d generations, %v", r.Generations, err)
	}
	_, err := source("tictactoe/tiny", "train.batch=33").Run(dir)
	for _, want := range []string{"seed is 5 in run " + dir + ", now ", "train.batch is ", "now 33: a run cannot change it"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("other settings: %v, want %q", err, want)
		}
	}
	for _, none := range []string{"", t.TempDir()} {
		if _, err := source("").Run(none); !errors.Is(err, ErrNoFile) {
			t.Errorf("no file and no run in %q: %v", none, err)
		}
	}
	broken := errors.New("a player is missing")
	s := source("tictactoe/tiny", "colour=red")
	s.Check = func(*Run) error { return broken }
	if _, err := s.Run(dir); !errors.Is(err, broken) || !strings.Contains(err.Error(), "colour") {
		t.Errorf("all that is wrong: %v", err)
	}
}

// TestForkTakesTheSourcesSettings, those of its file if there is one, and goes easy on a
// window that begins empty unless the settings say how.
func TestForkTakesTheSourcesSettings(t *testing.T) {
	from := func(rows int, checkpoints ...int) string {
		dir := stored(t, "seed=5", "window.min_positions=900")
		for _, g := range checkpoints {
			s := rundir.State{Version: rundir.StateVersion, Generation: g, Rows: rows}
			if g > 0 {
				s.Metrics = &rundir.Metrics{Generation: int32(g)}
			}
			path := rundir.CheckpointDir(dir, g)
			if err := errors.Join(os.MkdirAll(path, 0o777), s.Write(filepath.Join(path, rundir.StateFile))); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	dir := filepath.Join(t.TempDir(), "fork")
	for _, c := range []struct {
		s     *Source
		rows  int
		fresh bool
		seed  uint64
		full  int64
	}{
		{source(""), 400, false, 5, 0},
		{source("", "seed=6"), 400, true, 6, 400},
		{source(""), 4000, true, 5, 900},
		{source("", "full_passes_at=7"), 400, true, 5, 7},
		{source("tictactoe/tiny"), 400, true, 1, 0},
	} {
		if r, g, err := c.s.Fork(dir, from(c.rows, 0, 1), -1, c.fresh); err != nil || g != 1 || r.Seed != c.seed || r.FullPassesAt != c.full {
			t.Errorf("%q, %q: generation %d, seed %d, full passes at %d, %v; want %d, %d", c.s.Path, c.s.Overrides, g, r.Seed, r.FullPassesAt, err, c.seed, c.full)
		}
	}
	there := from(0, 0)
	if r, g, err := source("", "generations=77").Fork(there, "gone", -1, true); err != nil || r.Generations != 77 || g != -1 {
		t.Errorf("a fork that exists: %d generations, checkpoint %d, %v; want its own", r.Generations, g, err)
	}
	if _, _, err := source("").Fork(dir, there, 5, false); err == nil || !strings.Contains(err.Error(), "no checkpoint of generation 5; the last is 0") {
		t.Errorf("a checkpoint that is missing: %v", err)
	}
	if err := os.Remove(filepath.Join(there, rundir.ConfigFile)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := source("").Fork(dir, there, 0, false); err == nil || !strings.Contains(err.Error(), "want --config") {
		t.Errorf("a source without a file: %v", err)
	}
}
