package knaw

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// BenchmarkRandomGames plays random decisions, rolls among them, of this game and of
// Kon'reh.
func BenchmarkRandomGames(b *testing.B) {
	for _, game := range []struct {
		f     *engine.Family
		rules string
	}{{&Family, "standard"}, {&Family, "symmetric"}, {&konreh.Family, ""}} {
		b.Run(game.f.Name+"/"+game.rules, func(b *testing.B) {
			g, err := game.f.Parse(game.rules)
			if err != nil {
				b.Fatal(err)
			}
			s, h := g.NewState(), g.NewHistory()
			rng := rand.New(rand.NewPCG(1, 1))
			var possible []engine.Action
			var scratch []engine.Weighted
			s.Start(h)
			b.ReportAllocs()
			for b.Loop() {
				possible = engine.AppendPossible(possible[:0], &scratch, s, h)
				if len(possible) == 0 {
					s.Start(h)
					continue
				}
				s.Apply(possible[rng.IntN(len(possible))], h)
			}
		})
	}
}
