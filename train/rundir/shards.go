package rundir

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
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

// Gap tells which shard the listed ones of a run lack first; empty if their numbers rise
// from 0 without a gap.
func Gap(files []ShardFile) string {
	for i, f := range files {
		if want := int64(i); f.Number > want {
			return fmt.Sprintf("number %d is missing before %s", want, filepath.Base(f.Path))
		}
	}
	return ""
}

// CheckRows refuses shards, those listed in folder dir, that before the checkpoint hold
// other than what it has learned from.
func (s *State) CheckRows(dir string, files []ShardFile, rows int) error {
	if rows == s.Rows {
		return nil
	}
	err := fmt.Errorf("checkpoint %d has learned from %d positions: the shards of the generations before it in %s hold %d", s.Generation, s.Rows, dir, rows)
	if gap := Gap(files); gap != "" {
		err = fmt.Errorf("%w; %s", err, gap)
	}
	return err
}

// Shards opens the shards of a run and refuses those of others.
type Shards struct {
	// Dir is the folder of the run, Run its identity.
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
		data, err := input.Read(f.Path, input.Large)
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
	if err := st.CheckRows(dir, files, rows); err != nil {
		return nil, fmt.Errorf("%w; --fresh-window does without them", err)
	}
	return all, nil
}

// Counts is what the checkpoints of a run have counted, to be held against its
// shards. It has to be read before these are listed, as a run may be at work.
type Counts struct {
	metrics []Metrics
	err     error
}

// ReadCounts reads the counts of the run in folder dir. A folder without checkpoints
// has none.
func ReadCounts(dir string) Counts {
	m, err := ReadMetrics(dir)
	return Counts{m, err}
}

// Check compares the shards of the run with what each checkpoint has learned from.
// Shards that no checkpoint has learned from yet are left alone.
func (c Counts) Check(shards []record.Meta) []error {
	if c.err != nil {
		return []error{c.err}
	}
	held := make([]int64, len(c.metrics))
	for i := range shards {
		k := slices.IndexFunc(c.metrics, func(m Metrics) bool { return shards[i].LastGame < m.Games })
		if k >= 0 {
			held[k] += int64(shards[i].Rows)
		}
	}
	var faults []error
	var before Metrics
	for i, m := range c.metrics {
		if want := m.Positions - before.Positions; held[i] != want {
			faults = append(faults, fmt.Errorf("games %d to %d: checkpoint %d has learned from %d positions of them: the shards that can be read hold %d",
				before.Games, m.Games-1, m.Generation, want, held[i]))
		}
		before = m
	}
	return faults
}
