package rating

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// interval is the estimate in Elo of a contrast of players, and the probability
// that it is positive; not a number where games say nothing.
func (f *fit) interval(c []float64) (e Estimate, positive float64, err error) {
	var plus, minus []int
	for i := range f.players {
		switch {
		case c[i+1] > 0:
			plus = append(plus, i)
		case c[i+1] < 0:
			minus = append(minus, i)
		}
	}
	if len(plus) == 0 {
		return Estimate{}, 0.5, nil // a player and itself
	}
	up, down := f.reach[plus[0]][minus[0]], f.reach[minus[0]][plus[0]]
	for _, i := range plus {
		for _, j := range minus {
			up, down = up && f.reach[i][j], down && f.reach[j][i]
		}
	}
	e = Estimate{math.NaN(), math.Inf(-1), math.Inf(1)}
	switch {
	case !up && !down:
		return e, math.NaN(), nil
	case up && down:
		e.Value = dot(c, f.at.x) / logit
	case up:
		e.Value = math.Inf(1)
	default:
		e.Value = math.Inf(-1)
	}
	s := f.score(append(plus, minus...), c)
	if positive, err = s.at(0); err != nil {
		return e, 0, err
	}
	positive = s.student.CDF(positive)
	if up {
		if e.Low, err = s.end(s.quantile); err != nil {
			return e, 0, err
		}
		e.Low /= logit
	}
	if down {
		if e.High, err = s.end(-s.quantile); err != nil {
			return e, 0, err
		}
		e.High /= logit
	}
	if up && down {
		// The test uses the draw parameter of the guarded games, the estimate the one of
		// the actual games: with very few games they may disagree.
		e.Low, e.High = min(e.Low, e.Value), max(e.High, e.Value)
	}
	return e, positive, nil
}

// seatInterval is the estimate in Elo of the advantage of moving first.
func (f *fit) seatInterval() (Estimate, error) {
	value := f.at.x[0] / logit
	if f.fixed {
		return Estimate{value, value, value}, nil
	}
	if len(f.best.cells) == 0 {
		return Estimate{0, math.Inf(-1), math.Inf(1)}, nil
	}
	c := make([]float64, f.players+1)
	c[0] = 1
	s := f.score(nil, c)
	low, err := s.end(s.quantile)
	if err != nil {
		return Estimate{}, err
	}
	high, err := s.end(-s.quantile)
	return Estimate{value, low / logit, high / logit}, err
}

// scoreTest computes the test statistic of a contrast.
type scoreTest struct {
	problem *problem
	point   *point
	phi     float64 // sandwich variance over model variance
	start   float64 // a likely value
	scale   float64 // its standard error, about
	student distuv.StudentsT
	// quantile is Student's for 95 %.
	quantile float64
}

// score prepares the test of contrast c, by unknown, between some players.
//
// Once these are tied together, others come to finite differences from them, and
// the games among all of those count. Games across the borders of that and of
// other groups are certain and say nothing; games within other groups still show
// the advantage of moving first.
func (f *fit) score(between []int, c []float64) *scoreTest {
	group := f.reach.groups()
	if len(between) > 0 {
		tied := f.reach.tied(between)
		for _, i := range tied {
			group[i] = tied[0]
		}
	}
	var inside []cell
	for _, k := range f.cells {
		if group[k.first] == group[k.second] {
			inside = append(inside, k)
		}
	}
	p := f.problem(inside, group)
	p.constraint = c
	q := &point{x: slices.Clone(f.guarded.x), nu: f.guarded.nu}
	variance := f.sandwich.quadratic(c)
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: f.freedom(c)}
	return &scoreTest{
		student: student, quantile: student.Quantile(0.975),
		problem: p, point: q,
		phi:   variance / f.guarded.inverse.quadratic(c),
		start: dot(c, f.guarded.x),
		scale: math.Sqrt(variance),
	}
}

// freedom is the number of degrees of freedom of phi, after Satterthwaite (1946):
// twice the squared mean of the sum that phi is computed from, divided by the sum's
// variance, both as if games were independent. The sum has the squared result of each
// pair, or of all pairs of an opening that pairings share. Guarding clusters count in
// the mean but do not vary. Where one side wins nearly all games this would be close to
// zero, since the few points lost decide phi; the number of clusters minus the number
// of estimated differences is a lower limit.
func (f *fit) freedom(c []float64) float64 {
	n := len(c)
	influence := make([]float64, n)
	f.guarded.inverse.times(influence, c)
	moments := func(first, second int) (v, excess float64) {
		l := newLaw(f.guarded.x[first+1]-f.guarded.x[second+1]+f.guarded.x[0], f.guarded.nu)
		x := influence[first+1] - influence[second+1]
		if !f.fixed {
			x += influence[0]
		}
		x *= l.weight()
		fourth := 0.0
		for i := range 3 {
			d := float64(i)/2 - l.p
			fourth += l.prob(i) * d * d * d * d
		}
		v = x * x * l.v
		return v, x*x*x*x*fourth - v*v
	}
	// of returns the variance v of the result of a pair, and by how much the variance
	// of its square exceeds 2v².
	of := func(k *cluster) (v, excess float64) {
		k.games(func(first, second, _ int) {
			w, e := moments(first, second)
			v, excess = v+w, excess+e-2*w*w
		})
		return v, excess
	}
	mean, variance, total := 0.0, 0.0, 0.0
	for i := range f.all {
		if k := &f.all[i]; k.opening == ownOpening {
			v, excess := of(k)
			total += k.weight
			mean += k.weight * v
			if !k.guard {
				variance += k.weight * (excess + 2*v*v)
			}
		}
	}
	shared := sharing(f.all)
	for _, opening := range slices.Sorted(maps.Keys(shared)) {
		sum, more, count, weight := 0.0, 0.0, 0.0, 0.0
		for _, i := range shared[opening] {
			k := &f.all[i]
			v, excess := of(k)
			sum += k.weight * v
			more += k.weight * excess
			count += k.count
			weight += k.weight
		}
		scale := weight / count // one opening counts for as much as its pairs do on average
		total += scale
		mean += sum
		variance += more + 2*sum*sum/scale
	}
	return max(1, total-float64(f.players-len(f.model.groups)), 2*mean*mean/variance)
}

// at is the signed root of the statistic at psi, in logits: positive if the games
// suggest that the contrast is larger.
func (s *scoreTest) at(psi float64) (float64, error) {
	s.problem.target = psi
	if err := s.problem.maximise(s.point, false); err != nil {
		return 0, err
	}
	q := s.point
	return q.multiplier * math.Sqrt(q.inverse.quadratic(s.problem.constraint)/s.phi), nil
}

// end is the psi at which the statistic is z; the statistic falls as psi rises.
func (s *scoreTest) end(z float64) (float64, error) {
	// Step away from a likely value until the end is between two, then close in by
	// regula falsi, halving the weight of an end that stays (Illinois).
	var err error
	excess := func(psi float64) float64 {
		if err != nil {
			return 0
		}
		var v float64
		v, err = s.at(psi)
		return v - z
	}
	low, high := s.start, s.start
	fl := excess(low)
	fh := fl
	for step := s.scale; fl < 0 && err == nil; step *= 2 {
		high, fh = low, fl
		low -= step
		if fl = excess(low); step > 1e4 {
			return 0, ErrDiverged
		}
	}
	for step := s.scale; fh > 0 && err == nil; step *= 2 {
		low, fl = high, fh
		high += step
		if fh = excess(high); step > 1e4 {
			return 0, ErrDiverged
		}
	}
	side := 0.0
	for range 100 {
		if high-low < 1e-6 || fl == fh || err != nil {
			break
		}
		middle := (low*fh - high*fl) / (fh - fl)
		fm := excess(middle)
		if math.Abs(fm) < 1e-6 && err == nil {
			return middle, nil
		}
		if fm > 0 {
			low, fl = middle, fm
			if side > 0 {
				fh /= 2
			}
		} else {
			high, fh = middle, fm
			if side < 0 {
				fl /= 2
			}
		}
		side = fm
	}
	return (low + high) / 2, err
}
