package run

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestShareOfTheBudget: the middle of a generation counts, and of several limits the
// one that is nearest to its end.
func TestShareOfTheBudget(t *testing.T) {
	for _, c := range []struct {
		budget, elapsed         time.Duration
		generations, generation int
		want                    float64
	}{
		{0, time.Hour, 10, 0, 0.05},
		{0, time.Hour, 10, 4, 0.45},
		{0, time.Hour, 10, 12, 1.25},
		{time.Hour, 0, 0, 0, 0},
		{time.Hour, 24 * time.Minute, 0, 2, 0.5}, // 12 minutes each
		{time.Hour, 24 * time.Minute, 10, 2, 0.5},
		{time.Hour, 24 * time.Minute, 4, 2, 0.625},
		{2 * time.Hour, 24 * time.Minute, 0, 2, 0.25}, // prolonged
	} {
		cfg := plan.Config{Budget: c.budget, Generations: c.generations}
		if got := cfg.Used(c.generation, c.elapsed, nil); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %g used, want %g", c, got, c.want)
		}
	}
	cores := 90 * time.Minute
	for _, c := range []struct {
		budget, coreBudget time.Duration
		generations        int
		want               float64
	}{
		{0, 3 * time.Hour, 0, 0.625}, // 45 minutes each
		{2 * time.Hour, 3 * time.Hour, 0, 0.625},
		{time.Hour, 3 * time.Hour, 0, 1.25},
		{0, 3 * time.Hour, 3, 2.5 / 3},
	} {
		cfg := plan.Config{Budget: c.budget, CoreBudget: c.coreBudget, Generations: c.generations}
		if got := cfg.Used(2, time.Hour, &cores); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %g used, want %g", c, got, c.want)
		}
	}
}

// rates are the learning rates of the trainings of a run.
func rates(t *testing.T, dir string) (list []float64) {
	t.Helper()
	rows, err := rundir.ReadMetrics(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		list = append(list, rows[i].LearningRate)
	}
	return list
}

// TestRateFallsWithGenerations, from the middle of the run on, and rises again
// when the run is made longer.
func TestRateFallsWithGenerations(t *testing.T) {
	dir := newDir(t)
	cfg := tiny()
	cfg.Generations, cfg.Train.WarmupSteps = 4, 1
	cfg.Train.LearningRate, cfg.Train.DecayShare, cfg.Train.FinalLearningRate = 1e-2, 0.5, 1e-3
	mustWork(t, dir, cfg)
	cfg.Generations = 8
	mustWork(t, dir, cfg)
	fallen := func(part float64) float64 { return 1e-3 + 9e-3*(1+math.Cos(math.Pi*part))/2 }
	want := []float64{
		1e-2, 1e-2, fallen(0.25), fallen(0.75), // of 4: 3/8 used in the second, 5/8 in the third
		fallen(0.125), fallen(0.375), fallen(0.625), fallen(0.875), // of 8: 9/16 used in the fifth
	}
	got := rates(t, dir)
	if len(got) != len(want) {
		t.Fatalf("rates %v, want %v", got, want)
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Errorf("generation %d was trained at %g, want %g", i+1, got[i], want[i])
		}
	}
}

// TestTrainingAgainHasTheSameRate: under a budget of time a training that was cut
// short, which took some of it, is done again to the same weights.
func TestTrainingAgainHasTheSameRate(t *testing.T) {
	cfg := tiny()
	cfg.Generations, cfg.Budget = 0, time.Hour
	cfg.Train.WarmupSteps, cfg.Train.DecayShare, cfg.Train.FinalLearningRate = 1, 1, 1e-4
	whole := newDir(t)
	opt := Options{Games: games.All(), Resolved: []byte(resolved)}
	if err := errors.Join(inStages(t.Context(), whole, cfg), SelfPlay(t.Context(), whole, cfg, opt)); err != nil {
		t.Fatal(err)
	}
	s, err := rundir.ReadState(whole, 1)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Budget = 2 * s.Elapsed // three quarters are used in the middle of the second training
	cut := newDir(t)
	if err := os.CopyFS(cut, os.DirFS(whole)); err != nil {
		t.Fatal(err)
	}
	if err := Fit(t.Context(), whole, cfg, opt); err != nil {
		t.Fatal(err)
	}
	before, err := rundir.ReadEvents(cut)
	if err != nil {
		t.Fatal(err)
	}
	if err := Fit(cancelAtCall(4), cut, cfg, opt); !errors.Is(err, context.Canceled) {
		t.Fatalf("Fit that is stopped: %v", err)
	}
	after, err := rundir.ReadEvents(cut)
	if err != nil || after[len(after)-1].Elapsed <= before[len(before)-1].Elapsed {
		t.Fatalf("the training that was cut short took no time: %v", err)
	}
	if err := Fit(t.Context(), cut, cfg, opt); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{rundir.WeightsFile, rundir.OptimizerFile} {
		path := func(dir string) string { return filepath.Join(rundir.CheckpointDir(dir, 2), name) }
		if file(t, "", path(whole)) != file(t, "", path(cut)) {
			t.Errorf("%s differs after a training that was cut short", name)
		}
	}
	peak, last := cfg.Train.LearningRate, cfg.Train.FinalLearningRate
	want := last + (peak-last)*(1+math.Cos(math.Pi*0.75))/2
	if got := rates(t, cut); len(got) != 2 || math.Abs(got[1]-want) > 1e-12 {
		t.Errorf("rates %v, want %g in the end", got, want)
	}
}

// TestRateFallsWithTime: within a process, too, the rate equals the last
// checkpoint's time.
func TestRateFallsWithTime(t *testing.T) {
	cfg := tiny()
	cfg.Generations = 0
	cfg.Train.WarmupSteps, cfg.Train.DecayShare, cfg.Train.FinalLearningRate = 1, 1, 1e-4
	for _, c := range []struct {
		mode               string
		budget, coreBudget time.Duration
	}{{plan.ModeAlternating, time.Minute, 0}, {plan.ModeConcurrent, time.Minute, 0}, {plan.ModeAlternating, 0, time.Minute}} {
		cfg.Mode, cfg.Budget, cfg.CoreBudget = c.mode, c.budget, c.coreBudget
		if cfg.CoreBudget > 0 {
			needCoreTime(t)
		}
		dir := newDir(t)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		err := Run(ctx, dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Report: func(e rundir.Event) {
			if e.Checkpoint != nil && e.Checkpoint.Generation == 3 {
				stop()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		got := rates(t, dir)
		if len(got) == 0 {
			t.Errorf("%+v: no generation was trained", c)
		}
		// It falls as the time that is used goes up. That is foretold from the generations
		// so far, and may go down a little where a slow one comes before a fast one.
		last, past := math.Inf(1), math.Inf(-1)
		for i, rate := range got {
			s, err := rundir.ReadState(dir, i)
			if err != nil {
				t.Fatal(err)
			}
			used := cfg.Used(s.Generation, s.Elapsed, s.CoreTime)
			if want := cfg.Train.PeakAt(used); rate != want || (rate < last) != (used > past) || i > 0 && rate >= cfg.Train.LearningRate {
				t.Errorf("%+v: generation %d was trained at %g after %g, want %g", c, i+1, rate, last, want)
			}
			last, past = rate, used
		}
	}
}
