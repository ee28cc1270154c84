package cli

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ludozero/ludozero/train/rundir"
)

var (
	faults         = flag.Int("faults", 10, "how many faults TestClusterUnderFaults and TestConcurrentClusterUnderFaults do to their runs")
	clusterWorkers = flag.Int("fault-workers", 3, "how many workers play beside the trainer, or for it")
)

// clusterTiny is a training of three generations that takes a few seconds.
func clusterTiny(dir string, more ...string) *exec.Cmd {
	return command(nil, append([]string{"train", "--config", "../configs/tictactoe/tiny.yaml", "--run", dir, "--no-rating", "--set", "games_per_generation=150",
		"--set", "self_play.search.simulations=32", "--set", "self_play.beginnings.earlier_share=0.25", "--set", "workers=1"}, more...)...)
}

// keeper keeps a process running: one that ends by a kill is started again.
type keeper struct {
	t     *testing.T
	start func() *exec.Cmd

	mu   sync.Mutex
	now  *exec.Cmd
	over bool
	done chan struct{} // closed when the process has ended by itself, or the keeper is told to stop
	out  bytes.Buffer
}

func keep(t *testing.T, start func() *exec.Cmd) *keeper {
	k := &keeper{t: t, start: start, done: make(chan struct{})}
	go k.run()
	return k
}

func (k *keeper) run() {
	defer close(k.done)
	for {
		c := k.start()
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		k.mu.Lock()
		if k.over {
			k.mu.Unlock()
			return
		}
		err := c.Start()
		k.now = c
		k.mu.Unlock()
		if err == nil {
			err = c.Wait()
		}
		k.mu.Lock()
		k.out.Write(out.Bytes())
		over := k.over
		k.mu.Unlock()
		if s, ok := c.ProcessState.Sys().(syscall.WaitStatus); !over && ok && s.Signaled() && s.Signal() == syscall.SIGKILL {
			continue
		}
		if err != nil && !over {
			k.t.Errorf("%v: %v\n%s", c.Args[1:], err, out.Bytes())
		}
		return
	}
}

func (k *keeper) signal(s syscall.Signal) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.now != nil && k.now.Process != nil {
		_ = k.now.Process.Signal(s) // it may have ended
	}
}

// end kills the process for good.
func (k *keeper) end() {
	k.mu.Lock()
	k.over = true
	k.mu.Unlock()
	k.signal(syscall.SIGKILL)
	<-k.done
}

// TestClusterUnderFaults has a trainer and some workers play a run, kills, stops and
// starts them, cuts, slows and repeats what they say, damages files of the trainer's
// server and of spools, and demands the bytes of a run on one machine.
func TestClusterUnderFaults(t *testing.T) {
	root := t.TempDir()
	var wants [2]map[string]string // by lag
	for lag := range wants {
		alone := filepath.Join(root, fmt.Sprint("alone-", lag), "tiny")
		if out, err := clusterTiny(alone, lagFlag(lag)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		wants[lag] = clusterDigest(t, alone)
	}
	faultyRuns(t, root, func(rng *rand.Rand, dir string, n, most int, counts map[string]int) (done, repeats int) {
		lag := (n/2 + 1) % 2
		want := wants[lag]
		done, repeats = faultyRun(t, rng, dir, lagFlag(lag), n%2 == 1, most, counts)
		got := clusterDigest(t, dir)
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("run %d: %s differs from that of one machine", n, name)
			}
		}
		for name := range got {
			if _, ok := want[name]; !ok {
				t.Errorf("run %d has %s, which that of one machine has not", n, name)
			}
		}
		return done, repeats
	})
}

// faultsOfRun is how many faults a run meets at most: on a machine with much else to do one
// alone would meet all, and hardly ever go on between them.
const faultsOfRun = 40

// faultyRuns calls run for one run after the other, each in a new folder, until all faults
// were done.
func faultyRuns(t *testing.T, root string, run func(rng *rand.Rand, dir string, n, most int, counts map[string]int) (done, repeats int)) {
	t.Helper()
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("this machine: signals that stop a process are needed")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	counts := map[string]int{}
	done, runs, repeats := 0, 0, 0
	seen := map[string]bool{}
	// The first is played by workers alone.
	for ; done < *faults || runs == 0; runs++ {
		if runs > 10+*faults {
			t.Fatalf("%d runs met only %d faults", runs, done)
		}
		dir := filepath.Join(root, fmt.Sprint("run-", runs), "tiny")
		n, r := run(rng, dir, runs, min(faultsOfRun, *faults-done), counts)
		done, repeats = done+n, repeats+r
		seenPlaying(t, dir, seen)
		if t.Failed() {
			return
		}
		if err := os.RemoveAll(filepath.Dir(dir)); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d faults at %d runs, and %d messages twice: %v", done, runs, repeats, counts)
	if repeats == 0 {
		t.Error("no message was repeated")
	}
	if delete(seen, "trainer"); len(seen) == 0 {
		t.Error("no worker has played")
	}
}

// seenPlaying adds the workers that the events of a run name to seen.
func seenPlaying(t *testing.T, dir string, seen map[string]bool) {
	t.Helper()
	events, err := rundir.ReadEvents(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e.SelfPlay == nil {
			continue
		}
		if e.SelfPlay.Cluster == nil {
			t.Fatal("an event of self-play does not say who played")
		}
		for _, w := range e.SelfPlay.Cluster.Workers {
			seen[w.Name] = true
		}
	}
}

// clusterDigest is digest without what a trainer that serves keeps besides.
func clusterDigest(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := digest(t, dir)
	for name := range files {
		if strings.HasPrefix(name, "cluster"+string(filepath.Separator)) {
			delete(files, name)
		}
	}
	return files
}

func lagFlag(lag int) []string { return []string{"--set", fmt.Sprint("lag=", lag)} }

// faultyRun plays the run in dir, with those flags of train besides and at most that many
// faults, and returns how many there were and how many messages were repeated. The trainer
// plays, too, or leaves it to the workers.
func faultyRun(t *testing.T, rng *rand.Rand, dir string, flags []string, plays bool, most int, counts map[string]int) (done, repeats int) {
	t.Helper()
	addr := freeAddress(t)
	args := append(flags, "--serve", addr)
	if !plays {
		args = append(args, "--no-play")
	}
	trainer := keep(t, func() *exec.Cmd { return clusterTiny(dir, args...) })
	var proxies []*badProxy
	var workers []*keeper
	for i := range *clusterWorkers {
		p := newBadProxy(t, addr, rng.Uint64())
		spool := spoolFolder(dir, i)
		proxies = append(proxies, p)
		workers = append(workers, keep(t, func() *exec.Cmd {
			return command(nil, "work", p.addr(), "--cores", "1", "--spool", spool, "--name", fmt.Sprint("worker-", i))
		}))
	}
	limit := time.After(time.Duration(*clusterWorkers) * time.Minute)
	for {
		next := time.After(time.Duration(rng.IntN(400)) * time.Millisecond)
		if done == most {
			next = nil
		}
		select {
		case <-trainer.done:
			for i := range workers {
				workers[i].signal(syscall.SIGCONT)
				workers[i].end()
				proxies[i].mu.Lock()
				repeats += proxies[i].repeats
				proxies[i].mu.Unlock()
			}
			return done, repeats
		case <-limit:
			trainer.end()
			t.Fatalf("the run does not end; the trainer said:\n%s", trainer.out.String())
		case <-next:
			done++
			i := rng.IntN(*clusterWorkers)
			name := ""
			switch rng.IntN(8) {
			case 0:
				name = "kill the trainer"
				trainer.signal(syscall.SIGKILL)
			case 1:
				name = "stop the trainer for a while"
				trainer.signal(syscall.SIGSTOP)
				time.Sleep(time.Duration(rng.IntN(1000)) * time.Millisecond)
				trainer.signal(syscall.SIGCONT)
			case 2:
				name = "kill a worker"
				workers[i].signal(syscall.SIGKILL)
			case 3:
				name = "stop a worker for a while"
				workers[i].signal(syscall.SIGSTOP)
				time.AfterFunc(time.Duration(rng.IntN(3000))*time.Millisecond, func() { workers[i].signal(syscall.SIGCONT) })
			case 4:
				name = "cut a link"
				proxies[i].cut(time.Duration(rng.IntN(2000)) * time.Millisecond)
			case 5:
				name = "slow a link"
				proxies[i].slow(2 * time.Second)
			case 6:
				name = "flip bits of the server and kill the trainer"
				trainer.signal(syscall.SIGSTOP)
				flipBits(t, rng, filepath.Join(dir, "cluster", "jetstream"))
				trainer.signal(syscall.SIGKILL)
			case 7:
				name = "flip bits of a spool and kill the worker"
				workers[i].signal(syscall.SIGSTOP)
				flipBits(t, rng, spoolFolder(dir, i))
				workers[i].signal(syscall.SIGKILL)
			}
			counts[name]++
		}
	}
}

// spoolFolder is the spool of worker i for the run in dir.
func spoolFolder(dir string, i int) string {
	return filepath.Join(filepath.Dir(dir), "spools", fmt.Sprint(i))
}

// flipBits flips a bit in some files below a folder, if there is one.
func flipBits(t *testing.T, rng *rand.Rand, dir string) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || rng.IntN(2) == 0 || filepath.Base(path) == "lock" {
			return nil // files come and go, except while their process is stopped
		}
		b, err := os.ReadFile(path)
		if err != nil || len(b) == 0 {
			return nil
		}
		b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Error(err)
		}
		return nil
	})
}

// freeAddress is a place to listen at that is the same for every process of a trainer.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestServingIsRefusedByName: what cannot be served is said before any work, and nothing
// is written.
func TestServingIsRefusedByName(t *testing.T) {
	terms := filepath.Join(t.TempDir(), "terms.txt")
	if err := os.WriteFile(terms, []byte(readText(t, "../engine/tictactoe/weights.txt")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"--serve and --nats: want one of them", []string{"--serve", ":0", "--nats", "nats://127.0.0.1:1"}},
		{"--no-play: want --serve or --nats with it", []string{"--no-play"}},
		{"--audit: want --serve or --nats with it", []string{"--audit", "0.5"}},
		{"--serve 4222: want :4222", []string{"--serve", "4222"}},
		{"--nats foo: want the URL of a NATS server", []string{"--nats", "foo"}},
		{"audited share 2: want 0 to 1", []string{"--serve", "127.0.0.1:0", "--audit", "2"}},
		{"terms.txt is of a file, which other machines of a run do not get", []string{"--serve", "127.0.0.1:0", "--set", "self_play.teacher.share=1", "--set", "self_play.teacher.player=alphabeta:depth=1,terms=" + terms}},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		out, err := clusterTiny(dir, c.args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%v: %v\n%s\nwant %q", c.args, err, out, c.want)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%v: the folder of the run was made", c.args)
		}
	}
}
