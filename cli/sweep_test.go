package cli

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/study/sweep"
	"github.com/ludozero/ludozero/train/rundir"
)

// sweepPlan writes a plan that begins with a run file of this repository.
func sweepPlan(t *testing.T, config, text string) string {
	t.Helper()
	config, err := filepath.Abs("../configs/" + config)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "plan.yaml")
	if err := os.WriteFile(path, []byte("config: "+config+"\n"+text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSweepPlanNamesAConfiguration of the program, from any folder.
func TestSweepPlanNamesAConfiguration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plan.yaml")
	text := "config: tictactoe/tiny\ncore_time: 1s\nmeasure: {tournament: {simulations: 4}}\n" + twoArms
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if out := mustCall(t, "sweep", path, "--plan", "--out", filepath.Join(t.TempDir(), "s")); !strings.Contains(out, "runs of tictactoe") {
		t.Errorf("the plan is %s", out)
	}
}

// TestSweepPlayersExample: a factor may be an option that the player has by default.
func TestSweepPlayersExample(t *testing.T) {
	contains(t, mustCall(t, "sweep", "players", "mcts:sims=50", "--game", "tictactoe", "--factor", "cap=1:600", "--runs", "8", "--pairs", "2"), "cap")
}

const twoArms = `
seeds: 2
arms:
  - name: base
  - {name: batch, set: [train.batch=16]}
`

func TestSweepSaysAllThatIsWrong(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sweep")
	fails := func(config, text string, want ...string) {
		t.Helper()
		mustFail(t, 2, []string{"sweep", sweepPlan(t, config, text), "--out", dir}, want...)
	}
	tournament := "measure: {tournament: {simulations: 4}}\n"
	fails("tictactoe/tiny.yaml", "speed: high\ncore_time: fast\n"+twoArms, `unknown key "speed"`, "core_time:", "measure.score: want")
	fails("tictactoe/none.yaml", "core_time: 1s\n"+tournament+twoArms, "none.yaml")
	fails("tictactoe/tiny.yaml", "core_time: 1s\nmeasure: {score: [64]}\n"+twoArms, "measure.score: there are no positions of known value for tictactoe")
	fails("tictactoe/tiny.yaml", "core_time: 1s\n"+tournament+strings.Replace(twoArms, "batch=16", "bach=16", 1), `plan setting train.bach=16: unknown key "train.bach"`)
	fails("tictactoe/tiny.yaml", "core_time: 1s\n"+tournament+strings.Replace(twoArms, "batch=16", "batch=32", 1), "arms: base and batch come to the same configuration")
	fails("tictactoe/tiny.yaml", "core_time: 1s\nruns: 8\nfactors: [{name: batch, high: [train.batch=32]}]\n"+tournament, "factors: batch: low and high come to the same configuration")
	mustFail(t, 2, []string{"sweep", sweepPlan(t, "tictactoe/tiny.yaml", "core_time: 1s\n"+tournament+twoArms)}, "--out is required")
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("refused plans left %s: %v", dir, err)
	}
}

// TestSweepRefusesARateThatRises, as a run does.
func TestSweepRefusesARateThatRises(t *testing.T) {
	root := t.TempDir()
	plan := filepath.Join(root, "plan.yaml")
	text := strings.Replace(readText(t, "../configs/sweeps/tictactoe.yaml"), "../tictactoe/tiny.yaml", "tictactoe/tiny", 1) + "\nset: [train.decay_share=0.5, train.final_learning_rate=0.9]\n"
	if err := os.WriteFile(plan, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	mustFail(t, 2, []string{"sweep", plan, "--plan", "--out", filepath.Join(root, "out")}, "train.final_learning_rate: 0.9: want at most train.learning_rate")
}

func TestSweepPlanDoesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sweep")
	const measure = "side_by_side: 1\nmeasure: {tournament: {simulations: 4}}\n" + twoArms
	for length, want := range map[string]string{
		"core_time: 3m":  "plan       4 runs of tictactoe, 3m0s of core time each, 1 side by side\ntime       about 12 minutes with 1 at the same time, by the plan",
		"generations: 2": "plan       4 runs of tictactoe, 2 generations each, 1 side by side\ntime       unknown",
	} {
		plan := sweepPlan(t, "tictactoe/tiny.yaml", length+"\n"+measure)
		for _, args := range [][]string{nil, {"--out", dir}} {
			if out := mustCall(t, append([]string{"sweep", plan, "--plan"}, args...)...); !strings.HasPrefix(out, want) {
				t.Errorf("%s %v: the plan is\n%s", length, args, out)
			}
		}
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("a plan made its folder: %v", err)
	}
}

// TestSweepSet refuses what runs cannot differ in.
func TestSweepSet(t *testing.T) {
	measure := "core_time: 1s\nmeasure: {tournament: {simulations: 4}}\n"
	mustFail(t, 2, []string{"sweep", sweepPlan(t, "tictactoe/tiny.yaml", measure+"set: [workers=2, batch]\n"+twoArms), "--out", filepath.Join(t.TempDir(), "sweep")},
		"set: workers: it is the same for all runs", `set: "batch": want key=value`)
}

// sweepProcess is `ludozero sweep` as a process of its own, since it starts others of
// its executable.
func sweepProcess(t *testing.T, env []string, plan, dir string) (start func() func(), finish func() string) {
	words := []string{"sweep", plan, "--out", dir}
	start = func() func() { // until a run has been trained for a generation
		c := command(env, words...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
			if working := sweptNow(t, dir); len(working) > 0 {
				break
			}
			if time.Since(began) > time.Minute {
				_ = c.Process.Kill()
				t.Fatal("no run has begun within a minute")
			}
		}
		return func() {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	}
	finish = func() string {
		var out, errOut bytes.Buffer
		c := command(env, append(words, "--json")...)
		c.Stdout, c.Stderr = &out, &errOut
		if err := c.Run(); err != nil {
			t.Fatalf("%v\n%s", err, errOut.String())
		}
		return out.String()
	}
	return start, finish
}

// sweptNow lists the runs that a process works on and that have a trained network.
func sweptNow(t *testing.T, dir string) (working []string) {
	folders, err := filepath.Glob(filepath.Join(dir, "*-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if busy, err := rundir.Working(f); err == nil && busy {
			if g, err := rundir.Generations(f); err == nil && len(g) > 1 {
				working = append(working, f)
			}
		}
	}
	return working
}

// TestKilledSweepGoesOn kills a sweep of real runs twice. Its processes must not
// outlive it, and the time that they have used counts.
func TestKilledSweepGoesOn(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("runs end with their sweep on Linux only")
	}
	dir := filepath.Join(t.TempDir(), "sweep, killed") // no description of a player has a comma
	plan := sweepPlan(t, "tictactoe/tiny.yaml", "core_time: 800ms\nmeasure: {tournament: {simulations: 4, pairs: 2, opening_turns: 2}}\n"+twoArms)
	env := []string{"LUDOZERO_PASSES_PER_POSITION=3"}
	start, finish := sweepProcess(t, env, plan, dir)
	for range 2 {
		kill := start()
		kill()
		for began := time.Now(); len(sweptNow(t, dir)) > 0; time.Sleep(10 * time.Millisecond) {
			if time.Since(began) > 10*time.Second {
				t.Fatalf("%v are still worked on", sweptNow(t, dir))
			}
		}
	}
	text := finish()
	r := decode[sweep.Result](t, text)
	if len(r.Runs) != 4 || len(r.Measures) != 1 || len(r.Measures[0].Arms) != 2 {
		t.Fatalf("result %s", text)
	}
	processes := 0
	for i, o := range r.Runs {
		processes += o.Processes
		want := fmt.Sprintf("%s-%d", []string{"base", "batch"}[i/2], 1+i%2)
		if o.Name != want || o.Generation < 1 || o.Positions < 1 || o.CoreSeconds < 0.8 || o.CoreSeconds > 3 || o.Counted == nil || *o.Counted <= 0 || *o.Counted > 1 {
			t.Errorf("run %d is %+v, want %s with a network after 0.8 s of core time", i, o, want)
		}
	}
	if processes < 5 {
		t.Errorf("the runs had %d processes, though the sweep was killed", processes)
	}
	if second := finish(); second != text {
		t.Errorf("the finished sweep says\n%s\nand then\n%s", text, second)
	}
	// What a run learns afterwards is no part of the sweep.
	mustCall(t, "train", "--run", filepath.Join(dir, "base-1"), "--no-rating", "--set", fmt.Sprintf("generations=%d", r.Runs[0].Generation+1))
	if third := finish(); third != text {
		t.Errorf("the sweep said\n%s\nand after a run was trained further\n%s", text, third)
	}
	f, err := os.Open(filepath.Join(dir, sweep.RowsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if rows, err := csv.NewReader(f).ReadAll(); err != nil || len(rows) != 5 || rows[4][0] != "batch-2" {
		t.Errorf("rows %v, %v", rows, err)
	}
	// The runs have the setting of the environment, and the folder keeps to it.
	cfg, err := os.ReadFile(filepath.Join(dir, "batch-1", "config.yaml"))
	if err != nil || !strings.Contains(string(cfg), "passes_per_position: 3\n") || !strings.Contains(string(cfg), "batch: 16\n") {
		t.Errorf("configuration of a run: %v\n%s", err, cfg)
	}
	mustFail(t, 1, []string{"sweep", plan, "--out", dir}, "configuration: passes_per_position is 3 there, now 2: a sweep cannot change it")
	t.Setenv("LUDOZERO_PASSES_PER_POSITION", "3")
	other, err := os.ReadFile(plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"800ms", "900ms", "plan: core_time is 800ms there, now 900ms: a sweep cannot change it"},
		{"batch=16", "batch=8", "plan: arms: of entry 2 set is [train.batch=16] there, now [train.batch=8]: a sweep cannot change it"},
		{"{name: batch, ", "{name: small, set: [train.batch=8]}\n  - {name: batch, ", "plan: arms: of entry 2 name is batch there, now small"},
	} {
		if err := os.WriteFile(plan, bytes.Replace(other, []byte(c.old), []byte(c.new), 1), 0o666); err != nil {
			t.Fatal(err)
		}
		mustFail(t, 1, []string{"sweep", plan, "--out", dir}, c.want)
	}
	// The folder has the plan.
	if out := mustCall(t, "sweep", filepath.Join(dir, sweep.PlanFile), "--out", dir); !strings.Contains(out, "less base, over equal seeds") {
		t.Errorf("the sweep says\n%s", out)
	}
}

// TestSweepGrows by a seed and an arm: runs that have ended stay as they are, and a
// smaller plan is refused.
func TestSweepGrows(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sweep")
	small := "generations: 1\nmeasure: {tournament: {simulations: 4, pairs: 1, opening_turns: 2}}" + twoArms
	more := strings.Replace(small, "seeds: 2", "seeds: 3", 1)
	most := more + "  - {name: small, set: [train.batch=8]}\n"
	swept := func(text string) sweep.Result {
		_, finish := sweepProcess(t, nil, sweepPlan(t, "tictactoe/tiny.yaml", text), dir)
		return decode[sweep.Result](t, finish())
	}
	network := func() []byte {
		b, err := os.ReadFile(rundir.WeightsPath(filepath.Join(dir, "batch-2"), 1))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	swept(small)
	before := network()
	for _, c := range []struct{ text, want string }{
		{more, "base-1 base-2 base-3 batch-1 batch-2 batch-3"},
		{most, "base-1 base-2 base-3 batch-1 batch-2 batch-3 small-1 small-2 small-3"},
	} {
		var names []string
		for _, o := range swept(c.text).Runs {
			names = append(names, o.Name)
			if o.Generation != 1 || o.Processes != 1 {
				t.Errorf("run %+v: want one generation by one process", o)
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("runs %s, want %s", got, c.want)
		}
	}
	if !bytes.Equal(network(), before) {
		t.Error("a network that was there is another one now")
	}
	for _, c := range []struct{ text, want string }{
		{more, "plan: arms: the number of entries is 3 there, now 2: a sweep cannot change it"},
		{strings.Replace(most, "seeds: 3", "seeds: 2", 1), "plan: seeds is 3 there, now 2: a sweep cannot change it"},
		{strings.Replace(most, "batch=8", "batch=4", 1) + "  - {name: tiny, set: [train.batch=2]}\n", "plan: arms: of entry 3 set is [train.batch=8] there, now [train.batch=4]"},
		{strings.Replace(most, "generations: 1\n", "generations: 2\nseed: 2\n", 1) + "  - {name: tiny, set: [train.batch=2]}\n", "plan: seed is 1 there, now 2"},
	} {
		mustFail(t, 1, []string{"sweep", sweepPlan(t, "tictactoe/tiny.yaml", c.text), "--out", dir}, c.want)
	}
	if n := len(swept(most).Runs); n != 9 {
		t.Errorf("after refused plans there are %d runs, want 9", n)
	}
}

// TestSweepScores the networks of a factorial design in positions of known value, by
// generations.
func TestSweepScores(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sweep")
	plan := sweepPlan(t, "connect4/tiny.yaml", `
generations: 1
measure: {score: [1]}
runs: 8
factors: [{name: games, low: [games_per_generation=2], high: [games_per_generation=4]}]
`)
	_, finish := sweepProcess(t, nil, plan, dir)
	r := decode[sweep.Result](t, finish())
	if len(r.Runs) != 8 || len(r.Measures) != 1 || r.Measures[0].Name != "score_1" {
		t.Fatalf("result %+v", r)
	}
	sums := map[bool]float64{}
	for i, o := range r.Runs {
		high := strings.HasSuffix(o.Name, "h")
		games := map[bool]int{false: 2, true: 4}[high]
		if o.Games != games || o.Generation != 1 || o.Seed != uint64(i+1) {
			t.Errorf("run %+v: want %d games with seed %d", o, games, i+1)
		}
		v := o.Values[0]
		if v.Value < 10 || v.Value > 90 || v.Low >= v.Value || v.High <= v.Value {
			t.Errorf("run %s keeps %v percent", o.Name, v)
		}
		sums[high] += v.Value / 4
	}
	fit := r.Measures[0].Fit
	if fit.Freedom != 6 || fit.Effects[0].Value-(sums[true]-sums[false]) > 1e-9 || fit.Effects[0].Value-(sums[true]-sums[false]) < -1e-9 {
		t.Errorf("fit %+v, the means are %v", fit, sums)
	}
}
