package run

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// tiny is a run of two generations that takes a fraction of a second.
func tiny() plan.Config {
	c := plan.DefaultConfig()
	c.Game, c.Rules = "tictactoe", "standard"
	c.Generations = 2
	c.GamesPerGeneration, c.GamesPerShard = 14, 4 // the last shard of each is smaller
	c.PassesPerPosition = 2.3                     // leaves part of a batch owed
	c.PlayCPuct, c.PlaySearch = 0.7, "gumbel"
	c.Workers = 1
	c.Model.Blocks, c.Model.Channels, c.Model.PoolEvery = 1, 8, 0
	c.Model.PolicyChannels, c.Model.ValueChannels, c.Model.ValueHidden = 8, 8, 8
	c.SelfPlay.GamesInFlight = 4
	c.SelfPlay.Search.Simulations = 8
	c.Train.Batch, c.Train.WarmupSteps = 16, 5
	c.Window.MinPositions = 60 // less than two generations: the first shards leave
	return c
}

// resolved stands for the text of the configuration.
const resolved = "resolved: true\n"

// work runs cfg in dir with no report.
func work(ctx context.Context, dir string, cfg plan.Config) error {
	return Run(ctx, dir, cfg, Options{Games: games.All(), Resolved: []byte(resolved), Teacher: teacherOf(cfg)})
}

// openRun opens a run as Run does.
func openRun(dir string, cfg plan.Config, opt Options) (*runner, error) {
	rules, err := cfg.NewRules(games.All())
	if err != nil {
		return nil, err
	}
	return open(dir, cfg, rules, nil, opt)
}

func mustWork(t testing.TB, dir string, cfg plan.Config) {
	t.Helper()
	if err := work(context.Background(), dir, cfg); err != nil {
		t.Fatal(err)
	}
}

// wholeDir is the folder of an uninterrupted run of tiny, made once by
// TestMain. Tests copy it and never write to it.
var wholeDir string

func TestMain(m *testing.M) {
	root, err := os.MkdirTemp("", "run-test-")
	if err != nil {
		panic(err)
	}
	wholeDir = filepath.Join(root, "tiny")
	if err := work(context.Background(), wholeDir, tiny()); err != nil {
		panic(err)
	}
	code := m.Run()
	if err := os.RemoveAll(root); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// identity is what the shards of the run in folder dir name.
func identity(t testing.TB, dir string) string {
	t.Helper()
	s, err := rundir.LastState(dir)
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	return s.Run
}

// newDir is a fresh path for a run of the same name as the whole one.
func newDir(t testing.TB) string { return filepath.Join(t.TempDir(), "tiny") }

// copyRun copies the whole run to a fresh path.
func copyRun(t testing.TB) string {
	t.Helper()
	dir := newDir(t)
	if err := os.CopyFS(dir, os.DirFS(wholeDir)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// forget takes a copied run back to an earlier generation: its later
// checkpoints, the shards after that, and what the events said of the time.
func forget(t testing.TB, dir string, generation int) {
	t.Helper()
	all, err := rundir.Generations(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range all {
		if g > generation {
			remove(t, rundir.CheckpointDir(dir, g))
		}
	}
	for _, s := range shards(t, dir) {
		if g, _, _ := record.ParseFileName(s); int(g) >= generation {
			remove(t, filepath.Join(dir, rundir.ShardsDir, s))
		}
	}
	remove(t, filepath.Join(dir, rundir.EventsFile))
}

func remove(t testing.TB, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

func shards(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, rundir.ShardsDir))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// snapshot maps every file below dir to its bytes.
func snapshot(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// digest is what must not depend on interruptions: shards, weights, cards and
// optimizers byte for byte, states but for the time spent.
func digest(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := snapshot(t, dir)
	for name, b := range files {
		switch {
		case !strings.HasPrefix(name, rundir.ShardsDir) && !strings.HasPrefix(name, rundir.CheckpointsDir):
			delete(files, name)
		case strings.HasSuffix(name, rundir.StateFile):
			var s rundir.State
			if err := json.Unmarshal([]byte(b), &s); err != nil {
				t.Fatal(err)
			}
			s.Elapsed, s.CoreTime = 0, nil
			var before model.Spent
			if s.Before != nil { // how long the runs before took depends on the clock, too
				before = *s.Before
				before.LearnedSeconds, before.CoreSeconds, s.Before = 0, nil, nil
			}
			var row rundir.Metrics
			if s.Metrics != nil {
				row = s.Metrics.Repeatable()
			}
			s.Metrics = nil
			files[name] = fmt.Sprintf("%+v %+v %+v", s, before, row)

		}
	}
	rows, err := rundir.ReadMetrics(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		files[fmt.Sprintf("%s, generation %d", rundir.MetricsName, rows[i].Generation)] = fmt.Sprintf("%+v", rows[i].Repeatable())
	}
	return files
}

// compare demands that the run in dir has the files of the whole run.
func compare(t testing.TB, dir string) {
	t.Helper()
	compareWith(t, wholeDir, dir)
}

// compareWith demands that the run in dir has the files of the one in whole.
func compareWith(t testing.TB, whole, dir string) {
	t.Helper()
	want, got := digest(t, whole), digest(t, dir)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s differs from that of the uninterrupted run", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("there is %s, which the uninterrupted run has not", name)
		}
	}
}

func info(t testing.TB, game string) *engine.Info {
	t.Helper()
	f, err := games.All().ByName(game)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	return g.Info()
}

func TestRunLeavesTheDocumentedFolder(t *testing.T) {
	files := snapshot(t, wholeDir)
	want := []string{"config.yaml", "events.jsonl", "lock", "metrics.parquet"}
	for g := range 3 {
		for _, f := range []string{"weights.safetensors", "weights.card.json", "optimizer.bin", "state.json"} {
			want = append(want, fmt.Sprintf("checkpoints/%06d/%s", g, f))
		}
	}
	for s := range 8 { // four in each generation
		want = append(want, fmt.Sprintf("shards/gen%06d-%09d.parquet", s/4, s))
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, want) {
		t.Errorf("the run holds\n%v, want\n%v", got, want)
	}
	if files["config.yaml"] != resolved {
		t.Errorf("config.yaml holds %q", files["config.yaml"])
	}
	if g, err := rundir.Generations(wholeDir); err != nil || !slices.Equal(g, []int{0, 1, 2}) {
		t.Errorf("Generations = %v, %v, want 0, 1, 2", g, err)
	}
}

// TestShardsAndStatesAddUp reads everything back.
func TestShardsAndStatesAddUp(t *testing.T) {
	cfg := tiny()
	rowsUpTo := map[int]int{}
	rows, game := 0, int64(0)
	for i, name := range shards(t, wholeDir) {
		s, err := record.Open(filepath.Join(wholeDir, rundir.ShardsDir, name), info(t, cfg.Game))
		if err != nil {
			t.Fatal(err)
		}
		m := s.Meta
		last := min(game+3, int64(i/4+1)*int64(cfg.GamesPerGeneration)-1)
		if m.Run != identity(t, wholeDir) || int(m.Generation) != i/4 || m.Number != int64(i) || m.ConfigHash != cfg.Hash() || m.FirstGame != game || m.LastGame != last {
			t.Errorf("shard %s: %+v, want number %d of games %d to %d", name, m, i, game, last)
		}
		if _, err := s.Rows(); err != nil {
			t.Error(err)
		}
		rows += m.Rows
		rowsUpTo[i/4+1] = rows
		game = last + 1
	}
	owed, step := 0.0, 0
	for g := range 3 {
		s, err := rundir.ReadState(wholeDir, g)
		if err != nil {
			t.Fatal(err)
		}
		if g > 0 {
			owed += float64(rowsUpTo[g]-rowsUpTo[g-1]) * cfg.PassesPerPosition
			for owed >= float64(cfg.Train.Batch) {
				owed -= float64(cfg.Train.Batch)
				step++
			}
		}
		i := info(t, cfg.Game)
		want := rundir.State{
			Version: rundir.StateVersion, ConfigHash: cfg.Hash(), Run: identity(t, wholeDir), Game: i.Name, GameVersion: i.Version, EncoderVersion: i.EncoderVersion, Generation: g,
			Step: step, Games: g * cfg.GamesPerGeneration, Rows: rowsUpTo[g], Owed: s.Owed, Elapsed: s.Elapsed, CoreTime: s.CoreTime, Before: s.Before, Metrics: s.Metrics, Sums: s.Sums,
		}
		if d := s.Owed - owed; s != want || d > 1e-9 || d < -1e-9 {
			t.Errorf("state %d is %+v, want %+v with %g owed", g, s, want, owed)
		}
		if g > 0 && s.Elapsed <= 0 {
			t.Errorf("state %d says %v were spent", g, s.Elapsed)
		}
	}
}

func TestShardsOfGames(t *testing.T) {
	for _, c := range []struct{ games, per int }{{14, 4}, {12, 4}, {1, 1}, {5, 1}, {5, 5}, {5, 6}, {3, math.MaxInt}} {
		r := &site{cfg: plan.Config{GamesPerGeneration: c.games, GamesPerShard: c.per}}
		next, shard := int64(0), int64(-1)
		for n := range int64(3 * c.games) {
			if n == next {
				shard++
				end := min(n+int64(min(c.per, c.games)), (n/int64(c.games)+1)*int64(c.games))
				if first, last := r.cfg.ShardGames(shard); first != n || last != end {
					t.Errorf("%+v: shard %d is for games %d to %d, want %d to %d", c, shard, first, last-1, n, end-1)
				}
				next = end
			}
			if got := r.cfg.ShardOf(n); got != shard || r.cfg.ShardEnd(n) != next {
				t.Errorf("%+v: game %d is in shard %d, which ends at %d, want %d and %d", c, n, got, r.cfg.ShardEnd(n), shard, next)
			}
		}
	}
}
