package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/run"
)

var kills = flag.Int("kills", 20, "how often TestKilledRunGoesOn kills its run")

// asCommand makes the test binary behave as ludozero, so that a test can start
// and kill real processes.
const asCommand = "TEST_BE_LUDOZERO"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	flag.Parse()
	os.Exit(m.Run())
}

// command is a ludozero process with extra environment variables.
func command(env []string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(append(os.Environ(), asCommand+"=1"), env...)
	return c
}

func trainTiny(dir string, env ...string) *exec.Cmd {
	return command(env, "train", "--config", "../../configs/tictactoe/tiny.yaml", "--run", dir, "--no-rating")
}

// digest maps the files of a run that must not depend on interruptions to
// their bytes. State files hold the time spent, which does.
func digest(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, part := range []string{"shards", "checkpoints"} {
		err := filepath.WalkDir(filepath.Join(dir, part), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() == "state.json" {
				return err
			}
			b, err := os.ReadFile(path)
			name, _ := filepath.Rel(dir, path)
			files[name] = string(b)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// killed tells whether a finished process was killed, and fails the test if it
// ended in any other way than that or well.
func killed(t *testing.T, c *exec.Cmd, err error, output *bytes.Buffer) bool {
	t.Helper()
	if err == nil {
		return false
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if s, ok := exit.Sys().(syscall.WaitStatus); ok && s.Signaled() && s.Signal() == syscall.SIGKILL {
			return true
		}
	}
	t.Fatalf("%v: %v\n%s", c.Args, err, output)
	return false
}

// TestKilledRunGoesOn kills a run again and again, at random moments and at the
// most delicate ones, and demands the files of a run that nobody touched.
func TestKilledRunGoesOn(t *testing.T) {
	root := t.TempDir()
	whole, torn := filepath.Join(root, "a", "tiny"), filepath.Join(root, "b", "tiny")
	began := time.Now()
	if out, err := trainTiny(whole).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	length := time.Since(began)

	rng := rand.New(rand.NewPCG(1, 2))
	points := []string{"before-rename", "mid-write", "after-rename"}
	hits := 0
	for i := 0; hits < *kills; i++ {
		if i > 10*(*kills) {
			t.Fatalf("only %d of %d attempts met the run alive", hits, i)
		}
		if g, err := run.Generations(torn); err == nil && len(g) > 0 && g[len(g)-1] == 3 {
			// Finished before enough kills: begin another run.
			compareRuns(t, whole, torn)
			if err := os.RemoveAll(torn); err != nil {
				t.Fatal(err)
			}
		}
		var env []string
		if i%2 == 0 {
			env = append(env, fmt.Sprintf("LUDOZERO_FAULT=%s:%d", points[i/2%len(points)], 1+rng.IntN(8)))
		}
		c := trainTiny(torn, env...)
		var output bytes.Buffer
		c.Stdout, c.Stderr = &output, &output
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if env == nil {
			timer := time.AfterFunc(time.Duration(rng.Int64N(int64(length))), func() { _ = c.Process.Kill() })
			defer timer.Stop()
		}
		if killed(t, c, c.Wait(), &output) {
			hits++
		}
	}
	if out, err := trainTiny(torn).CombinedOutput(); err != nil {
		t.Fatalf("after %d kills: %v\n%s", hits, err, out)
	}
	compareRuns(t, whole, torn)
	t.Logf("%d kills", hits)
}

func compareRuns(t *testing.T, whole, torn string) {
	t.Helper()
	want, got := digest(t, whole), digest(t, torn)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s of the killed run differs from that of the whole one", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("the killed run has %s, which the whole one has not", name)
		}
	}
	family, err := games.ByName("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	g, err := family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int64]string{}
	for name := range got {
		if !strings.HasPrefix(name, "shards") {
			continue
		}
		s, err := record.Open(filepath.Join(torn, name), g.Info())
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.Rows()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if other, ok := seen[r.GameNumber]; ok && other != name {
				t.Fatalf("game %d is in %s and in %s", r.GameNumber, other, name)
			}
			seen[r.GameNumber] = name
		}
	}
	if len(seen) != 3*40 {
		t.Errorf("the shards hold %d games, want %d", len(seen), 3*40)
	}
}

// TestInterruptStopsCleanly sends the signal of Ctrl-C.
func TestInterruptStopsCleanly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tiny")
	c := command(nil, "train", "--config", "../../configs/tictactoe/tiny.yaml", "--run", dir, "--no-rating", "--set", "generations=1000")
	var output bytes.Buffer
	c.Stdout, c.Stderr = &output, &output
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		if g, err := run.Generations(dir); err == nil && len(g) > 1 {
			break
		}
		if ctx.Err() != nil {
			_ = c.Process.Kill()
			t.Fatalf("no generation within a minute\n%s", output.String())
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := c.Wait()
	if err == nil || c.ProcessState.ExitCode() != 1 || !strings.Contains(output.String(), "the same command goes on") {
		t.Errorf("interrupted run ended with %v and\n%s", err, output.String())
	}
}
