package selfplay

import (
	"context"
	"testing"
)

// flatNetwork takes no memory and judges all alike.
type flatNetwork struct{}

func (flatNetwork) Forward(_, _ []float32, _, _ []int32, logits, wdl, _ []float32) error {
	clear(logits)
	clear(wdl)
	return nil
}

// TestSimulationsDoNotAllocate runs the worker's loop within one decision, of
// two games of a network and two of another, with caches and canonical forms.
func TestSimulationsDoNotAllocate(t *testing.T) {
	for _, g := range testGames(t) {
		cfg := quick()
		cfg.Search.Simulations = 20_000 // one decision is not enough for them
		cfg.CachePositions = 8          // one that knew more would play a small game to its end
		cfg.FoldSymmetries = true
		j := Job{Game: g, Run: "test", Source: &twoPlayers{Range{Count: 4, Player: player(flatNetwork{})}, 2, player(flatNetwork{})}, Counters: &Counters{}}
		w := &worker{cfg: &cfg, job: &j}
		w.fill()
		round := func() {
			if err := w.round(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		for range 400 { // the batches and the history grow to their size
			round()
		}
		n, decisions := testing.AllocsPerRun(100, round), j.Counters.Decisions.Load()
		if n != 0 || decisions != 0 || len(w.games) != 4 || len(w.lanes) != 2 || j.Counters.Hits.Load() == 0 {
			t.Errorf("%s: %g allocations in a simulation of %d games of %d networks, %d decisions, %d hits, want none of 4 and 2, none, some",
				g.Info().Name, n, len(w.games), len(w.lanes), decisions, j.Counters.Hits.Load())
		}
	}
}
