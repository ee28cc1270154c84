package cluster

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/play"
)

// TestWorkerWaitsForRoom: a worker whose spool cannot be written for an hour goes on
// after it, with nothing lost but time.
func TestWorkerWaitsForRoom(t *testing.T) {
	cfg := tiny()
	weights := network(t, &cfg, 0, t.TempDir())
	want := alone(t, &cfg, 0, weights)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		h, err := NewHost(t.TempDir(), cfg, games.All(), nil, HostOptions{})
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "spool")
		spool := spoolOf(t, dir)
		// A folder that is gone refuses new files to every user.
		away := dir + "-away"
		if err := os.Rename(dir, away); err != nil {
			t.Fatal(err)
		}
		first, full := 0, 0
		w := NewWorker(WorkerOptions{Link: Direct(h), Spool: spool, Games: games.All(), Cores: 1, Show: func(v WorkerView) {
			switch {
			case v.Disk != nil && v.Games == 0:
				first++
			case v.Disk != nil:
				full++
			}
		}})
		var all sync.WaitGroup
		all.Go(func() {
			if err := w.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		all.Go(func() {
			time.Sleep(time.Hour)
			if err := os.Rename(away, dir); err != nil {
				t.Error(err)
			}
		})
		var got []sum
		// The weights are kept in the spool, too: the worker begins when there is room.
		err = h.Play(ctx, &play.Wanted{Run: "r", ConfigHash: cfg.Hash(), Weights: weights, End: int64(len(want)), Counters: &selfplay.Counters{}}, func(f *selfplay.Finished) (int64, error) {
			if got = append(got, sumOf(f)); len(got) == 3 {
				if err := os.Rename(dir, away); err != nil {
					t.Error(err)
				}
				all.Go(func() {
					time.Sleep(time.Hour)
					if err := os.Rename(away, dir); err != nil {
						t.Error(err)
					}
				})
			}
			return f.Number + 1, nil
		})
		if err != nil {
			t.Error(err)
		}
		cancel()
		all.Wait()
		if len(got) != len(want) || first == 0 || full == 0 {
			t.Errorf("%d games came, a full disk was shown %d times before the first and %d after: want %d games", len(got), first, full, len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("game %d is another", i)
			}
		}
		if err := spool.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestOwnWorkerEndsWithoutRoom, for the network or for games: a host that waited for it would
// say nothing.
func TestOwnWorkerEndsWithoutRoom(t *testing.T) {
	cfg := tiny()
	weights := network(t, &cfg, 0, t.TempDir())
	for _, after := range []int{0, 3} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			h, err := NewHost(t.TempDir(), cfg, games.All(), nil, HostOptions{})
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), "spool")
			spool := spoolOf(t, dir)
			full := func() {
				if err := os.Rename(dir, dir+"-away"); err != nil {
					t.Error(err)
				}
			}
			if after == 0 {
				full()
			}
			played, n := make(chan error, 1), 0
			playing, stop := context.WithCancel(ctx)
			go func() {
				played <- h.Play(playing, &play.Wanted{Run: "r", ConfigHash: cfg.Hash(), Weights: weights, End: int64(cfg.GamesPerGeneration), Counters: &selfplay.Counters{}},
					func(f *selfplay.Finished) (int64, error) {
						if n++; n == after {
							full()
						}
						return f.Number + 1, nil
					})
			}()
			err = NewWorker(WorkerOptions{Link: Direct(h), Spool: spool, Games: games.All(), Cores: 1, FullEnds: true}).Run(ctx)
			if !errors.Is(err, os.ErrNotExist) || ctx.Err() != nil {
				t.Errorf("with no room after %d games it ends with %v", after, err)
			}
			stop()
			if err := <-played; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			if err := spool.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestWorkerGivesUp, if it is told to, and not before its time.
func TestWorkerGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		spool := spoolOf(t, filepath.Join(t.TempDir(), "spool"))
		defer spool.Close()
		began := time.Now()
		w := NewWorker(WorkerOptions{Link: &badLink{o: &office{}, cut: true}, Spool: spool, Games: games.All(), Cores: 1, GiveUp: time.Hour})
		err := w.Run(t.Context())
		if took := time.Since(began); !errors.Is(err, ErrAway) || !errors.Is(err, errLost) || took < time.Hour || took > time.Hour+time.Minute {
			t.Errorf("it ended after %v: %v", took, err)
		}
	})
}
