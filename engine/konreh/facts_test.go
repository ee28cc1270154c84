package konreh

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestLooksAgreeWithMeasures over random games: the light looks say what Measure
// says, and equal identities are equal positions.
func TestLooksAgreeWithMeasures(t *testing.T) {
	for _, preset := range []string{"standard", "micro"} {
		parsed, err := Family.Parse(preset)
		if err != nil {
			t.Fatal(err)
		}
		g, rng := parsed.(*Game), rand.New(rand.NewPCG(8, 9))
		lines, counting := map[[5]uint64]string{}, 0
		for range 40 {
			s := g.newState()
			s.Start(nil)
			for s.Actor() != engine.Nobody && s.Turn() < 300 {
				for side := range engine.Side(2) {
					var m Measures
					s.Measure(side, &m)
					if s.Army(side) != m.Own || s.Reforge(side) != m.Reforge {
						t.Fatalf("%s: Army %x, Reforge %d, measured %x, %d", s.line(), s.Army(side), s.Reforge(side), m.Own, m.Reforge)
					}
					if m.Reforge > 0 {
						counting++
					}
				}
				if s.BeginsTurn() {
					key, line := s.Identity(), s.line()
					// All but the counts of turns, which the line ends with.
					for n := 0; n < 2; line = line[:len(line)-1] {
						if line[len(line)-1] == ' ' {
							n++
						}
					}
					if was, ok := lines[key]; ok && was != line {
						t.Fatalf("%q and %q have one identity", line, was)
					}
					lines[key] = line
				}
				list := s.Legal(nil, nil)
				s.Apply(list[rng.IntN(len(list))], nil)
			}
		}
		if counting < 100 {
			t.Errorf("%s: %d countdowns looked at, want 100", preset, counting)
		}
	}
}
