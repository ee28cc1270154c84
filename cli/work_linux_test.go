package cli

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ludozero/ludozero/model/kernel"
)

// said is the output of a process, which grows while it is read.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// startSaying starts c and waits until its output has want.
func startSaying(t *testing.T, c *exec.Cmd, want string) *said {
	t.Helper()
	out := &said{}
	c.Stdout, c.Stderr, c.WaitDelay = out, out, 5*time.Second
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	for end := time.Now().Add(time.Minute); !strings.Contains(out.String(), want); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%v does not say %q within a minute:\n%s", c.Args[1:], want, out)
		}
	}
	return out
}

// TestWorkersEnd: a worker that begins anew at the trainer's kernel level is one process,
// so that a kill leaves none behind. One that is stopped, and one whose run ends, say so.
func TestWorkersEnd(t *testing.T) {
	if kernel.Level() == "generic" {
		t.Skip("this machine: it has no other kernels than generic ones")
	}
	root := t.TempDir()
	addr := freeAddress(t)
	trainer := clusterTiny(filepath.Join(root, "tiny"), "--serve", addr, "--no-play", "--set", "generations=100000")
	trainer.Env = append(trainer.Env, kernel.EnvVariant+"=generic")
	startSaying(t, trainer, "other machines join with")
	begin := func(name string) (*exec.Cmd, *said) {
		c := command(nil, "work", addr, "--cores", "1", "--spool", filepath.Join(root, name), "--name", name)
		return c, startSaying(t, c, "plays for the run tiny")
	}

	c, out := begin("killed")
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// A child would hold the output open.
	killed := time.Now()
	if err := c.Wait(); time.Since(killed) >= c.WaitDelay {
		t.Errorf("a process outlives a worker that was killed: %v\n%s", err, out)
	}

	c, out = begin("stopped")
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // the exit code tells
	if text := out.String(); c.ProcessState.ExitCode() != 1 || !strings.Contains(text, "stopped; what was played and has no receipt is kept in "+filepath.Join(root, "stopped")) ||
		strings.Contains(text, "canceled") || strings.Contains(text, "exit status") {
		t.Errorf("a worker that was stopped ended with %v:\n%s", c.ProcessState, text)
	}

	addr = freeAddress(t)
	ending := clusterTiny(filepath.Join(root, "ending"), "--serve", addr, "--no-play", "--audit", "0", "--set", "generations=1")
	startSaying(t, ending, "other machines join with")
	c = command(nil, "work", addr, "--cores", "1", "--spool", filepath.Join(root, "last"))
	out = startSaying(t, c, "the run ending is over")
	if err := c.Wait(); err != nil {
		t.Errorf("a worker whose run is over: %v\n%s", err, out)
	}
}

// TestNATSServerThatIsAway is told at once: with --no-play nothing else would happen.
func TestNATSServerThatIsAway(t *testing.T) {
	c := clusterTiny(filepath.Join(t.TempDir(), "tiny"), "--nats", "nats://"+freeAddress(t), "--no-play")
	startSaying(t, c, "the NATS server of --nats does not answer; it is tried again")
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // it was killed
}
