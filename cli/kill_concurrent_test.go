package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
)

const concurrentGenerations = 8

func trainConcurrent(dir string, env ...string) *exec.Cmd {
	return command(env, "train", "--config", "../configs/tictactoe/tiny.yaml", "--run", dir, "--no-rating",
		"--set", "mode=concurrent", "--set", "workers=2", "--set", "generations="+strconv.Itoa(concurrentGenerations))
}

// TestKilledConcurrentRunGoesOn kills a concurrent run as TestKilledRunGoesOn
// does an alternating one. No two such runs are alike: what it demands is that
// no file is lost or changed but the shard that was being filled, and that in
// the end every game is there once and was learned from as often as it should.
func TestKilledConcurrentRunGoesOn(t *testing.T) {
	want := *kills
	if testing.Short() {
		want = min(want, 4) // a kill takes about a second
	}
	dir := filepath.Join(t.TempDir(), "tiny")
	rng := rand.New(rand.NewPCG(3, 4))
	points := []string{"before-rename", "mid-write", "after-rename"}
	kept := map[string]string{}
	hits, runs := 0, 0
	for i := 0; hits < want; i++ {
		if i > 10*want {
			t.Fatalf("only %d of %d attempts met the run alive", hits, i)
		}
		var env []string
		if i%2 == 0 {
			env = append(env, fmt.Sprintf("LUDOZERO_FAULT=%s:%d", points[i/2%len(points)], 1+rng.IntN(25)))
		}
		c := trainConcurrent(dir, env...)
		var output bytes.Buffer
		c.Stdout, c.Stderr = &output, &output
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if env == nil {
			timer := time.AfterFunc(time.Duration(50+rng.IntN(400))*time.Millisecond, func() { _ = c.Process.Kill() })
			defer timer.Stop()
		}
		alive := killed(t, c, c.Wait(), &output)
		if _, err := os.Stat(dir); alive && len(kept) == 0 && errors.Is(err, fs.ErrNotExist) {
			continue // a busy machine: it had not made its folder yet
		}
		files := digest(t, dir)
		for name, b := range kept {
			grown := name == "metrics.parquet" && strings.HasPrefix(files[name], b)
			if files[name] != b && !grown {
				t.Errorf("%s was changed or lost after kill %d", name, hits)
			}
		}
		if alive {
			hits++
		} else { // it came to its end: begin another
			checkConcurrent(t, dir)
			runs++
			dir = filepath.Join(t.TempDir(), "tiny")
			files = nil
		}
		kept = map[string]string{}
		last := ""
		for name, b := range files {
			if strings.Contains(name, ".tmp-") {
				continue
			}
			kept[name] = b
			if strings.HasPrefix(name, "shards") {
				last = max(last, name)
			}
		}
		delete(kept, last)
	}
	if out, err := trainConcurrent(dir).CombinedOutput(); err != nil {
		t.Fatalf("after %d kills: %v\n%s", hits, err, out)
	}
	checkConcurrent(t, dir)
	t.Logf("%d kills, %d runs", hits, runs+1)
}

// checkConcurrent looks at a finished run.
func checkConcurrent(t *testing.T, dir string) {
	t.Helper()
	g, err := tictactoe.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "shards", "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	next, rows := int64(0), 0
	for _, name := range names {
		s, err := record.Open(name, g.Info())
		if err != nil {
			t.Fatal(err)
		}
		if s.Meta.FirstGame != next {
			t.Errorf("%s begins with game %d, want %d", name, s.Meta.FirstGame, next)
		}
		next = s.Meta.LastGame + 1
		rows += s.Meta.Rows
	}
	if next != concurrentGenerations*40 {
		t.Errorf("the shards hold %d games, want %d", next, concurrentGenerations*40)
	}
	s, err := rundir.ReadState(dir, concurrentGenerations)
	if err != nil {
		t.Fatal(err)
	}
	if samples := float64(s.Step*32) + s.Owed; s.Rows != rows || math.Abs(samples-2*float64(rows)) > 1e-6 || s.Owed >= 32 {
		t.Errorf("learned %d steps from %d positions with %g samples owed, want 2 passes over %d", s.Step, s.Rows, s.Owed, rows)
	}
	metrics, err := rundir.ReadMetrics(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range metrics {
		if int(m.Generation) != i+1 || m.Games != int64(40*(i+1)) {
			t.Errorf("row %d of the metrics is of generation %d, after %d games", i, m.Generation, m.Games)
		}
	}
	if len(metrics) != concurrentGenerations {
		t.Errorf("%d rows of metrics, want %d", len(metrics), concurrentGenerations)
	}
	if out := mustCall(t, "data", "check", dir); !strings.Contains(out, "no fault") {
		t.Errorf("data check: %s", out)
	}
}
