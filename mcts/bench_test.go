package mcts

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// benchmarkSearch measures whole searches of 800 simulations from the start
// position, with uniform priors and an evaluator that costs nothing.
func benchmarkSearch(b *testing.B, family *engine.Family) {
	game, err := family.Parse("")
	if err != nil {
		b.Fatal(err)
	}
	cfg := DefaultConfig()
	t := New(game, cfg)
	r := NewRunner(game, Uniform{}, 1)
	s, h := game.NewState(), game.NewHistory()
	s.Start(h)
	rng := rand.New(rand.NewPCG(1, 2))
	b.ReportAllocs()
	for b.Loop() {
		t.Reset(s, h, rng)
		if err := r.Run(t); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*cfg.Simulations)/b.Elapsed().Seconds(), "simulations/s")
}

func BenchmarkTicTacToe(b *testing.B) { benchmarkSearch(b, &tictactoe.Family) }

func BenchmarkConnect4(b *testing.B) { benchmarkSearch(b, &connect4.Family) }

func BenchmarkKonreh(b *testing.B) { benchmarkSearch(b, &konreh.Family) }
