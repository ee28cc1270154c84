package sweep

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// sweepPlan writes a plan that begins with a run file of this repository.
func sweepPlan(t *testing.T, config, text string) string {
	t.Helper()
	config, err := filepath.Abs("../../configs/" + config)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "plan.yaml")
	if err := os.WriteFile(path, []byte("config: "+config+"\n"+text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

const twoArms = `
seeds: 2
arms:
  - name: base
  - {name: batch, set: [train.batch=16]}
`

// TestDecayShareNeedsALimit, which the plan gives.
func TestDecayShareNeedsALimit(t *testing.T) {
	const tournament = "measure: {tournament: {simulations: 4}}\n"
	share := strings.Replace(twoArms, "train.batch=16", "train.decay_share=0.3, train.final_learning_rate=1e-4", 1)
	for _, limit := range []string{"core_time: 1s", "generations: 4"} {
		if _, err := Read(games.All(), nil, sweepPlan(t, "tictactoe/tiny.yaml", limit+"\n"+tournament+share), t.TempDir()); err != nil {
			t.Errorf("decay_share with %s: %v", limit, err)
		}
	}
}

// TestNewArmsAreNewRuns: an arm that a begun sweep gets is held to what a new run is, one that
// an earlier program began is not.
func TestNewArmsAreNewRuns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sweep")
	w, err := Read(games.All(), nil, sweepPlan(t, "tictactoe/tiny.yaml", twoArmsInATournament), dir)
	if err == nil {
		err = errors.Join(os.MkdirAll(dir, 0o777), w.write(dir))
	}
	if err != nil {
		t.Fatal(err)
	}
	const arm = "  - {name: rises, set: [train.decay_steps=5, train.final_learning_rate=0.9]}\n"
	more := sweepPlan(t, "tictactoe/tiny.yaml", twoArmsInATournament+arm)
	if _, err := Read(games.All(), nil, more, dir); err == nil || !strings.Contains(err.Error(), "want at most train.learning_rate") {
		t.Errorf("a new arm: %v", err)
	}
	for _, run := range []string{"rises-1", "rises-2"} {
		file := filepath.Join(dir, run, rundir.ConfigFile)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Read(games.All(), nil, more, dir); err != nil {
		t.Errorf("runs that were begun: %v", err)
	}
}

// TestSweepSet has all runs begin with what the plan sets, where it does not vary it.
func TestSweepSet(t *testing.T) {
	measure := "core_time: 1s\nmeasure: {tournament: {simulations: 4}}\n"
	w, err := Read(games.All(), nil, sweepPlan(t, "tictactoe/tiny.yaml", measure+"set: [train.batch=48, train.warmup_steps=7]\n"+twoArms), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if w.Base.Train.Batch != 48 || w.Base.Train.WarmupSteps != 7 {
		t.Errorf("base: batch %d, warm-up %d", w.Base.Train.Batch, w.Base.Train.WarmupSteps)
	}
	if _, err := Read(games.All(), nil, sweepPlan(t, "tictactoe/tiny.yaml", measure+"set: [train.batch=16]\n"+twoArms), t.TempDir()); err == nil || !strings.Contains(err.Error(), "base and batch come to the same configuration") {
		t.Errorf("an arm that sets what all have: %v", err)
	}
}

const twoArmsInATournament = "generations: 1\nmeasure: {tournament: {simulations: 2, pairs: 1}}\n" + twoArms

// TestSweepAuto: auto is settled once for all runs of a sweep, and goes by its folder
// from then on, whatever this processor would choose.
func TestSweepAuto(t *testing.T) {
	t.Setenv("LUDOZERO_SELF_PLAY_PRECISION", "auto")
	dir := filepath.Join(t.TempDir(), "sweep")
	file := sweepPlan(t, "tictactoe/tiny.yaml", twoArmsInATournament)
	var want plan.Config
	want.SelfPlay.Precision = "auto"
	settled := want.ResolveAuto(nil, kernel.Level())
	w, err := Read(games.All(), nil, file, dir)
	if err != nil || !slices.Equal(w.Auto, settled) || w.Base.SelfPlay.Precision != want.SelfPlay.Precision {
		t.Fatalf("a new sweep: %v, settled %q, want %q", err, w.Auto, settled)
	}
	other := map[string]string{"f32": "int8", "int8": "f32"}[want.SelfPlay.Precision]
	w.Base.SelfPlay.Precision = other // as another processor would have it
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := w.write(dir); err != nil {
		t.Fatal(err)
	}
	if w, err = Read(games.All(), nil, file, dir); err == nil {
		err = w.compare()
	}
	if err != nil || len(w.Auto) > 0 || w.Base.SelfPlay.Precision != other {
		t.Errorf("a sweep that goes on: %v, settled %q, the base has %s, want %s", err, w.Auto, w.Base.SelfPlay.Precision, other)
	}
	// What the plan sets for all runs may be auto.
	want.Train.Precision = "auto"
	want.ResolveAuto(nil, kernel.Level())
	if w, err := Read(games.All(), nil, sweepPlan(t, "tictactoe/tiny.yaml", "set: [train.precision=auto]\n"+twoArmsInATournament), t.TempDir()); err != nil || w.Base.Train.Precision != want.Train.Precision {
		t.Errorf("a plan that sets auto: %v, want %s", err, want.Train.Precision)
	}
}
