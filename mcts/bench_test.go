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
func benchmarkSearch(b *testing.B, family *engine.Family, cfg Config) {
	game, err := family.Parse("")
	if err != nil {
		b.Fatal(err)
	}
	t := must(New(game, cfg))
	r := NewRunner(game, Uniform{}, 1)
	s, h := game.NewState(), game.NewHistory()
	s.Start(h)
	rng := rand.New(rand.NewPCG(1, 2))
	b.ReportAllocs()
	for b.Loop() {
		t.Reset(Root{State: s, History: h, Rand: rng})
		if err := r.Run(t); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*cfg.Simulations)/b.Elapsed().Seconds(), "simulations/s")
}

func BenchmarkTicTacToe(b *testing.B) { benchmarkSearch(b, &tictactoe.Family, DefaultConfig()) }

func BenchmarkConnect4(b *testing.B) { benchmarkSearch(b, &connect4.Family, DefaultConfig()) }

func BenchmarkKonreh(b *testing.B) { benchmarkSearch(b, &konreh.Family, DefaultConfig()) }

func BenchmarkKonrehGumbel(b *testing.B) {
	cfg := DefaultConfig()
	cfg.Search, cfg.GumbelScale = SearchGumbel, 1
	benchmarkSearch(b, &konreh.Family, cfg)
}

func BenchmarkConnect4Gumbel(b *testing.B) {
	cfg := DefaultConfig()
	cfg.Search, cfg.GumbelScale = SearchGumbel, 1
	benchmarkSearch(b, &connect4.Family, cfg)
}

func BenchmarkConnect4Proven(b *testing.B) {
	cfg := DefaultConfig()
	cfg.Proven = true
	benchmarkSearch(b, &connect4.Family, cfg)
}

func BenchmarkKonrehTuned(b *testing.B) {
	cfg := DefaultConfig()
	cfg.Tuning = Tuning{Contempt: 0.1, Spread: 0.85, MovesLeft: 0.05, LowerBound: true, Bias: 0.45}
	benchmarkSearch(b, &konreh.Family, cfg)
}

// BenchmarkRootDraw is what a row costs beyond the search of 800 simulations.
func BenchmarkRootDraw(b *testing.B) {
	g := game(b, &konreh.Family)
	t := must(New(g, DefaultConfig()))
	s, h := start(g)
	t.Reset(Root{State: s, History: h})
	run(b, g, t, Uniform{})
	b.ReportAllocs()
	for b.Loop() {
		t.RootDraw()
	}
}
