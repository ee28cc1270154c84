package connect4

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestPlanes holds the planes that networks see to the plain reading of their
// names, cell by cell, in every position of random games.
func TestPlanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	planes, globals := make([]float32, features.Planes*cells), make([]float32, features.Globals)
	var actions []engine.Action
	var completing, playable int
	for range 300 {
		s := new(State)
		for s.Actor() != engine.Nobody {
			s.Encode(planes, globals)
			own, other := s.stones[s.turn%2], s.stones[1-s.turn%2]
			for col := range cols {
				for row := range rows {
					bit := uint64(1) << (stride*col + row)
					empty := s.taken()&bit == 0
					lowest := row == 0 || s.taken()&(bit>>1) != 0
					want := [...]bool{
						own&bit != 0,
						other&bit != 0,
						empty && hasFour(own|bit),
						empty && hasFour(other|bit),
						empty && lowest,
						row%2 == int(s.turn%2), // x plays last in rows 1, 3 and 5
					}
					if want[2] || want[3] {
						completing++
						if want[4] {
							playable++
						}
					}
					for p, name := range features.PlaneNames {
						if got := planes[p*cells+cols*row+col] == 1; got != want[p] {
							t.Fatalf("%s: column %d, row %d is %v, want %v\n%s", name, col+1, row+1, got, want[p], s.Board(false))
						}
					}
				}
			}
			if want := float32(s.turn) / cells; globals[0] != want {
				t.Fatalf("stones / 42 is %g, want %g", globals[0], want)
			}
			actions = s.Legal(actions[:0], nil)
			s.Apply(actions[rng.IntN(len(actions))], nil)
		}
	}
	if completing < 1000 || playable < 100 {
		t.Errorf("random games had %d cells that complete a line, %d of them playable: too few to tell", completing, playable)
	}
}
