package kit_test

import (
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/kit"
)

func connect4Position(t *testing.T, words ...string) (*engine.Features, engine.State) {
	t.Helper()
	g, err := connect4.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for _, w := range words {
		a, err := s.ParseAction(w, h)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(a, h)
	}
	return &g.Info().Features, s
}

// TestPieceSquaresReadTheInputs in the acting side's view.
func TestPieceSquaresReadTheInputs(t *testing.T) {
	f, s := connect4Position(t, "4", "7", "4")
	names := kit.PieceSquareNames(f)
	w := make([]int32, len(names))
	for i, name := range names {
		switch name {
		case "own_stones.0:6":
			w[i] = 70
		case "other_stones.1:3":
			w[i] = -11
		case "own_stones.0:3", "other_stones.0:6": // not there
			w[i] = 5000
		case "global.stones_/_42":
			w[i] = 420
		case "tempo":
			w[i] = 1
		}
	}
	j := kit.NewPieceSquares(f, w)
	if v, danger := j.Judge(s, 3); v != 70-11+30+1+3 || danger {
		t.Errorf("Judge = %d, %v, want 93", v, danger)
	}
	counts, sum := make([]float64, len(w)), 0.0
	if !j.Count(s, counts) {
		t.Error("the position says little")
	}
	for i, c := range counts {
		sum += c * float64(w[i])
	}
	if sum < 89.99 || sum > 90.01 {
		t.Errorf("the weighted counts are %g, want 90", sum)
	}
	if v, _ := j.Judge(s, 2_000_000); v != 900_000 {
		t.Errorf("a value of %d, want the greatest", v)
	}
	if n := testing.AllocsPerRun(10, func() { j.Judge(s, 0); j.Count(s, counts) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// TestTermsAreSummedUp, each time from nothing.
func TestTermsAreSummedUp(t *testing.T) {
	_, s := connect4Position(t)
	danger := false
	j := kit.NewTerms([]int32{100, -30}, func(_ engine.State, counts []int32) bool {
		counts[0] += 2
		counts[1]++
		return danger
	})
	counts := make([]float64, 2)
	for range 2 {
		if v, d := j.Judge(s, 7); v != 177 || d {
			t.Errorf("Judge = %d, %v, want 177", v, d)
		}
		if ok := j.Count(s, counts); !ok || counts[0] != 2 || counts[1] != 1 {
			t.Errorf("Count = %v, %v", counts, ok)
		}
	}
	danger = true
	if _, d := j.Judge(s, 0); !d || j.Count(s, counts) {
		t.Error("a position in danger says little about weights")
	}
}
