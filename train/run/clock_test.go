package run

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestWallClockDoesNotMatter sets the clock of a run's past wrong, as a machine
// whose clock was put right leaves it: times in events and of files that lie in
// the future, or long ago, change nothing.
func TestWallClockDoesNotMatter(t *testing.T) {
	for _, wrong := range []time.Time{time.Now().AddDate(50, 0, 0), time.Unix(1, 0)} {
		dir := copyRun(t)
		remove(t, rundir.CheckpointDir(dir, 2))
		for i := 4; i < 8; i++ { // the shards of generation 1, but for a part
			if i != 4 {
				remove(t, shardPath(dir, int64(i)))
			}
		}
		stamp, err := json.Marshal(wrong)
		if err != nil {
			t.Fatal(err)
		}
		edit(t, filepath.Join(dir, rundir.EventsFile), func(b []byte) []byte {
			return regexp.MustCompile(`"time":"[^"]*"`).ReplaceAll(b, append([]byte(`"time":`), stamp...))
		})
		past, err := rundir.ReadEvents(dir)
		if err != nil || len(past) < 5 || !past[0].Time.Equal(wrong) {
			t.Fatalf("%d events, %v, the first of %v", len(past), err, past[0].Time)
		}
		err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err == nil {
				err = os.Chtimes(path, wrong, wrong)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		cfg := tiny()
		cfg.Budget = time.Hour
		var first *rundir.Event
		err = Run(context.Background(), dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Report: func(e rundir.Event) {
			if first == nil {
				first = &e
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		compare(t, dir)
		if spent := past[len(past)-1].Elapsed; first.Elapsed < spent || first.Elapsed > spent+time.Minute {
			t.Errorf("by a clock at %v the run goes on after %v, want %v", wrong, first.Elapsed, spent)
		}
	}
}

// TestElapsedHasAMonotonicClock: a clock that is set while a process works does
// not shorten or lengthen the budget. A time with a monotonic reading shows it
// in its text, as m=+1.5.
func TestElapsedHasAMonotonicClock(t *testing.T) {
	dir := newDir(t)
	if err := rundir.Create(dir); err != nil {
		t.Fatal(err)
	}
	cfg := tiny()
	cfg.Budget = time.Nanosecond
	r, err := openRun(dir, cfg, Options{Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.trainer.Close()
	defer r.events.Close()
	if err := r.loop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if wall := r.began.Round(0); r.began.String() == wall.String() {
		t.Errorf("the work began at %v, without a monotonic reading", r.began)
	}
	if r.elapsed() < 0 {
		t.Errorf("%v have passed", r.elapsed())
	}
}
