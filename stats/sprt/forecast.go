package sprt

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/stats/rating"
)

// PairVariance is the variance of the score of a pair, in points per game
// squared, between players whose games have the expected score p and are drawn
// with probability draws, if the scores of the two games of a pair have the given
// correlation in [-1, 1] in one player's view. Openings that favour a side make
// it negative: whoever wins with it loses against it.
//
//	(p(1-p) - draws/4)·(1 + correlation)/2
func PairVariance(p, draws, correlation float64) float64 {
	return (p*(1-p) - draws/4) * (1 + correlation) / 2
}

// Length is a forecast of how many pairs a test takes.
type Length struct {
	// Elo is the true difference that is supposed.
	Elo float64 `json:"elo"`
	// Mean is the expected number of pairs, Quantile95 the number that is enough
	// in 95 of 100 tests.
	Mean       float64 `json:"mean_pairs"`
	Quantile95 float64 `json:"quantile95_pairs"`
	// H1 is the probability that H1 is accepted.
	H1 float64 `json:"h1"`
}

func (l Length) String() string {
	return fmt.Sprintf("at %+.1f Elo: %.0f pairs expected (%.0f games), 95 %% of tests within %.0f pairs, H1 accepted in %.1f %%",
		l.Elo, math.Ceil(l.Mean), 2*math.Ceil(l.Mean), math.Ceil(l.Quantile95), 100*l.H1)
}

// Forecast says how long the test will take if the true difference is Elo0, Elo1
// or the middle of the two, in this order, and pairs have the given variance.
// See At.
func (t Test) Forecast(pairVariance float64) [3]Length {
	return [3]Length{t.At(t.Elo0, pairVariance), t.At((t.Elo0+t.Elo1)/2, pairVariance), t.At(t.Elo1, pairVariance)}
}

// At is the forecast for a true difference and a variance of pairs. It takes the
// LLR for a Brownian motion with, per pair, the drift and variance
//
//	mu = (s - (s0+s1)/2)·(s1-s0)/v,  sigma² = (s1-s0)²/v
//
// (Van den Bergh, cantate.be/Fishtest/GSPRT_approximation.pdf) that starts at 0 and ends at either
// bound, for which the mean and the distribution of the time are known (Cox and
// Miller 1965, chapter 5). Real tests jump past the bound and take up to
// a few jumps longer, which shows where tests are short. Variance must be
// positive.
func (t Test) At(elo, pairVariance float64) Length {
	s0, s1, s := rating.ScoreOf(t.Elo0), rating.ScoreOf(t.Elo1), rating.ScoreOf(elo)
	lower, upper := t.Bounds()
	b := brownian{
		mu:     (s - (s0+s1)/2) * (s1 - s0) / pairVariance,
		sigma2: (s1 - s0) * (s1 - s0) / pairVariance,
		start:  -lower,
		width:  upper - lower,
	}
	return Length{Elo: elo, Mean: b.mean(), Quantile95: b.quantile(0.95), H1: b.up()}
}

// brownian is a motion that begins at start in (0, width) and ends at 0 or
// width.
type brownian struct{ mu, sigma2, start, width float64 }

// up is the probability of ending at width.
func (b brownian) up() float64 {
	k := 2 * b.mu / b.sigma2
	if math.Abs(k*b.width) < 1e-9 {
		return b.start / b.width
	}
	return math.Expm1(-k*b.start) / math.Expm1(-k*b.width)
}

// mean is the expected time. By Wald's identity it is the expected place of the
// end less the start, over the drift; without drift, a known product.
func (b brownian) mean() float64 {
	if k := 2 * b.mu / b.sigma2; math.Abs(k*b.width) < 1e-6 {
		return b.start * (b.width - b.start) / b.sigma2
	}
	return (b.up()*b.width - b.start) / b.mu
}

// longer is the probability of not having ended by the time: the integral over
// the place of the Fourier series of the density,
//
//	sum over n of (2/L)·sin(nπx/L)·(nπ/L)(1 - (-1)^n·e^(kL))/(k² + (nπ/L)²)
//	              · exp(-kx - mu²·time/2sigma² - n²π²·sigma²·time/2L²)
//
// with x the start, L the width and k = mu/sigma².
func (b brownian) longer(time float64) float64 {
	k := b.mu / b.sigma2
	sum := 0.0
	for n := 1; n <= 1000; n++ {
		w := float64(n) * math.Pi / b.width
		decay := math.Exp(-k*b.start - b.mu*b.mu*time/(2*b.sigma2) - w*w*b.sigma2*time/2)
		sign := 1.0
		if n%2 == 1 {
			sign = -1
		}
		sum += 2 / b.width * math.Sin(w*b.start) * w * (1 - sign*math.Exp(k*b.width)) / (k*k + w*w) * decay
		if decay < 1e-15 {
			break
		}
	}
	return min(1, max(0, sum))
}

// quantile is the time by which the share q of motions have ended, q > 0.5.
func (b brownian) quantile(q float64) float64 {
	low, high := 0.0, b.mean()
	for b.longer(high) > 1-q {
		low, high = high, 2*high
	}
	for range 60 {
		middle := (low + high) / 2
		if b.longer(middle) > 1-q {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
