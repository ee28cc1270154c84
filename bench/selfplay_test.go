package bench

import (
	"context"
	"testing"
	"time"

	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
)

// TestSliceOfAGameThatIsInTheCache ends: a slice waited for an evaluation, which never
// comes once all positions of a small game are remembered.
func TestSliceOfAGameThatIsInTheCache(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	o := options(t, "tictactoe")
	o.Config.SelfPlay.Search.Simulations, o.Config.SelfPlay.Search.NoiseFraction, o.Config.SelfPlay.Temperature = 2, 0, 0
	network := model.Network{Shape: plan.Shape(o.Rules.Game.Info()), Config: o.Config.Model}
	b := &bench{o: &o, cfg: &o.Config, game: o.Rules.Game, network: network, weights: untrained(network, 1)}
	if err := b.record(ctx); err != nil {
		t.Fatal(err)
	}
	net, err := b.open(ctx, b.format, b.weights, o.Config.SelfPlay.GamesInFlight)
	if err != nil {
		t.Fatal(err)
	}
	p := b.play(ctx, 1, func() mcts.Network { return net.Fork() })
	defer p.end()
	for {
		w, err := p.slice(ctx, time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		if ctx.Err() != nil {
			t.Fatal("no slice ended without an evaluation")
		}
		if w.evaluations == 0 && w.hits > 0 {
			return
		}
	}
}
