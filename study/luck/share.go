package luck

import (
	"math"
	"math/rand/v2"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/stats/rating"
	"gonum.org/v1/gonum/stat/distuv"
)

// Played is a game of several, with its result.
type Played struct {
	// Group tells which players had which seats: results and luck are compared with those
	// of games of the same group.
	Group string
	// Pair is equal for games that may depend on each other: those of a pair.
	Pair int
	// Points is what the first player made: 1, 0.5 or 0.
	Points float64
	// Net is Game.Net.
	Net float64
}

// Share is how much of the variance of results the rolls explain.
type Share struct {
	Games int `json:"games"`
	Pairs int `json:"pairs"`
	// Explained is the share of the variance of the first player's points, among games of
	// the same players in the same seats, that a straight line over the luck explains: the
	// square of their correlation. What a judge does not see of luck is missing in it.
	Explained rating.Estimate `json:"explained"`
	// Slope is the line's: points for a luck of 1. It is 0.5 if the judge's values are the
	// results that come, less if they exaggerate.
	Slope float64 `json:"slope"`
	// PointsSpread and LuckSpread are standard deviations in a game: of the points, and of
	// Slope times the luck.
	PointsSpread float64 `json:"points_sd"`
	LuckSpread   float64 `json:"luck_sd"`
}

// replicates is how often the bootstrap draws.
const replicates = 1000

// ShareOf estimates from games how much rolls decide. The interval is
// Student's on the scale of Fisher's z, the arc hyperbolic tangent of the correlation, of
// which the bootstrap over pairs gives the error, with its own random stream of seed. ok is
// false if there are fewer than ten pairs, or if no result or no luck varies.
func ShareOf(games []Played, run uint64) (s Share, ok bool) {
	x, y := centred(games)
	index := map[int]int{}
	var pairs []moments
	for i, g := range games {
		k, known := index[g.Pair]
		if !known {
			k = len(pairs)
			index[g.Pair] = k
			pairs = append(pairs, moments{})
		}
		pairs[k].add(x[i], y[i])
	}
	var all moments
	for _, p := range pairs {
		all.join(p)
	}
	const fewest = 10
	if len(pairs) < fewest || all.xx == 0 || all.yy == 0 {
		return Share{}, false
	}
	rng := rand.New(seed.Stream(run, "luck bootstrap", 0))
	sum, squares := 0.0, 0.0
	for range replicates {
		var m moments
		for range pairs {
			m.join(pairs[rng.IntN(len(pairs))])
		}
		z := math.Atanh(m.correlation())
		sum, squares = sum+z, squares+z*z
	}
	mean := sum / replicates
	width := student(float64(len(pairs)-1)) * math.Sqrt(max(0, squares/replicates-mean*mean))
	r, n := all.correlation(), float64(len(games))
	square := func(z float64) float64 { return math.Pow(math.Tanh(max(0, z)), 2) }
	slope := all.xy / all.xx
	return Share{
		Games: len(games), Pairs: len(pairs),
		Explained: rating.Estimate{Value: square(math.Atanh(r)), Low: square(math.Atanh(r) - width), High: square(math.Atanh(r) + width)},
		Slope:     slope, PointsSpread: math.Sqrt(all.yy / n), LuckSpread: math.Abs(slope) * math.Sqrt(all.xx/n),
	}, true
}

// centred returns luck and points of games less the means of their groups.
func centred(games []Played) (x, y []float64) {
	type group struct{ n, x, y float64 }
	groups := map[string]*group{}
	for _, g := range games {
		m := groups[g.Group]
		if m == nil {
			m = &group{}
			groups[g.Group] = m
		}
		m.n, m.x, m.y = m.n+1, m.x+g.Net, m.y+g.Points
	}
	x, y = make([]float64, len(games)), make([]float64, len(games))
	for i, g := range games {
		m := groups[g.Group]
		x[i], y[i] = g.Net-m.x/m.n, g.Points-m.y/m.n
	}
	return x, y
}

// moments are sums of products of luck and points, less their means.
type moments struct{ xx, xy, yy float64 }

func (m *moments) add(x, y float64) { m.join(moments{x * x, x * y, y * y}) }

func (m *moments) join(o moments) { m.xx, m.xy, m.yy = m.xx+o.xx, m.xy+o.xy, m.yy+o.yy }

// correlation is a little less than 1 at most, so that its z is finite; 0 if nothing
// varies.
func (m *moments) correlation() float64 {
	const most = 1 - 1e-9
	if m.xx == 0 || m.yy == 0 {
		return 0
	}
	return min(most, max(-most, m.xy/math.Sqrt(m.xx*m.yy)))
}

// student is the quantile of a 95 % interval with that many degrees of freedom.
func student(freedom float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(0.975)
}
