package run

import (
	"context"
	"path/filepath"
	"time"

	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
)

// shardFile is the shard that is being filled.
type shardFile struct {
	run     *runner
	rows    []record.Row
	dirty   bool // rows were added since it was written
	flushed time.Time
}

func (f *shardFile) add(rows []record.Row) {
	f.rows = append(f.rows, rows...)
	f.dirty = true
}

// write writes the shard as far as it is, if there is anything new in it.
func (f *shardFile) write(generation int, number int64) error {
	if !f.dirty || len(f.rows) == 0 {
		return nil
	}
	r := f.run
	_, _, err := record.Write(filepath.Join(r.dir, rundir.ShardsDir), r.game.Info(), record.Head{
		Run: r.name, Generation: int32(generation), Number: number, ConfigHash: r.configHash, Kernel: kernel.Arithmetic(),
	}, f.rows)
	f.dirty, f.flushed = false, time.Now()
	return err
}

// player is the network of the present generation, at play, with the games that
// its own may begin in: those in shards below limit, which must be closed.
func (r *runner) player(ctx context.Context, limit int64) (*selfplay.Player, error) {
	net, err := r.inference(r.plays, r.calibration)
	if err != nil {
		return nil, err
	}
	earlier, err := r.earlier(ctx, limit)
	if err != nil {
		return nil, err
	}
	return &selfplay.Player{
		Generation: r.state.Generation, Fork: func() mcts.Network { return net.Fork() }, Earlier: earlier,
	}, nil
}
