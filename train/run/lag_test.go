package run

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
)

// lagged is tiny with lag: four generations, whose games may begin in earlier ones and of
// whose checkpoints the last is kept.
func lagged() plan.Config {
	c := tiny()
	c.Lag, c.Generations = 1, 4
	c.SelfPlay.Beginnings.EarlierShare = 0.3
	return c
}

// TestLagChangesNothingElse: with lag too the bytes depend neither on the number of
// workers nor on where the run was stopped, nor on how many generations were asked for at
// first, and its games can be searched again.
func TestLagChangesNothingElse(t *testing.T) {
	whole := newDir(t)
	mustWork(t, whole, lagged())
	cfg := lagged()
	cfg.Workers = 3
	dir := newDir(t)
	mustWork(t, dir, cfg)
	compareWith(t, whole, dir)
	if rows, err := rundir.ReadMetrics(whole); err != nil || rows[1].MeanAge != 1 {
		t.Errorf("%v: %+v: want the second training to be on games of network 0 alone", err, rows)
	}

	// The network before the last is kept for those that come after.
	dir, cfg = newDir(t), lagged()
	cfg.Retention.Checkpoints = 1
	for cfg.Generations = 1; cfg.Generations <= 4; cfg.Generations++ {
		mustWork(t, dir, cfg)
	}
	pruned := newDir(t)
	cfg.Generations = 4
	mustWork(t, pruned, cfg)
	compareWith(t, pruned, dir)
	for name, b := range digest(t, whole) {
		if got, ok := digest(t, pruned)[name]; ok && got != b {
			t.Errorf("%s depends on retention", name)
		}
	}

	dir = newDir(t)
	stops := 0
	for n := 5; ; n += 5 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(n)*time.Millisecond)
		err := work(ctx, dir, lagged())
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		stops++
	}
	if stops < 5 {
		t.Errorf("only %d stops", stops)
	}
	compareWith(t, whole, dir)

	// The network of a game is that of the generation before, and of the first the own.
	cfg = lagged()
	var numbers []int64
	for number, want := range []int{0, 0, 1, 2} {
		shard, err := record.Open(filepath.Join(whole, rundir.ShardsDir, record.FileName(int32(number), int64(number)*4)), info(t, cfg.Game))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := shard.Rows()
		if err != nil {
			t.Fatal(err)
		}
		if got := int(rows[0].Generation); got != want {
			t.Errorf("network %d plays generation %d, want %d", got, number, want)
		}
		numbers = append(numbers, rows[0].GameNumber)
	}
	if err := play.Reproduce(t.Context(), whole, cfg, games.All(), nil, numbers, func(r play.Reproduction) {
		if r.Gone || len(r.Differ) > 0 {
			t.Errorf("game %d searched again: gone %t, %v", r.Game, r.Gone, r.Differ)
		}
	}); err != nil {
		t.Error(err)
	}
}

// TestLagGoesOnFromEachCheckpoint that retention keeps whole, with the network before it.
func TestLagGoesOnFromEachCheckpoint(t *testing.T) {
	cfg := lagged()
	cfg.Retention.Checkpoints = 2
	whole, dir := newDir(t), newDir(t)
	mustWork(t, whole, cfg)
	mustWork(t, dir, cfg)
	if to, err := rundir.GoBack(dir, 3); to != 3 || err != nil {
		t.Fatalf("the run is back at generation %d, %v: want 3, the older of two checkpoints", to, err)
	}
	mustWork(t, dir, cfg)
	compareWith(t, whole, dir)
}

// TestLagIsRefused where it means nothing.
func TestLagIsRefused(t *testing.T) {
	for _, change := range []func(*plan.Config){
		func(c *plan.Config) { c.Mode = plan.ModeConcurrent },
		func(c *plan.Config) { c.Lag = 2 },
		func(c *plan.Config) { c.Lag = -1 },
	} {
		cfg := lagged()
		change(&cfg)
		if err := cfg.Validate(games.All()); err == nil || !strings.Contains(err.Error(), "lag: ") {
			t.Errorf("%+v, mode %s: %v", cfg.Lag, cfg.Mode, err)
		}
	}
	if err := SelfPlay(t.Context(), newDir(t), lagged(), Options{Games: games.All(), Resolved: []byte(resolved)}); err == nil || !strings.Contains(err.Error(), "lag is 1") {
		t.Errorf("half a generation: %v", err)
	}
}
