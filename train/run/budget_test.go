package run

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/internal/coretime"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// needCoreTime skips a test where core time is unknown.
func needCoreTime(t *testing.T) {
	t.Helper()
	if _, ok := coretime.Process(); !ok {
		t.Skip("this system does not say what processors spend on a process")
	}
}

// TestCoreBudgetEndsTheRun: core time used up is no error, is carried over, and more
// of it lets the run go on, to the same bytes.
func TestCoreBudgetEndsTheRun(t *testing.T) {
	needCoreTime(t)
	for _, mode := range []string{plan.ModeAlternating, plan.ModeConcurrent} {
		dir := newDir(t)
		cfg := tiny()
		cfg.Mode, cfg.Generations, cfg.CoreBudget = mode, 0, 200*time.Millisecond
		works := func() {
			t.Helper()
			var last rundir.Event
			if err := Run(t.Context(), dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Report: func(e rundir.Event) { last = e }}); err != nil {
				t.Fatal(err)
			}
			if last.Stop == nil || last.Stop.Reason != "core_budget" || last.CoreTime < cfg.CoreBudget || last.CoreTime > cfg.CoreBudget+5*time.Second {
				t.Errorf("%s: the last event is %+v after %v, want a stop by core_budget after %v", mode, last, last.CoreTime, cfg.CoreBudget)
			}
		}
		works()
		before := snapshot(t, dir)
		works() // there is none left
		for name, b := range snapshot(t, dir) {
			if name != rundir.EventsFile && b != before[name] {
				t.Errorf("%s: %s changed in no core time", mode, name)
			}
		}
		have, err := rundir.Generations(dir)
		if err != nil {
			t.Fatal(err)
		}
		cfg.CoreBudget, cfg.Generations = time.Hour, max(have[len(have)-1]+1, 2)
		mustWork(t, dir, cfg)
		if now, err := rundir.Generations(dir); err != nil || len(now) != cfg.Generations+1 {
			t.Errorf("%s: Generations = %v, %v, want them up to %d", mode, now, err, cfg.Generations)
		}
		if mode == plan.ModeConcurrent {
			continue
		}
		got := digest(t, dir)
		for name, b := range digest(t, wholeDir) {
			if got[name] != b {
				t.Errorf("%s differs from that of the uninterrupted run", name)
			}
		}
	}
}

// TestFirstBudgetEndsTheRun, whichever it is.
func TestFirstBudgetEndsTheRun(t *testing.T) {
	needCoreTime(t)
	cfg := tiny()
	cfg.Generations = 0
	for _, c := range []struct {
		budget, coreBudget time.Duration
		want               string
	}{{time.Nanosecond, time.Hour, "budget"}, {100 * time.Millisecond, time.Hour, "budget"}, {time.Hour, 100 * time.Millisecond, "core_budget"}} {
		cfg.Budget, cfg.CoreBudget = c.budget, c.coreBudget
		var last rundir.Event
		if err := Run(t.Context(), newDir(t), cfg, Options{Games: games.All(), Resolved: []byte(resolved), Report: func(e rundir.Event) { last = e }}); err != nil {
			t.Fatal(err)
		}
		if last.Stop == nil || last.Stop.Reason != c.want {
			t.Errorf("%+v: the last event is %+v", c, last)
		}
	}
}

// TestRatingsTakeNoCoreBudget: a rating may compute for longer than all of it, and a
// wait takes none either.
func TestRatingsTakeNoCoreBudget(t *testing.T) {
	needCoreTime(t)
	cfg := tiny()
	cfg.Generations, cfg.CoreBudget, cfg.GamesPerGeneration = 0, 300*time.Millisecond, 4
	r := &rater{due: func(g int, _ time.Duration) bool { return g == 1 }}
	r.rate = func(ctx context.Context, job rundir.RatingJob) (*rundir.RatingEvent, error) {
		from, _ := coretime.Process()
		for now := from; now < from+cfg.CoreBudget+50*time.Millisecond; now, _ = coretime.Process() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		return &rundir.RatingEvent{Generation: job.Generation, Done: true}, nil
	}
	var last rundir.Event
	if err := Run(t.Context(), newDir(t), cfg, Options{Games: games.All(), Resolved: []byte(resolved), Rater: r, Report: func(e rundir.Event) { last = e }}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.asked, []int{1}) || last.Stop == nil || last.Stop.Reason != "core_budget" || last.CoreTime < cfg.CoreBudget {
		t.Errorf("rated %v, last event %+v after %v, want generation 1 and the end of the budget", r.asked, last, last.CoreTime)
	}
}

// TestCoreBudgetNeedsCoreTime: a run that an earlier program has worked on is
// refused, and stays as it was.
func TestCoreBudgetNeedsCoreTime(t *testing.T) {
	dir := copyRun(t)
	edit(t, filepath.Join(rundir.CheckpointDir(dir, 2), rundir.StateFile), func(b []byte) []byte {
		return regexp.MustCompile(`"core_ns": \d+,`).ReplaceAll(b, nil)
	})
	before := snapshot(t, dir)
	cfg := tiny()
	cfg.CoreBudget = time.Hour
	err := work(t.Context(), dir, cfg)
	if err == nil || !strings.Contains(err.Error(), "core_budget: 1h0m0s: want 0s, since the core time is unknown: ") {
		t.Errorf("%v, want it to refuse core_budget", err)
	}
	for name, b := range snapshot(t, dir) {
		if b != before[name] {
			t.Errorf("%s has changed", name)
		}
	}
	cfg.CoreBudget = 0
	mustWork(t, dir, cfg)
}

// TestBudgetsLookNoLonger: what looks at the budgets ends with the work.
func TestBudgetsLookNoLonger(t *testing.T) {
	needCoreTime(t)
	dir := newDir(t)
	if err := rundir.Create(dir); err != nil {
		t.Fatal(err)
	}
	cfg := tiny()
	cfg.CoreBudget = time.Hour
	r, err := openRun(dir, cfg, Options{Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.trainer.Close()
	defer r.events.Close()
	r.begin()
	ctx, stop := r.withBudget(t.Context())
	if err := ctx.Err(); err != nil {
		t.Error(err)
	}
	stop()
	if r.budget.Stop() {
		t.Error("the timer still runs")
	}
	if !errors.Is(ctx.Err(), context.Canceled) || errors.As(context.Cause(ctx), new(usedUp)) {
		t.Errorf("the context ends with %v", context.Cause(ctx))
	}
}
