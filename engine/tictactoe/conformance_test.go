package tictactoe_test

import (
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

func TestConformance(t *testing.T) { enginetest.Run(t, &tictactoe.Family) }

// perft counts the games of exactly depth plies and those that end earlier.
func perft(s tictactoe.State, depth int) (exact, shorter uint64) {
	if depth == 0 {
		return 1, 0
	}
	if s.Outcome().Over {
		return 0, 1
	}
	var buf [9]engine.Action
	for _, a := range s.Legal(buf[:0], nil) {
		next := s
		next.Apply(a, nil)
		e, sh := perft(next, depth-1)
		exact, shorter = exact+e, shorter+sh
	}
	return exact, shorter
}

// The published counts are of sequences of exactly d plies; a game that is over
// earlier is not among them. Perft of package engine counts it: at depth 9 that
// gives the 255,168 games of tic-tac-toe.
func TestPerft(t *testing.T) {
	want := []uint64{1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872}
	var s tictactoe.State
	for d, n := range want {
		if got, _ := perft(s, d); got != n {
			t.Errorf("sequences of %d plies = %d, want %d", d, got, n)
		}
	}
	g, err := tictactoe.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	if got := engine.Perft(g, g.NewState(), nil, 9); got != 255168 {
		t.Errorf("Perft(9) = %d, want 255168", got)
	}
}
