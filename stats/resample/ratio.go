package resample

import (
	"math"
	"math/rand/v2"

	"github.com/ludozero/ludozero/internal/seed"
)

// Part is one game's contribution to a mean over decisions: the sum over its decisions
// and their number. The zero value is a game without decisions.
type Part struct{ Sum, Count float64 }

// RatioTerm is a mean over decisions in a sum of means.
type RatioTerm struct {
	Weight float64
	// Parts has one entry for each game, in the same order in every term.
	Parts []Part
}

// Ratios estimates the sum over terms of Weight times the mean over decisions, the
// sum of all Part.Sum divided by the sum of all Part.Count. Decisions of one game depend
// on each other, in every term; so games are drawn with replacement, each with all its
// decisions in all terms. The interval is Student's, with one degree of freedom less
// than games in the smallest term. The value is not a number if a term has no decision,
// and the interval infinite if a term has decisions of only one game.
func Ratios(terms []RatioTerm, opt Options) Estimate {
	if opt.Replicates == 0 {
		opt.Replicates = DefaultReplicates
	}
	e := Estimate{Basis: Games, Freedom: math.Inf(1)}
	var any []int // games that are in a term
	for i := range terms[0].Parts {
		for _, t := range terms {
			if t.Parts[i].Count > 0 {
				any = append(any, i)
				break
			}
		}
	}
	for _, t := range terms {
		games := 0
		for _, i := range any {
			if t.Parts[i].Count > 0 {
				games++
			}
		}
		e.Freedom = min(e.Freedom, float64(games-1))
	}
	e.Value = ratios(terms, any)
	if e.Freedom < 1 {
		e.interval()
		return e
	}
	rng := rand.New(seed.Stream(opt.Seed, "ratios", 0))
	drawn := make([]int, len(any))
	values := make([]float64, 0, opt.Replicates)
	// A draw that leaves a term without decisions has no value and is skipped. That is
	// frequent only with few games, where Student's quantile is wide.
	for tries := 0; len(values) < opt.Replicates && tries < 10*opt.Replicates; tries++ {
		for i := range drawn {
			drawn[i] = any[rng.IntN(len(any))]
		}
		if x := ratios(terms, drawn); !math.IsNaN(x) {
			values = append(values, x)
		}
	}
	n := float64(len(any))
	e.Error = math.Sqrt(variance(values) * n / (n - 1))
	e.interval()
	return e
}

// ratios is the sum over terms for these games.
func ratios(terms []RatioTerm, games []int) float64 {
	total := 0.0
	for _, t := range terms {
		sum, count := 0.0, 0.0
		for _, i := range games {
			sum += t.Parts[i].Sum
			count += t.Parts[i].Count
		}
		total += t.Weight * sum / count // not a number without decisions
	}
	return total
}
