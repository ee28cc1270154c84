// Package ratingtest simulates games between players of known strength, to check the
// estimates of package rating. It shares no code with that package.
package ratingtest

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// World is what a simulated game depends on besides the two players.
type World struct {
	// Seat is the advantage of moving first in Elo.
	Seat float64
	// Draws is the share of draws between equal players, less than 1.
	Draws float64
	// Linear replaces Davidson's law of draws by another: the share Draws of what
	// can be drawn at most, 2·min(p, 1-p).
	Linear bool
	// Opening, in [-1, 1], is how much of a result its opening decides: the
	// correlation of the normal variables that the results of the two games of
	// a pair are cut from. Above 0 the opening favours a seat and makes the scores
	// of a pair more even; below 0 it favours a player. The distribution of each
	// game stays what it was.
	Opening float64
}

// Outcome is the distribution of a game whose first player is stronger by
// difference Elo, the seat not yet counted: the probabilities that the first
// loses, draws and wins.
func (w World) Outcome(difference float64) (loss, draw, win float64) {
	p := 1 / (1 + math.Pow(10, -(difference+w.Seat)/400))
	if w.Linear {
		draw = w.Draws * 2 * min(p, 1-p)
	} else {
		draw = davidson(p, 2*w.Draws/(1-w.Draws))
	}
	return 1 - p - draw/2, draw, p - draw/2
}

// davidson solves draw² = nu²·(p - draw/2)·(1 - p - draw/2).
func davidson(p, nu float64) float64 {
	a, b, c := 1-nu*nu/4, nu*nu/2, -nu*nu*p*(1-p)
	if math.Abs(a) < 1e-9 {
		return -c / b
	}
	return (-b + math.Sqrt(b*b-4*a*c)) / (2 * a)
}

// Pair plays two games of one opening with seats exchanged between players of
// which the first named is stronger by difference Elo, and returns its half
// points in the game that it begins and in the other.
func (w World) Pair(difference float64, rng *rand.Rand) (first, second int) {
	return w.PairOf(rng.NormFloat64(), difference, rng)
}

// PairOf is Pair with the opening given, a draw from the standard normal
// distribution, so that several pairs can share it.
func (w World) PairOf(opening, difference float64, rng *rand.Rand) (first, second int) {
	shared, own := math.Sqrt(math.Abs(w.Opening)), math.Sqrt(1-math.Abs(w.Opening))
	opening *= shared
	result := func(difference, opening float64) int {
		loss, draw, _ := w.Outcome(difference)
		switch u := distuv.UnitNormal.CDF(opening + own*rng.NormFloat64()); {
		case u < loss:
			return 0
		case u < loss+draw:
			return 1
		}
		return 2
	}
	first = result(difference, opening)
	if w.Opening < 0 {
		opening = -opening
	}
	return first, 2 - result(-difference, opening)
}
