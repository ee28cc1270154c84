package bench

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/selfplay"
)

// TestGate: workers compute while it is open, for as long as it says, and leave
// when the context ends, open or not.
func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		const workers = 3
		g := newGate(ctx, workers)
		var batches atomic.Int64
		ended := make(chan error, workers)
		for i := range workers {
			go func() {
				ask := g.Take
				for {
					if err := ask(ctx, i); err != nil {
						ended <- err
						return
					}
					ask = g.Yield
					time.Sleep(10 * time.Millisecond) // a batch
					batches.Add(1)
				}
			}()
		}
		for range 2 {
			before := batches.Load()
			synctest.Wait()
			if batches.Load() != before {
				t.Error("a worker computed before the gate was opened")
			}
			g.start()
			time.Sleep(95 * time.Millisecond)
			busy := g.stop()
			if n := batches.Load() - before; n != 10*workers || busy != workers*100*time.Millisecond {
				t.Errorf("%d batches in %v, want %d and %v", n, busy, 10*workers, workers*100*time.Millisecond)
			}
			time.Sleep(time.Second)
		}
		cancel()
		for range workers {
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("a worker ended with %v", err)
			}
		}
	})
}

// TestGateEndsWithTheJob: workers' contexts are made from the job's and may end
// after those who wait were woken. Here they never do.
func TestGateEndsWithTheJob(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	g := newGate(ctx, 1)
	ended := make(chan error)
	go func() { ended <- g.Take(context.Background(), 0) }()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Take = %v after the end", err)
	}
}

// TestScheduleFollowsTheJob: a batch size has the share of its calls, and all
// places are used.
func TestScheduleFollowsTheJob(t *testing.T) {
	p := &playing{meters: []*meter{{sizes: []int64{0, 10, 0, 0, 20}}, {sizes: []int64{0, 0, 0, 0, 10}}}}
	counts := map[int]int{}
	for _, n := range p.schedule() {
		counts[n]++
	}
	if counts[1] != scheduled/4 || counts[4] != scheduled*3/4 || len(counts) != 2 {
		t.Errorf("sizes %v, want %d of 1 and %d of 4", counts, scheduled/4, scheduled*3/4)
	}
}

// TestGamesBeginOneAfterTheOther: one for each worker at once, half of them after
// an eighth of the evaluations of a decision of all, then all, and others for ever.
func TestGamesBeginOneAfterTheOther(t *testing.T) {
	cfg := selfplay.DefaultConfig()
	cfg.GamesInFlight, cfg.Search.Simulations = 16, 64
	p := &playing{threads: 2}
	begun := p.mayHaveBegun(&cfg)
	for _, c := range []struct{ evaluations, want int64 }{{0, 2}, {2 * 16 * 64 / 8, 2 + 16}, {2 * 16 * 64 / 2, math.MaxInt64}} {
		p.counters.Evaluations.Store(c.evaluations)
		if got := begun(); got != c.want {
			t.Errorf("after %d evaluations %d games may have begun, want %d", c.evaluations, got, c.want)
		}
	}
	e := &endless{begun: begun}
	p.counters.Evaluations.Store(0)
	for i := range 3 {
		if _, ok := e.Next(); ok != (i < 2) {
			t.Errorf("game %d begins: %v", i, ok)
		}
	}
}
