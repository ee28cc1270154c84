package run

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestEqualRunsHaveEqualShards, whatever their folders are called; another seed or
// another first network makes another run.
func TestEqualRunsHaveEqualShards(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "another name")
	mustWork(t, dir, tiny())
	shards := snapshot(t, filepath.Join(wholeDir, rundir.ShardsDir))
	if len(shards) != 8 || !maps.Equal(shards, snapshot(t, filepath.Join(dir, rundir.ShardsDir))) {
		t.Error("the shards of two equal runs differ")
	}
	if identity(t, dir) != identity(t, wholeDir) {
		t.Errorf("equal runs are %s and %s", identity(t, dir), identity(t, wholeDir))
	}
	seeded := tiny()
	seeded.Seed, seeded.Generations = 99, 1
	begun := tiny()
	begun.Generations = 1
	seen := map[string]bool{identity(t, dir): true}
	for _, c := range []struct {
		cfg plan.Config
		opt Options
	}{{seeded, Options{Games: games.All(), Resolved: []byte(resolved)}}, {begun, forkOf(wholeDir, 1)}, {begun, forkOf(wholeDir, 2)}, {begun, fresh(wholeDir)}} {
		dir := newDir(t)
		mustFork(t, dir, c.cfg, c.opt)
		if id := identity(t, dir); seen[id] || len(id) != 16 {
			t.Errorf("another run is %s", id)
		}
		seen[identity(t, dir)] = true
	}
}

// TestRenamedRunGoesOn, as a copy does, with the files that it would have had.
func TestRenamedRunGoesOn(t *testing.T) {
	cfg := tiny()
	cfg.Generations = 1
	dir := newDir(t)
	mustWork(t, dir, cfg)
	for _, name := range []string{"renamed", "again"} {
		to := filepath.Join(t.TempDir(), name)
		if err := os.Rename(dir, to); err != nil {
			t.Fatal(err)
		}
		dir = to
		cfg.Generations++
		mustWork(t, dir, cfg)
		if cfg.Generations == 2 {
			compare(t, dir)
		}
	}
	// A fork goes on though its source is called otherwise.
	fork := forkDir(t)
	cfg.Generations = 1
	mustFork(t, fork, cfg, forkOf(dir, 2))
	to := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(dir, to); err != nil {
		t.Fatal(err)
	}
	cfg.Generations = 2
	mustFork(t, fork, cfg, forkOf(to, 2))
}

// TestOldRunKeepsItsName: earlier programs recorded the name of the folder and no
// identity. The run goes on under that name, wherever it is.
func TestOldRunKeepsItsName(t *testing.T) {
	dir := copyRun(t)
	cfg := tiny()
	for n := range int64(8) {
		headed(n, func(h *record.Head) { h.Run = "night" })(t, dir, &cfg)
	}
	for g := range 3 {
		edit(t, filepath.Join(rundir.CheckpointDir(dir, g), rundir.StateFile), func(b []byte) []byte {
			state := map[string]any{}
			if err := json.Unmarshal(b, &state); err != nil {
				t.Fatal(err)
			}
			delete(state, "run")
			b, err := json.Marshal(state)
			if err != nil {
				t.Fatal(err)
			}
			return b
		})
	}
	cfg.Generations = 3
	mustWork(t, dir, cfg)
	if id := identity(t, dir); id != "night" {
		t.Errorf("it goes on as %s", id)
	}
	shard, err := record.RunOf(filepath.Join(dir, rundir.ShardsDir, record.FileName(2, 8)))
	if err != nil || shard != "night" {
		t.Errorf("its next shard is of %q, %v", shard, err)
	}
	fork := forkDir(t)
	mustFork(t, fork, tiny(), forkOf(dir, 2))
	o, _, err := rundir.ReadOrigin(fork)
	if err != nil || o.Run != "night" || !strings.HasPrefix(o.String(), "tiny@") {
		t.Errorf("its fork comes from %+v, %v", o, err)
	}
}
