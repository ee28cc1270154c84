package run

import (
	"testing"

	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestUnfinishedShardOfAnotherKernel: a shard names one kernel variant, which
// rounds as no other does. The games of an unfinished one that was begun with
// another are played again; a finished one stays.
func TestUnfinishedShardOfAnotherKernel(t *testing.T) {
	for _, c := range []struct {
		name  string
		games int // of the shard's four
		again bool
	}{{"unfinished", 2, true}, {"finished", 4, false}} {
		dir, cfg := copyRun(t), tiny()
		path := shardPath(dir, 5) // games 18 to 21, of generation 1
		remove(t, rundir.CheckpointDir(dir, 2))
		for n := int64(6); n < 8; n++ {
			remove(t, shardPath(dir, n))
		}
		// Played elsewhere: the rows are not quite those of this machine.
		rewriteShard(t, dir, cfg, path, func(rows []record.Row, h *record.Head) []record.Row {
			h.Kernel = "abacus"
			n, left := 0, c.games
			for first, game := range record.Games(rows) {
				if left--; left < 0 {
					break
				}
				game[0].RootValue += 1.0 / 4096
				n = first + len(game)
			}
			return rows[:n]
		})
		mustWork(t, dir, cfg)
		shard, err := record.Open(path, info(t, cfg.Game))
		if err != nil {
			t.Fatal(err)
		}
		if again := shard.Meta.Kernel != "abacus"; again != c.again {
			t.Errorf("%s: the shard names %s", c.name, shard.Meta.Kernel)
		}
		if c.again {
			compare(t, dir)
		}
	}
}
