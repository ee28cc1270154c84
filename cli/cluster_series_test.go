package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/model/zoo"
)

// seriesFiles are the files below a folder of games without locks and what belongs to
// the server.
func seriesFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := clusterDigest(t, dir)
	for name := range files {
		if filepath.Base(name) == "lock" || filepath.Base(name) == "rounds.json" { // processor time
			delete(files, name)
		}
	}
	return files
}

// TestServedSeriesAreThoseOfOneMachine has two workers play a tournament with a network
// that they get from the host, a test that ends early, and a study, kills worker and host
// in the first, and demands the files of one machine, journal included.
func TestServedSeriesAreThoseOfOneMachine(t *testing.T) {
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("this machine: signals that stop a process are needed")
	}
	root := t.TempDir()
	weights, err := zoo.File("connect4")
	if err != nil {
		t.Fatal(err)
	}
	network := filepath.Join(root, "own.safetensors")
	if err := os.WriteFile(network, weights, 0o600); err != nil {
		t.Fatal(err)
	}
	for i, args := range [][]string{
		{"tournament", "--game", "connect4", "net:" + network + ",sims=8", "mcts:sims=200", "minimax:depth=3", "--pairs", "4"},
		{"sprt", "--game", "connect4", "mcts:sims=400", "mcts:sims=20", "--elo1", "100", "--max-pairs", "200"},
		{"sweep", "players", "mcts:sims=100", "--game", "connect4", "--factor", "cap=1:600", "--runs", "8", "--pairs", "2"},
	} {
		alone, served := filepath.Join(root, fmt.Sprint("alone-", i)), filepath.Join(root, fmt.Sprint("served-", i))
		if out, err := command(nil, append(args, "--workers", "1", "--out", alone)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		addr := freeAddress(t)
		host := keep(t, func() *exec.Cmd {
			return command(nil, append(args, "--out", served, "--serve", addr, "--no-play", "--audit", "0.2")...)
		})
		workers := make([]*keeper, 2)
		for k := range workers {
			workers[k] = keep(t, func() *exec.Cmd {
				return command(nil, "work", addr, "--cores", "1", "--spool", filepath.Join(root, fmt.Sprint("spool-", i, k)))
			})
		}
		if i == 0 { // coming back takes seconds
			for end := time.Now().Add(time.Minute); journalLines(served) < 4 && time.Now().Before(end); {
				time.Sleep(5 * time.Millisecond)
			}
			workers[0].signal(syscall.SIGKILL)
			host.signal(syscall.SIGKILL)
		}
		select {
		case <-host.done:
		case <-time.After(time.Minute):
			host.end()
			t.Fatalf("%v does not end; the host said:\n%s", args[0], host.out.String())
		}
		for _, w := range workers { // one that was not there at the end would wait for another
			w.end()
		}
		want, got := seriesFiles(t, alone), seriesFiles(t, served)
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%s: %s differs from that of one machine", args[0], name)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d files, one machine leaves %d", args[0], len(got), len(want))
		}
	}
}

// journalLines counts the lines of all journals below a folder.
func journalLines(dir string) (n int) {
	for _, pattern := range []string{"", "*"} {
		files, _ := filepath.Glob(filepath.Join(dir, pattern, archive.JournalFile))
		for _, file := range files {
			b, _ := os.ReadFile(file) // none yet
			n += bytes.Count(b, []byte("\n"))
		}
	}
	return n
}

// TestServedSeriesAreRefusedByName: what cannot travel is said before a game.
func TestServedSeriesAreRefusedByName(t *testing.T) {
	for _, c := range []struct {
		want string
		args []string
	}{
		{"limited by time", []string{"random", "mcts:time=5ms", "--serve", "127.0.0.1:0"}},
		{"limited by time", []string{"random", "random", "--clock", "1+1", "--serve", "127.0.0.1:0"}},
		{"--equal-machines: want --serve or --nats", []string{"random", "random", "--equal-machines"}},
		{"audited share 0.5: want 0 where workers compute with any kernel level", []string{"random", "random", "--serve", ":0", "--any-kernel", "--audit", "0.5"}},
	} {
		out, err := command(nil, append([]string{"match", "--game", "connect4", "--pairs", "2"}, c.args...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%v: %v\n%s\nwant %q", c.args, err, out, c.want)
		}
	}
}
