package cluster

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/play"
)

// TestWorkersEndWithWhatEndsEarly: nobody needs the games that a worker has sent beyond the
// verdict of a test, or of a generation that a budget has cut short. It ends, and keeps none.
func TestWorkersEndWithWhatEndsEarly(t *testing.T) {
	cfg := tiny()
	weights := network(t, &cfg, 0, t.TempDir())
	verdict := func(ctx context.Context, t *testing.T) (Desk, func()) {
		h, err := NewSeriesHost("s", "id", false, HostOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return h, func() {
			counted := 0
			_, err := seriesOf(t, "random", "minimax:depth=1").Run(match.WithElsewhere(ctx, h), nil, match.Hooks{Counted: func(*match.Game) bool {
				counted++
				return false
			}})
			if err != nil || counted != 1 {
				t.Errorf("%d games were counted, %v: want the one with the verdict", counted, err)
			}
			h.Over()
		}
	}
	budget := func(ctx context.Context, t *testing.T) (Desk, func()) {
		h, err := NewHost(t.TempDir(), cfg, games.All(), nil, HostOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return h, func() {
			used := errors.New("budget is used up")
			err := h.Play(ctx, &play.Wanted{Run: "r", ConfigHash: cfg.Hash(), Weights: weights, End: int64(cfg.GamesPerGeneration), Counters: &selfplay.Counters{}},
				func(*selfplay.Finished) (int64, error) { return 0, used })
			if !errors.Is(err, used) {
				t.Error(err)
			}
			h.Over()
		}
	}
	for name, begin := range map[string]func(context.Context, *testing.T) (Desk, func()){"verdict": verdict, "budget": budget} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				h, play := begin(ctx, t)
				o := &office{kept: map[string][]byte{}}
				o.open(ctx, h)
				spool := spoolOf(t, filepath.Join(t.TempDir(), "spool"))
				w := NewWorker(WorkerOptions{
					Link: &badLink{o: o, rng: rand.New(rand.NewPCG(1, 1))}, Spool: spool, Games: games.All(), Cores: 1, Contestant: makeContestant,
				})
				ended := make(chan error, 1)
				go func() { ended <- w.Run(ctx) }()
				play()
				if err := <-ended; err != nil {
					t.Errorf("the worker goes on: %v", err)
				}
				if left, _ := spool.Waiting(""); len(left) > 0 {
					t.Errorf("the worker keeps %+v", left)
				}
				o.leave()
				o.takes.Wait()
				if err := spool.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
