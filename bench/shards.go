package bench

import (
	"context"
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/selfplay/record"
)

func (b *bench) shards(ctx context.Context, s *Section) error {
	if err := b.record(ctx); err != nil {
		return err
	}
	info, rows := b.game.Info(), slices.Clone(b.rows) // marshalling rounds in place
	data, _, err := record.Marshal(info, shardHead(), rows)
	if err != nil {
		return err
	}
	n := float64(len(rows))
	written := newProbe(Figure{Name: "shard made", Unit: "rows/s"}, 1, func() (float64, error) {
		_, _, err := record.Marshal(info, shardHead(), rows)
		return n, err
	})
	read := newProbe(Figure{Name: "shard read for training", Unit: "rows/s"}, 1, func() (float64, error) {
		shard, err := record.Parse(runName, data, info)
		if err == nil {
			_, err = shard.Columns()
		}
		return n, err
	})
	err = b.measure(ctx, written, read)
	s.add(written, 0, nil)
	s.add(read, 0, nil)
	s.Notes = append(s.Notes, fmt.Sprintf("in memory, %d rows of %d games, %.0f bytes each; the disk comes on top", len(rows), b.games, float64(len(data))/n))
	return err
}
