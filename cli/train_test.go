package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/train"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/train/rundir"
)

// tiny are the words of a training of a second at most.
func tiny(dir string, more ...string) []string {
	return append([]string{"train", "--config", "../configs/tictactoe/tiny.yaml", "--run", dir,
		"--set", "games_per_generation=8", "--set", "evaluation.match.pairs=2"}, more...)
}

// TestRunFiles has every run file that is checked in resolved as train would.
func TestRunFiles(t *testing.T) {
	files, err := filepath.Glob("../configs/*/*.yaml")
	if err != nil || len(files) < 6 {
		t.Fatalf("run files: %v, %v, want at least two for each of three games", files, err)
	}
	for _, path := range files {
		if kind := filepath.Base(filepath.Dir(path)); kind == "sweeps" || kind == "fits" {
			continue // plans, no run files
		}
		cfg, err := train.Config(builtinEnv(), path, t.TempDir(), nil)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if game := filepath.Base(filepath.Dir(path)); cfg.Game != game {
			t.Errorf("%s: game %s", path, cfg.Game)
		}
		if len(cfg.Evaluation.Opponents) == 0 {
			t.Errorf("%s: the network is measured against nobody", path)
		}
	}
}

// TestTrainSaysAllThatIsWrong wants everything that can be known before any
// work, each with its source, and nothing done.
func TestTrainSaysAllThatIsWrong(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "run.yaml")
	const text = "game: tictactoe\nrules: standard\ngenerations: 1\nspeed: high\ntrain:\n  batch: many\nmodel:\n  channels: 7\nself_play:\n  search: 5\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LUDOZERO_TRAIN_BACH", "5")
	t.Setenv("LUDOZERO_WINDOW_MIN_POSITIONS", "few")
	dir := filepath.Join(root, "run")
	all := []string{
		file + `:4: unknown key "speed"`,
		file + ":6: train.batch:",
		file + ":8: model.channels",
		file + ":10: self_play.search: want a section",
		"environment LUDOZERO_TRAIN_BACH: no such setting; did you mean LUDOZERO_TRAIN_BATCH?",
		`environment LUDOZERO_WINDOW_MIN_POSITIONS: window.min_positions: "few"`,
		`override colour=red: unknown key "colour"`,
		"override generations: want key=value",
		"override passes_per_position=0: passes_per_position: 0",
		`evaluation.opponents: player "nonsense"`,
		`evaluation.opponents: player "minimax:depth=0"`,
	}
	set := []string{"--set", "colour=red", "--set", "generations", "--set", "passes_per_position=0",
		"--set", `evaluation.opponents=[random, nonsense, "minimax:depth=0"]`}
	mustFail(t, 2, append([]string{"train", "--config", file, "--run", dir}, set...), all...)
	mustFail(t, 2, append([]string{"train", "--config", file}, set...), append(all, "--run is required")...)
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("a refused configuration left %s: %v", dir, err)
	}
	mustFail(t, 2, []string{"train"}, "--run is required", "--config is required")
	mustFail(t, 2, []string{"train", "--run", dir}, "--config is required")
	mustFail(t, 2, []string{"train", "--run", dir, "--config", file + "l"}, "open "+file+"l:")
}

func TestOpponentThatCannotBeMadeIsRefusedBeforeTraining(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	mustFail(t, 2, tiny(dir, "--set", `evaluation.opponents=["net:missing,sims=1", "net:`+weightFile(t, "connect4")+`,sims=1"]`),
		"no file or folder missing", "network plays connect4, not ")
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("a refused configuration left %s: %v", dir, err)
	}
}

// TestGrowthIsTold trains one generation that grows and one of fresh weights, and
// lists the run afterwards.
func TestGrowthIsTold(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "run")
	config := filepath.Join(root, "growth.yaml")
	text, err := os.ReadFile("../configs/tictactoe/tiny.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, "\ngrowth:\n  - {generation: 1, blocks: 2, channels: 16}\n  - {generation: 2, channels: 8, passes: 1}\n"...)
	if err := os.WriteFile(config, text, 0o666); err != nil {
		t.Fatal(err)
	}
	out := mustCall(t, tiny(dir, "--config", config, "--set", "generations=2", "--no-rating")...)
	for _, want := range []string{"generation 1: network grown to 2x16, ", "generation 2: fresh network of 2x8, "} {
		if !strings.Contains(out, want) {
			t.Errorf("train says\n%s\nwant %q", out, want)
		}
	}
	if out := mustCall(t, "runs", root); !strings.Contains(out, "finished") {
		t.Errorf("runs says\n%s\nwant the run finished", out)
	}
}

// TestTrainJSON reads every line of a run and its rating.
func TestTrainJSON(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	out := mustCall(t, tiny(dir, "--set", "generations=1", "--json")...)
	var kinds []string
	var results []match.Result
	for line := range strings.Lines(out) {
		if strings.Contains(line, `"score"`) {
			results = append(results, decode[match.Result](t, line))
			continue
		}
		e := decode[rundir.Event](t, line)
		if e.Time.IsZero() {
			t.Errorf("event without a time: %s", line)
		}
		switch {
		case e.Start != nil:
			kinds = append(kinds, "start")
		case e.SelfPlay != nil && e.SelfPlay.Done && e.SelfPlay.Games == 8:
			kinds = append(kinds, "played")
		case e.Training != nil && e.Training.Done:
			kinds = append(kinds, "learned")
		case e.Checkpoint != nil:
			kinds = append(kinds, "saved")
		case e.Stop != nil:
			kinds = append(kinds, e.Stop.Reason)
		default:
			t.Errorf("unexpected event %s", line)
		}
	}
	if got, want := strings.Join(kinds, " "), "start played learned saved generations"; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	if len(results) != 2 || results[0].A == results[1].A || results[0].Games != nil {
		t.Errorf("ratings %+v, want those of two networks", results)
	}
	if kept, err := ratings.Read(builtinEnv().Families, dir); err != nil || len(kept) != 2 || !kept[0].Final || len(kept[0].Result.Games) != 4 {
		t.Errorf("%s holds %d matches, %v, want 2 with 4 games each", ratings.File, len(kept), err)
	}
}

// TestRunGoesOn resumes with the run's own configuration, for longer.
func TestRunGoesOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	mustCall(t, tiny(dir, "--set", "generations=1", "--no-rating")...)
	if _, err := os.Stat(filepath.Join(dir, ratings.File)); !os.IsNotExist(err) {
		t.Errorf("--no-rating left a rating: %v", err)
	}
	t.Setenv("LUDOZERO_GENERATIONS", "2")
	out := mustCall(t, "train", "--run", dir, "--set", "budget=1h", "--set", "workers=1", "--set", "evaluation.opponents=[]")
	for _, want := range []string{"goes on at generation 1: tictactoe", "all generations trained; the newest network is in " + dir} {
		if !strings.Contains(out, want) {
			t.Errorf("the resumed run says\n%swant %q", out, want)
		}
	}
	if strings.Contains(out, "strength at") {
		t.Errorf("without opponents there is no rating:\n%s", out)
	}
	out = mustCall(t, "train", "--run", dir, "--no-rating")
	if !strings.Contains(out, "goes on at generation 2") || strings.Contains(out, "learns") {
		t.Errorf("a finished run worked on:\n%s", out)
	}
	if g, err := rundir.Generations(dir); err != nil || len(g) != 3 {
		t.Errorf("generations %v, %v, want 0, 1 and 2", g, err)
	}
}

func TestFixedKeysOfARun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	mustCall(t, tiny(dir, "--set", "generations=1", "--no-rating")...)
	before := tree(t, dir)
	t.Setenv("LUDOZERO_TRAIN_BATCH", "64")
	mustFail(t, 2, []string{"train", "--run", dir, "--set", "seed=9", "--set", "generations=2"},
		"seed is 1 in run "+dir+", now 9", "train.batch is 32 in run "+dir+", now 64", "a run cannot change it")
	if after := tree(t, dir); after != before {
		t.Errorf("a refused change touched the run:\n%s\nbefore:\n%s", after, before)
	}
}

// tree lists the files of a folder with their sizes and times.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			fmt.Fprintln(&b, path, info.Size(), info.ModTime())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPlainLines: what is not a terminal gets whole lines without control
// characters, and progress only now and then.
func TestPlainLines(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	out, errOut, err := call(t, "", tiny(dir, "--set", "generations=2")...)
	if err != nil {
		t.Fatal(err)
	}
	if errOut != "" {
		t.Errorf("a short run says %q beside its results", errOut)
	}
	if strings.ContainsAny(out, "\r\x1b") || !strings.HasSuffix(out, "\n") {
		t.Errorf("no plain lines: %q", out)
	}
	first, _, _ := strings.Cut(out, "\n\n")
	for line := range strings.Lines(first + "\n") {
		if !regexp.MustCompile(`^\d+:\d\d:\d\d  \S`).MatchString(line) || len(line) > 120 {
			t.Errorf("line %q", line)
		}
	}
	for _, want := range []string{"generation 1 plays: 8 games", "generation 1 learns: step", "all generations trained; the newest network is in " + dir,
		"\ngeneration 2    against random ", "\nuntrained       against random ", "ludozero match --game tictactoe"} {
		if !strings.Contains(out, want) {
			t.Errorf("output has no %q:\n%s", want, out)
		}
	}
}

// TestTrainFromTheProgramAlone takes a run file by name where there are no files.
func TestTrainFromTheProgramAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	mustCall(t, "train", "--config", "tictactoe/tiny", "--run", "first", "--set", "generations=1", "--no-rating")
	if generations, err := rundir.Generations("first"); err != nil || len(generations) != 2 {
		t.Errorf("checkpoints %v, %v, want two", generations, err)
	}
	mustFail(t, 2, []string{"train", "--config", "tictactoe/tine", "--run", "second"}, "tictactoe/tiny")
}

// TestLostConfiguration: a run with checkpoints exists, even without config.yaml.
func TestLostConfiguration(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	first := tiny(dir, "--no-rating", "--set", "generations=1")
	mustCall(t, first...)
	path := filepath.Join(dir, rundir.ConfigFile)
	before, err := os.ReadFile(path)
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	for code, commands := range map[int][][]string{
		2: {{"train", "--run", dir}, {"fit", "--run", dir}, {"data", "reproduce", dir}},
		1: {{"report", dir, "--text"}, {"runs", "pack", dir, "--out", filepath.Join(t.TempDir(), "pack")}},
	} {
		for _, args := range commands {
			mustFail(t, code, args, path+" is missing, but there is a checkpoint 1: put the file back", "--config")
		}
	}
	mustFail(t, 1, append(first, "--set", "seed=5"), "of a run with configuration")
	mustCall(t, first...)
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("config.yaml is another: %v", err)
	}
}
