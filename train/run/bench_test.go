package run

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train"
)

// BenchmarkSelfPlay plays Kon'reh with the untrained network of the default
// configuration on one worker: searched positions and network evaluations a
// second, with everything but the writing of shards.
func BenchmarkSelfPlay(b *testing.B) {
	cfg := DefaultConfig()
	cfg.Rules = "standard,max_turns=40"
	game, err := cfg.open()
	if err != nil {
		b.Fatal(err)
	}
	network := model.Network{Shape: train.Shape(game.Info()), Config: cfg.Model}
	w := model.NewWeights(network)
	w.Init(rand.New(rand.NewPCG(1, 2)))
	net, err := infer.New(network, w, infer.Options{MaxBatch: cfg.SelfPlay.GamesInFlight})
	if err != nil {
		b.Fatal(err)
	}
	counters := &selfplay.Counters{}
	b.ResetTimer()
	err = selfplay.Run(context.Background(), cfg.SelfPlay, selfplay.Job{
		Game: game, Run: "bench", Workers: 1, Counters: counters,
		Source: &selfplay.Range{
			Count: cfg.SelfPlay.GamesInFlight * b.N, Player: &selfplay.Player{Fork: func() mcts.Network { return net.Fork() }},
		},
	}, func(*selfplay.Finished) error { return nil })
	if err != nil {
		b.Fatal(err)
	}
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(counters.Decisions.Load())/seconds, "positions/s")
	b.ReportMetric(float64(counters.Evaluations.Load())/seconds, "evaluations/s")
}
