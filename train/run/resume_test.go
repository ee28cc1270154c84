package run

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
)

func TestWorkersChangeNothing(t *testing.T) {
	cfg := tiny()
	cfg.Workers = 3
	dir := newDir(t)
	mustWork(t, dir, cfg)
	compare(t, dir)
}

func TestMoreGenerationsGoOn(t *testing.T) {
	dir := newDir(t)
	cfg := tiny()
	cfg.Generations, cfg.Workers = 1, 2
	mustWork(t, dir, cfg)
	if g, err := rundir.Generations(dir); err != nil || len(g) != 2 {
		t.Fatalf("Generations = %v, %v after one of two", g, err)
	}
	cfg.Generations, cfg.Workers = 2, 1
	mustWork(t, dir, cfg)
	compare(t, dir)
	mustWork(t, dir, cfg) // nothing is left to do
	compare(t, dir)
}

// countedContext is cancelled when its Err is called for the n-th time. The loop
// calls it once a generation and training once a step; self-play asks contexts
// derived from it.
type countedContext struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func cancelAtCall(n int) *countedContext {
	c := &countedContext{}
	c.Context, c.cancel = context.WithCancel(context.Background())
	c.left.Store(int64(n))
	return c
}

func (c *countedContext) Err() error {
	if c.left.Add(-1) == 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// TestStoppedInTrainingGoesOn stops at every step that the run takes.
func TestStoppedInTrainingGoesOn(t *testing.T) {
	dir := newDir(t)
	stops := 0
	for n := 1; ; n++ {
		if n > 200 {
			t.Fatal("the run does not end")
		}
		err := work(cancelAtCall(n), dir, tiny())
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), dir) {
			t.Fatalf("Run = %v, want %v with the folder", err, context.Canceled)
		}
		stops++
	}
	if stops < 10 {
		t.Errorf("only %d stops", stops)
	}
	compare(t, dir)
}

// TestStoppedInSelfPlayGoesOn cancels as soon as a shard appears.
func TestStoppedInSelfPlayGoesOn(t *testing.T) {
	for range 10 { // a process that is not scheduled may see no shard in time
		dir := newDir(t)
		if !stopInSelfPlay(t, dir) {
			continue
		}
		events, err := rundir.ReadEvents(dir)
		if err != nil || len(events) != 2 || events[1].Stop == nil || events[1].Stop.Reason != "interrupted" {
			t.Errorf("ReadEvents = %+v, %v, want start and stop", events, err)
		}
		cfg := tiny()
		cfg.Workers = 2
		mustWork(t, dir, cfg)
		compare(t, dir)
		return
	}
	t.Error("no run could be stopped in self-play")
}

// stopInSelfPlay tells whether the stop came before all games were played.
func stopInSelfPlay(t *testing.T, dir string) bool {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for ctx.Err() == nil {
			if e, err := os.ReadDir(filepath.Join(dir, rundir.ShardsDir)); err == nil && len(e) > 0 {
				cancel()
			}
			time.Sleep(100 * time.Microsecond)
		}
	}()
	err := work(ctx, dir, tiny())
	cancel()
	<-watched
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if g, err := rundir.Generations(dir); err != nil || len(g) != 1 {
		return false
	}
	return len(shards(t, dir)) < 4
}

// TestPartialShardIsCompleted puts every possible beginning of a generation's
// games on disk, as a stop between any two games leaves them.
func TestPartialShardIsCompleted(t *testing.T) {
	cfg := tiny()
	for _, count := range []int{1, 3, 4, 5, 13, 14} {
		dir := copyRun(t)
		forget(t, dir, 1)
		for i := 4; i < 8; i++ { // the shards of generation 1
			name := record.FileName(1, int64(i))
			s, err := record.Open(filepath.Join(wholeDir, rundir.ShardsDir, name), info(t, cfg.Game))
			if err != nil {
				t.Fatal(err)
			}
			rows, err := s.Rows()
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for n < len(rows) && rows[n].GameNumber < int64(cfg.GamesPerGeneration+count) {
				n++
			}
			if n == 0 {
				break
			}
			if _, _, err := record.Write(filepath.Join(dir, rundir.ShardsDir), info(t, cfg.Game), s.Meta.Head, rows[:n]); err != nil {
				t.Fatal(err)
			}
		}
		var played *rundir.SelfPlayEvent
		err := Run(context.Background(), dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Report: func(e rundir.Event) {
			if e.SelfPlay != nil {
				played = e.SelfPlay
			}
		}})
		if err != nil {
			t.Fatalf("after %d games: %v", count, err)
		}
		compare(t, dir)
		if count == cfg.GamesPerGeneration {
			if played != nil {
				t.Errorf("all games were there, yet %+v", *played)
			}
			continue
		}
		// What is told of the generation is what an uninterrupted run tells.
		want := lastSelfPlay(t, wholeDir)
		got := *played
		got.PositionsPerSecond, got.EvaluationsPerSecond = want.PositionsPerSecond, want.EvaluationsPerSecond
		got.CacheHits = want.CacheHits // a cache does not outlive its process
		if !reflect.DeepEqual(got, want) {
			t.Errorf("after %d games the generation is told as\n%+v, want\n%+v", count, got, want)
		}
	}
}

func lastSelfPlay(t *testing.T, dir string) rundir.SelfPlayEvent {
	t.Helper()
	events, err := rundir.ReadEvents(dir)
	if err != nil {
		t.Fatal(err)
	}
	var last rundir.SelfPlayEvent
	for _, e := range events {
		if e.SelfPlay != nil {
			last = *e.SelfPlay
		}
	}
	return last
}

// TestBudgetEndsTheRun: time used up is no error, is carried over, and more of
// it lets the run go on.
func TestBudgetEndsTheRun(t *testing.T) {
	dir := newDir(t)
	cfg := tiny()
	cfg.Generations, cfg.Budget = 1000, 200*time.Millisecond
	began := time.Now()
	mustWork(t, dir, cfg)
	spent := time.Since(began)
	if spent < cfg.Budget {
		t.Errorf("the run ended after %v, want %v", spent, cfg.Budget)
	}
	events, err := rundir.ReadEvents(dir)
	if err != nil || len(events) < 2 {
		t.Fatalf("ReadEvents = %d events, %v", len(events), err)
	}
	last := events[len(events)-1]
	if last.Stop == nil || last.Stop.Reason != "budget" || last.Elapsed < cfg.Budget || last.Elapsed > spent {
		t.Errorf("the last event is %+v, want a stop by budget after %v to %v", last, cfg.Budget, spent)
	}

	before := snapshot(t, dir)
	mustWork(t, dir, cfg) // there is no time left
	for name, b := range snapshot(t, dir) {
		if name != rundir.EventsFile && b != before[name] {
			t.Errorf("%s changed in no time", name)
		}
	}

	have, err := rundir.Generations(dir)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Budget, cfg.Generations = time.Hour, max(have[len(have)-1]+1, 2)
	mustWork(t, dir, cfg)
	if now, err := rundir.Generations(dir); err != nil || len(now) != cfg.Generations+1 {
		t.Errorf("Generations = %v, %v, want them up to %d", now, err, cfg.Generations)
	}
	got := digest(t, dir)
	for name, b := range digest(t, wholeDir) {
		if got[name] != b {
			t.Errorf("%s differs from that of the uninterrupted run", name)
		}
	}
}

// TestElapsedIsCarriedOver: a run counts the time of all its processes, also
// that which only the events know.
func TestElapsedIsCarriedOver(t *testing.T) {
	dir := copyRun(t)
	s, err := rundir.ReadState(dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	first := func() time.Duration {
		var e []rundir.Event
		err := Run(context.Background(), dir, tiny(), Options{Games: games.All(), Report: func(x rundir.Event) { e = append(e, x) }})
		if err != nil || len(e) != 2 || e[0].Start == nil || !e[0].Start.Resumed || e[0].Start.Generation != 2 {
			t.Fatalf("a finished run reports %+v, %v, want start and stop", e, err)
		}
		return e[0].Elapsed
	}
	for range 2 { // with the events, and from the checkpoint alone
		if got := first(); got < s.Elapsed || got > s.Elapsed+time.Minute {
			t.Errorf("the run goes on at %v, its checkpoint was at %v", got, s.Elapsed)
		}
		remove(t, filepath.Join(dir, rundir.EventsFile))
	}
	log, err := rundir.OpenEvents(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(log.Append(&rundir.Event{Elapsed: time.Hour, Stop: &rundir.StopEvent{Reason: "interrupted"}}), log.Close()); err != nil {
		t.Fatal(err)
	}
	if got := first(); got < time.Hour || got > time.Hour+time.Minute {
		t.Errorf("the run goes on at %v, its last event was at %v", got, time.Hour)
	}
}

// TestStopHidesNoError: a checkpoint that cannot be written is the end of the
// run, also if the context ends while that is being found out.
func TestStopHidesNoError(t *testing.T) {
	cfg := tiny()
	cfg.Generations = 1
	dir := copyRun(t)
	forget(t, dir, 0)
	for n := 1; ; n++ {
		if n > 100 {
			t.Fatal("no error")
		}
		remove(t, filepath.Join(dir, rundir.ShardsDir))
		if err := os.WriteFile(rundir.CheckpointDir(dir, 1), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		trained := false
		ctx := cancelAtCall(n)
		err := Run(ctx, dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Report: func(e rundir.Event) {
			trained = trained || e.Training != nil && e.Training.Done
		}})
		if trained && !errors.Is(err, fs.ErrExist) {
			t.Errorf("stopped at call %d: Run = %v, want %v", n, err, fs.ErrExist)
		}
		if !trained && !errors.Is(err, context.Canceled) {
			t.Errorf("stopped at call %d: Run = %v, want %v", n, err, context.Canceled)
		}
		if ctx.left.Load() > 0 {
			break // the context was not asked that often
		}
	}
}

// TestFlushErrorIsNotHiddenByAStop: games that could not be written at a stop
// are told of.
func TestFlushErrorIsNotHiddenByAStop(t *testing.T) {
	dir := newDir(t)
	cfg := tiny()
	cfg.GamesPerGeneration, cfg.GamesPerShard = 500, 500
	if err := rundir.Create(dir); err != nil {
		t.Fatal(err)
	}
	r, err := openRun(dir, cfg, Options{Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.events.Close()
	shard := shardPath(dir, 0)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		defer cancel()
		for ctx.Err() == nil { // the first game is written at once, the next after a second
			if _, err := os.Stat(shard); err == nil {
				// A folder of that name with something in it cannot be replaced.
				if err := errors.Join(os.Remove(shard), os.MkdirAll(filepath.Join(shard, "x"), 0o777)); err != nil {
					t.Error(err)
				}
				return
			}
			time.Sleep(100 * time.Microsecond)
		}
	}()
	if err := r.selfPlay(ctx); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("selfPlay = %v, want what happened to the shard", err)
	}
}

// TestFolderByAnyName: the name of a run does not depend on how its folder is
// written.
func TestFolderByAnyName(t *testing.T) {
	dir := copyRun(t)
	t.Chdir(dir)
	for i, path := range []string{".", "../tiny/", dir} {
		forget(t, dir, 1)
		mustWork(t, path, tiny())
		compare(t, dir)
		if t.Failed() {
			t.Fatalf("by name %d, %s", i, path)
		}
	}
}
