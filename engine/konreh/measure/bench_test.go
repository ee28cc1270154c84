package measure_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/konreh/measure"
)

// midgame are positions of random games by the standard rules where a turn begins.
func midgame(t testing.TB, n int) (list []*konreh.State) {
	g, rng := game(t, "standard"), rand.New(rand.NewPCG(1, 2))
	for len(list) < n {
		s := g.NewState().(*konreh.State)
		s.Start(nil)
		for s.Actor() != engine.Nobody && s.Turn() < 120 {
			if s.BeginsTurn() && s.Turn() > 10 && rng.IntN(15) == 0 {
				c := *s
				list = append(list, &c)
			}
			moves := s.Legal(nil, nil)
			s.Apply(moves[rng.IntN(len(moves))], nil)
		}
	}
	return list[:n]
}

// benchmark measures one thing of both sides over many positions.
func benchmark(b *testing.B, do func(m *measure.Meter, side engine.Side)) {
	list := midgame(b, 256)
	var m measure.Meter
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		m.Set(list[n%len(list)])
		n++
		do(&m, 0)
		do(&m, 1)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "positions/s")
}

// BenchmarkSheet is all measures.
func BenchmarkSheet(b *testing.B) {
	var x measure.Sheet
	benchmark(b, func(m *measure.Meter, side engine.Side) { m.Sheet(side, &x) })
}

func BenchmarkSet(b *testing.B) { benchmark(b, func(*measure.Meter, engine.Side) {}) }

func BenchmarkSSI(b *testing.B) {
	benchmark(b, func(m *measure.Meter, side engine.Side) { m.SSI(side, 7); m.SSI(side, 56) })
}

func BenchmarkThreat(b *testing.B) {
	benchmark(b, func(m *measure.Meter, side engine.Side) { m.Threat(side, 56) })
}

func BenchmarkXS(b *testing.B) {
	benchmark(b, func(m *measure.Meter, side engine.Side) { m.XS(side, 27) })
}

func BenchmarkCCA(b *testing.B) {
	benchmark(b, func(m *measure.Meter, side engine.Side) { m.CCA(side) })
}

func BenchmarkSeedTurns(b *testing.B) {
	benchmark(b, func(m *measure.Meter, side engine.Side) { m.SeedTurns(side) })
}

func BenchmarkPlantTurns(b *testing.B) {
	benchmark(b, func(m *measure.Meter, side engine.Side) { m.PlantTurns(side) })
}

func BenchmarkKappa(b *testing.B) {
	benchmark(b, func(m *measure.Meter, side engine.Side) { m.Kappa(side, 5) })
}

func BenchmarkSRI(b *testing.B) {
	benchmark(b, func(m *measure.Meter, side engine.Side) { m.SRI(side, 40) })
}
