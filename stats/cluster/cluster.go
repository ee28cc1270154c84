// Package cluster estimates means over games, or over the decisions in them, and the
// difference between two, by formulas alone: a sheet of hundreds of figures costs nothing.
//
// A cluster is what depends on nothing outside it, such as a pair of games with the same
// dice. A mean over what clusters hold is a ratio of two sums, and its standard error is
// that of its linearisation (Cochran 1977, Sampling Techniques, section 6.3). Intervals and
// tests are Student's; of differences they are Welch's (1947), which need no equal variances.
// Where one cluster of networks is of interest, package resample has the intervals.
package cluster

import (
	"math"

	"github.com/ludozero/ludozero/stats/rating"
	"gonum.org/v1/gonum/stat/distuv"
)

// Part is one cluster's contribution to a mean: a sum and how much it is a sum of. A
// cluster with Count 0 has no part in the mean.
type Part struct{ Sum, Count float64 }

// Add adds x to the sum.
func (p *Part) Add(x float64) { p.Sum, p.Count = p.Sum+x, p.Count+1 }

// Value is an estimate with its standard error.
type Value struct {
	// Value is not a number if nothing was counted.
	Value float64
	// Error is the standard error and Freedom Student's degrees of freedom. The error is
	// not known if Freedom is not above 0 or Error is 0: values that are all the same do
	// not tell how much others differ.
	Error, Freedom float64
	// Below and Above, if not both 0, are how far the ends of the interval of 95 % are from
	// the value where that is not symmetric.
	Below, Above float64
	// Low and High bound what the value can be; both 0: no bounds.
	Low, High float64
}

// added is how many games of 0 and as many of 1 a share gets for its error (Agresti and
// Coull 1998), so that shares of 0 and 1 have one, too.
const added = 2

// Mean estimates ΣSum/ΣCount. fresh, in (0, 1], is the part of the clusters that repeats no
// other: the rest is no evidence, and the error is that of as many clusters. share says that
// what is counted is from 0 to 1.
func Mean(parts []Part, fresh float64, share bool) Value {
	sum, count, clusters := 0.0, 0.0, 0.0
	for _, p := range parts {
		if p.Count > 0 {
			sum, count, clusters = sum+p.Sum, count+p.Count, clusters+1
		}
	}
	v := Value{Value: sum / count} // not a number of nothing
	if share {
		v.High = 1
	}
	evidence := clusters * fresh
	if v.Freedom = evidence - 1; v.Freedom <= 0 {
		return v
	}
	centre, weight, squares := v.Value, count, 0.0
	if share {
		weight += 2 * added / fresh
		centre = (sum + added/fresh) / weight
		squares = added / fresh * (centre*centre + (1-centre)*(1-centre))
		v.Freedom += 2 * added
	}
	for _, p := range parts {
		d := p.Sum - centre*p.Count
		squares += d * d
	}
	v.Error = math.Sqrt(squares*clusters/(clusters-1)/fresh) / weight
	if v.Error < 1e-12*math.Abs(v.Value) {
		v.Error = 0 // what is left of equal values is rounding
	}
	return v
}

// LogOdds estimates the logarithm of the odds s/(1-s) of a share s, of which every single
// number is from 0 to 1; fresh is as for Mean. Half a number of 0 and as much of 1 are added
// to it, which takes most of its bias (Haldane 1956, Anscombe 1956), and a whole one of each
// to its error, so that all numbers alike leave one.
func LogOdds(parts []Part, fresh float64) Value {
	sum, count, clusters := 0.0, 0.0, 0.0
	for _, p := range parts {
		if p.Count > 0 {
			sum, count, clusters = sum+p.Sum, count+p.Count, clusters+1
		}
	}
	weight := count + 1/fresh
	share := (sum + 0.5/fresh) / weight
	v := Value{Value: math.Log(share / (1 - share)), Freedom: clusters*fresh - 1}
	if v.Freedom <= 0 {
		return v
	}
	squares := (share*share + (1-share)*(1-share)) / fresh
	for _, p := range parts {
		d := p.Sum - share*p.Count
		squares += d * d
	}
	v.Error = math.Sqrt(squares*clusters/(clusters-1)/fresh) / weight / (share * (1 - share))
	return v
}

// Known reports whether the error is known.
func (v *Value) Known() bool {
	return v.Freedom > 0 && v.Error > 0 && !math.IsNaN(v.Value) && !math.IsInf(v.Value, 0)
}

// ends are how far the ends of the interval of 95 % are from a known value.
func (v *Value) ends() (below, above float64) {
	if v.Below != 0 || v.Above != 0 {
		return v.Below, v.Above
	}
	half := student(v.Freedom).Quantile(0.975) * v.Error
	return half, half
}

// Estimate is the value with its interval of 95 %, infinite if its error is not known.
func (v *Value) Estimate() rating.Estimate {
	e := rating.Estimate{Value: v.Value, Low: math.Inf(-1), High: math.Inf(1)}
	if v.Known() {
		below, above := v.ends()
		e.Low, e.High = v.Value-below, v.Value+above
	}
	if v.Low < v.High && v.Known() {
		e.Low, e.High = max(e.Low, v.Low), min(e.High, v.High)
	}
	return e
}

// constant reports whether more than one cluster had the value and none another.
func (v *Value) constant() bool {
	return v.Freedom > 0 && v.Error == 0 && !math.IsNaN(v.Value)
}

// Difference is a - b and its two-sided p-value against 0: 1 if an error is not known.
//
// What never varies on one side, such as the use of a rule that only the other has, has no
// error of its own; besides has one for it. What varies on neither is tested by permutation:
// of all ways to divide the clusters two at most make the sides as different as they are.
func Difference(a, b *Value) (d rating.Estimate, p float64) {
	v := Value{Value: a.Value - b.Value}
	if a.Low < a.High {
		v.Low, v.High = a.Low-a.High, a.High-a.Low
	}
	switch {
	case a.Known() && b.Known():
		x, y := a.Error*a.Error, b.Error*b.Error
		v.Error = math.Sqrt(x + y)
		v.Freedom = (x + y) * (x + y) / (x*x/a.Freedom + y*y/b.Freedom)
		v.skew(a, b)
	case a.Known() && b.constant():
		v.Error, v.Freedom = besides(a, b)
	case a.constant() && b.Known():
		v.Error, v.Freedom = besides(b, a)
	case a.constant() && b.constant() && v.Value != 0:
		n, m := a.Freedom+1, b.Freedom+1
		return v.Estimate(), min(1, 2*math.Exp(logFactorial(n)+logFactorial(m)-logFactorial(n+m)))
	}
	if !v.Known() {
		return v.Estimate(), 1
	}
	half, above := v.ends() // towards 0
	if v.Value < 0 {
		half = above
	}
	t := student(v.Freedom)
	return v.Estimate(), min(1, 2*t.Survival(t.Quantile(0.975)*math.Abs(v.Value)/half))
}

// skew gives the difference v of a and b the ends that those of a and b come to, if they
// are not symmetric (Zou and Donner 2008).
func (v *Value) skew(a, b *Value) {
	if a.Below == a.Above && b.Below == b.Above {
		return
	}
	belowA, aboveA := a.ends()
	belowB, aboveB := b.ends()
	v.Below, v.Above = math.Hypot(belowA, aboveB), math.Hypot(aboveA, belowB)
}

// besides is the error of a difference between v and what is the same in all clusters of c:
// that of v, or, if that is larger since c has fewer clusters, that which the variance of all
// clusters about their means comes to.
func besides(v, c *Value) (err, freedom float64) {
	n, m := v.Freedom+1, c.Freedom+1
	pooled := v.Error * v.Error * n * v.Freedom / (v.Freedom + c.Freedom) * (1/n + 1/m)
	return max(v.Error, math.Sqrt(pooled)), v.Freedom
}

func logFactorial(n float64) float64 {
	x, _ := math.Lgamma(n + 1)
	return x
}

func student(freedom float64) distuv.StudentsT {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}
}
