package match

import (
	"fmt"
	"math"
	"reflect"
)

// Check refuses a result that is not what Summarise makes of its games, by the JSON
// key. Games may lack everything but number, pair, seat and points; then the sums of
// those are compared. It does not replay moves.
func (r *Result) Check() error {
	pairs := len(r.Games) / 2
	if len(r.Games) == 0 || len(r.Games)%2 != 0 || r.PlannedPairs < pairs {
		return fmt.Errorf("games: %d, planned_pairs %d: want whole pairs, no more than planned", len(r.Games), r.PlannedPairs)
	}
	if r.DistinctOpenings < 1 || r.DistinctOpenings > pairs {
		return fmt.Errorf("distinct_openings: %d: want 1 to %d", r.DistinctOpenings, pairs)
	}
	for i := range r.Games {
		g := &r.Games[i]
		if g.Number != i+1 || g.Pair != i/2+1 || g.AFirst != (i%2 == 0) || g.Points != 0 && g.Points != 0.5 && g.Points != 1 {
			return fmt.Errorf("game %d: number %d, pair %d, A first %v, %g points: want numbers in order, A first in every other game, and 0, 0.5 or 1",
				i+1, g.Number, g.Pair, g.AFirst, g.Points)
		}
	}
	openings := &Openings{List: make([]Opening, r.DistinctOpenings)}
	s, err := NewSeries(Config{Pairs: pairs, Clock: r.Clock}, nil, make([]Contestant, 2), false, openings)
	if err != nil {
		return err
	}
	want := Result{Games: r.Games}
	want.count(s)
	if r.Short() { // its games cannot tell
		want.Reasons, want.MeanTurns, want.RepeatedGames, want.RepeatedPairs = r.Reasons, r.MeanTurns, r.RepeatedGames, r.RepeatedPairs
		want.AClock, want.BClock, want.AEffort, want.BEffort = r.AClock, r.BClock, r.AEffort, r.BEffort
		ends := 0
		for _, n := range r.Reasons {
			ends += n
		}
		if ends != len(r.Games) || r.RepeatedPairs < 0 || r.RepeatedPairs >= pairs || r.RepeatedGames < r.RepeatedPairs || r.RepeatedGames >= len(r.Games) {
			return fmt.Errorf("reasons of %d games, repeated_games %d, repeated_pairs %d: there are %d games", ends, r.RepeatedGames, r.RepeatedPairs, len(r.Games))
		}
		want.Score = want.Pairs.Score(pairs - r.RepeatedPairs)
		want.Elo = want.Score.Elo()
	}
	if c := r.PairCorrelation; c != nil && !r.Short() && (want.PairCorrelation == nil || !near(*c, *want.PairCorrelation)) {
		return fmt.Errorf("pair_correlation: %v, which its games do not make", *c)
	}
	for _, c := range []struct {
		key       string
		got, want any
	}{
		{"wins, draws, losses", r.Tally, want.Tally},
		{"as_first", r.AsFirst, want.AsFirst},
		{"as_second", r.AsSecond, want.AsSecond},
		{"pair_half_points", r.Pairs, want.Pairs},
		{"repeated_games", r.RepeatedGames, want.RepeatedGames},
		{"repeated_pairs", r.RepeatedPairs, want.RepeatedPairs},
		{"score", r.Score, want.Score},
		{"elo", r.Elo, want.Elo},
		{"a_clock", r.AClock, want.AClock},
		{"b_clock", r.BClock, want.BClock},
		{"a_effort", r.AEffort, want.AEffort},
		{"b_effort", r.BEffort, want.BEffort},
		{"reasons", r.Reasons, want.Reasons},
		{"mean_turns", Estimate{Value: r.MeanTurns}, Estimate{Value: want.MeanTurns}},
	} {
		a, isEstimate := c.got.(Estimate)
		if isEstimate && near(a, c.want.(Estimate)) || !isEstimate && reflect.DeepEqual(c.got, c.want) {
			continue
		}
		return fmt.Errorf("%s: %v, its games make %v", c.key, c.got, c.want)
	}
	return nil
}

// Short tells whether the games lack their moves and ends.
func (r *Result) Short() bool {
	for i := range r.Games {
		if g := &r.Games[i]; g.Reason != "" || g.Turns != 0 || g.Opening != 0 || g.Moves != "" {
			return false
		}
	}
	return true
}

// near compares two estimates up to rounding, which differs between processors.
func near(a, b Estimate) bool {
	same := func(x, y float64) bool { return x == y || math.Abs(x-y) <= 1e-9*max(1, math.Abs(x)) }
	return same(a.Value, b.Value) && same(a.Low, b.Low) && same(a.High, b.High)
}
