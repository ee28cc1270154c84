package elements

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// BenchmarkRandomGames plays random decisions of this game and of Kon'reh.
func BenchmarkRandomGames(b *testing.B) {
	for _, f := range []*engine.Family{&Family, &konreh.Family} {
		b.Run(f.Name, func(b *testing.B) {
			g, err := f.Parse("")
			if err != nil {
				b.Fatal(err)
			}
			s, h := g.NewState(), g.NewHistory()
			rng := rand.New(rand.NewPCG(1, 1))
			var legal []engine.Action
			s.Start(h)
			b.ReportAllocs()
			for b.Loop() {
				legal = s.Legal(legal[:0], h)
				if len(legal) == 0 {
					s.Start(h)
					continue
				}
				s.Apply(legal[rng.IntN(len(legal))], h)
			}
		})
	}
}

func BenchmarkEncodingHash(b *testing.B) {
	g, err := Family.Parse("")
	if err != nil {
		b.Fatal(err)
	}
	s := g.NewState()
	for b.Loop() {
		s.EncodingHash()
	}
}
