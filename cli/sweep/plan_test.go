package sweep

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/builtin"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/study/sweep"
	"github.com/ludozero/ludozero/train/plan"
)

func environment() *shell.Env {
	env, err := shell.NewEnv(builtin.Games())
	if err != nil {
		panic(err)
	}
	return env
}

// TestSweepPlans reads every plan that is checked in, with the configurations of its
// runs.
func TestSweepPlans(t *testing.T) {
	files, err := filepath.Glob("../../configs/sweeps/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("plans: %v, %v", files, err)
	}
	for _, path := range files {
		if _, err := read(environment(), path, t.TempDir()); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestPlanKeysAreDocumented holds the table of docs/sweeps.md to the keys of a plan.
func TestPlanKeysAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/sweeps.md")
	if err != nil {
		t.Fatal(err)
	}
	plans, fits, ok := strings.Cut(string(page), `<a id="fits">`)
	if !ok {
		t.Fatal("the page has no section on fits")
	}
	ofPlans, _ := configs.Keys[sweep.Plan]()
	ofFits, _ := configs.Keys[sweep.Fits]()
	for _, table := range []struct {
		text string
		want []string
	}{{plans, ofPlans}, {fits, ofFits}} {
		var got []string
		for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_.]*)` \\| (?:`[^`]*`)? ?\\|").FindAllStringSubmatch(table.text, -1) {
			got = append(got, m[1])
		}
		slices.Sort(got)
		slices.Sort(table.want)
		if !slices.Equal(got, table.want) {
			t.Errorf("the table has %v, a plan %v", got, table.want)
		}
	}
}

// TestFitPlans reads every plan that is checked in, up to the games, which are not there.
func TestFitPlans(t *testing.T) {
	files, err := filepath.Glob("../../configs/fits/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("plans: %v, %v", files, err)
	}
	for _, path := range files {
		if _, err := readFits(environment(), path, t.TempDir()); err == nil || !strings.Contains(err.Error(), "games: ") {
			t.Errorf("%s: %v, want an error about its games", path, err)
		}
	}
}

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
		if _, err := read(environment(), sweepPlan(t, "tictactoe/tiny.yaml", limit+"\n"+tournament+share), t.TempDir()); err != nil {
			t.Errorf("decay_share with %s: %v", limit, err)
		}
	}
}

// TestSweepSet has all runs begin with what the plan sets, where it does not vary it.
func TestSweepSet(t *testing.T) {
	measure := "core_time: 1s\nmeasure: {tournament: {simulations: 4}}\n"
	w, err := read(environment(), sweepPlan(t, "tictactoe/tiny.yaml", measure+"set: [train.batch=48, train.warmup_steps=7]\n"+twoArms), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if w.base.Train.Batch != 48 || w.base.Train.WarmupSteps != 7 {
		t.Errorf("base: batch %d, warm-up %d", w.base.Train.Batch, w.base.Train.WarmupSteps)
	}
	if _, err := read(environment(), sweepPlan(t, "tictactoe/tiny.yaml", measure+"set: [train.batch=16]\n"+twoArms), t.TempDir()); err == nil || !strings.Contains(err.Error(), "base and batch come to the same configuration") {
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
	w, err := read(environment(), file, dir)
	if err != nil || !slices.Equal(w.auto, settled) || w.base.SelfPlay.Precision != want.SelfPlay.Precision {
		t.Fatalf("a new sweep: %v, settled %q, want %q", err, w.auto, settled)
	}
	other := map[string]string{"f32": "int8", "int8": "f32"}[want.SelfPlay.Precision]
	w.base.SelfPlay.Precision = other // as another processor would have it
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := w.write(dir); err != nil {
		t.Fatal(err)
	}
	if w, err = read(environment(), file, dir); err == nil {
		err = w.compare(dir)
	}
	if err != nil || len(w.auto) > 0 || w.base.SelfPlay.Precision != other {
		t.Errorf("a sweep that goes on: %v, settled %q, the base has %s, want %s", err, w.auto, w.base.SelfPlay.Precision, other)
	}
	// What the plan sets for all runs may be auto.
	want.Train.Precision = "auto"
	want.ResolveAuto(nil, kernel.Level())
	if w, err := read(environment(), sweepPlan(t, "tictactoe/tiny.yaml", "set: [train.precision=auto]\n"+twoArmsInATournament), t.TempDir()); err != nil || w.base.Train.Precision != want.Train.Precision {
		t.Errorf("a plan that sets auto: %v, want %s", err, want.Train.Precision)
	}
}
