package schools

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// duels are the points of pairs of games between every two of n players:
// points[round][k] is the share of the points of a pair, in A's view, of pairing k of
// (0,1), (0,2), …, (1,2), ….
type duels struct {
	n      int
	points [][]float64
}

// scores are the means over rounds.
func (d *duels) scores() []float64 {
	s := make([]float64, len(d.points[0]))
	for _, round := range d.points {
		for k, p := range round {
			s[k] += p / float64(len(d.points))
		}
	}
	return s
}

// fitSteps is far more than Newton's method takes.
const fitSteps = 100

// ordered are the scores that one number for each player comes nearest to, with p =
// 1/(1+exp(-(r(a)-r(b)))): where the quasi-likelihood of the scores is largest, less a
// trace of evenness that keeps numbers finite.
func ordered(n int, scores []float64) []float64 {
	const held = 1e-4
	r := make([]float64, n)
	expected := make([]float64, len(scores))
	for range fitSteps {
		gradient, information := mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
		for i := range n {
			gradient.SetVec(i, -held*r[i])
			information.SetSym(i, i, held)
		}
		k := 0
		for a := range n {
			for b := a + 1; b < n; b++ {
				p := 1 / (1 + math.Exp(r[b]-r[a]))
				expected[k] = p
				gradient.SetVec(a, gradient.AtVec(a)+scores[k]-p)
				gradient.SetVec(b, gradient.AtVec(b)-scores[k]+p)
				v := p * (1 - p)
				information.SetSym(a, a, information.At(a, a)+v)
				information.SetSym(b, b, information.At(b, b)+v)
				information.SetSym(a, b, information.At(a, b)-v)
				k++
			}
		}
		var factor mat.Cholesky
		if !factor.Factorize(information) {
			panic("BUG: an information that is not positive definite")
		}
		var step mat.VecDense
		if err := factor.SolveVecTo(&step, gradient); err != nil {
			break // badly conditioned: all that can be told apart is
		}
		largest := 0.0
		for i := range n {
			// Long steps overshoot where scores are near 0 or 1.
			s := max(-1, min(1, step.AtVec(i)))
			r[i] += s
			largest = max(largest, math.Abs(s))
		}
		if largest < 1e-10 {
			break
		}
	}
	return expected
}

// nothing is a misfit that only the arithmetic has made.
const nothing = 1e-5

// misfit is how far scores are from an order of players.
func misfit(n int, scores []float64) float64 {
	sum := 0.0
	for k, p := range ordered(n, scores) {
		sum += (scores[k] - p) * (scores[k] - p)
	}
	return sum
}

// replicates is how often the test of cycles draws.
const replicates = 1999

// leastRounds is from how many rounds on cyclic is asked: of two the draws have three
// outcomes, by which half of all orders would look contradicted.
const leastRounds = 5

// cyclic tests whether the results contradict any order of the players, in which
// whoever beats the one beats those whom that one beats, too: the p-value of the sum of
// squares of what the best order leaves of all scores. In its place under an order,
// rounds are drawn with replacement, with all their pairs together, and what each pair
// differs by from the score of its two players is added to what the order expects of
// them; drawing n rounds lacks a part of the variance, for which the differences are
// stretched by sqrt(n/(n-1)).
func (d *duels) cyclic(rng *rand.Rand, draws int) float64 {
	scores := d.scores()
	expected := ordered(d.n, scores)
	seen := misfit(d.n, scores)
	if seen < nothing {
		return 1
	}
	n := len(d.points)
	stretch := math.Sqrt(float64(n) / float64(n-1))
	drawn := make([]float64, len(scores))
	reached := 0
	for range draws {
		clear(drawn)
		for range n {
			for k, p := range d.points[rng.IntN(n)] {
				drawn[k] += (p - scores[k]) / float64(n)
			}
		}
		for k := range drawn {
			drawn[k] = max(0, min(1, expected[k]+stretch*drawn[k]))
		}
		if misfit(d.n, drawn) >= seen {
			reached++
		}
	}
	return float64(1+reached) / float64(1+draws)
}

// rings lists the threes of players of whom each beats the next, with beats(a, b) saying
// that a does b. Each ring is there once, from its smallest number.
func rings(n int, beats func(a, b int) bool) [][3]int {
	var list [][3]int
	for a := range n {
		for b := a + 1; b < n; b++ {
			for c := a + 1; c < n; c++ {
				if c != b && beats(a, b) && beats(b, c) && beats(c, a) {
					list = append(list, [3]int{a, b, c})
				}
			}
		}
	}
	return list
}
