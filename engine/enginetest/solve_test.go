package enginetest

import (
	"math"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

func TestSolveTicTacToe(t *testing.T) {
	g, err := tictactoe.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	memo := map[string]float64{}
	s := g.NewState()
	if v := Solve(g, s, memo); v != 0 {
		t.Errorf("value of the start = %v, want a draw", v)
	}
	// 5478 positions can be reached, 958 of them finished.
	if len(memo) != 4520 {
		t.Errorf("%d positions with a move, want 4520", len(memo))
	}
	if err := s.ParsePosition("x../..o/... x"); err != nil {
		t.Fatal(err)
	}
	if v := Solve(g, s, memo); v != 1 {
		t.Errorf("value after x in the corner and o on the far edge = %v, want 1", v)
	}
}

// The last turn of a race, by hand: second is one behind and needs to win.
// Safe: a roll of 1 (2/3) draws level by moving or by pushing, 2 (1/3) wins.
// Bold: 0 (1/2) loses, 2 (1/3) and 4 (1/6) win. So safe is worth 1/3 to second,
// bold 0.
func TestSolveChance(t *testing.T) {
	g := racegame.New()
	s := g.NewState()
	if err := s.ParsePosition("2 1 7 choose"); err != nil {
		t.Fatal(err)
	}
	memo := map[string]float64{}
	if v := Solve(g, s, memo); math.Abs(v+1./3) > 1e-12 {
		t.Errorf("value for first = %v, want -1/3", v)
	}
	s.Apply(racegame.Bold, nil)
	if v := Solve(g, s, memo); s.Actor() != engine.Chance || math.Abs(v) > 1e-12 {
		t.Errorf("value after bold = %v, actor %v, want 0, chance", v, s.Actor())
	}
}
