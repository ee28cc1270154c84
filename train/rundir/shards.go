package rundir

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// ShardFile is a file with a shard.
type ShardFile struct {
	Path       string
	Generation int
	Number     int64
}

// ListShards lists the shards in a folder by generation and number. Other files are
// passed over.
func ListShards(folder string) ([]ShardFile, error) {
	entries, err := os.ReadDir(folder) // by name, which is that order
	var list []ShardFile
	for _, e := range entries {
		if generation, number, ours := record.ParseFileName(e.Name()); ours {
			list = append(list, ShardFile{filepath.Join(folder, e.Name()), int(generation), number})
		}
	}
	return list, err
}

// Shards opens the shards of a run and refuses those of others.
type Shards struct {
	// Dir is the folder of the run, Run its name.
	Dir, Run, ConfigHash string
	Info                 *engine.Info
}

// Open opens a shard and refuses it unless it is the run's and was written under
// its name. Errors name the file; it need not exist.
func (s *Shards) Open(generation int, number int64) (*record.Shard, error) {
	path := filepath.Join(s.Dir, ShardsDir, record.FileName(int32(generation), number))
	shard, err := record.Open(path, s.Info)
	if err != nil {
		return nil, err
	}
	return shard, s.check(path, &shard.Meta, generation, number)
}

func (s *Shards) check(path string, m *record.Meta, generation int, number int64) error {
	switch {
	case m.Run != s.Run || m.ConfigHash != s.ConfigHash:
		return fmt.Errorf("shard %s: %w: of run %q with configuration %s, want %q with %s", path, record.ErrForeign,
			m.Run, m.ConfigHash, s.Run, s.ConfigHash)
	case int(m.Generation) != generation || m.Number != number:
		return fmt.Errorf("shard %s: %w: it was written as %s", path, record.ErrCorrupt, record.FileName(m.Generation, m.Number))
	}
	return nil
}

// LearnedBy lists the shards that the checkpoint of state st has learned from, in
// order. All of them must be there. Later ones, which may still be written, are
// left alone.
func (s *Shards) LearnedBy(st *State) ([]plan.AncestorShard, error) {
	dir := filepath.Join(s.Dir, ShardsDir)
	files, err := ListShards(dir)
	if err != nil {
		return nil, err
	}
	var all []plan.AncestorShard
	rows := 0
	for _, f := range files {
		if f.Generation >= st.Generation {
			break
		}
		data, err := os.ReadFile(f.Path)
		if err != nil {
			return nil, fmt.Errorf("shard %s: %w", f.Path, err)
		}
		shard, err := record.Parse(f.Path, data, s.Info)
		if err == nil {
			err = s.check(f.Path, &shard.Meta, f.Generation, f.Number)
		}
		if err != nil {
			return nil, err
		}
		if shard.Meta.LastGame >= int64(st.Games) { // of a concurrent run
			continue
		}
		rows += shard.Meta.Rows
		all = append(all, plan.AncestorShard{Name: filepath.Base(f.Path), Rows: shard.Meta.Rows, SHA256: plan.SHA256(data)})
	}
	if rows != st.Rows {
		return nil, fmt.Errorf("checkpoint %d has learned from %d positions: the shards before it in %s hold %d; --fresh-window does without them",
			st.Generation, st.Rows, dir, rows)
	}
	return all, nil
}
