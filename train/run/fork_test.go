package run

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
)

// forkOf is a fork of the whole run, at generation, -1 for its last.
func forkOf(source string, generation int) Options {
	return Options{Games: games.All(), Resolved: []byte(resolved), Fork: &Fork{Dir: source, Generation: generation}}
}

// forkDir is a fresh path for a fork.
func forkDir(t testing.TB) string { return filepath.Join(t.TempDir(), "fork") }

func mustFork(t testing.TB, dir string, cfg plan.Config, opt Options) {
	t.Helper()
	if err := Run(context.Background(), dir, cfg, opt); err != nil {
		t.Fatal(err)
	}
}

// TestForkTakesOver: generation 0 is the source's network with its optimizer and
// steps, and the window has its games, by their ages.
func TestForkTakesOver(t *testing.T) {
	dir := forkDir(t)
	mustFork(t, dir, tiny(), forkOf(wholeDir, -1))
	source, err := rundir.ReadState(wholeDir, 2)
	if err != nil {
		t.Fatal(err)
	}
	first, err := rundir.ReadState(dir, 0)
	if err != nil || first.Step != source.Step || first.Rows != 0 || first.Games != 0 || first.Elapsed != 0 || first.Metrics != nil {
		t.Errorf("the fork begins at %+v, %v, want at step %d without games of its own", first, err, source.Step)
	}
	was, card, err := model.Load(rundir.WeightsPath(wholeDir, 2))
	if err != nil {
		t.Fatal(err)
	}
	is, own, err := model.Load(rundir.WeightsPath(dir, 0))
	if err != nil || !is.Equal(was) {
		t.Errorf("generation 0 is not the source's network: %v", err)
	}
	if own.Generation != 0 || own.Step != card.Step || own.Positions != card.Positions || own.Samples != card.Samples || len(own.Rules) != 1 || own.Rules[0] != card.Rules[0] {
		t.Errorf("its card is %+v, want what is in %+v", own, card)
	}
	if a, b := file(t, rundir.CheckpointDir(wholeDir, 2), rundir.OptimizerFile), file(t, rundir.CheckpointDir(dir, 0), rundir.OptimizerFile); a != b {
		t.Error("the optimizer differs from that of the source")
	}
	o, err := rundir.CheckOrigin(dir, &first)
	if err != nil || o == nil || o.String() != "tiny@2" || o.Seen != int64(source.Rows) || len(o.Inherited) != 1 || o.Inherited[0].Offset != -2 {
		t.Fatalf("origin %+v, %v, want tiny@2 with all %d positions seen", o, err, source.Rows)
	}
	c := tiny()
	size := c.Window.Positions(o.Seen)
	oldest := int64(o.Inherited[0].Shards[0].Rows)
	if n := o.Rows(); n < size || n-oldest >= size || n == o.Seen {
		t.Errorf("%d positions of %d were inherited, want just the shards that reach into the newest %d", n, o.Seen, size)
	}
	rows, err := rundir.ReadMetrics(dir)
	if err != nil || len(rows) != 2 {
		t.Fatalf("metrics %+v, %v, want two rows", rows, err)
	}
	for i, m := range rows {
		s, err := rundir.ReadState(dir, i+1)
		if err != nil || s.Origin != first.Origin {
			t.Errorf("state %d has origin %q, %v, want %q", i+1, s.Origin, err, first.Origin)
		}
		if want := c.Window.Positions(o.Seen + m.Positions); m.WindowPositions != want || m.Positions != int64(s.Rows) || m.Positions >= o.Seen+m.NewPositions {
			t.Errorf("generation %d drew from %d positions after %d of its own, want %d", i+1, m.WindowPositions, m.Positions, want)
		}
		if want := int(float64(m.NewPositions)*c.PassesPerPosition) / c.Train.Batch; int(m.Steps) < want || int(m.Steps) > want+1 {
			t.Errorf("generation %d took %d steps, want %d for its own new positions", i+1, m.Steps, want)
		}
		_, card, err := model.Load(rundir.WeightsPath(dir, i+1))
		if err != nil || card.Positions != o.Positions+m.Positions || card.Samples != int64(s.Step)*int64(c.Train.Batch) || card.CPuct != c.PlayCPuct || card.Search != c.PlaySearch {
			t.Errorf("generation %d: card of %d positions, %d samples, cpuct %g, search %q, %v", i+1, card.Positions, card.Samples, card.CPuct, card.Search, err)
		}
	}
	if age := rows[0].MeanAge; !(age > 0 && age < 2) {
		t.Errorf("positions drawn first are %g generations old on average, want between 0 and 2: the source's are of its networks 0 and 1", age)
	}
	mustEqualAgain(t, dir, tiny())
}

// mustEqualAgain plays all games of a run again.
func mustEqualAgain(t testing.TB, dir string, cfg plan.Config) {
	t.Helper()
	numbers, err := play.RecordedGames(context.Background(), dir, cfg, games.All())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = play.Reproduce(context.Background(), dir, cfg, games.All(), nil, numbers, func(r play.Reproduction) {
		n++
		if len(r.Differ) > 0 || r.Gone {
			t.Errorf("%+v", r)
		}
	})
	if err != nil || n != cfg.Generations*cfg.GamesPerGeneration {
		t.Errorf("%d games were played again, %v", n, err)
	}
}

func file(t testing.TB, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestForksAreTheSame: with any number of workers, stopped at every step, and
// whatever becomes of the source in the meantime.
func TestForksAreTheSame(t *testing.T) {
	for name, change := range map[string]func(*plan.Config){
		"plain":    func(*plan.Config) {},
		"grown":    func(c *plan.Config) { c.Model.Blocks, c.Model.Channels = 2, 16 },
		"averaged": func(c *plan.Config) { c.Train.AverageDecay, c.Train.AverageBatches = 0.9, 2 },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := tiny()
			change(&cfg)
			whole := forkDir(t)
			mustFork(t, whole, cfg, forkOf(wholeDir, 2))
			if w, _, err := model.Load(rundir.WeightsPath(whole, 0)); err != nil || w.Network().Config != cfg.Model {
				t.Errorf("generation 0 is of %+v, %v, want %+v", w.Network().Config, err, cfg.Model)
			}
			source, torn := copyRun(t), forkDir(t)
			for n := 1; ; n++ {
				if n > 200 {
					t.Fatal("the run does not end")
				}
				cfg.Workers = 1 + n%3
				err := Run(cancelAtCall(n), torn, cfg, forkOf(source, 2))
				if err == nil {
					break
				}
				if !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				if n == 3 {
					remove(t, source)
				}
			}
			compareWith(t, whole, torn)
		})
	}
}

// TestForkOfAFork inherits from both runs before it, and from their own folders
// no more.
func TestForkOfAFork(t *testing.T) {
	cfg := tiny()
	cfg.Window.MinPositions = 100_000 // all of them
	cfg.Generations = 1
	one, two := forkDir(t), filepath.Join(t.TempDir(), "tiny") // as its grandparent is called
	mustFork(t, one, cfg, forkOf(wholeDir, 1))
	cfg.Rules = "standard"
	mustFork(t, two, cfg, forkOf(one, -1))
	s, err := rundir.ReadState(two, 0)
	if err != nil {
		t.Fatal(err)
	}
	o, err := rundir.CheckOrigin(two, &s)
	if err != nil || len(o.Inherited) != 2 || o.Inherited[0].Run != identity(t, wholeDir) || o.Inherited[0].Offset != -2 || o.Inherited[1].Run != identity(t, one) || o.Inherited[1].Offset != -1 {
		t.Fatalf("origin %+v, %v, want the whole run's shards, two generations back, and the fork's", o, err)
	}
	first, err := rundir.ReadState(wholeDir, 1)
	if err != nil {
		t.Fatal(err)
	}
	second, err := rundir.ReadState(one, 1)
	if err != nil || o.Rows() != int64(first.Rows+second.Rows) || o.Seen != o.Rows() {
		t.Errorf("%d positions inherited, %d seen, %v, want %d and %d", o.Rows(), o.Seen, err, first.Rows, second.Rows)
	}
	remove(t, one)
	cfg.Generations = 2
	mustWork(t, two, cfg)
	if rows, err := rundir.ReadMetrics(two); err != nil || rows[1].WindowPositions != o.Seen+rows[1].Positions {
		t.Errorf("metrics %+v, %v", rows, err)
	}
}

// TestForkWithoutGames begins with a window of its own games alone, also where
// the source has lost its games.
func TestForkWithoutGames(t *testing.T) {
	source, dir := copyRun(t), forkDir(t)
	remove(t, filepath.Join(source, rundir.ShardsDir))
	opt := forkOf(source, 1)
	opt.Fork.FreshWindow = true
	mustFork(t, dir, tiny(), opt)
	rows, err := rundir.ReadMetrics(dir)
	c := tiny()
	if err != nil || rows[0].WindowPositions != c.Window.Positions(rows[0].NewPositions) {
		t.Errorf("metrics %+v, %v, want the first training from the %d new positions", rows, err, rows[0].NewPositions)
	}
	if _, err := os.Stat(filepath.Join(dir, rundir.InheritedDir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v, want none", rundir.InheritedDir, err)
	}
	mustFork(t, dir, tiny(), opt)
	opt.Fork.FreshWindow = false
	if err := Run(t.Context(), dir, tiny(), opt); err == nil || !strings.Contains(err.Error(), "fresh window: true: that cannot be changed") {
		t.Errorf("with another window: %v", err)
	}
}

// TestForkWithoutOptimizer of a checkpoint that retention has pruned counts on,
// with a warm-up of its own.
func TestForkWithoutOptimizer(t *testing.T) {
	source, dir := copyRun(t), forkDir(t)
	remove(t, filepath.Join(rundir.CheckpointDir(source, 1), rundir.OptimizerFile))
	cfg := tiny()
	cfg.Generations, cfg.Train.WarmupSteps = 1, 1000
	var began *rundir.OriginEvent
	opt := forkOf(source, 1)
	opt.Report = func(e rundir.Event) {
		if e.Start != nil {
			began = e.Start.Origin
		}
	}
	mustFork(t, dir, cfg, opt)
	if began == nil || !began.FreshOptimizer || began.Generation != 1 || began.Positions == 0 {
		t.Errorf("the start tells of %+v, want a fresh optimizer", began)
	}
	before, err := rundir.ReadState(source, 1)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := rundir.ReadMetrics(dir)
	if err != nil || rows[0].Step != int64(before.Step)+rows[0].Steps {
		t.Fatalf("metrics %+v, %v, want steps from %d on", rows, err, before.Step)
	}
	age, step := float64(rows[0].Steps+1)/1000, float64(rows[0].Step+1)/1000 // both warm-ups go on
	if want := cfg.Train.LearningRate * age * step; !near(rows[0].LearningRate, want) {
		t.Errorf("learning rate %g, want %g", rows[0].LearningRate, want)
	}
}

func near(a, b float64) bool { return a > b*(1-1e-9) && a < b*(1+1e-9) }

// TestForkOfAnAverage takes both networks where both runs average; where only one
// does, or the optimizer is gone, the network that plays is the one in training.
func TestForkOfAnAverage(t *testing.T) {
	average := tiny()
	average.Generations, average.Train.AverageDecay, average.Train.AverageBatches = 1, 0.9, 2
	source := newDir(t)
	mustWork(t, source, average)
	pruned := filepath.Join(t.TempDir(), "tiny")
	if err := os.CopyFS(pruned, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	for _, name := range rundir.ResumeFiles {
		remove(t, filepath.Join(rundir.CheckpointDir(pruned, 1), name))
	}
	grown := average
	grown.Model.Blocks = 2
	plain := average
	plain.Train.AverageDecay = 0
	weights := func(dir string, generation int, name string) string {
		return file(t, rundir.CheckpointDir(dir, generation), name)
	}
	for _, c := range []struct {
		name           string
		source         string
		cfg            plan.Config
		averaged, both bool // has a network in training, and it is the source's
	}{
		{"both", source, average, true, true},
		{"grown", source, grown, true, false},
		{"source alone", source, plain, false, false},
		{"pruned", pruned, average, true, false},
		{"pruned, source alone", pruned, plain, false, false},
	} {
		whole, torn := forkDir(t), forkDir(t)
		mustFork(t, whole, c.cfg, forkOf(c.source, -1))
		s, err := rundir.ReadState(whole, 0)
		if err != nil || s.Averaged != c.averaged || s.Step == 0 {
			t.Errorf("%s: the fork begins at %+v, %v", c.name, s, err)
		}
		plays, _, err := model.Load(rundir.WeightsPath(whole, 0))
		if err != nil {
			t.Fatal(err)
		}
		if was, _, err := model.Load(rundir.WeightsPath(source, 1)); err != nil || plays.Equal(was) == (c.name == "grown") {
			t.Errorf("%s: generation 0 is the source's network: %t, %v", c.name, plays.Equal(was), err)
		}
		if c.averaged {
			training, _, err := model.Load(filepath.Join(rundir.CheckpointDir(whole, 0), rundir.TrainingFile))
			if err != nil {
				t.Fatal(err)
			}
			was, _, err := model.Load(filepath.Join(rundir.CheckpointDir(source, 1), rundir.TrainingFile))
			if err != nil || training.Equal(was) != c.both || training.Equal(plays) != (c.source == pruned) {
				t.Errorf("%s: in training is the source's: %t, what plays: %t, %v", c.name, training.Equal(was), training.Equal(plays), err)
			}
		}
		// Stopped right after the fork, it goes on from its files.
		if err := Run(cancelAtCall(1), torn, c.cfg, forkOf(c.source, -1)); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		mustWork(t, torn, c.cfg)
		for _, name := range []string{rundir.WeightsFile, rundir.OptimizerFile} {
			if weights(whole, 1, name) != weights(torn, 1, name) {
				t.Errorf("%s: %s of a fork that was stopped differs", c.name, name)
			}
		}
	}
	remove(t, filepath.Join(rundir.CheckpointDir(source, 1), rundir.TrainingFile)) // alone: that is no pruning
	if err := Run(t.Context(), forkDir(t), average, forkOf(source, -1)); err == nil || !strings.Contains(err.Error(), rundir.TrainingFile) {
		t.Errorf("Run without the network in training = %v", err)
	}
}

// TestForkConcurrent of an alternating run and of a concurrent one.
func TestForkConcurrent(t *testing.T) {
	cfg := tiny()
	cfg.Mode = plan.ModeConcurrent
	one, two := forkDir(t), forkDir(t)
	mustFork(t, one, cfg, forkOf(wholeDir, -1))
	mustWork(t, one, cfg)
	mustFork(t, two, tiny(), forkOf(one, 1))
	for _, dir := range []string{one, two} {
		s, err := rundir.ReadState(dir, 2)
		if err != nil {
			t.Fatal(err)
		}
		o, err := rundir.CheckOrigin(dir, &s)
		if err != nil || s.Games != 28 || o.Rows() == 0 {
			t.Errorf("%s: state %+v, %v", dir, s, err)
		}
	}
}

// TestHalfAForkIsNone: what a killed fork leaves is no run, and the same fork
// begins again.
func TestHalfAForkIsNone(t *testing.T) {
	whole, dir := forkDir(t), forkDir(t)
	mustFork(t, whole, tiny(), forkOf(wholeDir, 2))
	mustFork(t, dir, tiny(), forkOf(wholeDir, 1)) // the source was at another generation then
	remove(t, filepath.Join(dir, rundir.CheckpointsDir))
	remove(t, filepath.Join(dir, rundir.ShardsDir))
	for _, name := range []string{rundir.EventsFile, rundir.MetricsName} {
		remove(t, filepath.Join(dir, name))
	}
	if err := work(t.Context(), dir, tiny()); err == nil || !strings.Contains(err.Error(), "its fork was not finished") {
		t.Fatalf("Run of half a fork = %v", err)
	}
	notes := filepath.Join(dir, rundir.InheritedDir, "notes")
	if err := os.WriteFile(notes, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), dir, tiny(), forkOf(wholeDir, -1)); err == nil || !strings.Contains(err.Error(), notes) {
		t.Fatalf("Run with somebody's file in the way = %v", err)
	}
	remove(t, notes)
	mustFork(t, dir, tiny(), forkOf(wholeDir, -1))
	compareWith(t, whole, dir)
}

// TestForkRefuses says why, and leaves no folder behind.
func TestForkRefuses(t *testing.T) {
	source := copyRun(t)
	none := filepath.Join(t.TempDir(), "none")
	for _, c := range []struct {
		name   string
		dir    string // of the source
		to     string // "": a fresh folder
		at     int
		config func(*plan.Config)
		damage func(t *testing.T)
		want   []string
	}{
		{name: "no run", dir: none, at: -1, want: []string{none, "it is no run with a checkpoint"}},
		{name: "no such generation", dir: source, at: 7, want: []string{"no checkpoint of generation 7; the last is 2"}},
		{name: "into itself", dir: source, to: filepath.Join(source, "fork", "deep"), at: -1, want: []string{"into itself"}},
		{name: "onto itself", dir: source, to: source + "/.", at: -1, want: []string{"is no fork"}},
		{name: "another game", dir: source, at: -1, config: func(c *plan.Config) { c.Game, c.Rules = "connect4", "standard" }, want: []string{"game: connect4: want tictactoe"}},
		{name: "unknown version", dir: source, at: 2, damage: func(t *testing.T) {
			edit(t, filepath.Join(rundir.CheckpointDir(source, 2), rundir.StateFile), func(b []byte) []byte {
				return []byte(strings.Replace(string(b), `"version": 2`, `"version": 3`, 1))
			})
		}, want: []string{"state.json", "version 3: this program reads version 2"}},
		{name: "damaged weights", dir: source, at: 2, damage: func(t *testing.T) { edit(t, rundir.WeightsPath(source, 2), flip) }, want: []string{"checkpoint 2"}},
		{name: "damaged optimizer", dir: source, at: 2, damage: func(t *testing.T) {
			edit(t, filepath.Join(rundir.CheckpointDir(source, 2), rundir.OptimizerFile), flip)
		}, want: []string{"checkpoint 2: optimizer"}},
		{name: "damaged shard", dir: source, at: 2, damage: func(t *testing.T) {
			edit(t, filepath.Join(source, rundir.ShardsDir, shards(t, source)[6]), flip)
		}, want: []string{"gen000001", "damaged shard"}},
		{name: "missing shard", dir: source, at: 2, damage: func(t *testing.T) {
			remove(t, filepath.Join(source, rundir.ShardsDir, shards(t, source)[0]))
		}, want: []string{"has learned from", "--fresh-window"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.damage != nil {
				c.damage(t)
				defer func() {
					remove(t, source)
					if err := os.CopyFS(source, os.DirFS(wholeDir)); err != nil {
						t.Fatal(err)
					}
				}()
			}
			to := c.to
			if to == "" {
				to = forkDir(t)
			}
			cfg := tiny()
			if c.config != nil {
				c.config(&cfg)
			}
			err := Run(t.Context(), to, cfg, forkOf(c.dir, c.at))
			if err == nil {
				t.Fatal("the fork was made")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q: want it to say %q", err, want)
				}
			}
			if _, err := os.Stat(to); !strings.HasPrefix(to, source+"/.") && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v, want nothing there", to, err)
			}
		})
	}
}

// TestForkCannotShrink says by key what would become smaller, and what to do.
func TestForkCannotShrink(t *testing.T) {
	large := tiny()
	large.Generations, large.Model.Channels, large.Model.ValueHidden = 1, 16, 16
	source := newDir(t)
	mustWork(t, source, large)
	err := Run(t.Context(), forkDir(t), tiny(), forkOf(source, -1))
	for _, want := range []string{"model.channels = 8: want at least 16", "model.value_hidden = 8", "set growth to [{generation: 1, passes: 2"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Run = %v, want it to say %q", err, want)
		}
	}
	// The advice is good.
	large.Growth = []plan.Growth{{Generation: 1, Channels: 8, ValueHidden: 8, Passes: 2}}
	dir := forkDir(t)
	mustFork(t, dir, large, forkOf(source, -1))
	if w, _, err := model.Load(rundir.WeightsPath(dir, 1)); err != nil || w.Network().Config != tiny().Model {
		t.Errorf("generation 1 is of %+v, %v", w.Network().Config, err)
	}
}

// TestForkKnowsItsOrigin: an origin that was altered, removed or added is
// refused, as is another fork in the place of one.
func TestForkKnowsItsOrigin(t *testing.T) {
	whole := forkDir(t)
	mustFork(t, whole, tiny(), forkOf(wholeDir, 2))
	other := filepath.Join(t.TempDir(), "other")
	seeded := tiny()
	seeded.Seed, seeded.Generations = 99, 1
	mustWork(t, other, seeded)
	for name, c := range map[string]struct {
		change func(t *testing.T, dir string)
		opt    Options
		want   []string
	}{
		"altered": {change: func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, rundir.OriginFile), func(b []byte) []byte { return []byte(strings.Replace(string(b), `"seen": `, `"seen": 1`, 1)) })
		}, want: []string{"its checksum is", "a fork with"}},
		"version": {change: func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, rundir.OriginFile), func(b []byte) []byte { return []byte(strings.Replace(string(b), `"version": 1`, `"version": 2`, 1)) })
		}, want: []string{"origin.json", "version 2: this program reads version 1"}},
		"removed": {change: func(t *testing.T, dir string) { remove(t, filepath.Join(dir, rundir.OriginFile)) }, want: []string{"origin.json is missing"}},
		"missing": {change: func(t *testing.T, dir string) {
			remove(t, filepath.Join(dir, rundir.InheritedDir, "1", "gen000001-000000007.parquet"))
		}, want: []string{"inherited/1/gen000001-000000007.parquet", "no such file"}},
		"another shard": {change: func(t *testing.T, dir string) {
			remove(t, filepath.Join(dir, rundir.InheritedDir, "1", "gen000001-000000007.parquet"))
			if err := os.WriteFile(filepath.Join(dir, rundir.InheritedDir, "1", "gen000001-000000007.parquet"),
				[]byte(file(t, filepath.Join(dir, rundir.ShardsDir), "gen000001-000000007.parquet")), 0o666); err != nil {
				t.Fatal(err)
			}
		}, want: []string{"inherited/1/gen000001-000000007.parquet", "foreign shard"}},
		"another generation": {opt: forkOf(wholeDir, 1), want: []string{"a fork of tiny@2 already"}},
		"another source":     {opt: forkOf(other, -1), want: []string{"a fork of tiny@2 already"}},
		"another of the name": {change: func(t *testing.T, _ string) {}, opt: func() Options {
			dir := copyRun(t)
			edit(t, rundir.WeightsPath(dir, 2), flip)
			return forkOf(dir, -1)
		}(), want: []string{"a fork of another tiny@2"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := forkDir(t)
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			if c.change != nil {
				c.change(t, dir)
			}
			if c.opt.Resolved == nil {
				c.opt.Resolved = []byte(resolved)
			}
			c.opt.Games = games.All()
			cfg := tiny()
			cfg.Generations = 3
			err := Run(t.Context(), dir, cfg, c.opt)
			if err == nil {
				t.Fatal("it went on")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q: want it to say %q", err, want)
				}
			}
		})
	}
	dir := copyRun(t)
	if err := os.WriteFile(filepath.Join(dir, rundir.OriginFile), []byte(file(t, whole, rundir.OriginFile)), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := work(t.Context(), dir, tiny()); err == nil || !strings.Contains(err.Error(), "a run that is no fork") {
		t.Errorf("Run with another's origin = %v", err)
	}
}

// TestForkOfARunAtWork does not mind the source's lock.
func TestForkOfARunAtWork(t *testing.T) {
	source := copyRun(t)
	lock := flock.New(filepath.Join(source, rundir.LockFile))
	if ok, err := lock.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer lock.Unlock()
	before := snapshot(t, source)
	mustFork(t, forkDir(t), tiny(), forkOf(source, -1))
	after := snapshot(t, source)
	for name := range after {
		if after[name] != before[name] {
			t.Errorf("%s was changed in the source", name)
		}
	}
}

// TestConfigFromBringsGrowthNearer.
func TestConfigFromBringsGrowthNearer(t *testing.T) {
	c := tiny()
	c.Growth = []plan.Growth{{Generation: 2, Blocks: 2}, {Generation: 5, Channels: 16}}
	got := c.ConfigFrom(2)
	if got.Model.Blocks != 2 || got.Model.Channels != 8 || len(got.Growth) != 1 || got.Growth[0] != (plan.Growth{Generation: 3, Channels: 16}) {
		t.Errorf("ConfigFrom(2) has model %+v, growth %+v", got.Model, got.Growth)
	}
	if got.ModelAt(3) != c.ModelAt(5) || len(c.Growth) != 2 || c.Growth[1].Generation != 5 {
		t.Errorf("the networks to come are %+v, want %+v", got.ModelAt(3), c.ModelAt(5))
	}
}

// TestConfigFromKeepsSimulationsGrowing: a fork goes on with as many as the
// source would have had.
func TestConfigFromKeepsSimulationsGrowing(t *testing.T) {
	c := tiny()
	c.SelfPlay.Search.Simulations, c.SelfPlay.FirstSimulations, c.SelfPlay.GrowthGenerations = 64, 4, 4
	for from := range 6 {
		fork := c.ConfigFrom(from)
		if err := fork.Validate(games.All()); err != nil {
			t.Fatal(err)
		}
		for g := range 6 {
			got, _ := fork.SelfPlay.SimulationsAt(g)
			if want, _ := c.SelfPlay.SimulationsAt(from + g); got != want {
				t.Errorf("generation %d of a fork of generation %d has %d simulations, want %d", g, from, got, want)
			}
		}
		if grown := fork.SelfPlay.FirstSimulations == 0; grown != (from >= 4) {
			t.Errorf("a fork of generation %d grows from %d simulations", from, fork.SelfPlay.FirstSimulations)
		}
	}
}
