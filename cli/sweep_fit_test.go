package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/study/sweep"
)

// TestSweepFit compares two arms on the games of a tiny run: the folder keeps what is
// done, more seeds are added to it, and another plan is refused.
func TestSweepFit(t *testing.T) {
	dir := t.TempDir()
	games := filepath.Join(dir, "run")
	mustCall(t, "train", "--config", "../configs/tictactoe/tiny.yaml", "--run", games, "--no-rating", "--set", "generations=6")
	text := `
games: ` + games + `
held_out: 6
steps: 3
seed: 5
seeds: 2
measure: {batches: 1, network: ` + games + `, simulations: 4, positions: 20}
arms:
  - {name: base, set: []}
  - {name: half, set: [train.root_value_share=0.5]}
`
	out := filepath.Join(dir, "fits")
	mustFail(t, 2, []string{"sweep", "fit", sweepPlan(t, "tictactoe/tiny.yaml", strings.Replace(text, "held_out: 6", "held_out: 99", 1)), "--out", out}, "99 to be held out")
	mustFail(t, 2, []string{"sweep", "fit", sweepPlan(t, "tictactoe/tiny.yaml", strings.Replace(text, "share=0.5", "share=0", 1)), "--out", out}, "base and half come to the same configuration")
	mustFail(t, 2, []string{"sweep", "fit", sweepPlan(t, "tictactoe/tiny.yaml", strings.Replace(text, "train.root_value_share=0.5", "passes_per_position=7, window.taper=0.9", 1)), "--out", out}, "base and half come to the same configuration of a fit, which reads model")
	mustFail(t, 2, []string{"sweep", "fit", sweepPlan(t, "tictactoe/tiny.yaml", text)}, "--out is required")
	mustFail(t, 1, []string{"sweep", "fit", sweepPlan(t, "tictactoe/tiny.yaml", text), "--out", dir}, "no plan.yaml: want a new or empty folder")
	mustFail(t, 2, []string{"sweep", "fit", sweepPlan(t, "tictactoe/tiny.yaml", strings.Replace(text, "root_value_share=0.5", "decay_share=0.5, train.final_learning_rate=0.9", 1)), "--out", out}, "arms: half: train.final_learning_rate: 0.9: want at most train.learning_rate")
	plan := sweepPlan(t, "tictactoe/tiny.yaml", text)
	first := mustCall(t, "sweep", "fit", plan, "--out", out)
	for _, want := range []string{"tictactoe: 4 fits of 3 steps", "cross-entropy of the results", "divergence from the visits of 4 simulations", "less base", "half"} {
		if !strings.Contains(first, want) {
			t.Errorf("the result does not say %q:\n%s", want, first)
		}
	}
	kept := filepath.Join(out, "fits.json")
	before, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	var done map[string]json.RawMessage
	if err := json.Unmarshal(before, &done); err != nil {
		t.Fatal(err)
	}
	delete(done, "half-6")
	less, err := json.Marshal(done)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kept, less, 0o666); err != nil {
		t.Fatal(err)
	}
	// The run goes on: its later shards are not in the window.
	mustCall(t, "train", "--run", games, "--no-rating", "--set", "generations=7")
	if again := mustCall(t, "sweep", "fit", plan, "--out", out); again != first {
		t.Errorf("resumed:\n%s\nwant\n%s", again, first)
	}
	more := sweepPlan(t, "tictactoe/tiny.yaml", strings.Replace(text, "seeds: 2", "seeds: 3", 1))
	r := decode[sweep.FitsResult](t, mustCall(t, "sweep", "fit", more, "--out", out, "--json"))
	if len(r.Fits) != 6 || len(r.Measures) != 4 || r.Measures[0].Arms[1].Difference == nil || r.Fits[5].Name != "half-7" {
		t.Errorf("with a seed more %+v", r)
	}
	// Arms may learn from games of other runs: a copy teaches the same, another seed's do not.
	copied, seed := filepath.Join(dir, "copy"), filepath.Join(dir, "seed")
	if err := os.CopyFS(copied, os.DirFS(games)); err != nil {
		t.Fatal(err)
	}
	mustCall(t, "train", "--config", "../configs/tictactoe/tiny.yaml", "--run", seed, "--no-rating", "--set", "generations=7", "--set", "seed=2")
	runs := text[:strings.Index(text, "arms:")] + "arms:\n  - {name: base, set: []}\n  - {name: copy, set: [], games: " + copied + "}\n  - {name: seed, set: [], games: " + seed + "}\n"
	r = decode[sweep.FitsResult](t, mustCall(t, "sweep", "fit", sweepPlan(t, "tictactoe/tiny.yaml", runs), "--out", filepath.Join(dir, "runs"), "--json"))
	arms := r.Measures[1].Arms
	if arms[1].Difference.Value != 0 || arms[2].Difference.Value == 0 {
		t.Errorf("less those that learned from the run itself: from a copy %v, from other games %v", arms[1].Difference, arms[2].Difference)
	}
	other := sweepPlan(t, "tictactoe/tiny.yaml", strings.Replace(text, "steps: 3", "steps: 4", 1))
	mustFail(t, 2, []string{"sweep", "fit", other, "--out", out}, "steps is 3 there, now 4")
}
