package balance

import (
	"math"

	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/stats/resample"
	"gonum.org/v1/gonum/stat/distuv"
)

// Significance is what the adjusted p-value of a verdict must be below.
const Significance = 0.05

// distance estimates D = |v| - |b| of two δ, of the variant and the baseline, whose
// samples these are of the first player's scores. p is the two-sided p-value of D
// being other than -m: twice the smaller of those of "fairer by m or more" and of "not".
//
// The absolute value of an estimate is too large on average, the more so the less
// games there are, and its error is not normal near 0. So the ends come from linear
// sums alone. With s the sign of the estimate of b, |b| ≥ s·b, and
//
//	s·b - v ≥ c and s·b + v ≥ c   imply   |b| - |v| ≥ c,
//
// so that the smaller of the lower ends of the two sums is one of |b| - |v|: the
// intersection-union test (Berger 1982), which needs no correction for taking two.
// The same with v and b exchanged gives the other end. By the same test the larger of
// the two sums' p-values is one of the claim.
func distance(v, b []resample.Sample, m float64, opt resample.Options) (d rating.Estimate, p float64) {
	dv, db := meanOf(v)-0.5, meanOf(b)-0.5
	low, not := leastMargin(v, b, dv, -m, opt)
	high, fairer := leastMargin(b, v, db, m, opt)
	return rating.Estimate{Value: math.Abs(dv) - math.Abs(db), Low: low, High: -high}, min(1, 2*min(not, fairer))
}

// leastMargin is a lower end of |x| - |y|, δ of the samples x and y, where near is
// the estimate of x, and the p-value of the claim that it is above c.
func leastMargin(x, y []resample.Sample, near, c float64, opt resample.Options) (low, p float64) {
	sign := 1.0
	if near < 0 {
		sign = -1
	}
	low = math.Inf(1)
	for _, other := range []float64{1, -1} {
		e := resample.Sum([]resample.Term{{Weight: sign, Samples: x}, {Weight: other, Samples: y}}, opt)
		halves := sign/2 + other/2 // the sum is of scores; of δ it is less by a half for each
		low = min(low, e.Low-halves)
		p = max(p, e.Above(c+halves))
	}
	return low, p
}

// reach is about half the width of an interval of a score, or of the distance between two
// variants, at the confidence that the smallest of several p-values needs by Holm's
// correction, if all networks agree and no game is drawn: inverse is one over the number of
// games, or the sum of that of both variants. From resample.MinClusters networks on it
// follows resample.Sum: games count about twice and the variance is multiplied by K/(K-1),
// so that half of it is between networks; it is never narrower than Student's interval of
// the networks' means.
func reach(inverse float64, comparisons, networks int) float64 {
	quantile := func(freedom float64) float64 {
		return distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(1 - Significance/float64(2*comparisons))
	}
	one := math.Sqrt(0.25 * inverse) // standard error
	if networks < resample.MinClusters {
		return quantile(4/inverse) * one
	}
	k := float64(networks)
	return max(quantile(4*(k-1))*math.Sqrt(2*k/(k-1)), quantile(k-1)) * one
}

// meanOf is the mean of the clusters' means.
func meanOf(samples []resample.Sample) float64 {
	sum := 0.0
	for i := range samples {
		sum += samples[i].Mean()
	}
	return sum / float64(len(samples))
}

// verdictOf says whether a variant is fairer than the baseline by at least
// m, what matters: whether the whole interval of the difference of |δ| lies below
// or above that. Each of the two is said wrongly in at most about one of 40
// comparisons, if there is one.
func verdictOf(distance rating.Estimate, m float64) Verdict {
	switch {
	case distance.High < -m:
		return Fairer
	case distance.Low > -m:
		return NotFairer
	}
	return CannotTell
}

// correct adjusts the comparisons that have a verdict for being several, so that at
// most one family of comparisons in 20 holds a wrong verdict. What an interval found
// by itself and the adjusted p-value does not bear is no verdict either way. The
// family is all variants that were asked for, whatever is known of the condition.
func correct(list []Comparison) {
	var family []*Comparison
	var p []float64
	for i := range list {
		if list[i].Main {
			family, p = append(family, &list[i]), append(p, list[i].P)
		}
	}
	for i, adjusted := range resample.Holm(p) {
		c := family[i]
		c.PHolm = &adjusted
		if c.Verdict != NoVerdict && adjusted >= Significance {
			c.Verdict = CannotTell
		}
	}
}

// condition says what checks tell of a variant and the baseline, and whether it is
// met by both, without which there is no verdict.
func condition(checks []Check, variant, baseline string) (words string, met bool) {
	status := func(name string) string {
		for i := range checks {
			if checks[i].Variant == name {
				return checks[i].Status
			}
		}
		return NotChecked
	}
	v, b := status(variant), status(baseline)
	if v == b {
		return v, v == Met
	}
	return v + " for the variant, " + b + " for the baseline", false
}
