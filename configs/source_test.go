package configs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
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
	from := stored(t, "seed=5", "window.min_positions=900")
	seen := func(n int64) func() (int64, error) { return func() (int64, error) { return n, nil } }
	for _, c := range []struct {
		s    *Source
		seen func() (int64, error)
		seed uint64
		full int64
	}{
		{source(""), nil, 5, 0},
		{source("", "seed=6"), seen(400), 6, 400},
		{source(""), seen(4000), 5, 900},
		{source("", "full_passes_at=7"), seen(400), 5, 7},
		{source("tictactoe/tiny"), seen(400), 1, 0},
	} {
		if r, err := c.s.Fork(from, 0, c.seen); err != nil || r.Seed != c.seed || r.FullPassesAt != c.full {
			t.Errorf("%q, %q: seed %d, full passes at %d, %v; want %d, %d", c.s.Path, c.s.Overrides, r.Seed, r.FullPassesAt, err, c.seed, c.full)
		}
	}
	if _, err := source("").Fork(t.TempDir(), 0, nil); err == nil || !strings.Contains(err.Error(), "want --config") {
		t.Errorf("a source without a file: %v", err)
	}
}
