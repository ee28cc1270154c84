package alphabeta

import (
	"math"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// span bounds the value of an outcome of chance in the view of the player whose action led
// there.
type span struct{ least, most int32 }

// probedReplies is how many legal actions there are at least after an outcome whose value
// is first bounded by one of them: with fewer that costs more than it saves.
const probedReplies = 8

// probeMargin is by how much a probe looks beyond the window of a chance decision: outcomes
// differ, and one that is far better or worse than needed makes up for others.
const probeMargin = 400

// expect returns the mean over what chance may lead to from s, exact between alpha and beta
// and a bound outside, as the functions around it. It overwrites the state of level.
//
// It prunes as Star2 does (Ballard 1983; Hauk, Buro and Schaeffer 2004): one action after
// each outcome bounds its value from one side, and what is known of the others sets the
// window of each. The action is the best one of the last time that this outcome came up on
// this level, mostly after another action before: good replies to a roll are often the same.
func (e *Engine) expect(s position, player engine.Player, last int, alpha, beta int32, level int) int32 {
	if level >= maxLevels-2 {
		return 0
	}
	l := &e.levels[level]
	l.outcomes = s.Chance(l.outcomes[:0])
	l.spans = l.spans[:0]
	for range l.outcomes {
		l.spans = append(l.spans, span{-win, win})
	}
	if e.whole {
		alpha, beta = -infinity, infinity
	}
	mark := e.hist.Len()
	if alpha > -infinity || beta < infinity {
		for i, o := range l.outcomes {
			e.roll(s, l, o.Code, level)
			e.probe(l, i, player, last, alpha, beta, level+1)
			e.hist.Truncate(mark)
			if e.out {
				return 0
			}
		}
	}
	for i, o := range l.outcomes {
		if v, ok := l.decided(alpha, beta); ok {
			return v
		}
		low, high := l.window(i, alpha, beta)
		e.roll(s, l, o.Code, level)
		v := e.after(l.state, player, last, low, high, level+1)
		if x := &l.spans[i]; v > low && v < high {
			*x = span{v, v}
		} else if !e.out {
			if v <= low {
				x.most = min(x.most, v)
			} else {
				x.least = max(x.least, v)
			}
			if _, ok := l.decided(alpha, beta); !ok { // a matter of rounding, or of what is proven
				v = e.after(l.state, player, last, -infinity, infinity, level+1)
				*x = span{v, v}
			}
		}
		if l.state.Actor() <= engine.Second {
			if t := e.table.find(e.key(l.state)); t != nil && t.move >= 0 {
				l.replies[o.Code] = engine.Action(t.move)
			}
		}
		e.hist.Truncate(mark)
		if e.out {
			return 0
		}
	}
	if v, ok := l.decided(alpha, beta); ok {
		return v
	}
	return l.mean(func(x span) int32 { return x.least })
}

// roll makes the state of l what an outcome of chance leads to from s.
func (e *Engine) roll(s position, l *level, code engine.Action, level int) {
	l.state.CopyFrom(s)
	e.apply(l, code, 1, e.levels[level-1].turn)
}

// probe bounds outcome i of above, whose state it has led to, by one action there. Windows
// and spans are in player's view.
func (e *Engine) probe(above *level, i int, player engine.Player, last int, alpha, beta int32, level int) {
	s, reply, actor := above.state, above.replies[above.outcomes[i].Code], above.state.Actor()
	if reply < 0 || actor > engine.Second || above.turn.Long() || s.BeginsTurn() && last <= s.Turn() || level >= maxLevels-2 ||
		s.RepeatedSince(e.hist, e.since) || e.guided(s) {
		return
	}
	l := &e.levels[level]
	list := s.Legal(l.actions[:0], e.hist)
	if len(list) < e.probed || !slices.Contains(list, reply) {
		return
	}
	if e.visit(); e.out {
		return
	}
	l.state.CopyFrom(s)
	e.apply(l, reply, len(list), above.turn)
	low, high := max(alpha-probeMargin, -infinity), min(beta+probeMargin, infinity)
	if actor == player {
		if v := e.after(l.state, actor, last, low, high, level+1); v > low {
			above.spans[i].least = max(above.spans[i].least, v)
		}
	} else if v := -e.after(l.state, actor, last, -high, -low, level+1); v < high {
		above.spans[i].most = min(above.spans[i].most, v)
	}
}

// decided tells whether the mean over the outcomes is known to be outside of a window, and
// the bound that says so.
func (l *level) decided(alpha, beta int32) (bound int32, ok bool) {
	if alpha > -infinity {
		if v := l.mean(func(x span) int32 { return x.most }); v <= alpha {
			return v, true
		}
	}
	if beta < infinity {
		if v := l.mean(func(x span) int32 { return x.least }); v >= beta {
			return v, true
		}
	}
	return 0, false
}

// window is the window of outcome i outside of which the mean over all is decided, whatever
// the others are within their spans, but for rounding.
func (l *level) window(i int, alpha, beta int32) (low, high int32) {
	least, most := 0.0, 0.0
	for j, o := range l.outcomes {
		if j != i {
			least += o.Prob * float64(bounded(l.spans[j].least))
			most += o.Prob * float64(bounded(l.spans[j].most))
		}
	}
	low, high = -infinity, infinity
	p := l.outcomes[i].Prob
	if alpha > -infinity {
		low = int32(max(-float64(win)-1, min(float64(win), math.Floor((float64(alpha)-most)/p)-1)))
	}
	if beta < infinity {
		high = int32(max(-float64(win), min(float64(win)+1, math.Ceil((float64(beta)-least)/p)+1)))
	}
	return low, max(high, low+1)
}

// bounded is a value as a mean counts it beside some that are not proven.
func bounded(v int32) int32 { return max(-judged, min(judged, v)) }

// mean is the mean of one end of the spans. It is a proven win or loss only if all
// outcomes are, and does not fall if an outcome rises.
func (l *level) mean(of func(span) int32) int32 {
	sum, limited, wins, losses := 0.0, 0.0, true, true
	for i, o := range l.outcomes {
		v := of(l.spans[i])
		sum += o.Prob * float64(v)
		limited += o.Prob * float64(bounded(v))
		wins, losses = wins && v > judged, losses && v < -judged
	}
	if wins || losses {
		return int32(math.Round(sum))
	}
	return int32(math.Round(limited))
}

// mean is the mean of value over what chance may lead to from s; it overwrites the state
// of level.
func (e *Engine) mean(s position, level int, value func(next position) int32) int32 {
	if level >= maxLevels-2 {
		return 0
	}
	l, mark := &e.levels[level], e.hist.Len()
	l.outcomes = s.Chance(l.outcomes[:0])
	l.spans = l.spans[:0]
	for _, o := range l.outcomes {
		e.roll(s, l, o.Code, level)
		v := value(l.state)
		e.hist.Truncate(mark)
		if e.out {
			return 0
		}
		l.spans = append(l.spans, span{v, v})
	}
	return l.mean(func(x span) int32 { return x.least })
}
