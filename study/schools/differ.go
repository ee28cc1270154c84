package schools

import (
	"math"
	"math/rand/v2"

	"github.com/ludozero/ludozero/stats/rating"
	"gonum.org/v1/gonum/stat/distuv"
)

// level is the significance level of all tests.
const level = 0.05

// rounds are the parts of a measure in rounds, in their order.
type rounds []ratio

func (r rounds) total() (t ratio) {
	for _, x := range r {
		t.sum += x.sum
		t.of += x.of
	}
	return t
}

// mean is the measure over all rounds; not a number if nothing was counted.
func (r rounds) mean() float64 {
	t := r.total()
	return t.sum / t.of
}

// deviations adds to list, by rounds and times sign, how much each moves the measure:
// the linear part of the ratio of two sums (Cochran 1977, section 6.3).
func (r rounds) deviations(list []float64, sign float64) {
	t := r.total()
	if t.of == 0 {
		return
	}
	mean, size := t.sum/t.of, t.of/float64(len(r))
	for i, x := range r {
		list[i] += sign * (x.sum - mean*x.of) / size
	}
}

// spread is the standard error of a sum of measures that moves by these parts.
func spread(deviations []float64) float64 {
	sum := 0.0
	for _, d := range deviations {
		sum += d * d
	}
	n := float64(len(deviations))
	return math.Sqrt(sum / (n * (n - 1)))
}

// estimated is a value with the interval that its deviations mean: Student's, rounds
// less one degree of freedom. Without any spread nothing is known of its error.
func estimated(value float64, deviations []float64) rating.Estimate {
	e := rating.Estimate{Value: value, Low: math.Inf(-1), High: math.Inf(1)}
	if s := spread(deviations); s > 0 && !math.IsNaN(value) {
		half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(deviations) - 1)}.Quantile(0.5+0.95/2) * s
		e.Low, e.High = value-half, value+half
	}
	return e
}

// estimate is the measure with its interval.
func (r rounds) estimate() rating.Estimate {
	d := make([]float64, len(r))
	r.deviations(d, 1)
	return estimated(r.mean(), d)
}

// difference is school less control with its interval, from the same rounds.
func difference(school, control rounds) rating.Estimate {
	d := make([]float64, len(school))
	school.deviations(d, 1)
	control.deviations(d, -1)
	return estimated(school.mean()-control.mean(), d)
}

// exchanges is how often rounds are exchanged at random for a p-value, the smallest of
// which is 1/(exchanges+1).
const exchanges = 19_999

// exchanged is the one-sided p-value of the difference school less control, in that
// direction: how often it is as large or larger, in standard errors, when in each round
// school and control are exchanged or not with even chances. If the doctrine does
// nothing the two might as well be exchanged, and the test is exact (but for the
// number of draws); dividing by the standard error keeps it near its level where only
// the means are alike (Janssen 1997). It is 1 if one of the two has nothing to count. draws is
// the number of draws.
func exchanged(school, control rounds, direction Direction, rng *rand.Rand, draws int) float64 {
	if school.total().of == 0 || control.total().of == 0 {
		return 1
	}
	n := len(school)
	a, b, d := make(rounds, n), make(rounds, n), make([]float64, n)
	size := func(x, y rounds) float64 {
		clear(d)
		x.deviations(d, 1)
		y.deviations(d, -1)
		t := x.mean() - y.mean()
		if direction == Less {
			t = -t
		}
		if s := spread(d); s > 0 {
			return t / s
		}
		if t == 0 || math.IsNaN(t) {
			return 0
		}
		return math.Inf(int(math.Copysign(1, t)))
	}
	seen := size(school, control)
	if math.IsInf(seen, 1) {
		seen = math.MaxFloat64
	}
	reached := 0
	for range draws {
		var bits uint64
		for i := range n {
			if i%64 == 0 {
				bits = rng.Uint64()
			}
			a[i], b[i] = school[i], control[i]
			if bits&1 == 1 {
				a[i], b[i] = b[i], a[i]
			}
			bits >>= 1
		}
		// A draw in which one has nothing to count tells of no difference; one that
		// is as large but for rounding counts.
		if size(a, b) >= seen*(1-1e-12) {
			reached++
		}
	}
	return float64(1+reached) / float64(1+draws)
}

// even is the two-sided p-value of pairs of games between two who play alike: that
// the sum of points is as far from one half or further, if in every pair the two might
// as well have been exchanged. It is exact: every pair whose games do not cancel out
// counts its points for the one or the other, independently. Pairs must not repeat each
// other.
func even(pairs rating.PairCounts) float64 {
	// Half points beyond an even pair are 1 in n1 pairs and 2 in n2.
	n1, n2 := pairs[1]+pairs[3], pairs[0]+pairs[4]
	seen := pairs[3] - pairs[1] + 2*(pairs[4]-pairs[0])
	if seen < 0 {
		seen = -seen
	}
	one, two := binomial(n1), binomial(n2)
	p := 0.0
	for i := range one {
		for j := range two {
			if sum := 2*i - n1 + 2*(2*j-n2); sum >= seen || -sum >= seen {
				p += one[i] * two[j]
			}
		}
	}
	return min(1, p)
}

// binomial is the distribution of heads among n fair coins.
func binomial(n int) []float64 {
	list := make([]float64, n+1)
	all, _ := math.Lgamma(float64(n + 1))
	for k := range list {
		some, _ := math.Lgamma(float64(k + 1))
		rest, _ := math.Lgamma(float64(n - k + 1))
		list[k] = math.Exp(all - some - rest - float64(n)*math.Ln2)
	}
	return list
}
