package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/report/trained"
	"github.com/ludozero/ludozero/train/run"
	"github.com/ludozero/ludozero/train/rundir"
)

// source trains two generations of a run called first.
func source(t testing.TB, root string) string {
	t.Helper()
	dir := filepath.Join(root, "first")
	mustCall(t, tiny(dir, "--set", "generations=2", "--set", "window.min_positions=60", "--no-rating")...)
	return dir
}

// TestForkOfARun goes the way of a user: forks a run, with a larger network, looks
// at it, deletes the source and goes on.
func TestForkOfARun(t *testing.T) {
	root := t.TempDir()
	first, second := source(t, root), filepath.Join(root, "second")
	out := mustCall(t, "train", "--from", first+"@1", "--run", second, "--set", "model.blocks=2", "--set", "generations=1")
	for _, want := range []string{"fork of first@1 with the last ", "generation 0 plays: 8 games", "first           against random"} {
		if !strings.Contains(out, want) {
			t.Errorf("train --from says\n%s\nwant %q", out, want)
		}
	}
	if cfg := string(mustRead(t, filepath.Join(second, "config.yaml"))); !strings.Contains(cfg, "min_positions: 60") || !strings.Contains(cfg, "blocks: 2") {
		t.Errorf("the fork's configuration is not the source's with another network:\n%s", cfg)
	}
	list := listRuns(t, root)
	if len(list) != 2 || list[0].Origin != "" || list[1].Origin != "first@1" || list[1].Problem != "" || list[1].Games != 8 {
		t.Errorf("runs lists %+v", list)
	}
	if out := mustCall(t, "runs", root); !strings.Contains(out, "second from first@1  finished") {
		t.Errorf("runs prints\n%s", out)
	}
	out = mustCall(t, "runs", "compare", first, second)
	for _, want := range []string{second + " from first@1  finished", "model.blocks  1  2", "random    first  "} {
		if !strings.Contains(out, want) {
			t.Errorf("runs compare prints\n%s\nwant %q", out, want)
		}
	}
	if err := os.RemoveAll(first); err != nil {
		t.Fatal(err)
	}
	mustCall(t, "train", "--run", second, "--set", "generations=2", "--no-rating")
	mustCall(t, "train", "--from", first+"@1", "--run", second, "--set", "generations=3", "--no-rating")
	mustCall(t, "selfplay", "--run", second)
	mustCall(t, "fit", "--run", second)
	if g, err := rundir.Generations(second); err != nil || len(g) != 5 {
		t.Errorf("Generations = %v, %v, want 0 to 4", g, err)
	}
	mustCall(t, "data", "check", second)
	mustCall(t, "data", "check", filepath.Join(second, "inherited", "1"))
	if out := mustCall(t, "data", "reproduce", second, "--all"); !strings.Contains(out, "32 games, ") {
		t.Errorf("data reproduce says %s", out)
	}
	last, err := rundir.LastState(second)
	if err != nil {
		t.Fatal(err)
	}
	if out := mustCall(t, "data", "stat", second); !strings.Contains(out, "of run "+last.Run) {
		t.Errorf("data stat says\n%s", out)
	}
	mustFail(t, 2, []string{"train", "--from", first, "--run", filepath.Join(root, "third")}, first+": it is no run")
}

func mustRead(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestForkCountsGrowthOn: what of the source's growth is still to come comes so
// many generations earlier.
func TestForkCountsGrowthOn(t *testing.T) {
	root := t.TempDir()
	first, second := filepath.Join(root, "first"), filepath.Join(root, "second")
	mustCall(t, tiny(first, "--set", "generations=2", "--set", "growth=[{generation: 1, blocks: 2}, {generation: 3, blocks: 3}]", "--no-rating")...)
	mustCall(t, "train", "--from", first, "--run", second, "--set", "generations=1", "--no-rating")
	if list := listRuns(t, root); list[1].Problem != "" {
		t.Errorf("the fork has the problem %q", list[1].Problem)
	}
	cfg := string(mustRead(t, filepath.Join(second, "config.yaml")))
	if !strings.Contains(cfg, "generation: 1\n") || strings.Contains(cfg, "generation: 3\n") || !strings.Contains(cfg, "  blocks: 2\n") {
		t.Errorf("the fork is to have 2 blocks, and 3 from generation 1:\n%s", cfg)
	}
}

func TestForkSaysWhatIsWrong(t *testing.T) {
	root := t.TempDir()
	first, second := source(t, root), filepath.Join(root, "second")
	train := func(args ...string) []string { return append([]string{"train"}, args...) }
	mustFail(t, 2, train("--from", first), "--run is required")
	mustFail(t, 2, train("--run", second, "--fresh-window"), "--fresh-window: want --from")
	mustFail(t, 2, train("--from", first+"@3", "--run", second), "no checkpoint of generation 3; the last is 2")
	mustFail(t, 2, train("--from", root, "--run", second), root+": it is no run")
	mustFail(t, 1, train("--from", first, "--run", filepath.Join(first, "shards", "second")), "forked into itself")
	mustFail(t, 2, train("--from", first, "--run", second, "--set", "seeed=2"), "seeed")
	mustFail(t, 2, train("--from", first, "--run", second, "--set", "evaluation.opponents=[nobody]"), "evaluation.opponents")
	mustFail(t, 1, train("--from", first, "--run", second, "--config", "../configs/connect4/tiny.yaml"), "game: connect4: want tictactoe")
	mustFail(t, 1, tiny(first, "--from", first, "--set", "generations=2", "--set", "window.min_positions=60"), "is no fork")
	if shell.IsDir(second) {
		t.Errorf("a refused fork has left %s", second)
	}
	// A folder may have an @ in its name.
	odd := copyOf(t, first, filepath.Join(root, "odd@1"))
	for word, want := range map[string]run.Fork{
		odd: {Dir: odd, Generation: -1}, odd + "@2": {Dir: odd, Generation: 2}, "x@y": {Dir: "x@y", Generation: -1}, "a@-1": {Dir: "a@-1", Generation: -1},
	} {
		if dir, generation := shell.ParseRun(word); dir != want.Dir || generation != want.Generation {
			t.Errorf("ParseRun(%q) = %s, %d, want %+v", word, dir, generation, want)
		}
	}
}

// TestKilledForkGoesOn kills forks where they write. What is left is no run, or
// all of it; the same command makes the fork that nobody touched.
func TestKilledForkGoesOn(t *testing.T) {
	root := t.TempDir()
	first := source(t, root)
	fork := func(dir string, env ...string) *exec.Cmd {
		return command(env, "train", "--from", first, "--run", dir, "--set", "generations=1", "--no-rating")
	}
	whole := filepath.Join(root, "whole", "fork")
	if out, err := fork(whole).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, points := range [][]string{
		{"mid-write@inherited", "before-rename@inherited"},
		{"after-rename@inherited", "before-remove@inherited", "mid-remove@inherited"},
		{"mid-write@origin.json", "before-rename@origin.json", "after-rename@origin.json"},
		{"mid-write@config.yaml", "after-rename@config.yaml"},
		{"mid-write@checkpoints", "before-rename@checkpoints"},
	} {
		dir := filepath.Join(root, strings.ReplaceAll(points[0], "@", "-"), "fork")
		for _, point := range points {
			c := fork(dir, "LUDOZERO_FAULT="+point)
			var output bytes.Buffer
			c.Stdout, c.Stderr = &output, &output
			if !killed(t, c, c.Run(), &output) {
				t.Fatalf("%s: the fork was not killed\n%s", point, &output)
			}
			if list := listRuns(t, filepath.Dir(dir)); len(list) != 1 || len(list[0].Networks) > 0 || list[0].State == trained.StateFinished {
				t.Errorf("%s: after the kill runs lists %+v", point, list)
			}
			// Before there are inherited shards, or when they were removed, the folder is empty.
			empty := slices.Contains([]string{"mid-write@inherited", "before-rename@inherited", "mid-remove@inherited"}, point)
			if half, err := rundir.HalfForked(dir); err != nil || half == empty {
				t.Errorf("%s: half a fork: %t, %v", point, half, err)
			} else if half {
				mustFail(t, 1, tiny(dir, "--set", "generations=1", "--set", "window.min_positions=60"), "its fork was not finished")
			}
		}
		if out, err := fork(dir).CombinedOutput(); err != nil {
			t.Fatalf("after %v: %v\n%s", points, err, out)
		}
		want, got := digest(t, whole), digest(t, dir)
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("after %v: %s differs from that of the whole fork", points, name)
			}
		}
		if len(got) != len(want) {
			t.Errorf("after %v: %d files, want %d", points, len(got), len(want))
		}
	}
}
