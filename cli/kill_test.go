package cli

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/report/trained"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
)

var kills = flag.Int("kills", 20, "how often TestKilledRunGoesOn kills its run")

// asCommand makes the test binary behave as ludozero, so that a test can start
// and kill real processes.
const asCommand = "TEST_BE_LUDOZERO"

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(asCommand) != "":
		os.Exit(Main())
		return
	case os.Getenv(asStubborn) != "":
		beStubborn()
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

// trainTiny is a training with retention and matches, three generations long, of
// which the first is measured on the way: the share is used up then, whatever the
// clock says, so that retention keeps that network and removes the second.
func trainTiny(dir string, env ...string) *exec.Cmd {
	return command(env, "train", "--config", "../configs/tictactoe/tiny.yaml", "--run", dir,
		"--set", "retention.checkpoints=1",
		"--set", "evaluation.during.share=1e-6", "--set", "evaluation.during.ratings=0", "--set", "evaluation.during.pairs=1")
}

// digest maps the files of a finished run that must not depend on interruptions
// to their bytes, and the rest of what must not to its text: states and metrics
// but for clock and process, matches but for where the run is.
func digest(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return files // it was killed before it made its folder
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
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
	generations, err := rundir.Generations(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range generations {
		s, err := rundir.ReadState(dir, g)
		if err != nil {
			t.Fatal(err)
		}
		s.Elapsed, s.CoreTime, s.Before, s.Metrics = 0, nil, nil, nil
		files[filepath.Join("checkpoints", fmt.Sprintf("%06d", g), "state.json")] = fmt.Sprintf("%+v", s)
	}
	rows, err := rundir.ReadMetrics(dir)
	if err != nil {
		t.Fatal(err)
	}
	files["metrics.parquet"] = ""
	for i := range rows {
		files["metrics.parquet"] += fmt.Sprintf("%+v\n", rows[i].Repeatable())
	}
	matches, err := ratings.Read(builtinEnv().Families, dir)
	if err != nil {
		t.Fatal(err)
	}
	// When each was played, and how long it took, depends on the clock.
	delete(files, ratings.File)
	for _, m := range matches {
		name := fmt.Sprintf("match %d %s", m.Generation, m.OpponentName())
		if m.Final {
			name += " at the end"
		}
		if files[name] != "" {
			t.Errorf("there are two matches of generation %d against %s, at the end %v", m.Generation, m.OpponentName(), m.Final)
		}
		files[name] = fmt.Sprintf("%+v", m.Result)
	}
	delete(files, "events.jsonl")
	delete(files, trained.ReportHTML) // times and speeds are in it
	delete(files, trained.ReportText)
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

// killPoints are the places where TestKilledRunGoesOn has a process kill itself,
// each with how often a process passes it, at least, that does all the work
// there is.
var killPoints = []struct {
	name     string
	passings int
}{
	{"mid-write@shards", 15}, {"before-rename@shards", 15}, {"after-rename@shards", 15},
	{"mid-write@checkpoints", 4}, {"before-rename@checkpoints", 4}, {"after-rename@checkpoints", 4},
	{"mid-write@metrics.parquet", 3}, {"before-rename@metrics.parquet", 3}, {"after-rename@metrics.parquet", 3},
	{"before-remove@checkpoints", 1}, {"mid-remove@checkpoints", 1},
	{"before-remove@optimizer.bin", 2}, {"after-remove@optimizer.bin", 2},
	{"mid-write@config.yaml", 1}, {"before-rename@config.yaml", 1}, {"after-rename@config.yaml", 1},
	{"report", 2}, {"mid-write@report.html", 1}, {"before-rename@report.html", 1}, {"after-rename@report.html", 1},
	{"before-append@ratings.jsonl", 5}, {"mid-append@ratings.jsonl", 5}, {"after-append@ratings.jsonl", 5},
}

// TestKilledRunGoesOn kills a run again and again, at random moments and at the
// most delicate ones, also while its last matches are played, and demands the
// files of a run that nobody touched. After each kill nothing may have gone back
// behind a checkpoint.
func TestKilledRunGoesOn(t *testing.T) {
	root := t.TempDir()
	whole, torn := filepath.Join(root, "a", "tiny"), filepath.Join(root, "b", "tiny")
	began := time.Now()
	if out, err := trainTiny(whole).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	length := time.Since(began)

	rng := rand.New(rand.NewPCG(1, 2))
	type count struct{ tried, hit int }
	counts := map[string]*count{}
	hits, unrated, runs, last := 0, 0, 0, 0
	for i := 0; hits < *kills; i++ {
		if i > 10*(*kills)+10 {
			t.Fatalf("only %d of %d attempts met the run alive", hits, i)
		}
		name := "clock"
		var env []string
		if i%3 > 0 {
			p := killPoints[(i-1-i/3)%len(killPoints)]
			name = p.name
			env = append(env, fmt.Sprintf("LUDOZERO_FAULT=%s:%d", p.name, 1+rng.IntN(p.passings)))
		}
		if counts[name] == nil {
			counts[name] = &count{}
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
		counts[name].tried++
		if killed(t, c, c.Wait(), &output) {
			hits++
			counts[name].hit++
			last = checkKilled(t, torn, last)
			if m, err := ratings.Read(builtinEnv().Families, torn); err != nil {
				t.Fatal(err)
			} else if last == 3 && !slices.ContainsFunc(m, func(m ratings.Match) bool { return m.Final && m.Generation == 0 }) {
				unrated++
			}
			continue
		}
		// It ended before it could be killed: begin another run.
		compareRuns(t, whole, torn)
		if err := os.RemoveAll(torn); err != nil {
			t.Fatal(err)
		}
		runs, last = runs+1, 0
	}
	if out, err := trainTiny(torn).CombinedOutput(); err != nil {
		t.Fatalf("after %d kills: %v\n%s", hits, err, out)
	}
	compareRuns(t, whole, torn)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "%s\t%d of %d\n", name, counts[name].hit, counts[name].tried)
		if *kills >= 10*len(killPoints) && counts[name].hit == 0 {
			t.Errorf("%s never met a process", name)
		}
	}
	w.Flush()
	if *kills >= 10*len(killPoints) && unrated < hits/20 {
		t.Errorf("only %d of %d kills met a run between its last checkpoint and its rating", unrated, hits)
	}
	t.Logf("%d kills at %d runs, %d of them between the last checkpoint and the rating; kills of attempts:\n%s", hits, runs+1, unrated, table.String())
}

// checkKilled looks at what a killed process has left: checkpoints no older than
// before and the metrics of all of them. It returns the last generation.
func checkKilled(t *testing.T, dir string, before int) int {
	t.Helper()
	generations, err := rundir.Generations(dir)
	if err != nil || len(generations) == 0 {
		if err != nil && !errors.Is(err, fs.ErrNotExist) || before > 0 {
			t.Fatalf("checkpoints %v, %v; there was generation %d", generations, err, before)
		}
		return 0
	}
	last := generations[len(generations)-1]
	if last < before {
		t.Fatalf("the last checkpoint is %d, it was %d", last, before)
	}
	rows, err := rundir.ReadMetrics(dir)
	if err != nil || len(rows) != last {
		t.Fatalf("checkpoint %d with %d rows of metrics, %v", last, len(rows), err)
	}
	for i := range rows {
		if int(rows[i].Generation) != i+1 {
			t.Fatalf("metrics %d are of generation %d", i, rows[i].Generation)
		}
	}
	return last
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
	events, err := rundir.ReadEvents(torn)
	if err != nil {
		t.Fatal(err)
	}
	spent := time.Duration(0)
	for _, e := range events {
		if e.Elapsed < spent {
			t.Errorf("an event is of %v, the one before of %v", e.Elapsed, spent)
		}
		spent = e.Elapsed
	}
	family, err := games.All().ByName("tictactoe")
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
