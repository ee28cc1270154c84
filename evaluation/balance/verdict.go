package balance

import (
	"math"

	"github.com/ludozero/ludozero/evaluation/rating"
	"github.com/ludozero/ludozero/evaluation/resample"
)

// distance estimates D = |v| - |b| of two δ, of the variant and the baseline, whose
// samples these are of the first player's scores.
//
// The absolute value of an estimate is too large on average, the more so the less
// games there are, and its error is not normal near 0. So the ends come from linear
// sums alone. With s the sign of the estimate of b, |b| ≥ s·b, and
//
//	s·b - v ≥ c and s·b + v ≥ c   imply   |b| - |v| ≥ c,
//
// so that the smaller of the lower ends of the two sums is one of |b| - |v|: the
// intersection-union test (Berger 1982), which needs no correction for taking two.
// The same with v and b exchanged gives the other end.
func distance(v, b []resample.Sample, opt resample.Options) rating.Estimate {
	dv, db := meanOf(v)-0.5, meanOf(b)-0.5
	return rating.Estimate{
		Value: math.Abs(dv) - math.Abs(db),
		Low:   leastMargin(v, b, dv, opt),
		High:  -leastMargin(b, v, db, opt),
	}
}

// leastMargin is a lower end of |x| - |y|, δ of the samples x and y, where near is
// the estimate of x.
func leastMargin(x, y []resample.Sample, near float64, opt resample.Options) float64 {
	sign := 1.0
	if near < 0 {
		sign = -1
	}
	least := math.Inf(1)
	for _, other := range []float64{1, -1} {
		e := resample.Sum([]resample.Term{{Weight: sign, Samples: x}, {Weight: other, Samples: y}}, opt)
		// The sum is of scores; of δ it is less by a half for each.
		least = min(least, e.Low-sign/2-other/2)
	}
	return least
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
// comparisons.
func verdictOf(distance rating.Estimate, m float64) Verdict {
	switch {
	case distance.High < -m:
		return Fairer
	case distance.Low > -m:
		return NotFairer
	}
	return CannotTell
}

// condition says what checks tell of a variant and the baseline, and whether it
// rules out a verdict.
func condition(checks []Check, variant, baseline string) (words string, refused bool) {
	status := func(name string) string {
		for i := range checks {
			if checks[i].Variant == name {
				return checks[i].Status
			}
		}
		return "not checked"
	}
	v, b := status(variant), status(baseline)
	refused = v == NotMet || v == NotShown || b == NotMet || b == NotShown
	if v == b {
		return v, refused
	}
	return v + "; of the baseline " + b, refused
}
