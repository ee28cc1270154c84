package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	signals "os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestInterruptStopsCleanly sends the signal of Ctrl-C.
func TestInterruptStopsCleanly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tiny")
	c := command(nil, "train", "--config", "../configs/tictactoe/tiny.yaml", "--run", dir, "--no-rating", "--set", "generations=1000")
	var output bytes.Buffer
	c.Stdout, c.Stderr = &output, &output
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		if g, err := rundir.Generations(dir); err == nil && len(g) > 1 {
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

// TestInterruptInTheMatches stops a run that has learned all it is to learn: the
// same command goes on with the matches.
func TestInterruptInTheMatches(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tiny")
	// A move of that opponent takes most of a second.
	c := command(nil, tiny(dir, "--set", "generations=1", "--set", "evaluation.opponents=[mcts:sims=1000000]")...)
	var output bytes.Buffer
	c.Stdout, c.Stderr = &output, &output
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	learned := func() bool {
		events, err := rundir.ReadEvents(dir)
		return err == nil && len(events) > 0 && events[len(events)-1].Stop != nil
	}
	for !learned() {
		if ctx.Err() != nil {
			_ = c.Process.Kill()
			t.Fatalf("not trained within a minute\n%s", output.String())
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond) // into the first match
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := c.Wait()
	if err == nil || c.ProcessState.ExitCode() != 1 || !strings.Contains(output.String(), "the same command plays those that are missing") {
		t.Errorf("interrupted matches ended with %v and\n%s", err, output.String())
	}
	if m, err := ratings.Read(builtinEnv().Families, dir); len(m) != 0 || err != nil {
		t.Errorf("%d matches that were not played are kept, %v", len(m), err)
	}
	out := mustCall(t, "train", "--run", dir, "--set", "evaluation.opponents=[random]")
	if !strings.Contains(out, "goes on at generation 1") || strings.Contains(out, "learns") || !strings.Contains(out, "untrained") {
		t.Errorf("the same command says\n%s", out)
	}
	if m, err := ratings.Read(builtinEnv().Families, dir); err != nil || len(m) != 2 {
		t.Errorf("%d matches, %v, want 2", len(m), err)
	}
}

// asStubborn makes the test binary a process that takes the first signal and
// never ends.
const asStubborn = "TEST_BE_STUBBORN"

func beStubborn() {
	ctx, _ := shell.Interruptible(context.Background())
	fmt.Println("ready")
	<-ctx.Done()
	fmt.Println("stops")
	time.Sleep(time.Hour)
}

// TestSecondSignalEndsTheProcess whatever it is doing.
func TestSecondSignalEndsTheProcess(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal == syscall.SIGHUP && signals.Ignored(signal) {
			continue // the tests run under nohup
		}
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), asStubborn+"=1")
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		say := func(want string) {
			t.Helper()
			line := make([]byte, len(want))
			if n, err := out.Read(line); err != nil || string(line[:n]) != want {
				_ = c.Process.Kill()
				t.Fatalf("the process says %q, %v, want %q", line[:n], err, want)
			}
		}
		say("ready\n")
		if err := c.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		say("stops\n")
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		for sent, done := 0, false; !done; sent++ {
			_ = c.Process.Signal(signal) // the first one's handler may not be gone yet
			select {
			case err = <-ended:
				done = true
			case <-time.After(50 * time.Millisecond):
				if sent > 100 {
					_ = c.Process.Kill()
					t.Fatal("the process lives on")
				}
			}
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != signal {
			t.Errorf("the process ended with %v, want %v", err, signal)
		}
	}
}
