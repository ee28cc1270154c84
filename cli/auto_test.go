package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/bench"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/study/sweep"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// autoTiny is a training of tic-tac-toe whose configuration says auto for its
// number formats, by kernels of a level.
func autoTiny(t *testing.T, level, dir, stage string, more ...string) (string, error) {
	t.Helper()
	words := []string{stage, "--run", dir, "--set", "self_play.precision=auto", "--set", "games_per_generation=8"}
	if stage == "train" {
		words = append(words, "--no-rating")
	}
	if !slices.Contains(more, "--from") {
		words = append(words, "--config", "../configs/tictactoe/tiny.yaml")
	}
	var out bytes.Buffer
	c := command([]string{kernel.EnvVariant + "=" + level}, append(words, more...)...)
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	return out.String(), err
}

// mustAuto is autoTiny without an error.
func mustAuto(t *testing.T, level, dir, stage string, more ...string) string {
	t.Helper()
	out, err := autoTiny(t, level, dir, stage, more...)
	if err != nil {
		t.Fatalf("%s at level %s: %v\n%s", stage, level, err, out)
	}
	return out
}

// formats are what a run has for its number formats.
func formats(t *testing.T, path string) [2]string {
	t.Helper()
	cfg, err := configs.Load(configs.DefaultRun(games.All()), path, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return [2]string{cfg.SelfPlay.Precision, cfg.Train.Precision}
}

// TestAutoStays: what auto comes to is settled when a run is created. Here kernels
// without vectors do that; the run goes on with the best ones as it began, by the
// same words, and a fork settles it anew.
func TestAutoStays(t *testing.T) {
	root := t.TempDir()
	dir, fork := filepath.Join(root, "run"), filepath.Join(root, "fork")
	best := kernel.Levels()[len(kernel.Levels())-1]
	both := []string{"--set", "train.precision=auto"}
	if out := mustAuto(t, "generic", dir, "selfplay", both...); !strings.Contains(out, "self_play.precision=f32, train.precision=f32 (auto)") {
		t.Errorf("a new run says\n%s", out)
	}
	if out := mustAuto(t, best, dir, "fit", both...); strings.Contains(out, "auto") {
		t.Errorf("a run that goes on says\n%s", out)
	}
	mustAuto(t, best, dir, "train", append(both, "--set", "generations=2")...)
	config := filepath.Join(dir, "config.yaml")
	if got := formats(t, config); got != [2]string{"f32", "f32"} {
		t.Errorf("the run has %v", got)
	}
	var want plan.Config
	want.SelfPlay.Precision, want.Train.Precision = "auto", "auto"
	settled := strings.Join(want.ResolveAuto(nil, kernel.Level()), ", ")
	out := mustAuto(t, kernel.Level(), fork, "train", append(both, "--from", dir, "--set", "generations=1")...)
	if !strings.Contains(out, settled+" (auto)") || formats(t, filepath.Join(fork, "config.yaml")) != [2]string{want.SelfPlay.Precision, want.Train.Precision} {
		t.Errorf("a fork with auto, want %s:\n%s", settled, out)
	}
	events, err := rundir.ReadEvents(fork)
	if err != nil || len(events) == 0 || events[0].Start == nil || events[0].Start.SelfPlayPrecision != want.SelfPlay.Precision || events[0].Start.TrainPrecision != want.Train.Precision {
		t.Errorf("the fork begins with %+v, %v", events, err)
	}
	mustCall(t, "data", "reproduce", fork, "--all")
}

// movable are a level that makes int8 faster and one with the same arithmetic that
// does not, if this processor has them.
func movable(t *testing.T) (fast, slow string) {
	t.Helper()
	levels := kernel.Levels()
	for _, pair := range [][2]string{{"amx", "avx512"}, {"avx512vnni", "avx512"}, {"avx2vnni", "avx2"}} {
		if slices.Contains(levels, pair[0]) && slices.Contains(levels, pair[1]) {
			return pair[0], pair[1]
		}
	}
	t.Skipf("this machine: no level of this processor makes int8 faster: %v", levels)
	return "", ""
}

// TestAutoMovedToALesserLevel: the rest of a run in int8 is the same to the byte on a
// processor that is slower at it.
func TestAutoMovedToALesserLevel(t *testing.T) {
	fast, slow := movable(t)
	whole, moved := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "run")
	mustAuto(t, fast, whole, "train", "--set", "generations=2")
	mustAuto(t, fast, moved, "train", "--set", "generations=1")
	mustAuto(t, slow, moved, "train", "--set", "generations=2")
	if got := formats(t, filepath.Join(moved, "config.yaml")); got != [2]string{"int8", "f32"} {
		t.Errorf("the moved run has %v, want int8 and f32", got)
	}
	want, got := digest(t, whole), digest(t, moved)
	for name, content := range want {
		if got[name] != content {
			t.Errorf("%s is another in the moved run", name)
		}
	}
	if len(got) != len(want) || len(want) < 10 {
		t.Errorf("%d and %d files", len(want), len(got))
	}
}

// TestAutoTrainingMoved: matrix units train in bfloat16. Elsewhere the run is refused
// and untouched; the way on that the error names works.
func TestAutoTrainingMoved(t *testing.T) {
	fast, slow := movable(t)
	if fast != "amx" {
		t.Skip("this machine: this processor has no matrix units")
	}
	root := t.TempDir()
	dir, fork := filepath.Join(root, "run"), filepath.Join(root, "fork")
	mustAuto(t, fast, dir, "train", "--set", "train.precision=auto", "--set", "generations=1")
	if got := formats(t, filepath.Join(dir, "config.yaml")); got != [2]string{"int8", "bf16"} {
		t.Errorf("the run has %v, want int8 and bf16", got)
	}
	before := tree(t, dir)
	out, err := autoTiny(t, slow, dir, "train", "--set", "train.precision=auto", "--set", "generations=2")
	if err == nil || !strings.Contains(out, "train.precision: bf16: bfloat16: the kernels of level "+slow) || !strings.Contains(out, "--from "+dir+" --set train.precision=auto") {
		t.Errorf("the moved run: %v\n%s", err, out)
	}
	if tree(t, dir) != before {
		t.Error("the refused run was touched")
	}
	mustAuto(t, slow, fork, "train", "--from", dir, "--set", "train.precision=auto", "--set", "generations=1")
	if got := formats(t, filepath.Join(fork, "config.yaml")); got != [2]string{"f32", "f32"} {
		t.Errorf("the fork has %v, want f32 for both", got)
	}
}

func TestBenchAuto(t *testing.T) {
	var want plan.Config
	want.SelfPlay.Precision, want.Train.Precision = "auto", "auto"
	settled := want.ResolveAuto(nil, kernel.Level())
	out, errOut, err := call(t, "", benchArgs("--set", "self_play.precision=auto", "--set", "train.precision=auto", "--only", "training", "--json")...)
	if err != nil || !strings.HasPrefix(errOut, strings.Join(settled, ", ")+" (auto)\n") {
		t.Fatalf("%v, and on stderr %q, want %q first", err, errOut, settled)
	}
	r := decode[bench.Report](t, out)
	if r.Subject.Precision != want.SelfPlay.Precision || r.Sections[0].Figures[0].Precision != want.Train.Precision {
		t.Errorf("measured %+v and %+v", r.Subject, r.Sections[0].Figures[0])
	}
}

const twoArmsInATournament = "generations: 1\nmeasure: {tournament: {simulations: 2, pairs: 1}}\n" + twoArms

// TestSweepAuto: runs go by the folder of their sweep, whatever this processor would
// choose.
func TestSweepAuto(t *testing.T) {
	t.Setenv("LUDOZERO_SELF_PLAY_PRECISION", "auto")
	dir := t.TempDir()
	path := sweepPlan(t, "tictactoe/tiny.yaml", twoArmsInATournament)
	base, err := configs.Load(configs.DefaultRun(games.All()), "../configs/tictactoe/tiny.yaml", nil, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	base.ResolveAuto(nil, kernel.Level())
	other := map[string]string{"f32": "int8", "int8": "f32"}[base.SelfPlay.Precision]
	base.SelfPlay.Precision = other // as another processor would have it
	swept, err := configs.Load(sweep.DefaultPlan(), path, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	swept.Config = sweep.BaseFile
	for name, data := range map[string][]byte{sweep.BaseFile: configs.Dump(base), sweep.PlanFile: configs.Dump(swept)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// A level that is the same as what auto stands for is no level.
	same := sweepPlan(t, "tictactoe/tiny.yaml", "generations: 1\nmeasure: {tournament: {simulations: 2}}\nruns: 8\nfactors: [{name: format, high: [self_play.precision="+other+"]}]\n")
	mustFail(t, 2, []string{"sweep", same, "--out", dir}, "factors: format: low and high come to the same configuration")
	mustFail(t, 2, []string{"sweep", sweepPlan(t, "tictactoe/tiny.yaml", strings.Replace(twoArmsInATournament, "train.batch=16", "self_play.precision=auto", 1)), "--out", dir},
		"arms: batch: self_play.precision=auto: want the value that it stands for")
	_, finish := sweepProcess(t, nil, path, dir)
	if r := decode[sweep.Result](t, finish()); len(r.Runs) != 4 {
		t.Errorf("runs %+v", r.Runs)
	}
	for _, name := range []string{"base-1", "batch-2"} {
		if got := formats(t, filepath.Join(dir, name, "config.yaml")); got != [2]string{other, "f32"} {
			t.Errorf("run %s has %v, want %s", name, got, other)
		}
	}
}
