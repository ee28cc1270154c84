package mcts

import (
	"math"
	"testing"
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
