package run

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine/konkvest"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/replay"
)

// TestWidestGameGoesThroughTheLoop sends Konkvest's 26,904 action codes on a
// 13×12 grid through encoder, policy head, search, records, window, batch and
// one training step.
func TestWidestGameGoesThroughTheLoop(t *testing.T) {
	game, err := konkvest.Family.Parse("fixed,max_plies=20")
	if err != nil {
		t.Fatal(err)
	}
	info := game.Info()
	network := model.Network{
		Shape:  plan.Shape(info),
		Config: model.Config{Blocks: 1, Channels: 8, PoolEvery: 1, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8},
	}
	w := model.NewWeights(network)
	w.Init(rand.New(rand.NewPCG(1, 2)))
	net, err := infer.New(network, w, infer.Options{MaxBatch: 2})
	if err != nil {
		t.Fatal(err)
	}
	cfg := selfplay.DefaultConfig()
	cfg.GamesInFlight, cfg.Search.Simulations = 2, 4
	var rows []record.Row
	err = selfplay.Run(context.Background(), cfg, selfplay.Job{
		Game: game, Run: "wide", Seed: 1, Workers: 1,
		Source: &selfplay.Range{Count: 2, Player: &selfplay.Player{Fork: func() mcts.Network { return net.Fork() }}},
	}, func(f *selfplay.Finished) error {
		rows = append(rows, f.Rows...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, _, err := record.Write(dir, info, record.Head{Run: "wide"}, rows); err != nil {
		t.Fatal(err)
	}
	window, err := replay.NewWindow(plan.DefaultWindowConfig(), &konkvest.Family, dir, "wide")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := window.Refresh(); err != nil || int(n) != len(rows) {
		t.Fatalf("Refresh = %d, %v, want %d", n, err, len(rows))
	}
	tc := plan.DefaultTrainConfig()
	tc.Batch = 8
	trainer, err := train.NewTrainer(w, tc, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer trainer.Close()
	batch := train.NewBatch(info, tc.Batch)
	if err := batch.Fill(window, rand.New(rand.NewPCG(3, 4))); err != nil {
		t.Fatal(err)
	}
	p, err := trainer.Step(batch)
	if err != nil {
		t.Fatal(err)
	}
	if !(p.Policy > 0 && p.Policy < 10) {
		t.Errorf("policy loss %g of an untrained network over some 16 legal moves", p.Policy)
	}
}
