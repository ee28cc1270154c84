package mcts

import (
	"errors"
	"math"
	"testing"

	"github.com/ludozero/ludozero/engine/tictactoe"
)

func TestValueOfLogits(t *testing.T) {
	for _, c := range []struct {
		wdl         [3]float32
		value, draw float64
	}{
		{[3]float32{0, 0, 0}, 0, 1. / 3},
		{[3]float32{1000, 0, -1000}, 1, 0},
		{[3]float32{-1000, -2000, 0}, -1, 0},
		{[3]float32{0, 1000, 0}, 0, 1},
		{[3]float32{float32(math.Log(6)), float32(math.Log(3)), 0}, 0.5, 0.3},
	} {
		if got := Value(c.wdl[:]); math.Abs(float64(got)-c.value) > 1e-6 {
			t.Errorf("Value(%v) = %g, want %g", c.wdl, got, c.value)
		}
		if got := Draw(c.wdl[:]); math.Abs(float64(got)-c.draw) > 1e-6 {
			t.Errorf("Draw(%v) = %g, want %g", c.wdl, got, c.draw)
		}
	}
}

// answers is a network that gives the same answer to everything.
type answers struct{ logit, wdl float32 }

func (n answers) Forward(_, _ []float32, _, _ []int32, logits, wdl, _ []float32) error {
	for i := range logits {
		logits[i] = n.logit
	}
	for i := range wdl {
		wdl[i] = n.wdl
	}
	return nil
}

// TestAnswersThatAreNoNumbers: a search by a network with huge weights ends with an
// error instead of choosing by comparisons that all fail.
func TestAnswersThatAreNoNumbers(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, n := range []answers{{nan, 0}, {inf, 0}, {-inf, 0}, {0, nan}, {0, inf}} {
		g := game(t, &tictactoe.Family)
		tree, err := New(g, DefaultConfig())
		if err != nil {
			t.Fatal(err)
		}
		s := g.NewState()
		s.Start(nil)
		tree.Reset(Root{State: s, History: g.NewHistory()})
		if err := NewRunner(g, ByNetwork(g.Info(), n), 1).Run(tree); !errors.Is(err, ErrNotFinite) {
			t.Errorf("%v: %v, want ErrNotFinite", n, err)
		}
	}
}
