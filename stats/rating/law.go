package rating

import "math"

// logit is the number of natural log-odds units in one Elo: differences are in
// these units inside the package and in Elo outside.
const logit = math.Ln10 / 400

// law is the distribution of one game in the view of the player who moves
// first. It has two parameters, the difference d in logits and nu:
//
//	E(points) = p = 1/(1 + exp(-d))           Elo's definition of a difference
//	P(draw)   = nu·sqrt(P(win)·P(loss))       Davidson's law (1970)
//
// Both hold together for every d and every nu from 0, no draws, to infinity,
// every game a draw that can be one. Davidson's own model has the difference in
// the log-odds of win and loss; here it is in the expected score, so that
// a difference means the same with many draws and with few, and the same as in
// a match or a sequential test. The two are one at nu = 0 (Bradley and Terry)
// and, but for a factor of two in the scale, at nu = 2.
//
// An outcome has probability proportional to exp(x·points + b·[draw]) with
// b = ln nu. That is an exponential family, and (p, b) is its mixed
// parametrisation (Barndorff-Nielsen 1978): the information about d and b is
// orthogonal, and the derivative of the log-likelihood by d,
//
//	(points - p)·p(1-p)/V,  V = Var(points),
//
// has mean zero whenever p is right, whatever the law of draws.
type law struct {
	win, draw, loss float64
	p               float64 // expected points
	pq              float64 // p(1-p), the derivative of p by d
	v               float64 // variance of the points
}

// extreme is the difference in logits beyond which a game counts as certain;
// its probability of another end is 1e-26.
const extreme = 60

func newLaw(d, nu float64) law {
	if d < 0 {
		l := newLaw(-d, nu)
		l.win, l.loss, l.p = l.loss, l.win, 1-l.p
		return l
	}
	odds := math.Exp(min(d, extreme))
	// t = sqrt(win/loss) solves (t + nu/2)/(t + 1/t + nu) = p.
	h := nu * (odds - 1) / 4
	t := h + math.Sqrt(h*h+odds)
	z := t + 1/t + nu
	l := law{win: t / z, draw: nu / z, loss: 1 / (t * z), p: odds / (1 + odds)}
	l.pq = odds / (1 + odds) / (1 + odds)
	l.v = l.pq - l.draw/4
	return l
}

// information is Fisher's of one game about d.
func (l *law) information() float64 { return l.pq * l.pq / l.v }

// weight times (points - p) is the derivative of the log-likelihood by d.
func (l *law) weight() float64 { return l.pq / l.v }

// bend is the derivative of weight by d. It is what the observed information of
// a game differs by from the expected one, times p - points.
func (l *law) bend() float64 {
	w := l.weight()
	return w * w * (w - 2) * l.draw * (0.5 - l.p) / (4 * l.pq)
}

// prob is the probability that the player who moves first makes i half points.
func (l *law) prob(i int) float64 {
	switch i {
	case 0:
		return l.loss
	case 1:
		return l.draw
	}
	return l.win
}

// drawScore is the derivative of the log-likelihood by ln nu, d fixed, of a
// game with i half points; drawInformation is the variance of it.
func (l *law) drawScore(i int) float64 {
	s := -l.draw - (float64(i)/2-l.p)*l.draw*(0.5-l.p)/l.v
	if i == 1 {
		s++
	}
	return s
}

func (l *law) drawInformation() float64 {
	c := l.draw * (0.5 - l.p)
	return l.draw*(1-l.draw) - c*c/l.v
}
