package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/train/rundir"
)

// TestNightKeepsItsProgram: scripts/night.sh resumes a run with the program and the
// configuration that began it, whatever has become of the tree since.
func TestNightKeepsItsProgram(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("this machine: has no bash")
	}
	tree := t.TempDir()
	script, err := os.ReadFile("../scripts/night.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"scripts", "bin"} {
		if err := os.Mkdir(filepath.Join(tree, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(tree, "bin", "ludozero")
	if err := os.WriteFile(filepath.Join(tree, "scripts", "night.sh"), script, 0o777); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, program)
	}
	if err != nil {
		t.Fatal(err)
	}
	night := func(args ...string) (string, error) {
		c := exec.CommandContext(t.Context(), filepath.Join(tree, "scripts", "night.sh"), args...)
		c.Env = append(os.Environ(), asCommand+"=1")
		out, err := c.CombinedOutput()
		return string(out), err
	}
	run := filepath.Join(tree, "runs", "night")
	if out, err := night("tictactoe/tiny", "runs/night", "--set", "speed=3"); err == nil || !strings.Contains(out, `unknown key "speed"`) {
		t.Fatalf("a wrong key: %v\n%s", err, out)
	}
	// Nothing has begun: the program may still change.
	if err := os.WriteFile(filepath.Join(run, "ludozero"), []byte("#!/bin/sh\nexit 4\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if out, err := night("tictactoe/tiny", "runs/night", "--no-rating", "--set", "generations=1", "--set", "seed=7"); err != nil {
		t.Fatalf("beginning: %v\n%s", err, out)
	}

	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho the program of another tree\nexit 3\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	out, err := night("konreh/overnight", "runs/night", "--no-rating", "--set", "generations=2")
	if err != nil || !strings.Contains(out, "goes on with runs/night/ludozero, the program of this run, which is of tictactoe and keeps the configuration") {
		t.Fatalf("resuming: %v\n%s", err, out)
	}
	if got, err := rundir.Generations(run); err != nil || !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("generations %v, %v: want 0 to 2", got, err)
	}

	if err := os.Remove(filepath.Join(run, "ludozero")); err != nil {
		t.Fatal(err)
	}
	if out, err := night("tictactoe/tiny", "runs/night"); err == nil || !strings.Contains(out, "another tree") {
		t.Errorf("without the kept program: %v\n%s\nwant the tree's", err, out)
	}

	pack := filepath.Join(tree, "runs", "pack")
	mustCall(t, "runs", "pack", run, "--out", pack)
	before, err := os.ReadDir(pack)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := night("tictactoe/tiny", "runs/pack"); err == nil || !strings.Contains(out, "another tree") {
		t.Errorf("a pack: %v\n%s\nwant the tree's program", err, out)
	}
	if after, err := os.ReadDir(pack); err != nil || len(after) != len(before) {
		t.Errorf("a pack holds %v, %v: want %v as before", after, err, before)
	}
}
