package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

func tinyConcurrent() plan.Config {
	c := tiny()
	c.Mode, c.Generations, c.Workers = plan.ModeConcurrent, 4, 2
	return c
}

// checkLive holds a concurrent run, finished or not, to what must always be true
// of it, and returns the number of games in its shards.
func checkLive(t *testing.T, dir string, cfg plan.Config) int64 {
	t.Helper()
	generations, err := rundir.Generations(dir)
	if err != nil {
		t.Fatal(err)
	}
	per := int64(cfg.GamesPerGeneration)
	next, rowsBefore := int64(0), map[int64]int{} // rows of the games below
	rows := 0
	for i, name := range shards(t, dir) {
		shard, err := record.Open(filepath.Join(dir, rundir.ShardsDir, name), info(t, cfg.Game))
		if err != nil {
			t.Fatal(err)
		}
		all, err := shard.Rows()
		if err != nil {
			t.Fatal(err)
		}
		m := shard.Meta
		if m.Number != int64(i) || m.FirstGame != next || m.LastGame-m.FirstGame >= int64(cfg.GamesPerShard) {
			t.Errorf("%s is number %d with games %d to %d, want number %d with up to %d games from %d on", name, m.Number,
				m.FirstGame, m.LastGame, i, cfg.GamesPerShard, next)
		}
		for _, r := range all {
			if r.GameNumber < next-1 || r.GameNumber > next {
				t.Fatalf("%s has game %d behind game %d", name, r.GameNumber, next-1)
			}
			next = r.GameNumber + 1
			g := int64(r.Generation)
			if r.Generation != m.Generation || r.GameNumber < g*per || r.GameNumber >= (g+3)*per {
				t.Fatalf("%s of generation %d has game %d by generation %d", name, m.Generation, r.GameNumber, g)
			}
			rows++
			rowsBefore[next] = rows
		}
	}
	for _, g := range generations {
		s, err := rundir.ReadState(dir, g)
		if err != nil {
			t.Fatal(err)
		}
		if s.Games != g*int(per) || g > 0 && s.Rows != rowsBefore[int64(s.Games)] {
			t.Errorf("checkpoint %d has learned from %d positions of %d games, want %d of %d", g, s.Rows, s.Games, rowsBefore[int64(s.Games)], g*int(per))
		}
		samples := float64(s.Step*cfg.Train.Batch) + s.Owed
		if want := cfg.PassesPerPosition * float64(s.Rows); math.Abs(samples-want) > 1e-6 || s.Owed >= float64(cfg.Train.Batch) {
			t.Errorf("checkpoint %d: %d steps and %g samples owed after %d positions, want %g samples in all and less than a batch owed",
				g, s.Step, s.Owed, s.Rows, want)
		}
	}
	return next
}

func TestConcurrentRun(t *testing.T) {
	dir, cfg := newDir(t), tinyConcurrent()
	cfg.Generations = 12
	mustWork(t, dir, cfg)
	if n := checkLive(t, dir, cfg); n != 12*14 {
		t.Errorf("%d games were played, want %d", n, 12*14)
	}
	networks := map[string]bool{}
	for _, name := range shards(t, dir) {
		networks[name[:len("gen000000")]] = true
	}
	if len(networks) < 4 {
		t.Errorf("only %d of 12 networks played", len(networks))
	}
	events, err := rundir.ReadEvents(dir)
	if err != nil {
		t.Fatal(err)
	}
	played, learned, positions, steps := 0, 0, 0, 0
	for _, e := range events {
		switch {
		case e.SelfPlay != nil:
			if p := e.SelfPlay; !p.Done || p.Generation != played || p.Games != 14 || p.GamesWant != 14 || p.MeanTurns < 5 || p.MeanTurns > 9 {
				t.Errorf("self-play event %+v, want all games of generation %d", *p, played)
			}
			played++
			positions += e.SelfPlay.Positions
		case e.Training != nil:
			if l := e.Training; !l.Done || l.Generation != learned || l.StepsDone != l.StepsWant || l.Step != steps+l.StepsDone {
				t.Errorf("training event %+v, want generation %d from step %d", *l, learned, steps)
			}
			learned++
			steps = e.Training.Step
		}
	}
	last := events[len(events)-1]
	if played != 12 || learned != 12 || last.Stop == nil || last.Stop.Reason != "generations" {
		t.Errorf("%d stages of self-play and %d of training, then %+v, want 12 of each and the stop", played, learned, last)
	}
	s, err := rundir.ReadState(dir, 12)
	if err != nil || s.Rows != positions || s.Step != steps {
		t.Errorf("the last checkpoint has %d positions and %d steps (%v), the events %d and %d", s.Rows, s.Step, err, positions, steps)
	}
}

// TestConcurrentStoppedRunGoesOn stops a run at random moments, and every other
// time takes away what a kill would have cost, the shard written last.
func TestConcurrentStoppedRunGoesOn(t *testing.T) {
	dir, cfg := newDir(t), tinyConcurrent()
	cfg.Generations = 12
	rng := rand.New(rand.NewPCG(1, 2))
	for stops := 0; ; stops++ {
		if stops == 20 {
			mustWork(t, dir, cfg)
			break
		}
		ctx, cancel := context.WithCancel(context.Background())
		timer := time.AfterFunc(time.Duration(rng.IntN(40))*time.Millisecond, cancel)
		err := work(ctx, dir, cfg)
		timer.Stop()
		cancel()
		if err == nil {
			if stops < 4 {
				t.Errorf("only %d stops met the run alive", stops)
			}
			break
		}
		if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "shard") {
			t.Fatalf("Run = %v, want %v", err, context.Canceled)
		}
		played := checkLive(t, dir, cfg)
		generations, err := rundir.Generations(dir)
		if err != nil {
			t.Fatal(err)
		}
		learned := int64(generations[len(generations)-1] * cfg.GamesPerGeneration)
		if names := shards(t, dir); stops%2 == 1 && len(names) > 0 && played > learned {
			path := filepath.Join(dir, rundir.ShardsDir, names[len(names)-1])
			shard, err := record.Open(path, info(t, cfg.Game))
			if err != nil {
				t.Fatal(err)
			}
			if shard.Meta.FirstGame >= learned {
				remove(t, path)
			}
		}
	}
	if n := checkLive(t, dir, cfg); n != int64(cfg.Generations*cfg.GamesPerGeneration) {
		t.Errorf("%d games were played, want %d", n, cfg.Generations*cfg.GamesPerGeneration)
	}
}

// TestConcurrentTrainingIsRepeated takes away the last checkpoints of a finished
// run: all games are there, and what is learned from them is the same.
func TestConcurrentTrainingIsRepeated(t *testing.T) {
	dir, cfg := newDir(t), tinyConcurrent()
	mustWork(t, dir, cfg)
	want := digest(t, dir)
	// Shards of the networks that are taken away must not be there: they are
	// newer than the checkpoint. The last generation's never played.
	remove(t, rundir.CheckpointDir(dir, cfg.Generations))
	for _, workers := range []int{1, 3} {
		cfg.Workers = workers
		mustWork(t, dir, cfg)
		got := digest(t, dir)
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%s differs when training is repeated", name)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d files after training is repeated, want %d", len(got), len(want))
		}
		remove(t, rundir.CheckpointDir(dir, cfg.Generations))
	}
}

// TestConcurrentWithAllOptions turns on what reaches into the loop: averages,
// a growing network, openings, beginnings in earlier games, and surprise.
func TestConcurrentWithAllOptions(t *testing.T) {
	dir, cfg := newDir(t), tinyConcurrent()
	cfg.Train.AverageDecay, cfg.Train.AverageBatches = 0.9, 2
	cfg.Growth = []plan.Growth{{Generation: 3, Blocks: 2, Channels: 16}}
	cfg.SelfPlay.Beginnings.EarlierShare, cfg.SelfPlay.Beginnings.SampledShare = 0.5, 0.3
	cfg.Window.SurpriseShare = 0.5
	cfg.Generations = 2
	mustWork(t, dir, cfg)
	cfg.Generations = 6
	mustWork(t, dir, cfg)
	checkLive(t, dir, cfg)
	want := digest(t, dir)
	remove(t, rundir.CheckpointDir(dir, cfg.Generations))
	mustWork(t, dir, cfg)
	got := digest(t, dir)
	beginnings := map[string]int{}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s differs when training is repeated", name)
		}
		if !strings.HasPrefix(name, rundir.ShardsDir) {
			continue
		}
		shard, err := record.Open(filepath.Join(dir, name), info(t, cfg.Game))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := shard.Rows()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			beginnings[r.Beginning]++
		}
	}
	for _, b := range []string{record.BeginningStart, record.BeginningSampled, record.BeginningEarlier} {
		if beginnings[b] == 0 {
			t.Errorf("no game begins with %q: %v", b, beginnings)
		}
	}
}

func TestConcurrentBudgetEndsTheRun(t *testing.T) {
	dir, cfg := newDir(t), tinyConcurrent()
	cfg.Generations, cfg.Budget = 0, 150*time.Millisecond
	mustWork(t, dir, cfg)
	first := checkLive(t, dir, cfg)
	events, err := rundir.ReadEvents(dir)
	if err != nil {
		t.Fatal(err)
	}
	if last := events[len(events)-1]; last.Stop == nil || last.Stop.Reason != "budget" || last.Elapsed < cfg.Budget || last.Elapsed > cfg.Budget+5*time.Second {
		t.Errorf("the last event is %+v, want a stop by the budget", last)
	}
	mustWork(t, dir, cfg) // no time is left
	if n := checkLive(t, dir, cfg); n != first {
		t.Errorf("%d games without budget, want %d as before", n, first)
	}
	cfg.Budget = time.Hour
	g, err := rundir.Generations(dir)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Generations = g[len(g)-1] + 2
	mustWork(t, dir, cfg)
	checkLive(t, dir, cfg)
}

// TestConcurrentErrorEndsBothSides makes training fail by a shard that it reads,
// and self-play by one that it cannot write.
func TestConcurrentErrorEndsBothSides(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(dir string) error
		want  string
	}{
		"training": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, rundir.ShardsDir, record.FileName(99, 0)), []byte("no shard"), 0o666)
		}, record.FileName(99, 0)},
		"self-play": {func(dir string) error {
			return os.MkdirAll(filepath.Join(dir, rundir.ShardsDir, record.FileName(0, 1), "in the way"), 0o777)
		}, record.FileName(0, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			dir, cfg := newDir(t), tinyConcurrent()
			cfg.Generations, cfg.Budget = 0, time.Minute
			began := time.Now()
			err := Run(context.Background(), dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Report: func(e rundir.Event) {
				if e.Start != nil {
					if err := c.spoil(dir); err != nil {
						t.Error(err)
					}
				}
			}})
			if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, context.Canceled) || time.Since(began) > 30*time.Second {
				t.Errorf("Run = %v after %v, want an error that names %s at once", err, time.Since(began), c.want)
			}
		})
	}
}

// TestConcurrentStopIsSoon: who stops a run waits for a step and a batch, no
// longer, even where one side has far more to do than the other.
func TestConcurrentStopIsSoon(t *testing.T) {
	for name, set := range map[string]func(*plan.Config){
		"much to learn": func(c *plan.Config) { c.PassesPerPosition = 900 },
		"much to play":  func(c *plan.Config) { c.PassesPerPosition, c.SelfPlay.Search.Simulations = 0.1, 2000 },
	} {
		t.Run(name, func(t *testing.T) {
			dir, cfg := newDir(t), tinyConcurrent()
			set(&cfg)
			cfg.Generations, cfg.Budget = 0, time.Hour
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var stopped atomic.Int64
			err := Run(ctx, dir, cfg, Options{Games: games.All(), Report: func(e rundir.Event) {
				if e.Training != nil || e.SelfPlay != nil && stopped.Load() == 0 {
					stopped.CompareAndSwap(0, time.Now().UnixNano())
					cancel()
				}
			}})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("Run = %v, want %v", err, context.Canceled)
			}
			if late := time.Since(time.Unix(0, stopped.Load())); late > 5*time.Second {
				t.Errorf("the run ended %v after it was stopped", late)
			}
			checkLive(t, dir, cfg)
		})
	}
}

func TestConcurrentHasNoStages(t *testing.T) {
	for name, stage := range map[string]func(context.Context, string, plan.Config, Options) error{"SelfPlay": SelfPlay, "Fit": Fit} {
		dir := newDir(t)
		if err := stage(t.Context(), dir, tinyConcurrent(), Options{Games: games.All()}); err == nil || !strings.Contains(err.Error(), "mode is concurrent") {
			t.Errorf("%s = %v, want it refused", name, err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s made a folder: %v", name, err)
		}
	}
}

func TestConcurrentRefusals(t *testing.T) {
	whole, cfg := newDir(t), tinyConcurrent()
	mustWork(t, whole, cfg)
	names := shards(t, whole)
	for _, c := range []struct {
		name string
		do   func(t *testing.T, dir string, cfg *plan.Config)
		want []string
	}{
		{"a shard is missing", func(t *testing.T, dir string, _ *plan.Config) {
			remove(t, filepath.Join(dir, rundir.ShardsDir, names[2]))
		}, []string{names[3], "want number 2 next"}},
		{"the last shard is missing", func(t *testing.T, dir string, _ *plan.Config) {
			remove(t, filepath.Join(dir, rundir.ShardsDir, names[len(names)-1]))
		}, []string{"checkpoint 4 has learned from"}},
		{"shards of a network that is not there", func(t *testing.T, dir string, _ *plan.Config) {
			for g := 1; g <= 4; g++ {
				remove(t, rundir.CheckpointDir(dir, g))
			}
		}, []string{"newer than the last checkpoint, 0"}},
		{"another mode", func(_ *testing.T, _ string, cfg *plan.Config) { cfg.Mode = plan.ModeAlternating }, []string{"checkpoint 4 is of a run with configuration"}},
		{"a shard is cut short", func(t *testing.T, dir string, _ *plan.Config) {
			edit(t, filepath.Join(dir, rundir.ShardsDir, names[1]), truncate)
		}, []string{names[1], record.ErrCorrupt.Error()}},
		{"a shard has another name", func(t *testing.T, dir string, _ *plan.Config) {
			path, last := filepath.Join(dir, rundir.ShardsDir), names[len(names)-1]
			if err := os.Rename(filepath.Join(path, last), filepath.Join(path, record.FileName(4, 77))); err != nil {
				t.Fatal(err)
			}
		}, []string{"it was written as " + names[len(names)-1]}},
		{"a shard with games of another", func(t *testing.T, dir string, _ *plan.Config) {
			rewriteRows(t, dir, names[1], cfg, func(r *record.Row) { r.GameNumber -= 3 })
		}, []string{names[1], "the shard before it goes up to 3"}},
		{"a shard with games of two", func(t *testing.T, dir string, _ *plan.Config) {
			rewriteRows(t, dir, names[0], cfg, func(r *record.Row) { r.GameNumber += r.GameNumber / 3 * 2 })
		}, []string{names[0], "want none from 4 on"}},
		{"a shard with games too late for its network", func(t *testing.T, dir string, _ *plan.Config) {
			rewriteRows(t, dir, names[0], cfg, func(r *record.Row) { r.GameNumber += 9 * 14 })
		}, []string{names[0], "want some of 0 to 125"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, cfg := newDir(t), cfg
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			c.do(t, dir, &cfg)
			before := fmt.Sprint(snapshot(t, dir))
			err := work(context.Background(), dir, cfg)
			if err == nil {
				t.Fatal("the run was not refused")
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("Run = %v, want it to say %q", err, w)
				}
			}
			if fmt.Sprint(snapshot(t, dir)) != before {
				t.Error("the refused run was changed")
			}
		})
	}
}

// rewriteRows writes a shard again with changed rows.
func rewriteRows(t *testing.T, dir, name string, cfg plan.Config, change func(*record.Row)) {
	t.Helper()
	path := filepath.Join(dir, rundir.ShardsDir)
	shard, err := record.Open(filepath.Join(path, name), info(t, cfg.Game))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := shard.Rows()
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		change(&rows[i])
	}
	m := shard.Meta
	head := record.Head{Run: m.Run, Generation: m.Generation, Number: m.Number, ConfigHash: m.ConfigHash, Kernel: m.Kernel}
	if _, _, err := record.Write(path, info(t, cfg.Game), head, rows); err != nil {
		t.Fatal(err)
	}
}
