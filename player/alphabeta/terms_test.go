package alphabeta_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// TestCountsExplainTheJudge of every game: the value is the sum of weights times counts
// where a turn begins and the judge says that it is, in random games and by any weights.
func TestCountsExplainTheJudge(t *testing.T) {
	for _, f := range append(games.All(), &racegame.Family) {
		g, s, h := begin(t, f, "", 0)
		terms := alphabeta.TermsOf(g)
		names := slices.Sorted(slices.Values(terms.Names))
		if len(slices.Compact(names)) != len(terms.Names) || slices.ContainsFunc(names, func(n string) bool { return len(strings.Fields(n)) != 1 }) {
			t.Errorf("%s: the names of its terms are not words that differ: %q", f.Name, terms.Names)
		}
		rng := rand.New(rand.NewPCG(5, 5))
		weights := make([]int32, len(terms.Names))
		for i := range weights {
			weights[i] = int32(rng.IntN(401) - 200)
		}
		judge, counts := terms.Judge(weights), make([]float64, len(weights))
		explained, last, list := 0, -1, []engine.Action(nil)
		for range 400 {
			if s.Actor() == engine.Nobody {
				s.Start(h)
				last = -1
			}
			list = engine.AppendPossible(list[:0], new([]engine.Weighted), s, h)
			if s.Actor() != engine.Chance {
				begins := alphabeta.BeginsTurn(s, last)
				last = s.Turn()
				clear(counts)
				if begins && judge.Count(s, counts) {
					explained++
					sum := 0.0
					for i, c := range counts {
						sum += c * float64(weights[i])
					}
					if v, _ := judge.Judge(s, 0); math.Abs(sum-float64(v)) > 1 {
						t.Fatalf("%s: %s: judged %d, the counts sum up to %.2f", f.Name, s.AppendPosition(nil), v, sum)
					}
					if n := testing.AllocsPerRun(1, func() { judge.Count(s, counts); judge.Judge(s, 0) }); n != 0 {
						t.Fatalf("%s: %g allocations", f.Name, n)
					}
				}
			}
			s.Apply(list[rng.IntN(len(list))], h)
		}
		if explained < 40 {
			t.Errorf("%s: %d positions, want 40", f.Name, explained)
		}
	}
}
