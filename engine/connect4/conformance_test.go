package connect4_test

import (
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest"
)

func TestConformance(t *testing.T) { enginetest.Run(t, &connect4.Family) }

// perft counts the games of exactly depth plies and those that end earlier.
func perft(s connect4.State, depth int) (exact, shorter uint64) {
	if depth == 0 {
		return 1, 0
	}
	if s.Outcome().Over {
		return 0, 1
	}
	var buf [7]engine.Action
	for _, a := range s.Legal(buf[:0], nil) {
		next := s
		next.Apply(a, nil)
		e, sh := perft(next, depth-1)
		exact, shorter = exact+e, shorter+sh
	}
	return exact, shorter
}

// The published counts are of sequences of exactly d plies; a game that is over
// earlier is not among them. The first line of four can stand after 7 plies.
// Perft of package engine counts shorter games too.
func TestPerft(t *testing.T) {
	want := []uint64{1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572}
	depth := len(want) - 1
	if testing.Short() {
		depth = 8
	}
	var s connect4.State
	for d := 0; d <= depth; d++ {
		if got, _ := perft(s, d); got != want[d] {
			t.Errorf("sequences of %d plies = %d, want %d", d, got, want[d])
		}
	}
	g, err := connect4.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	exact, shorter := perft(s, 8)
	if got := engine.Perft(g, g.NewState(), nil, 8); got != exact+shorter {
		t.Errorf("Perft(8) = %d, want %d and %d shorter games", got, exact, shorter)
	}
}
