package selfplay

import (
	"testing"

	"github.com/ludozero/ludozero/mcts"
)

// flatNetwork takes no memory and judges all alike.
type flatNetwork struct{}

func (flatNetwork) Forward(_, _ []float32, _, _ []int32, logits, wdl, _ []float32) error {
	clear(logits)
	clear(wdl)
	return nil
}

// TestSimulationsDoNotAllocate runs the worker's loop within one decision:
// advance, evaluate, back up.
func TestSimulationsDoNotAllocate(t *testing.T) {
	for _, g := range testGames(t) {
		cfg := quick()
		cfg.Search.Simulations = 1000
		j := job(g, 0, 1)
		games := []*game{newGame(&cfg, &j), newGame(&cfg, &j)}
		for i, p := range games {
			p.start(int64(i))
		}
		batch := mcts.NewBatch(g.Info())
		var decisions int64
		round := func() {
			batch.Clear()
			for _, p := range games {
				if !p.advance(batch, &decisions) {
					t.Fatal("the game is over")
				}
			}
			if err := batch.Evaluate(flatNetwork{}); err != nil {
				t.Fatal(err)
			}
			for _, p := range games {
				p.tree.Backup(&p.leaf[0], batch.Logits(p.place), batch.Value(p.place))
			}
		}
		for range 400 { // the batch and the history grow to their size
			round()
		}
		if n := testing.AllocsPerRun(100, round); n != 0 || decisions != 0 {
			t.Errorf("%s: %g allocations in a simulation of two games, %d decisions, want none", g.Info().Name, n, decisions)
		}
	}
}
