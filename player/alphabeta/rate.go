package alphabeta

import (
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// Nat is the lead, in hundredths of the smallest piece, that multiplies the odds of
// winning by e, unless something better is known of the judge's weights. A lead v is
// an expected score of 1/(1+exp(-v/Nat)).
const Nat = 400

// Rate is Search, then sets values[i] to the value of list[i], two actions or more, as
// Result.Value. The value is exact if it is above Result.Value-window, else an upper
// bound; none is above Result.Value. Actions that a guide forbids have the value of a
// lost game. If stop says so, some values are not set.
func (e *Engine) Rate(state engine.State, h *engine.History, list []engine.Action, depth int, window int32, values []int32, stop func() bool) Result {
	r := e.Search(state, h, list, depth, stop)
	for i := range list {
		values[i] = -win
	}
	values[slices.Index(list, r.Action)] = r.Value
	s, l, mark := positionOf(state), &e.levels[0], e.hist.Len()
	for _, a := range e.list {
		if a == r.Action || e.out {
			continue
		}
		l.state.CopyFrom(s)
		e.apply(l, a, len(e.list), Course{})
		bonus := e.bonus(s, l.state, a)
		v := raised(e.after(l.state, e.root, e.start+r.Depth, raised(r.Value-window, -bonus), raised(r.Value+1, -bonus), 1), bonus)
		e.hist.Truncate(mark)
		values[slices.Index(list, a)] = min(v, r.Value)
	}
	r.Nodes = e.Looked()
	return r
}
