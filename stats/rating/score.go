// Package rating estimates the strength of players, with intervals, from the results of
// games: scores of matches with their intervals, and ratings of many
// players by maximum likelihood with draws and the advantage of moving first.
//
// Evidence comes in pairs of games of one opening with seats exchanged. The games
// of a pair depend on each other, pairs do not; all errors are computed from
// pairs. Differences are logistic Elo of the expected score everywhere. The
// package plays no games and knows neither files nor clocks; docs/statistics.md
// has the formulas and the measured coverage of the intervals.
package rating

import (
	"encoding/json"
	"math"

	"github.com/ludozero/ludozero/stats/interval"
	"gonum.org/v1/gonum/stat/distuv"
)

// Estimate is a number with its 95 % interval. Value is infinite where no finite
// number is the most likely, and not a number where nothing is known.
type Estimate struct {
	Value, Low, High float64
}

// estimateJSON writes an infinite bound as null, which JSON has no number for.
type estimateJSON struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// MarshalJSON writes {"value", "low", "high"}; what is infinite or unknown becomes
// null.
func (e Estimate) MarshalJSON() ([]byte, error) {
	finite := func(x float64) *float64 {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return nil
		}
		return &x
	}
	return json.Marshal(estimateJSON{finite(e.Value), finite(e.Low), finite(e.High)})
}

// UnmarshalJSON reads what MarshalJSON wrote: a null low is -∞, a null high +∞,
// a null value the infinity of the bound that is null too, or not a number if
// both are.
func (e *Estimate) UnmarshalJSON(text []byte) error {
	var j estimateJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	or := func(x *float64, otherwise float64) float64 {
		if x == nil {
			return otherwise
		}
		return *x
	}
	e.Low, e.High = or(j.Low, math.Inf(-1)), or(j.High, math.Inf(1))
	infinite := e.High
	switch {
	case j.Low == nil && j.High == nil:
		infinite = math.NaN()
	case j.Low == nil:
		infinite = e.Low
	}
	e.Value = or(j.Value, infinite)
	return nil
}

// PairCounts counts pairs of games by the half points that A made in them: 0 for
// two losses to 4 for two wins. Because the two games of a pair share an
// opening they are not independent; the pairs are, and all errors are computed
// from them.
type PairCounts [5]int

// Pairs is the number of pairs.
func (p PairCounts) Pairs() int { return p[0] + p[1] + p[2] + p[3] + p[4] }

// Mean is A's score: points per game, in [0, 1].
func (p PairCounts) Mean() float64 {
	points := 0.0
	for i, n := range p {
		points += float64(i) / 4 * float64(n)
	}
	return points / float64(p.Pairs())
}

// Score estimates A's expected points per game from pairs of which only the
// given number are new evidence (the others repeat games move by move).
//
// The interval is Wilson's score interval, which stays inside [0, 1] and keeps
// its width at scores of 0 and 1, for the number of yes-or-no trials that would
// have the variance that the pairs show:
//
//	trials = n · m(1-m) / v
//
// with m and v the mean and variance of the n pair scores after adding half a
// pair of two losses and half a pair of two wins, so that identical pairs still have
// an error. The quantile is Student's for n degrees of freedom. At 100 % after n pairs
// the lower end is about n/(n+4).
func (p PairCounts) Score(independent int) Estimate {
	n := float64(independent)
	if n == 0 {
		return Estimate{0.5, 0, 1}
	}
	// The distribution of pair scores, scaled to the number of independent pairs.
	var weights [5]float64
	total := 0.0
	for i, c := range p {
		weights[i] = float64(c) / float64(p.Pairs()) * n
	}
	weights[0] += 0.5
	weights[4] += 0.5
	m := 0.0
	for i, w := range weights {
		m += w * float64(i) / 4
		total += w
	}
	m /= total
	v := 0.0
	for i, w := range weights {
		d := float64(i)/4 - m
		v += w * d * d
	}
	v /= total
	trials := n * m * (1 - m) / v
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n}.Quantile(0.975)
	mean := p.Mean()
	low, high := interval.Wilson(mean, trials, t)
	return Estimate{mean, low, high}
}

// Correlation estimates how A's results in the two games of a pair depend on each other:
//
//	2 · covariance / (variance moving first + variance moving second)
//
// which is below 0 where openings or dice favour a seat, since A has both seats. The
// standard error of A's score is sqrt(1 + Correlation) times that of as many games
// without a partner. The interval is Fisher's (1921), atanh of the estimate ± 1.96/√(n-3),
// for the n pairs that repeat no other, where an estimate beyond ±(1-1/n) counts as that;
// it is approximate for results of three values. ok is false if no result varies or n is
// less than 4.
func (p *Pairing) Correlation() (e Estimate, ok bool) {
	pairs := p.PairCounts().Pairs()
	var mean, square [2]float64
	product := 0.0
	for i, row := range p.Pairs {
		for j, count := range row {
			w, x, y := float64(count)/float64(pairs), float64(i), float64(j)
			mean[0], mean[1] = mean[0]+w*x, mean[1]+w*y
			square[0], square[1], product = square[0]+w*x*x, square[1]+w*y*y, product+w*x*y
		}
	}
	both := square[0] - mean[0]*mean[0] + square[1] - mean[1]*mean[1]
	n := float64(pairs - p.Repeated)
	if n < 4 || both <= 0 {
		return Estimate{}, false
	}
	c := min(1, max(-1, 2*(product-mean[0]*mean[1])/both))
	z, width := math.Atanh(min(1-1/n, max(1/n-1, c))), 1.96/math.Sqrt(n-3)
	return Estimate{c, min(c, math.Tanh(z-width)), max(c, math.Tanh(z+width))}, true
}

// EloOf is the logistic Elo difference at which a score is expected:
// 400·log10(s/(1-s)). It is -∞ at 0 and +∞ at 1.
func EloOf(score float64) float64 { return 400 * math.Log10(score/(1-score)) }

// ScoreOf is the score expected at an Elo difference.
func ScoreOf(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// Elo converts a score and its interval to an Elo difference. No finite difference
// explains a score of 0 or 1: then the value and one end are infinite, and the other
// end is what the games have shown.
func (e Estimate) Elo() Estimate {
	return Estimate{EloOf(e.Value), EloOf(e.Low), EloOf(e.High)}
}
