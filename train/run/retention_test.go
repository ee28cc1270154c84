package run

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

func TestRetentionKeepsWhatItSays(t *testing.T) {
	for _, c := range []struct {
		plan.Retention
		last int
		want string // one letter a generation: Whole, Network, nothing
	}{
		{plan.Retention{}, 3, "WWWW"},
		{plan.Retention{Checkpoints: 1}, 0, "W"},
		{plan.Retention{Checkpoints: 1}, 1, "NW"},
		{plan.Retention{Checkpoints: 1}, 4, "N...W"},
		{plan.Retention{Checkpoints: 3}, 4, "N.WWW"},
		{plan.Retention{Checkpoints: 9}, 4, "WWWWW"},
		{plan.Retention{Checkpoints: 1, Every: 1}, 4, "NNNNW"},
		{plan.Retention{Checkpoints: 2, Every: 3}, 9, "N..N..N.WW"},
		{plan.Retention{Checkpoints: 1, Every: 3}, 9, "N..N..N..W"},
	} {
		got := ""
		for g := range c.last + 1 {
			got += map[plan.Keeping]string{plan.KeepAll: "W", plan.KeepNetwork: "N", plan.KeepNothing: "."}[c.Of(g, c.last)]
		}
		if got != c.want {
			t.Errorf("%+v keeps %s, want %s", c.Retention, got, c.want)
		}
	}
}

func TestRetentionValidate(t *testing.T) {
	for want, c := range map[string]plan.Retention{
		"":                       {Checkpoints: 1, Every: 1},
		"checkpoints: -1: want ": {Checkpoints: -1},
		"every: -1: want ":       {Checkpoints: 1, Every: -1},
		"every: 2: want 0":       {Every: 2},
	} {
		if err := c.Validate(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("Validate of %+v = %v, want %q", c, err, want)
		}
	}
	c := tiny()
	c.Retention.Checkpoints = -1
	if err := c.Validate(games.All()); err == nil || !strings.Contains(err.Error(), "retention.checkpoints: -1") {
		t.Errorf("Validate = %v", err)
	}
}

// longer is a longer tiny run whose checkpoints have all the files there are.
func longer() plan.Config {
	c := tiny()
	c.Generations, c.Train.AverageDecay, c.Train.AverageBatches = 5, 0.9, 1
	return c
}

// checkKept demands of the run in dir the files of whole, a run that kept all,
// but for those of its checkpoints that have the letters N and . in keeps.
func checkKept(t *testing.T, dir, whole, keeps string) {
	t.Helper()
	want := digest(t, whole)
	for name := range want {
		var g int
		if n, err := fmt.Sscanf(filepath.ToSlash(name), rundir.CheckpointsDir+"/%06d/", &g); n != 1 || err != nil {
			continue
		}
		if k := keeps[g]; k == '.' || k == 'N' && slices.Contains(rundir.ResumeFiles, filepath.Base(name)) {
			delete(want, name)
		}
	}
	got := digest(t, dir)
	if a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(a, b) {
		t.Errorf("with retention there are\n%v, want\n%v", a, b)
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s is another one with retention", name)
		}
	}
}

// TestRetention: a run with retention ends with the files of one without, but
// for those it need not keep; it can be changed and interrupted.
func TestRetention(t *testing.T) {
	whole := newDir(t)
	cfg := longer()
	mustWork(t, whole, cfg)
	checkKept(t, whole, whole, "WWWWWW")

	dir := newDir(t)
	cfg.Retention = plan.Retention{Checkpoints: 1, Every: 2}
	mustWork(t, dir, cfg)
	checkKept(t, dir, whole, "N.N.NW")
	if m, err := rundir.ReadMetrics(dir); err != nil || len(m) != 5 {
		t.Errorf("ReadMetrics = %d rows, %v, want those of 5 generations", len(m), err)
	}
	mustWork(t, dir, cfg)
	checkKept(t, dir, whole, "N.N.NW")
	cfg.Retention.Every = 4 // what is gone does not come back, what is there goes at the next start
	mustWork(t, dir, cfg)
	checkKept(t, dir, whole, "N...NW")

	dir = newDir(t)
	cfg = longer()
	cfg.Generations = 3
	mustWork(t, dir, cfg)
	checkpoints := 0
	for n := 1; ; n++ { // stopped now and then, as training asks its context
		if n > 100 {
			t.Fatal("the run does not end")
		}
		cfg.Generations, cfg.Retention = 5, plan.Retention{Checkpoints: 2}
		err := work(cancelAtCall(5+n), dir, cfg)
		if g, lost := rundir.Generations(dir); lost != nil || len(g) > 3 {
			t.Fatalf("Generations = %v, %v, want the first and two more at most", g, lost)
		}
		checkpoints++
		if err == nil {
			break
		}
	}
	checkKept(t, dir, whole, "N...WW")
	if checkpoints < 3 {
		t.Errorf("only %d stops", checkpoints)
	}
}

// TestRetentionRemovesNothingOfOthers: a checkpoint with somebody's own file in
// it keeps that and its network.
func TestRetentionRemovesNothingOfOthers(t *testing.T) {
	dir := copyRun(t)
	note := filepath.Join(rundir.CheckpointDir(dir, 1), "notes.txt")
	if err := os.WriteFile(note, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg := tiny()
	cfg.Retention.Checkpoints = 1
	mustWork(t, dir, cfg)
	if _, err := os.Stat(note); err != nil {
		t.Error(err)
	}
	remove(t, note)
	checkKept(t, dir, wholeDir, "NNW")
	mustWork(t, dir, cfg)
	checkKept(t, dir, wholeDir, "N.W")
}

// TestNoRunGoesOnFromANetworkAlone says so and changes nothing.
func TestNoRunGoesOnFromANetworkAlone(t *testing.T) {
	dir := copyRun(t)
	cfg := tiny()
	cfg.Retention = plan.Retention{Checkpoints: 1, Every: 1}
	mustWork(t, dir, cfg)
	remove(t, rundir.CheckpointDir(dir, 2))
	checkRefused(t, dir, cfg, []string{"checkpoint 1", "optimizer.bin", "retention"})
}
