package alphabeta

import "math"

// end is one end of a span: a value, and the odds that it means, which are what chance
// averages. A lead is worth what Nat says, a proven win or loss all there is; leads would
// make a win that one roll of a hundred brings outweigh every other.
type end struct {
	value     int32
	win, loss float64 // sum to 1
}

// endOf returns the end at v.
func endOf(v int32) end {
	switch {
	case v > judged:
		return end{v, 1, 0}
	case v < -judged:
		return end{v, 0, 1}
	case v < 0:
		x := math.Exp(float64(v) / Nat)
		return end{v, x / (1 + x), 1 / (1 + x)}
	}
	x := math.Exp(float64(-v) / Nat)
	return end{v, 1 / (1 + x), x / (1 + x)}
}

// leadOf is the lead of those odds, which need not sum to 1, within ±judged.
func leadOf(win, loss float64) float64 {
	return max(-float64(judged), min(float64(judged), Nat*math.Log(win/loss)))
}

// anything is the span of an outcome of which nothing is known.
var anything = span{end{-win, 0, 1}, end{win, 1, 0}}

// exactly is the span of an outcome of value v.
func exactly(v int32) span {
	x := endOf(v)
	return span{x, x}
}

// raise notes that the value is v at least.
func (s *span) raise(v int32) {
	if v > s.least.value {
		s.least = endOf(v)
	}
}

// lower notes that the value is v at most.
func (s *span) lower(v int32) {
	if v < s.most.value {
		s.most = endOf(v)
	}
}

// mean is the lead of the mean odds at one end of the spans. It is a proven win or loss only
// if all outcomes are, then the mean of their distances, and does not fall if an outcome rises.
func (l *level) mean(of func(*span) end) int32 {
	sum, won, lost, wins, losses := 0.0, 0.0, 0.0, true, true
	for i, o := range l.outcomes {
		x := of(&l.spans[i])
		sum += o.Prob * float64(x.value)
		won, lost = won+o.Prob*x.win, lost+o.Prob*x.loss
		wins, losses = wins && x.value > judged, losses && x.value < -judged
	}
	if wins || losses {
		return int32(math.Round(sum))
	}
	return int32(math.Round(leadOf(won, lost)))
}

// window is the window of outcome i outside of which the mean over all is decided, whatever
// the others are within their spans, but for rounding.
func (l *level) window(i int, alpha, beta int32) (low, high int32) {
	var least, most end // of the others
	for j, o := range l.outcomes {
		if x := &l.spans[j]; j != i {
			least.win, least.loss = least.win+o.Prob*x.least.win, least.loss+o.Prob*x.least.loss
			most.win, most.loss = most.win+o.Prob*x.most.win, most.loss+o.Prob*x.most.loss
		}
	}
	low, high = -infinity, infinity
	p := l.outcomes[i].Prob
	if alpha > -infinity {
		low = failing(alpha, p, most)
	}
	if beta < infinity {
		high = -failing(-beta, p, end{win: least.loss, loss: least.win})
	}
	return low, max(high, low+1)
}

// failing is the most that an outcome of probability p may be for the mean to be goal at
// most, where others are the odds of the rest: below -win if even a loss is too much.
func failing(goal int32, p float64, others end) int32 {
	switch {
	case goal > judged:
		return judged // the mean is a win only if every outcome is
	case goal < -judged:
		return -win - 1
	}
	g := endOf(goal)
	won := g.win*(p+others.loss) - g.loss*others.win
	lost := g.loss*(p+others.win) - g.win*others.loss
	switch {
	case won <= 0:
		return -win - 1
	case lost <= 0:
		return win
	}
	return int32(math.Floor(leadOf(won, lost))) - 1
}
