package calibration

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/selfplay/record/recordtest"
	"github.com/ludozero/ludozero/train/plan"
)

// TestAgreementOfANetworkWithItself is whole.
func TestAgreementOfANetworkWithItself(t *testing.T) {
	game, err := tictactoe.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	config := model.DefaultConfig()
	config.Channels, config.Blocks = 8, 1
	w := model.NewWeights(model.Network{Shape: plan.Shape(game.Info()), Config: config})
	w.Init(rand.New(rand.NewPCG(1, 2)))
	net, err := infer.New(w.Network(), w, infer.Options{MaxBatch: 16})
	if err != nil {
		t.Fatal(err)
	}
	other := w.Clone()
	other.Tensor("value.wdl.bias")[0] += 3
	changed, err := infer.New(w.Network(), other, infer.Options{MaxBatch: 16})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	recordtest.Write(t, dir, 0, game.Info(), recordtest.RandomGames(game, 0, 20))
	window, err := windowUpTo(&tictactoe.Family, game.Info(), dir, math.MaxInt32)
	if err != nil {
		t.Fatal(err)
	}
	for i, against := range []*infer.Net{net, changed} {
		d := NewDraw(window, rand.New(rand.NewPCG(5, 0)))
		a, err := agreement(game.Info(), net, against, 100, 16, func(int) (engine.State, []engine.Action, error) { return d.Next() })
		if err != nil {
			t.Fatal(err)
		}
		if a.Positions != 100 || a.Divergence != 0 || a.SameFirst < 1-1e-9 || (a.ValueError > 0.1) != (i == 1) || a.LargestValueError < a.ValueError {
			t.Errorf("value head changed: %t: %+v", i == 1, a)
		}
	}
}

// TestDivergenceIsFinite: a search that found an action which the network had
// rounded to nothing.
func TestDivergenceIsFinite(t *testing.T) {
	if d := Divergence([]float32{1, 0}, []float32{0, 1}); d < 87 || d > 88 {
		t.Errorf("divergence %g, want that of the smallest float32", d)
	}
	if d := Divergence([]float32{0.1, 0.9}, []float32{0.1, 0.9}); d != 0 {
		t.Errorf("divergence of a distribution from itself: %g", d)
	}
}
