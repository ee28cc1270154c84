package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// damage is a run that must be refused.
type damage struct {
	name string
	// do damages the run in dir or changes the configuration.
	do func(t *testing.T, dir string, cfg *plan.Config)
	// want are in the message: the file, and words of the rule.
	want []string
}

func edit(t *testing.T, path string, f func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, f(b), 0o666); err != nil {
		t.Fatal(err)
	}
}

func truncate(b []byte) []byte { return b[:len(b)*2/3] }

func flip(b []byte) []byte {
	b[len(b)/2] ^= 4
	return b
}

// inCheckpoint edits a file of the last checkpoint.
func inCheckpoint(file string, f func([]byte) []byte) func(*testing.T, string, *plan.Config) {
	return func(t *testing.T, dir string, _ *plan.Config) {
		edit(t, filepath.Join(rundir.CheckpointDir(dir, 2), file), f)
	}
}

// inState changes one field of the last checkpoint's state; nil removes it.
func inState(key string, value any) func(*testing.T, string, *plan.Config) {
	return inCheckpoint(rundir.StateFile, func(b []byte) []byte {
		var fields map[string]any
		if err := json.Unmarshal(b, &fields); err != nil {
			panic(err)
		}
		fields[key] = value
		if value == nil {
			delete(fields, key)
		}
		b, err := json.Marshal(fields)
		if err != nil {
			panic(err)
		}
		return b
	})
}

// inMetrics edits the metrics file.
func inMetrics(f func([]byte) []byte) func(*testing.T, string, *plan.Config) {
	return func(t *testing.T, dir string, _ *plan.Config) { edit(t, filepath.Join(dir, rundir.MetricsName), f) }
}

// fromGeneration1 puts a file of another checkpoint of the run into the last.
func fromGeneration1(files ...string) func(*testing.T, string, *plan.Config) {
	return func(t *testing.T, dir string, _ *plan.Config) {
		for _, f := range files {
			edit(t, filepath.Join(rundir.CheckpointDir(dir, 2), f), func([]byte) []byte {
				b, err := os.ReadFile(filepath.Join(rundir.CheckpointDir(dir, 1), f))
				if err != nil {
					t.Fatal(err)
				}
				return b
			})
		}
	}
}

// inShard edits a shard: number 1 is of generation 0, number 5 of 1.
func inShard(number int64, f func([]byte) []byte) func(*testing.T, string, *plan.Config) {
	return func(t *testing.T, dir string, _ *plan.Config) {
		edit(t, shardPath(dir, number), f)
	}
}

func shardPath(dir string, number int64) string {
	return filepath.Join(dir, rundir.ShardsDir, record.FileName(int32(number/4), number))
}

// headed writes a shard again under another head.
func headed(number int64, change func(*record.Head)) func(*testing.T, string, *plan.Config) {
	return func(t *testing.T, dir string, cfg *plan.Config) {
		s, err := record.Open(shardPath(dir, number), info(t, cfg.Game))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.Rows()
		if err != nil {
			t.Fatal(err)
		}
		head := s.Meta.Head
		change(&head)
		for i := range rows {
			rows[i].Run = head.Run
		}
		b, _, err := record.Marshal(info(t, cfg.Game), head, rows)
		if err != nil {
			t.Fatal(err)
		}
		edit(t, shardPath(dir, number), func([]byte) []byte { return b })
	}
}

// ofConnect4 gives the run the first checkpoint of a run of another game.
func ofConnect4(t *testing.T, dir string, _ *plan.Config) {
	other := tiny()
	other.Game, other.Generations = "connect4", 1
	other.GamesPerGeneration = 2
	from := filepath.Join(t.TempDir(), "tiny")
	mustWork(t, from, other)
	remove(t, filepath.Join(dir, rundir.CheckpointsDir))
	remove(t, filepath.Join(dir, rundir.ShardsDir))
	if err := os.CopyFS(filepath.Join(dir, rundir.CheckpointsDir), os.DirFS(filepath.Join(from, rundir.CheckpointsDir))); err != nil {
		t.Fatal(err)
	}
}

const (
	gen0 = "gen000000-000000001.parquet"
	gen1 = "gen000001-000000005.parquet"
)

var damages = []damage{
	{"checkpoint of another game", ofConnect4, []string{"checkpoint 1", "connect4", "tictactoe"}},
	{"state of another game", inState("game", "connect4"), []string{"checkpoint 2", "connect4", "tictactoe"}},
	{"state of another game version", inState("game_version", 99), []string{"checkpoint 2", "version 99"}},
	{"state of another encoder", inState("encoder_version", 99), []string{"checkpoint 2", "encoder 99"}},
	{"state version", inState("version", 3), []string{"state.json", "version 3", "reads version 2"}},
	{"state version with fields of its own", inCheckpoint(rundir.StateFile, func([]byte) []byte { return []byte(`{"version":3,"pace":1}`) }),
		[]string{"state.json", "version 3", "reads version 2"}},
	{"state field", inState("surprise", 1), []string{"state.json", "surprise"}},
	{"state truncated", inCheckpoint(rundir.StateFile, truncate), []string{"state.json"}},
	{"state empty", inCheckpoint(rundir.StateFile, func([]byte) []byte { return nil }), []string{"state.json"}},
	{"state twice", inCheckpoint(rundir.StateFile, func(b []byte) []byte { return append(b, b...) }), []string{"state.json", "after"}},
	{"state negative", inState("rows", -1), []string{"state.json", "negative"}},
	{"state of another generation", inState("generation", 1), []string{"state.json", "generation 1"}},
	{"state missing", func(t *testing.T, dir string, _ *plan.Config) {
		remove(t, filepath.Join(rundir.CheckpointDir(dir, 2), rundir.StateFile))
	}, []string{"state.json", "no such file"}},
	{"state without rows", inState("rows", nil), []string{"checkpoint 2", "positions"}},
	{"state with fewer rows", inState("rows", 20), []string{"checkpoint 2", "20 positions"}},
	{"state of another step", inState("step", 1), []string{"checkpoint 2", "state of step 1", "belong together"}},

	{"weights truncated", inCheckpoint(rundir.WeightsFile, truncate), []string{"weights.safetensors"}},
	{"weights flipped", inCheckpoint(rundir.WeightsFile, flip), []string{"weights.safetensors"}},
	{"weights empty", inCheckpoint(rundir.WeightsFile, func([]byte) []byte { return nil }), []string{"weights.safetensors"}},
	{"weights of another step", fromGeneration1(rundir.WeightsFile), []string{"checkpoint 2", "belong together"}},
	{"weights of a step too many", func(t *testing.T, dir string, _ *plan.Config) {
		w, card, err := model.Load(rundir.WeightsPath(dir, 2))
		if err != nil {
			t.Fatal(err)
		}
		card.Step++
		if err := model.Save(rundir.WeightsPath(dir, 2), w, *card); err != nil {
			t.Fatal(err)
		}
	}, []string{"checkpoint 2", "belong together"}},
	{"weights of another run at the same step", func(t *testing.T, dir string, _ *plan.Config) {
		w, card, err := model.Load(rundir.WeightsPath(dir, 2))
		if err != nil {
			t.Fatal(err)
		}
		w.All()[0]++
		if err := model.Save(rundir.WeightsPath(dir, 2), w, *card); err != nil {
			t.Fatal(err)
		}
	}, []string{"checkpoint 2", rundir.WeightsFile, "belong together"}},
	{"optimizer of another run at the same step", inCheckpoint(rundir.StateFile, func(b []byte) []byte {
		return bytes.Replace(b, []byte(`"optimizer": "`), []byte(`"optimizer": "0`), 1)
	}), []string{"checkpoint 2", rundir.OptimizerFile, "belong together"}},
	{"optimizer truncated", inCheckpoint(rundir.OptimizerFile, truncate), []string{"optimizer.bin"}},
	{"optimizer flipped", inCheckpoint(rundir.OptimizerFile, flip), []string{"optimizer.bin", "checksum"}},
	{"optimizer gone", func(t *testing.T, dir string, _ *plan.Config) {
		remove(t, filepath.Join(rundir.CheckpointDir(dir, 2), rundir.OptimizerFile))
	}, []string{"checkpoint 2", "optimizer.bin", "a new one can: `ludozero train --from "}},
	{"optimizer of another step", fromGeneration1(rundir.OptimizerFile), []string{"checkpoint 2", "belong together"}},
	{"weights and optimizer of another step", fromGeneration1(rundir.WeightsFile, rundir.OptimizerFile), []string{"checkpoint 2", "belong together"}},
	{"architecture", func(_ *testing.T, _ string, cfg *plan.Config) { cfg.Model.Channels = 16 },
		[]string{"checkpoint 2", "Channels:8", "Channels:16"}},

	{"old shard truncated", inShard(1, truncate), []string{gen0, "damaged"}},
	{"old shard flipped", inShard(1, flip), []string{gen0, "damaged", "checksum"}},
	{"old shard empty", inShard(1, func([]byte) []byte { return nil }), []string{gen0, "damaged"}},
	{"old shard of another run", headed(1, func(h *record.Head) { h.Run = "other" }), []string{gen0, "foreign", `"other"`}},
	{"old shard of another configuration", headed(1, func(h *record.Head) { h.ConfigHash = "0123" }), []string{gen0, "foreign", "0123"}},
	{"old shard of another place", headed(1, func(h *record.Head) { h.Number = 2 }), []string{gen0, "gen000000-000000002.parquet"}},
	{"old shard missing", func(t *testing.T, dir string, _ *plan.Config) { remove(t, shardPath(dir, 1)) },
		[]string{"checkpoint 2", "positions", rundir.ShardsDir, "number 1 is missing before gen000000-000000002.parquet"}},
	{"configuration", func(_ *testing.T, _ string, cfg *plan.Config) { cfg.Train.LearningRate *= 2 },
		[]string{"checkpoint 2", "configuration", "default"}},
	{"state of another configuration", inState("config_hash", "0123"), []string{"checkpoint 2", "configuration 0123"}},
	{"state without metrics", inState("metrics", nil), []string{"state.json", "metrics"}},
	{"events of another format", func(t *testing.T, dir string, _ *plan.Config) {
		edit(t, filepath.Join(dir, rundir.EventsFile), func(b []byte) []byte {
			return append(b, `{"elapsed_ns":1,"start":{"format":7}}`+"\n"...)
		})
	}, []string{"events.jsonl", "format 7", "reads format 1"}},
	{"metrics truncated", inMetrics(truncate), []string{"metrics.parquet", "damaged"}},
	{"metrics flipped", inMetrics(flip), []string{"metrics.parquet", "damaged"}},
	{"metrics empty", inMetrics(func([]byte) []byte { return nil }), []string{"metrics.parquet", "damaged"}},
	{"metrics of another kind", func(t *testing.T, dir string, _ *plan.Config) {
		edit(t, filepath.Join(dir, rundir.MetricsName), func([]byte) []byte {
			b, err := os.ReadFile(shardPath(dir, 0))
			if err != nil {
				t.Fatal(err)
			}
			return b
		})
	}, []string{"metrics.parquet", "kind"}},
	{"newest shard truncated", inShard(5, truncate), []string{gen1, "damaged"}},
	{"shard newer than the checkpoint", func(t *testing.T, dir string, _ *plan.Config) {
		remove(t, rundir.CheckpointDir(dir, 1))
		remove(t, rundir.CheckpointDir(dir, 2))
	},
		[]string{"gen000001-000000004.parquet", "newer than the last checkpoint, 0"}},
}

// TestRefusals also demands that a refused run is left as it was.
func TestRefusals(t *testing.T) {
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			dir := copyRun(t)
			cfg := tiny()
			cfg.Generations = 3
			d.do(t, dir, &cfg)
			checkRefused(t, dir, cfg, d.want)
		})
	}
}

// TestRefusalsInTheMiddle damages shards of a generation that is being played.
func TestRefusalsInTheMiddle(t *testing.T) {
	for _, d := range []damage{
		{"truncated", inShard(5, truncate), []string{gen1, "damaged"}},
		{"flipped", inShard(5, flip), []string{gen1, "damaged"}},
		{"of another run", headed(5, func(h *record.Head) { h.Run = "other" }), []string{gen1, "foreign"}},
		{"of another configuration", headed(5, func(h *record.Head) { h.ConfigHash = "0123" }), []string{gen1, "foreign", "0123"}},
		{"of other games", func(t *testing.T, dir string, cfg *plan.Config) {
			edit(t, shardPath(dir, 5), func([]byte) []byte {
				b, err := os.ReadFile(shardPath(dir, 6))
				if err != nil {
					t.Fatal(err)
				}
				return b
			})
			headed(5, func(h *record.Head) { h.Number = 5 })(t, dir, cfg)
		}, []string{gen1, "games 22 to 25"}},
	} {
		t.Run(d.name, func(t *testing.T) {
			dir := copyRun(t)
			remove(t, rundir.CheckpointDir(dir, 2))
			cfg := tiny()
			d.do(t, dir, &cfg)
			checkRefused(t, dir, cfg, d.want)
		})
	}
}

func checkRefused(t *testing.T, dir string, cfg plan.Config, want []string) {
	t.Helper()
	before := snapshot(t, dir)
	err := Run(context.Background(), dir, cfg, Options{Games: games.All(), Resolved: []byte("resolved: otherwise\n")})
	if err == nil {
		t.Fatal("the run went on")
	}
	for _, w := range append(want, dir) {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the message does not say %q: %v", w, err)
		}
	}
	if strings.Count(err.Error(), "\n") > 0 {
		t.Errorf("the message is of several lines: %v", err)
	}
	after := snapshot(t, dir)
	delete(before, rundir.EventsFile) // the start of the process may be told
	for name, b := range before {
		if after[name] != b {
			t.Errorf("%s was changed by a refused run", name)
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok && name != rundir.EventsFile {
			t.Errorf("%s appeared in a refused run", name)
		}
	}
}

// TestOneProcessAtATime holds the lock as another process would.
func TestOneProcessAtATime(t *testing.T) {
	dir := copyRun(t)
	lock := flock.New(filepath.Join(dir, rundir.LockFile))
	if ok, err := lock.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	cfg := tiny()
	cfg.Generations = 3
	checkRefused(t, dir, cfg, []string{"another process"})
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	mustWork(t, dir, tiny())
	compare(t, dir)
}

// TestRemovedLock: another process that finds no lock must not begin, or it would
// remove the temporary files of the one at work.
func TestRemovedLock(t *testing.T) {
	dir := copyRun(t)
	unlock, err := rundir.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	remove(t, filepath.Join(dir, rundir.LockFile))
	if working, err := rundir.Working(dir); err != nil || !working {
		t.Errorf("at work: %t, %v", working, err)
	}
	temp := filepath.Join(dir, "config.yaml.tmp-ludozero-1-2")
	if err := os.WriteFile(temp, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	cfg := tiny()
	cfg.Generations = 3
	if err := work(t.Context(), dir, cfg); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("a second process: %v", err)
	}
	if _, err := os.Stat(temp); err != nil {
		t.Error(err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	mustWork(t, dir, tiny())
	compare(t, dir)
}

// TestDamagedEventsDoNotMatter: they are for people; a run is not made of them.
func TestDamagedEventsDoNotMatter(t *testing.T) {
	dir := copyRun(t)
	edit(t, filepath.Join(dir, rundir.EventsFile), func(b []byte) []byte { return append(flip(b), bytes.Repeat([]byte{0}, 2<<20)...) })
	mustWork(t, dir, tiny())
	compare(t, dir)
	remove(t, filepath.Join(dir, rundir.EventsFile))
	mustWork(t, dir, tiny())
	compare(t, dir)
}

// TestLeftoversAreRemoved: temporary names of a killed process, and no others.
func TestLeftoversAreRemoved(t *testing.T) {
	dir := copyRun(t)
	litter := []string{"config.yaml.tmp-ludozero-1-2", "shards/gen000001-000000004.parquet.tmp-ludozero-9-9", "checkpoints/000003.tmp-ludozero-1-1/state.json"}
	keep := []string{"rating.json", "shards/notes.txt", "checkpoints/best/weights.safetensors", "checkpoints/7"}
	for _, name := range append(litter, keep...) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	discarded := -1
	err := Run(context.Background(), dir, tiny(), Options{Games: games.All(), Resolved: []byte(resolved), Report: func(e rundir.Event) {
		if e.Start != nil {
			discarded = e.Start.Discarded
		}
	}})
	if err != nil || discarded != len(litter) {
		t.Errorf("Run = %v and removed %d leftovers, want %d", err, discarded, len(litter))
	}
	files := snapshot(t, dir)
	for _, name := range litter {
		if _, ok := files[name]; ok {
			t.Errorf("%s is still there", name)
		}
	}
	for _, name := range keep {
		if _, ok := files[name]; !ok {
			t.Errorf("%s is gone", name)
		}
		remove(t, filepath.Join(dir, name))
	}
	compare(t, dir)
}
