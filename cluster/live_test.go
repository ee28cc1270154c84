package cluster

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestLiveFile: it says who plays while games are wanted and while none are, and goes with
// the process.
func TestLiveFile(t *testing.T) {
	cfg := tiny()
	weights := network(t, &cfg, 0, t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		h, err := NewHost(dir, cfg, games.All(), nil, HostOptions{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		shown, ended := make(chan struct{}), make(chan error, 1)
		go func() {
			defer close(shown)
			h.KeepLive(ctx)
		}()
		spool := spoolOf(t, filepath.Join(t.TempDir(), "spool"))
		w := NewWorker(WorkerOptions{Link: Direct(h), Spool: spool, Games: games.All(), Name: "mars", Cores: 1})
		go func() { ended <- w.Run(ctx) }()
		read := func(when string, want rundir.Live) {
			t.Helper()
			l, err := rundir.ReadLive(dir)
			if err != nil || l == nil {
				t.Fatalf("%s: %v, %v", when, l, err)
			}
			if l.Games != want.Games || l.GamesWant != cfg.GamesPerGeneration || l.Playing != want.Playing || time.Since(l.Time) > rundir.LiveEvery ||
				len(l.Cluster.Workers) != 1 || l.Cluster.Workers[0].Name != "mars" {
				t.Errorf("%s: %+v, want %+v and mars", when, l, want)
			}
		}
		err = h.Play(ctx, &play.Wanted{Run: "r", ConfigHash: cfg.Hash(), Weights: weights, End: int64(cfg.GamesPerGeneration), Counters: &selfplay.Counters{}},
			func(f *selfplay.Finished) (int64, error) {
				if f.Number == 3 {
					time.Sleep(rundir.LiveEvery + time.Second)
					read("while games are wanted", rundir.Live{Games: 4, Playing: true})
				}
				return f.Number + 1, nil
			})
		if err != nil {
			t.Error(err)
		}
		time.Sleep(rundir.LiveEvery + time.Second)
		read("while the trainer learns", rundir.Live{Games: cfg.GamesPerGeneration})
		h.Over()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		stop()
		<-shown
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 1 || len(entries) == 1 && entries[0].Name() != BookDir {
			t.Errorf("left over: %v, %v", entries, err)
		}
		if err := spool.Close(); err != nil {
			t.Error(err)
		}
	})
}
