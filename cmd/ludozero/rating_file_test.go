package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNewMatchesReplaceNoUnreadableRating: a rating of a later program is not
// lost, and that is said before any work.
func TestNewMatchesReplaceNoUnreadableRating(t *testing.T) {
	dir := tinyRun(t, filepath.Join(t.TempDir(), "run"))
	path := filepath.Join(dir, ratingFile)
	const later = `{"version":2,"matches":{}}`
	writeFile(t, path, later)
	mustFail(t, 1, []string{"train", "--run", dir, "--set", "generations=2"}, path+": version 2: this program reads version 1", "--no-rating")
	if b, err := os.ReadFile(path); err != nil || string(b) != later {
		t.Errorf("%s is %q (%v), want %q", path, b, err, later)
	}
	if _, _, err := call(t, "", tiny(path)...); err == nil || strings.Contains(err.Error(), ratingFile+"/"+ratingFile) {
		t.Errorf("train in a file = %v, want nothing of matches", err)
	}
	if out := mustCall(t, "train", "--run", dir, "--set", "generations=2", "--no-rating"); !strings.Contains(out, "goes on at generation 1") {
		t.Errorf("train --no-rating says\n%s", out)
	}
}

// TestRatingByTheClockSaysSo: such matches cannot be repeated.
func TestRatingByTheClockSaysSo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	out := mustCall(t, tiny(dir, "--set", "generations=1", "--set", `evaluation.opponents=["mcts:time=1ms", random]`)...)
	if strings.Count(out, "limited by time") != 2 || !strings.Contains(out, "searches of 1ms") || !strings.Contains(out, "2 pairs of games, openings of 0 random turns") {
		t.Errorf("the rating says\n%s\nwant what the searches of mcts took, twice", out)
	}
}
