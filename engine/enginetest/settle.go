package enginetest

import (
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// checkSettled checks Settled and Neutral of a Settler, here and after every possible
// action.
func (c *checker) checkSettled(s engine.State, h *engine.History) {
	t, ok := s.(engine.Settler)
	if !ok || s.Outcome().Over {
		return
	}
	settled := t.Settled()
	neutral, asked := t.Neutral()
	if asked && settled {
		c.fault(s, "the start is settled, yet action %d would settle it", neutral)
		return
	}
	possible := engine.AppendPossible(nil, new([]engine.Weighted), s, h)
	if asked && (!decides(s) || !slices.Contains(possible, neutral)) {
		c.fault(s, "the neutral action %d is not legal", neutral)
		return
	}
	u := c.a
	mark := h.Len()
	for _, a := range possible {
		u.CopyFrom(s)
		u.Apply(a, h)
		h.Truncate(mark)
		kept := u.SideOf(engine.First) == s.SideOf(engine.First)
		switch {
		case asked && a == neutral && !kept:
			c.fault(s, "the neutral action %d exchanges the sides", a)
		case settled && !kept:
			c.fault(s, "the start is settled, yet action %d exchanges the sides", a)
		case settled && !u.Outcome().Over && !engine.Settled(u):
			c.fault(s, "the start is settled, yet not after action %d", a)
		}
		if c.faulted {
			return
		}
	}
}
