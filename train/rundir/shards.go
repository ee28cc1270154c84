package rundir

import (
	"fmt"
	"path/filepath"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

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
