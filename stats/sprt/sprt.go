// Package sprt is a sequential test of whether one player is stronger than another by
// at least a given difference.
//
// H0 is that the difference is Elo0, H1 that it is Elo1. After each pair the
// generalised log-likelihood ratio LLR of the five possible scores of a pair
// (0, ½, 1, 1½, 2 points) is compared with two bounds (Wald 1945); the test ends
// when it leaves the space between. Nothing is assumed about the distribution of
// the five scores but its mean: it is the nuisance parameter, and each
// hypothesis takes the distribution of largest likelihood among those of the
// mean that it claims. So draws, unbalanced openings and the dependence of the
// two games of a pair need no model. The method is the generalised SPRT of Li,
// Liu and Ying (2014) in the form that Van den Bergh gave it for Fishtest; the
// distributions follow Proposition 1.1 in
// cantate.be/Fishtest/support_MLE_multinomial.pdf.
//
// Differences are logistic Elo of the expected score over both seats, the same
// as a match prints. Normalised Elo, which divides by the standard deviation of
// a pair, would make lengths of tests comparable across games with many and few
// draws; but it is not the unit in which strength is reported, and a forecast
// says the length beforehand.
//
// Everything is a function of its arguments.
package sprt

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/stats/rating"
)

// Test is the question: its hypotheses and how often it may be answered wrongly.
type Test struct {
	// Elo0 and Elo1 are the differences of H0 and H1, Elo0 the smaller by 0.001 at
	// least.
	Elo0 float64 `json:"elo0" mapstructure:"elo0"`
	Elo1 float64 `json:"elo1" mapstructure:"elo1"`
	// Alpha is the probability of accepting H1 if the difference is Elo0, Beta the
	// probability of accepting H0 if it is Elo1.
	Alpha float64 `json:"alpha" mapstructure:"alpha"`
	Beta  float64 `json:"beta" mapstructure:"beta"`
}

// Validate reports every impossible value.
func (t Test) Validate() error {
	var errs problems.List
	errs.If(!(t.Elo1-t.Elo0 >= minApart) || math.Abs(t.Elo0) > maxElo || math.Abs(t.Elo1) > maxElo, "elo0=%g, elo1=%g: want elo0 below elo1 by %g at least, both within ±%g", t.Elo0, t.Elo1, minApart, float64(maxElo))
	errs.Want(t.Alpha > 0 && t.Alpha < 0.5, "alpha=%g: want more than 0 and less than 0.5", t.Alpha)
	errs.Want(t.Beta > 0 && t.Beta < 0.5, "beta=%g: want more than 0 and less than 0.5", t.Beta)
	return errs.Err()
}

// maxElo keeps expected scores away from 0 and 1: 2000 Elo is one point lost in
// 100000 games.
const maxElo = 2000

// minApart keeps the expected scores of the hypotheses apart, far above what
// rounding does to them; such a test takes more than 10^11 games between equal
// players who draw none.
const minApart = 0.001

// Bounds returns Wald's bounds: the test continues while lower < LLR < upper.
//
//	lower = ln(beta/(1-alpha)), upper = ln((1-beta)/alpha)
//
// They ignore that the LLR jumps past a bound, which makes errors a little
// rarer than alpha and beta and the test a little longer.
func (t Test) Bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// Verdict is the answer of a test.
type Verdict string

// The verdicts.
const (
	Continue Verdict = "continue"
	H0       Verdict = "H0"
	H1       Verdict = "H1"
)

// State is a test after some pairs.
type State struct {
	// Pairs is how many pairs count: those that are not repetitions.
	Pairs   int     `json:"pairs"`
	LLR     float64 `json:"llr"`
	Lower   float64 `json:"lower"`
	Upper   float64 `json:"upper"`
	Verdict Verdict `json:"verdict"`
	// Overshoot is how far the LLR is past the bound that it crossed; 0 while
	// the test goes on.
	Overshoot float64 `json:"overshoot"`
}

func (s State) String() string {
	text := fmt.Sprintf("LLR %.2f (%.2f, %.2f) after %d pairs: ", s.LLR, s.Lower, s.Upper, s.Pairs)
	if s.Verdict == Continue {
		return text + "no decision yet"
	}
	return text + string(s.Verdict) + " accepted"
}

// State computes where the test stands after pairs of which the given number are
// independent; the others repeat earlier pairs move by move and are no evidence.
// The scores then count in proportion, as in rating.PairCounts.Score. The test
// ends with the first state that has a verdict; later pairs must not be added.
func (t Test) State(pairs rating.PairCounts, independent int) State {
	s := State{Pairs: independent, LLR: t.LLR(pairs, independent), Verdict: Continue}
	s.Lower, s.Upper = t.Bounds()
	switch {
	case s.LLR <= s.Lower:
		s.Verdict, s.Overshoot = H0, s.Lower-s.LLR
	case s.LLR >= s.Upper:
		s.Verdict, s.Overshoot = H1, s.LLR-s.Upper
	}
	return s
}

// empty is the count used for a score that no pair has made, after Fishtest: with no
// weight at all that score would be impossible under both hypotheses, and there would
// be no ratio after pairs of one score only.
const empty = 1e-3

// LLR is the generalised log-likelihood ratio of H1 to H0,
//
//	sum over scores k of n(k)·ln(p1(k)/p0(k)),
//
// with n the counts, p0 and p1 the distributions of largest likelihood whose
// means are the expected scores at Elo0 and Elo1. It is 0 before the first pair.
func (t Test) LLR(pairs rating.PairCounts, independent int) float64 {
	total := pairs.Pairs()
	if total == 0 || independent == 0 {
		return 0
	}
	var n [5]float64
	sum := 0.0
	for i, c := range pairs {
		n[i] = float64(c) * float64(independent) / float64(total)
		if c == 0 {
			n[i] = empty
		}
		sum += n[i]
	}
	s0, s1 := rating.ScoreOf(t.Elo0), rating.ScoreOf(t.Elo1)
	x0, x1 := multiplier(&n, s0), multiplier(&n, s1)
	llr := 0.0
	for i, c := range n {
		a := float64(i) / 4
		// p(k) = n(k)/N/(1 + x·(a-s)): n and N cancel in the ratio.
		llr += c * math.Log((1+x0*(a-s0))/(1+x1*(a-s1)))
	}
	return llr
}

// multiplier is the Lagrange multiplier x of the most likely distribution of
// mean s, 0 < s < 1, given the counts n, all positive: the root of
//
//	f(x) = sum n(k)·(a(k)-s)/(1 + x·(a(k)-s)),  -1/(1-s) < x < 1/s.
//
// f falls from +∞ to -∞. Newton steps that leave the bracket are replaced by
// its middle.
func multiplier(n *[5]float64, s float64) float64 {
	low, high := -1/(1-s), 1/s
	x := 0.0
	for range 200 {
		f, slope := 0.0, 0.0
		for i, c := range n {
			d := float64(i)/4 - s
			r := d / (1 + x*d)
			f += c * r
			slope -= c * r * r
		}
		if f > 0 {
			low = x
		} else {
			high = x
		}
		next := x - f/slope
		if !(next > low && next < high) {
			next = low + (high-low)/2
		}
		// Close to an end of the bracket it is the distance to the end that counts.
		if math.Abs(next-x) <= 1e-9*min(next+1/(1-s), 1/s-next) || next == low || next == high {
			return next
		}
		x = next
	}
	return x
}
