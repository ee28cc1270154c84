package replay

import (
	"fmt"
	"path/filepath"

	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// heritage is what a window has from before its run.
type heritage struct {
	inherited int   // shards of ancestors, the first of all
	older     int64 // positions that were seen before the first of them
	before    int64 // positions seen before the run's own: all of these
	unread    bool  // they were added and not loaded yet
}

// Inherit puts shards of ancestors, the oldest first, before those of the run. It
// is called at most once and before the first Refresh, which loads what reaches
// into the window. seen is how many positions had been seen by their end: the
// newest of them are in the shards, and N counts them all, so that the window
// goes on as the ancestor's would have. If the window is to be larger than what
// there is, that is all it has.
//
// A shard that is damaged, foreign, or another than it should be is refused by
// name.
func (w *Window) Inherit(ancestors []plan.Ancestor, seen int64) error {
	if len(w.shards) > 0 {
		panic("BUG: inherited after shards were counted")
	}
	var shards []windowShard
	rows := int64(0)
	for i := range ancestors {
		a := &ancestors[i]
		for _, want := range a.Shards {
			meta, err := w.verify(a, want)
			if err != nil {
				return err
			}
			rows += int64(meta.Rows)
			shards = append(shards, counted(a, want.Name, &meta))
		}
	}
	if rows > seen {
		return fmt.Errorf("inherited shards hold %d positions: want at most the %d that were seen", rows, seen)
	}
	w.shards, w.seen = shards, seen
	w.heritage = heritage{inherited: len(shards), older: seen - rows, before: seen, unread: len(shards) > 0}
	return nil
}

// verify opens a shard of an ancestor and holds it to what it should be.
func (w *Window) verify(a *plan.Ancestor, want plan.AncestorShard) (record.Meta, error) {
	path := filepath.Join(a.Dir, want.Name)
	data, err := input.Read(path, input.Large)
	if err != nil {
		return record.Meta{}, fmt.Errorf("shard %s: %w", path, err)
	}
	s, err := record.Parse(path, data, w.info)
	if err != nil {
		return record.Meta{}, err
	}
	m := s.Meta
	switch got := plan.SHA256(data); {
	case m.Run != a.Run || m.ConfigHash != a.ConfigHash:
		err = fmt.Errorf("%w: of run %q with configuration %s, want %q with %s", record.ErrForeign, m.Run, m.ConfigHash, a.Run, a.ConfigHash)
	case record.FileName(m.Generation, m.Number) != want.Name:
		err = fmt.Errorf("%w: it was written as %s", record.ErrCorrupt, record.FileName(m.Generation, m.Number))
	case m.Rows != want.Rows || got != want.SHA256:
		err = fmt.Errorf("%w: %d positions, checksum %.16s: want the shard with %d, %.16s", record.ErrForeign, m.Rows, got, want.Rows, want.SHA256)
	}
	if err != nil {
		return m, fmt.Errorf("shard %s: %w", path, err)
	}
	return m, nil
}

// Own is the number of positions in the shards of the run itself.
func (w *Window) Own() int64 { return w.seen - w.before }

// played is the generation of the network which played the shard, as the run
// counts.
func (w *Window) played(s *windowShard) int32 {
	if s.source != nil {
		return s.generation + s.source.Offset
	}
	return max(0, s.generation-w.lag)
}
