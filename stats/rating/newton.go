package rating

import (
	"errors"
	"math"
	"slices"
)

// ErrDiverged says that the likelihood has no maximum that was found.
var ErrDiverged = errors.New("the maximum of the likelihood was not found")

// problem is a likelihood of the strengths of some players and of the advantage
// of moving first, which is unknown number 0 unless it is fixed.
type problem struct {
	players []int // of which the strengths are unknown
	at      []int // number of the unknown of each player; -1: not in this problem
	cells   []cell
	fixed   bool    // the seat's advantage is known
	seat    float64 // if fixed, in logits
	// Given a constraint, the sum of constraint times strength is target.
	constraint []float64 // by unknown; nil: none
	target     float64
	groups     [][]int // of players that games connect, to fix the origin of each
}

// point is a place in a problem and what is known there.
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

// phantom is how many games between equal players, as many won by the first as
// lost, are added to the likelihood of the seat's advantage. Without them it is
// infinite if one seat wins every game, and with it the differences of players
// whose results moving second vary. They say nothing about strength.
const phantom = 2.0

// decisive is how many decisive games between equal players are added to the
// likelihood of the draws' parameter, which is infinite if every game is drawn.
const decisive = 0.5

// newProblem takes the cells among the given players.
func newProblem(all int, players []int, list []cell, fixed bool, seat float64) *problem {
	p := &problem{players: players, at: make([]int, all), fixed: fixed, seat: seat}
	for i := range p.at {
		p.at[i] = -1
	}
	for k, i := range players {
		p.at[i] = k + 1
	}
	p.groups = [][]int{players}
	for _, c := range list {
		if p.at[c.first] >= 0 && p.at[c.second] >= 0 && c.n[0]+c.n[1]+c.n[2] > 0 {
			p.cells = append(p.cells, c)
		}
	}
	return p
}

func (p *problem) difference(c *cell, x []float64) float64 {
	return x[p.at[c.first]] - x[p.at[c.second]] + x[0]
}

// logLikelihood at x and nu.
func (p *problem) logLikelihood(x []float64, nu float64) float64 {
	sum := 0.0
	for i := range p.cells {
		c := &p.cells[i]
		l := newLaw(p.difference(c, x), nu)
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

// look computes the gradient at x and the inverse of the information, expected
// or observed. The observed one need not be positive definite, which is an error.
func (p *problem) look(q *point, observed bool) error {
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
		f, s := p.at[c.first], p.at[c.second]
		l := newLaw(p.difference(c, q.x), q.nu)
		total := c.n[0] + c.n[1] + c.n[2]
		more := c.n[2] + c.n[1]/2 - total*l.p
		g := more * l.weight()
		h := total * l.information()
		if observed {
			h -= more * l.bend()
		}
		q.gradient[f] += g
		q.gradient[s] -= g
		q.gradient[0] += g
		info.add(f, f, h)
		info.add(s, s, h)
		info.add(f, s, -h)
		info.add(s, f, -h)
		info.add(0, 0, h)
		info.add(0, f, h)
		info.add(f, 0, h)
		info.add(0, s, -h)
		info.add(s, 0, -h)
		for k, m := range c.n {
			q.drawScore += m * l.drawScore(k)
		}
		q.drawInfo += total * l.drawInformation()
	}
	if p.fixed {
		// The unknown is none: it moves nothing and nothing moves it.
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
				info.add(p.at[i], p.at[j], 1)
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
// and q.multiplier are those of the end.
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
		if p.look(q, true) != nil {
			if err := p.look(q, false); err != nil {
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
			return p.look(q, false)
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
		return p.look(q, false)
	}
	return ErrDiverged
}

// maximiseDraws fits draws too if there are any. Where strengths and draws are too
// far from independent for climbing both at once, draws are found by golden
// section with the strengths fitted at each step.
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

// project moves x to where the constraint holds, along it.
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
