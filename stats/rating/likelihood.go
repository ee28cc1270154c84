package rating

import (
	"errors"
	"math"
	"slices"
)

// ErrDiverged is returned when the search for the maximum of the likelihood fails.
var ErrDiverged = errors.New("the maximum of the likelihood was not found")

// problem is a likelihood whose unknowns are the advantage of moving first, number 0,
// and the strength of player i, number i+1.
type problem struct {
	cells []cell
	fixed bool    // the seat's advantage is known
	seat  float64 // if fixed, in logits
	// Given a constraint, the sum of constraint times strength is target.
	constraint []float64 // by unknown; nil: none
	target     float64
	groups     [][]int // of players that games connect, to fix the origin of each
}

// point is a place in a problem, with the values and derivatives computed there.
type point struct {
	x          []float64 // seat, then strengths, in logits
	nu         float64
	likelihood float64 // its logarithm
	gradient   []float64
	inverse    matrix // of the information, plus the groups' origins
	multiplier float64
	drawScore  float64
	drawInfo   float64
}

// phantom is the number of games between equal players, half won and half lost by the
// first, that are added to the likelihood of the seat's advantage. Without them it is
// infinite if one seat wins every game, and with it the differences of players
// whose results moving second vary. They say nothing about strength.
const phantom = 2.0

// decisive is the number of decisive games between equal players that are added to the
// likelihood of the draw parameter, which is infinite if every game is drawn.
const decisive = 0.5

// problem is the likelihood of the given cells; group[i] is the lowest player of the
// group of player i.
func (f *fit) problem(list []cell, group []int) *problem {
	p := &problem{fixed: f.fixed, seat: f.seat}
	for _, c := range list {
		if c.games() > 0 {
			p.cells = append(p.cells, c)
		}
	}
	members := make([][]int, len(group))
	for i, lowest := range group {
		members[lowest] = append(members[lowest], i)
	}
	p.groups = slices.DeleteFunc(members, func(m []int) bool { return len(m) == 0 })
	return p
}

// difference is the first player's advantage in the games of c.
func difference(c *cell, x []float64) float64 { return x[c.first+1] - x[c.second+1] + x[0] }

func (p *problem) logLikelihood(x []float64, nu float64) float64 {
	sum := 0.0
	for i := range p.cells {
		c := &p.cells[i]
		l := newLaw(difference(c, x), nu)
		for k, n := range c.n {
			if n > 0 {
				sum += n * math.Log(l.prob(k))
			}
		}
	}
	if !p.fixed {
		l := newLaw(x[0], 0)
		sum += phantom / 2 * math.Log(l.pq)
	}
	return sum - decisive*math.Log1p(nu/2)
}

// derive computes the gradient at x and the inverse of the information, expected
// or observed. It is an error if the observed one is not positive definite.
func (p *problem) derive(q *point, observed bool) error {
	n := len(q.x)
	if q.gradient == nil {
		q.gradient = make([]float64, n)
		q.inverse = newMatrix(n)
	}
	clear(q.gradient)
	info := q.inverse
	clear(info.a)
	q.drawScore, q.drawInfo = -decisive*q.nu/(2+q.nu), decisive*2*q.nu/(2+q.nu)/(2+q.nu)
	for i := range p.cells {
		c := &p.cells[i]
		l := newLaw(difference(c, q.x), q.nu)
		total := c.games()
		more := c.n[2] + c.n[1]/2 - total*l.p
		g := more * l.weight()
		h := total * l.information()
		if observed {
			h -= more * l.bend()
		}
		unknowns := [...]struct {
			i    int
			sign float64
		}{{0, 1}, {c.first + 1, 1}, {c.second + 1, -1}}
		for _, u := range unknowns {
			q.gradient[u.i] += u.sign * g
			for _, v := range unknowns {
				info.add(u.i, v.i, u.sign*v.sign*h)
			}
		}
		for k, m := range c.n {
			q.drawScore += m * l.drawScore(k)
		}
		q.drawInfo += total * l.drawInformation()
	}
	if p.fixed {
		// The seat is no unknown: nothing depends on it.
		q.gradient[0] = 0
		for i := range n {
			info.a[i], info.a[i*n] = 0, 0
		}
		info.add(0, 0, 1)
	} else {
		l := newLaw(q.x[0], 0)
		q.gradient[0] += phantom * (0.5 - l.p)
		info.add(0, 0, phantom*l.pq)
	}
	// Games say nothing about the origin of a group. Any value along it makes the
	// information regular and leaves all differences alone.
	for _, group := range p.groups {
		for _, i := range group {
			for _, j := range group {
				info.add(i+1, j+1, 1)
			}
		}
	}
	if observed && p.constraint != nil {
		// Steps do not leave the constraint: curvature across it changes none of
		// them, and need not be positive.
		stiff := 0.0
		for i := range len(q.x) {
			stiff = max(stiff, info.at(i, i))
		}
		for i, ci := range p.constraint {
			for j, cj := range p.constraint {
				info.add(i, j, 10*stiff*ci*cj)
			}
		}
	}
	return info.invert()
}

// maximise climbs from q by Newton's method, or Fisher's scoring where the
// likelihood is not concave, halving steps until the likelihood rises; draws are
// fitted too if their parameter is free. q.inverse, of the expected information,
// and q.multiplier belong to the final point.
func (p *problem) maximise(q *point, freeDraws bool) error {
	if p.fixed {
		q.x[0] = p.seat
	}
	if p.constraint != nil {
		p.project(q.x)
	}
	n := len(q.x)
	step, next := make([]float64, n), make([]float64, n)
	q.likelihood = p.logLikelihood(q.x, q.nu)
	damping, last := 1.0, 0.0 // of the steps of ln nu
	slope := math.Inf(1)
climb:
	for range 200 {
		if p.derive(q, true) != nil {
			if err := p.derive(q, false); err != nil {
				return err
			}
		}
		q.inverse.times(step, q.gradient)
		q.multiplier = 0
		if p.constraint != nil {
			// Newton's step under the constraint, which x satisfies already.
			cg, cc := dot(p.constraint, step), q.inverse.quadratic(p.constraint)
			q.multiplier = cg / cc
			for i := range step {
				for j, c := range p.constraint {
					step[i] -= q.multiplier * q.inverse.at(i, j) * c
				}
			}
		}
		largest := 0.0
		for _, s := range step {
			largest = max(largest, math.Abs(s))
		}
		drawStep := 0.0
		if freeDraws {
			drawStep = damping * max(-2, min(2, q.drawScore/q.drawInfo))
			if drawStep*last < 0 {
				// The expected information is too small here, or the strengths answer:
				// the steps would go to and fro.
				damping = max(damping/2, 0.1)
			}
			last = drawStep
		}
		if math.IsNaN(largest) || math.IsNaN(drawStep) {
			return ErrDiverged
		}
		if largest < 1e-8 && math.Abs(drawStep) < 1e-8 {
			return p.derive(q, false)
		}
		slope = dot(q.gradient, step) + q.drawScore*drawStep
		// A step of 4 logits, 700 Elo, is as far as the curvature can be trusted.
		scale := min(1, 4/largest)
		for {
			for i := range next {
				next[i] = q.x[i] + scale*step[i]
			}
			nu := q.nu * math.Exp(scale*drawStep)
			value := p.logLikelihood(next, nu)
			// A step that gains less than a quarter of what the slope promises goes
			// past the maximum (Armijo's rule). The allowance is for rounding.
			if value >= q.likelihood+scale*slope/4-1e-11*math.Abs(q.likelihood) {
				copy(q.x, next)
				q.nu, q.likelihood = nu, value
				break
			}
			if scale /= 2; scale < 1e-10 {
				break climb
			}
		}
	}
	// What a step promises to gain is about the square of the distance from the
	// maximum in standard errors: this is a ten thousandth of one, and rounding
	// prevents better.
	if slope < 1e-8 {
		return p.derive(q, false)
	}
	return ErrDiverged
}

// maximiseDraws also fits draws if there are any. Where strengths and draws depend on
// each other too much to climb both at once, draws are found by golden section with
// the strengths fitted at each step.
func (p *problem) maximiseDraws(q *point) error {
	if q.nu == 0 {
		return p.maximise(q, false)
	}
	start := slices.Clone(q.x)
	nu := q.nu
	if p.maximise(q, true) == nil {
		return nil
	}
	copy(q.x, start)
	at := func(b float64) (float64, error) {
		q.nu = math.Exp(b)
		err := p.maximise(q, false)
		return q.likelihood, err
	}
	const section = 0.6180339887498949
	low, high := math.Log(nu)-7, math.Log(nu)+7
	for high-low > 1e-6 {
		b1, b2 := high-section*(high-low), low+section*(high-low)
		l1, err := at(b1)
		if err != nil {
			return err
		}
		l2, err := at(b2)
		if err != nil {
			return err
		}
		if l1 > l2 {
			high = b2
		} else {
			low = b1
		}
	}
	_, err := at((low + high) / 2)
	return err
}

// project moves x along the constraint to where it holds.
func (p *problem) project(x []float64) {
	k := (p.target - dot(p.constraint, x)) / dot(p.constraint, p.constraint)
	for i, c := range p.constraint {
		x[i] += k * c
	}
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}
