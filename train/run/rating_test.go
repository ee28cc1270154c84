package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// rater is a Rater that does what its fields say.
type rater struct {
	due   func(generation int, learned time.Duration) bool
	rate  func(ctx context.Context, job rundir.RatingJob) (*rundir.RatingEvent, error)
	keeps func(generation int) bool
	asked []int // generations that Rate was called for
}

func (r *rater) Due(generation int, learned time.Duration) bool {
	return r.due == nil || r.due(generation, learned)
}

func (r *rater) Rate(ctx context.Context, job rundir.RatingJob) (*rundir.RatingEvent, error) {
	r.asked = append(r.asked, job.Generation)
	if r.rate == nil {
		return &rundir.RatingEvent{Generation: job.Generation, Matches: []rundir.RatedMatch{}, Done: true}, nil
	}
	return r.rate(ctx, job)
}

func (r *rater) Keeps(generation int) bool { return r.keeps != nil && r.keeps(generation) }

// TestRatingChangesNothing: with ratings between all generations a run leaves
// what it leaves without, to the byte, and their time is no learning time.
func TestRatingChangesNothing(t *testing.T) {
	dir := newDir(t)
	const pause = 300 * time.Millisecond
	r := &rater{rate: func(_ context.Context, job rundir.RatingJob) (*rundir.RatingEvent, error) {
		if job.Workers != 1 || job.Learned <= 0 {
			t.Errorf("asked with %d workers after %v", job.Workers, job.Learned)
		}
		job.Show(&rundir.RatingEvent{Generation: job.Generation, Games: 1})
		time.Sleep(pause)
		return &rundir.RatingEvent{Generation: job.Generation, Matches: []rundir.RatedMatch{}, Took: pause, Done: true}, nil
	}}
	var events []rundir.Event
	began := time.Now()
	err := Run(context.Background(), dir, tiny(), Options{Games: games.All(), Resolved: []byte(resolved), Rater: r, Report: func(e rundir.Event) { events = append(events, e) }})
	if err != nil {
		t.Fatal(err)
	}
	whole := time.Since(began)
	compare(t, dir)
	if !slices.Equal(r.asked, []int{1}) { // of two generations the last is not asked for
		t.Errorf("rated %v, want generation 1", r.asked)
	}
	shown, before := 0, time.Duration(0)
	for _, e := range events {
		if e.Elapsed < before {
			t.Errorf("an event of %v follows one of %v", e.Elapsed, before)
		}
		if e.Rating != nil {
			shown++
			if e.Rating.Done && e.Elapsed != before {
				t.Errorf("the learning time went from %v to %v in a rating", before, e.Elapsed)
			}
		}
		before = e.Elapsed
	}
	if shown != 2 || before > whole-pause {
		t.Errorf("%d rating events, %v learned in %v, want 2 and no more than %v", shown, before, whole, whole-pause)
	}
	kept, err := rundir.ReadEvents(dir)
	if err != nil || !slices.ContainsFunc(kept, func(e rundir.Event) bool { return e.Rating != nil && e.Rating.Done && e.Rating.Took == pause }) ||
		slices.ContainsFunc(kept, func(e rundir.Event) bool { return e.Rating != nil && !e.Rating.Done }) {
		t.Errorf("events %+v, %v, want the rating that is done and no other", kept, err)
	}
}

// TestBudgetWaitsForRatings: a rating longer than the budget takes none of it.
func TestBudgetWaitsForRatings(t *testing.T) {
	for _, mode := range []string{plan.ModeAlternating, plan.ModeConcurrent} {
		t.Run(mode, func(t *testing.T) {
			// A busy machine may take longer than a second for the first generation.
			for budget := 1500 * time.Millisecond; !budgetWaits(t, mode, budget); budget *= 4 {
				if budget > time.Minute {
					t.Fatal("no generation was finished in the budget")
				}
			}
		})
	}
}

// budgetWaits is false where the budget ended before the first generation.
func budgetWaits(t *testing.T, mode string, budget time.Duration) bool {
	t.Helper()
	cfg := tiny()
	cfg.Mode, cfg.Generations, cfg.Budget, cfg.Workers = mode, 0, budget, 2
	cfg.GamesPerGeneration = 4
	r := &rater{due: func(g int, _ time.Duration) bool { return g == 1 }}
	r.rate = func(ctx context.Context, job rundir.RatingJob) (*rundir.RatingEvent, error) {
		select {
		case <-time.After(budget + 100*time.Millisecond):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		return &rundir.RatingEvent{Generation: job.Generation, Done: true}, nil
	}
	var last rundir.Event
	if err := Run(context.Background(), newDir(t), cfg, Options{Games: games.All(), Resolved: []byte(resolved), Rater: r, Report: func(e rundir.Event) { last = e }}); err != nil {
		t.Fatal(err)
	}
	if last.Stop == nil || last.Stop.Reason != "budget" {
		t.Errorf("last event %+v, want the end of the budget", last)
	}
	if last.Elapsed < budget {
		t.Errorf("learned for %v of a budget of %v", last.Elapsed, budget)
	}
	if len(r.asked) > 1 || len(r.asked) == 1 && r.asked[0] != 1 {
		t.Errorf("rated %v, want generation 1", r.asked)
	}
	return len(r.asked) == 1
}

// TestNothingPlaysWhileRated: in a concurrent run all cores are at rest.
func TestNothingPlaysWhileRated(t *testing.T) {
	dir := newDir(t)
	cfg := tinyConcurrent()
	rating := false // Report is called by one goroutine at a time, as is Show
	var decisions []float64
	r := &rater{due: func(g int, _ time.Duration) bool { return g == 1 }}
	r.rate = func(_ context.Context, job rundir.RatingJob) (*rundir.RatingEvent, error) {
		job.Show(&rundir.RatingEvent{Generation: 1, Games: 0})
		time.Sleep(3 * watchEvery)
		job.Show(&rundir.RatingEvent{Generation: 1, Games: 1})
		return &rundir.RatingEvent{Generation: 1, Done: true}, nil
	}
	err := Run(context.Background(), dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Rater: r, Report: func(e rundir.Event) {
		switch {
		case e.Rating != nil:
			rating = !e.Rating.Done && e.Rating.Games == 0
		case rating && e.SelfPlay != nil:
			decisions = append(decisions, e.SelfPlay.PositionsPerSecond)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	// Games that were finished before are still delivered, which may begin the count
	// of another generation.
	if n := len(decisions); n < 2 || decisions[n-1] != decisions[n-2] {
		t.Errorf("positions a second while rated %v, want the last two the same", decisions)
	}
	if games := checkLive(t, dir, cfg); games < int64(cfg.Generations*cfg.GamesPerGeneration) {
		t.Errorf("%d games", games)
	}
}

// TestInterruptedRatingIsAskedAgain: the run stops, and what goes on with it has
// the same to do.
func TestInterruptedRatingIsAskedAgain(t *testing.T) {
	for _, mode := range []string{plan.ModeAlternating, plan.ModeConcurrent} {
		dir := newDir(t)
		cfg := tiny()
		cfg.Mode = mode
		ctx, cancel := context.WithCancel(context.Background())
		r := &rater{rate: func(ctx context.Context, _ rundir.RatingJob) (*rundir.RatingEvent, error) {
			cancel()
			return nil, fmt.Errorf("match: %w", context.Cause(ctx))
		}}
		err := Run(ctx, dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Rater: r})
		if !errors.Is(err, context.Canceled) || lastReason(t, dir) != "interrupted" {
			t.Errorf("%s: Run = %v, %q, want it interrupted", mode, err, lastReason(t, dir))
		}
		r.rate = nil
		if err := Run(context.Background(), dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Rater: r}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.asked, []int{1, 1}) {
			t.Errorf("%s: rated %v, want generation 1 twice", mode, r.asked)
		}
		if mode == plan.ModeAlternating {
			compare(t, dir)
		}
	}
}

// TestFailedRatingEndsNoTraining: it is reported once.
func TestFailedRatingEndsNoTraining(t *testing.T) {
	dir := newDir(t)
	cfg := tiny()
	cfg.Generations = 3
	r := &rater{rate: func(context.Context, rundir.RatingJob) (*rundir.RatingEvent, error) {
		return nil, errors.New("no such opponent")
	}}
	var problems []string
	err := Run(context.Background(), dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Rater: r, Report: func(e rundir.Event) {
		if e.Rating != nil {
			problems = append(problems, e.Rating.Problem)
		}
	}})
	if err != nil || !slices.Equal(r.asked, []int{1}) || !slices.Equal(problems, []string{"no such opponent"}) {
		t.Errorf("Run = %v, rated %v, problems %q, want one attempt and one problem", err, r.asked, problems)
	}
}

// TestRetentionKeepsWhatIsRated: a network that a rating still needs stays.
func TestRetentionKeepsWhatIsRated(t *testing.T) {
	whole, dir := newDir(t), newDir(t)
	cfg := longer()
	mustWork(t, whole, cfg)
	cfg.Retention.Checkpoints = 1
	r := &rater{due: func(int, time.Duration) bool { return false }, keeps: func(g int) bool { return g == 2 }}
	if err := Run(context.Background(), dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Rater: r}); err != nil {
		t.Fatal(err)
	}
	checkKept(t, dir, whole, "N.N..W")
	r.keeps = nil
	if err := Run(context.Background(), dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Rater: r}); err != nil {
		t.Fatal(err)
	}
	checkKept(t, dir, whole, "N....W")
}

// TestAllCoresWaitForTheirHolders takes all cores while workers have some.
func TestAllCoresWaitForTheirHolders(t *testing.T) {
	c := newCores(3)
	ctx := context.Background()
	for w := range 2 {
		if err := c.Take(ctx, w); err != nil {
			t.Fatal(err)
		}
	}
	took := make(chan func())
	go func() {
		release, err := c.takeAll(ctx)
		if err != nil {
			t.Error(err)
		}
		took <- release
	}()
	c.Give(0)
	select {
	case <-took:
		t.Fatal("all cores were taken while a worker had one")
	case <-time.After(50 * time.Millisecond):
	}
	c.Give(1)
	release := <-took
	short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	if err := c.Take(short, 0); err == nil {
		t.Error("a worker got a core although all were taken")
	}
	release()
	if n, err := c.takeForTraining(ctx, 3); n != 3 || err != nil {
		t.Errorf("%d cores are free afterwards, %v, want 3", n, err)
	}

	// Given up, it leaves the cores to others.
	ended, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	if _, err := c.takeAll(ended); err == nil {
		t.Error("cores were taken that somebody has")
	}
	c.giveBack(3)
	for w := range 3 {
		if err := c.Take(ctx, w); err != nil {
			t.Error(err)
		}
	}
}
