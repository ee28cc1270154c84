package alphabeta

import (
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// span bounds the value of an outcome of chance in the view of the player whose action led
// there.
type span struct{ least, most end }

// probedReplies is how many legal actions there are at least after an outcome whose value
// is first bounded by one of them: with fewer that costs more than it saves.
const probedReplies = 8

// probeMargin is by how much a probe looks beyond the window of a chance decision: outcomes
// differ, and one that is far better or worse than needed makes up for others.
const probeMargin = 400

// expect returns the mean over what chance may lead to from s (see [end]), exact between alpha and beta
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
		l.spans = append(l.spans, anything)
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
			*x = exactly(v)
		} else if !e.out {
			if v <= low {
				x.lower(v)
			} else {
				x.raise(v)
			}
			if _, ok := l.decided(alpha, beta); !ok { // a matter of rounding, or of what is proven
				v = e.after(l.state, player, last, -infinity, infinity, level+1)
				*x = exactly(v)
			}
		}
		if l.state.Actor() <= engine.Second {
			if t := e.table.find(e.key(l.state)); t.bound() != none && t.action() >= 0 {
				l.replies[o.Code] = t.action()
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
	return l.mean(func(x *span) end { return x.least })
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
			above.spans[i].raise(v)
		}
	} else if v := -e.after(l.state, actor, last, -high, -low, level+1); v < high {
		above.spans[i].lower(v)
	}
}

// decided tells whether the mean over the outcomes is known to be outside of a window, and
// the bound that says so.
func (l *level) decided(alpha, beta int32) (bound int32, ok bool) {
	if alpha > -infinity {
		if v := l.mean(func(x *span) end { return x.most }); v <= alpha {
			return v, true
		}
	}
	if beta < infinity {
		if v := l.mean(func(x *span) end { return x.least }); v >= beta {
			return v, true
		}
	}
	return 0, false
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
		l.spans = append(l.spans, exactly(v))
	}
	return l.mean(func(x *span) end { return x.least })
}
