package cluster

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/play"
)

// TestOneWorkerNeedsNoSecond: with every lease audited and nobody to check it, the games of
// the only worker count after a while, though nothing comes that would have the host look.
func TestOneWorkerNeedsNoSecond(t *testing.T) {
	cfg := tiny()
	weights := network(t, &cfg, 0, t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		h, err := NewHost(t.TempDir(), cfg, games.All(), nil, HostOptions{Audit: 1})
		if err != nil {
			t.Fatal(err)
		}
		o := &office{kept: map[string][]byte{}}
		o.open(ctx, h)
		spool := spoolOf(t, filepath.Join(t.TempDir(), "spool"))
		w := NewWorker(WorkerOptions{Link: &badLink{o: o, rng: rand.New(rand.NewPCG(1, 1))}, Spool: spool, Games: games.All(), Cores: 1})
		ended := make(chan error, 1)
		go func() { ended <- w.Run(ctx) }()
		began := time.Now()
		err = h.Play(ctx, &play.Wanted{Run: "r", ConfigHash: cfg.Hash(), Weights: weights, End: int64(cfg.GamesPerGeneration), Counters: &selfplay.Counters{}},
			func(f *selfplay.Finished) (int64, error) { return f.Number + 1, nil })
		if took := time.Since(began); err != nil || took < stillThere || took > 2*stillThere {
			t.Errorf("the generation took %v, %v: want somewhat above %v", took, err, stillThere)
		}
		h.Over()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		o.takes.Wait()
		if err := spool.Close(); err != nil {
			t.Error(err)
		}
	})
}
