package run

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/internal/coretime"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/rundir"
)

// spentOn is what the last checkpoint of a run or pack says its network took.
func spentOn(t testing.TB, dir string) *model.Spent {
	t.Helper()
	generations, err := rundir.Generations(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := rundir.ReadState(dir, generations[len(generations)-1])
	if err != nil {
		t.Fatal(err)
	}
	_, card, err := model.Load(rundir.WeightsPath(dir, s.Generation))
	if err != nil {
		t.Fatal(err)
	}
	spent, err := rundir.SpentOn(dir, &s, card, nil)
	if err != nil {
		t.Fatal(err)
	}
	return spent
}

// forgetTimes takes from the states of a run what programs before it did not write.
func forgetTimes(t *testing.T, dir string) {
	t.Helper()
	generations, err := rundir.Generations(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range generations {
		edit(t, filepath.Join(rundir.CheckpointDir(dir, g), rundir.StateFile), func(b []byte) []byte {
			var fields map[string]json.RawMessage
			if err := json.Unmarshal(b, &fields); err != nil {
				t.Fatal(err)
			}
			delete(fields, "core_ns")
			delete(fields, "before")
			b, err := json.Marshal(fields)
			if err != nil {
				t.Fatal(err)
			}
			return b
		})
	}
	remove(t, filepath.Join(dir, rundir.EventsFile))
}

func near9(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) }

// TestSpentAddsUpOverForks: over a pack and over a plain fork the sums go on, in
// states, in what readers are told, and in the card of what is given away.
func TestSpentAddsUpOverForks(t *testing.T) {
	cfg := tiny()
	pack, again := filepath.Join(t.TempDir(), "pack"), filepath.Join(t.TempDir(), "again")
	second, third := filepath.Join(t.TempDir(), "second"), filepath.Join(t.TempDir(), "third")
	first := copyRun(t)
	remove(t, filepath.Join(first, rundir.EventsFile)) // nothing after the checkpoint
	mustPack(t, first, -1, pack)
	mustFork(t, second, cfg, fresh(pack))
	mustFork(t, third, cfg, forkOf(second, 1))
	remove(t, filepath.Join(third, rundir.EventsFile))
	made, _ := mustPack(t, third, -1, again)

	want := &model.Spent{CoreSeconds: new(float64)}
	for i, part := range []struct {
		dir        string
		generation int
	}{{first, 2}, {second, 1}, {third, 2}} {
		s, err := rundir.ReadState(part.dir, part.generation)
		if err != nil || s.CoreTime == nil || *s.CoreTime <= 0 || s.Elapsed <= 0 || s.Before == nil {
			t.Fatalf("%s: state %+v, %v", part.dir, s, err)
		}
		if b := s.Before; b.Runs != want.Runs || b.Games != want.Games || b.Positions != want.Positions || b.Samples != want.Samples ||
			b.Generations != want.Generations || !near9(b.LearnedSeconds, want.LearnedSeconds) || !near9(*b.CoreSeconds, *want.CoreSeconds) {
			t.Errorf("run %d began with %+v, want %+v", i+1, b, want)
		}
		want.Runs++
		want.Generations += part.generation
		want.Games += int64(s.Games)
		want.Positions += int64(s.Rows)
		want.Samples = int64(s.Step * cfg.Train.Batch)
		want.LearnedSeconds += s.Elapsed.Seconds()
		*want.CoreSeconds += s.CoreTime.Seconds()
	}
	if want.Runs != 3 || want.Generations != 5 || want.Games != 5*14 {
		t.Fatalf("the sums are %+v", want)
	}
	for name, got := range map[string]*model.Spent{"the run": spentOn(t, third), "the pack": spentOn(t, again), "what was made": made.Spent} {
		if got == nil || got.Runs != 3 || got.Games != want.Games || got.Positions != want.Positions || got.Samples != want.Samples ||
			!near9(got.LearnedSeconds, want.LearnedSeconds) || !near9(*got.CoreSeconds, *want.CoreSeconds) {
			t.Errorf("%s has spent %+v, want %+v", name, got, want)
		}
	}
	// Nothing of the clock is in the weights, and a pack has the run's file: what names
	// the network by its hash finds it in both.
	own, packed := file(t, rundir.CheckpointDir(third, 2), rundir.WeightsFile), file(t, rundir.CheckpointDir(again, 2), rundir.WeightsFile)
	_, card, err := model.Decode([]byte(own))
	if err != nil || card.Spent != nil || own != packed {
		t.Errorf("the card in the run has %+v, %v; the pack has the same file: %t", card.Spent, err, own == packed)
	}
}

// TestPackCountsWhatWasSpentInVain after the last checkpoint: the stretch ends.
func TestPackCountsWhatWasSpentInVain(t *testing.T) {
	dir := copyRun(t)
	log, err := rundir.OpenEvents(dir)
	if err == nil {
		err = log.Append(&rundir.Event{Elapsed: time.Hour, CoreTime: 2 * time.Hour, Stop: &rundir.StopEvent{Reason: "budget"}})
	}
	if err == nil {
		err = log.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	last, _ := mustPack(t, dir, -1, filepath.Join(t.TempDir(), "last"))
	early, _ := mustPack(t, dir, 1, filepath.Join(t.TempDir(), "early"))
	if s := last.Spent; !near9(s.LearnedSeconds, 3600) || !near9(*s.CoreSeconds, 7200) {
		t.Errorf("the last checkpoint took %+v, want an hour on two cores", s)
	}
	if s := early.Spent; s.LearnedSeconds > 60 || *s.CoreSeconds > 120 {
		t.Errorf("generation 1 took %+v, want no time after it", s)
	}
	// A process that goes on counts from there.
	cfg := tiny()
	cfg.Generations = 3
	mustWork(t, dir, cfg)
	s, err := rundir.ReadState(dir, 3)
	if err != nil || s.Elapsed < time.Hour || s.CoreTime == nil || *s.CoreTime < 2*time.Hour || *s.CoreTime > 2*time.Hour+time.Minute {
		t.Errorf("state %+v, %v, want it to go on from an hour on two cores", s, err)
	}
	rows, err := rundir.ReadMetrics(dir)
	if err != nil || !near9(rows[2].CoreSeconds, s.CoreTime.Seconds()) || rows[1].CoreSeconds <= 0 {
		t.Errorf("metrics %+v, %v", rows, err)
	}
}

// TestUnknownIsNotGuessed: of what earlier programs did not write only that is
// known which follows from what they did.
func TestUnknownIsNotGuessed(t *testing.T) {
	old := copyRun(t)
	forgetTimes(t, old)
	s, err := rundir.ReadState(old, 2)
	if err != nil || s.CoreTime != nil || s.Before != nil {
		t.Fatalf("state %+v, %v", s, err)
	}
	known := func(dir string, runs int) {
		t.Helper()
		if got := spentOn(t, dir); got == nil || got.CoreSeconds != nil || got.Runs != runs || got.LearnedSeconds < s.Elapsed.Seconds() || got.Games != int64(28*runs) {
			t.Errorf("%s has spent %+v, want what is known of %d runs, and no time of cores", dir, got, runs)
		}
	}
	known(old, 1)
	fork, pack := forkDir(t), filepath.Join(t.TempDir(), "pack")
	mustFork(t, fork, tiny(), forkOf(old, -1))
	known(fork, 2)
	if s, err := rundir.ReadState(fork, 2); err != nil || s.CoreTime == nil {
		t.Errorf("the fork does not count its own time: %+v, %v", s, err)
	}
	mustPack(t, fork, -1, pack)
	known(pack, 2)
	// The run goes on under this program: one part stays unknown.
	cfg := tiny()
	cfg.Generations = 3
	mustWork(t, old, cfg)
	if s, err := rundir.ReadState(old, 3); err != nil || s.CoreTime != nil || s.Before == nil {
		t.Errorf("state %+v, %v, want no time of cores", s, err)
	}
	// A fork of which an earlier program says nothing.
	forgetTimes(t, fork)
	if got := spentOn(t, fork); got != nil {
		t.Errorf("a fork of an earlier program has spent %+v, want nothing known", got)
	}
	later := forkDir(t)
	mustFork(t, later, tiny(), forkOf(fork, -1))
	if got := spentOn(t, later); got != nil {
		t.Errorf("a fork of it has spent %+v, want nothing known", got)
	}
	if made, _ := mustPack(t, later, -1, filepath.Join(t.TempDir(), "later")); made.Spent != nil {
		t.Errorf("its pack has spent %+v", made.Spent)
	}
}

// TestRunOfAGivenNetworkDoesNotKnow what that network took, nor does a fork of it.
func TestRunOfAGivenNetworkDoesNotKnow(t *testing.T) {
	w, _, err := model.Load(rundir.WeightsPath(wholeDir, 2))
	if err != nil {
		t.Fatal(err)
	}
	dir, fork := newDir(t), forkDir(t)
	if err := Run(context.Background(), dir, tiny(), Options{Games: games.All(), Resolved: []byte(resolved), First: &First{Name: "w", Weights: w}}); err != nil {
		t.Fatal(err)
	}
	mustFork(t, fork, tiny(), forkOf(dir, -1))
	forgetTimes(t, dir)
	for _, dir := range []string{dir, fork} {
		if got := spentOn(t, dir); got != nil {
			t.Errorf("%s has spent %+v, want nothing known", dir, got)
		}
	}
}

// TestCoreTimeCountsWorkAlone: not what is done before start and while it is
// stopped, and not waiting.
func TestCoreTimeCountsWorkAlone(t *testing.T) {
	if _, ok := coretime.Process(); !ok {
		t.Skip("this system does not say")
	}
	burn := func() {
		x, began := 1.0, time.Now()
		from, _ := coretime.Process()
		for {
			for range 1000 {
				x = math.Sqrt(x + 1)
			}
			if now, _ := coretime.Process(); now-from > 60*time.Millisecond || time.Since(began) > time.Minute {
				return
			}
		}
	}
	var c coreTime
	if c.spent() != nil {
		t.Error("the zero value knows something")
	}
	hour := time.Hour
	c.resume(&hour)
	burn()
	c.start()
	burn()
	c.stop()
	burn()
	burn()
	c.start()
	time.Sleep(50 * time.Millisecond)
	burn()
	d := c.spent()
	if d == nil || *d < time.Hour+120*time.Millisecond || *d > time.Hour+180*time.Millisecond {
		t.Errorf("%v, want an hour and two times 60 ms", d)
	}
	c = coreTime{}
	c.resume(nil)
	c.start()
	if c.spent() != nil {
		t.Error("what was unknown is known")
	}
}

// TestKillCostsLittleTime: a stage keeps its times, so that a process that is killed
// in it leaves them to the next.
func TestKillCostsLittleTime(t *testing.T) {
	needCoreTime(t)
	dir := copyRun(t)
	before, err := rundir.ReadEvents(dir)
	if err != nil {
		t.Fatal(err)
	}
	opened := func() *runner {
		t.Helper()
		r, err := openRun(dir, tiny(), Options{Games: games.All()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.trainer.Close(); r.events.Close() })
		return r
	}
	killed := opened()
	killed.begin()
	if err := killed.log(rundir.Event{Start: killed.start}); err != nil {
		t.Fatal(err)
	}
	progress := rundir.Event{SelfPlay: &rundir.SelfPlayEvent{}}
	killed.show(progress) // the start has the times
	killed.kept = killed.kept.Add(-timesEvery)
	killed.pause() // a rating takes none
	killed.show(progress)
	killed.resume()
	killed.show(progress)
	killed.show(progress)
	after, err := rundir.ReadEvents(dir)
	if err != nil || len(after) != len(before)+2 {
		t.Fatalf("%d events after %d, %v: want a start and one of the times", len(after), len(before), err)
	}
	last := after[len(after)-1]
	last.Time, last.Elapsed, last.CoreTime = time.Time{}, 0, 0
	if e := after[len(after)-1]; e.Elapsed <= before[len(before)-1].Elapsed || e.CoreTime <= before[len(before)-1].CoreTime || last != (rundir.Event{}) {
		t.Errorf("after %+v the times are %+v", before[len(before)-1], e)
	}
	if next := opened(); next.before != after[len(after)-1].Elapsed || *next.cores.spent() != after[len(after)-1].CoreTime {
		t.Errorf("the next process begins at %v and %v of core time, want %+v", next.before, *next.cores.spent(), after[len(after)-1])
	}
	// Where they cannot be written for a while, no other event is lost.
	whole := killed.events.File
	failing, err := os.Open(filepath.Join(dir, rundir.EventsFile)) // to be read
	if err != nil {
		t.Fatal(err)
	}
	defer failing.Close()
	killed.events.File, killed.kept = failing, killed.kept.Add(-timesEvery)
	killed.show(progress)
	if _, err := whole.WriteString(`{"time":"20`); err != nil { // what a full disk had room for
		t.Fatal(err)
	}
	killed.events.File = whole
	for range 2 {
		if err := killed.log(rundir.Event{Stop: &rundir.StopEvent{Reason: "interrupted"}}); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := rundir.ReadEvents(dir); err != nil || len(all) != len(after)+2 || all[len(all)-2].Stop == nil || all[len(all)-1].Stop == nil {
		t.Errorf("%d events, %v, want %d and two that end", len(all), err, len(after))
	}
}

// TestStateWithATimeBelowZeroIsRefused.
func TestStateWithATimeBelowZeroIsRefused(t *testing.T) {
	dir := copyRun(t)
	edit(t, filepath.Join(rundir.CheckpointDir(dir, 2), rundir.StateFile), func(b []byte) []byte {
		var s rundir.State
		if err := json.Unmarshal(b, &s); err != nil {
			t.Fatal(err)
		}
		wrong := -time.Second
		s.CoreTime = &wrong
		b, err := json.Marshal(&s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	})
	if _, err := rundir.ReadState(dir, 2); err == nil {
		t.Error("it was read")
	}
}
