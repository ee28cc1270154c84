package enginetest

import (
	"errors"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// CheckMixed plays a random game of each ruleset of a family twice side by side:
// in a state of its own, and in one state and one history that go from ruleset
// to ruleset by CopyFrom, as search and self-play use them.
func CheckMixed(rulesets []engine.Game, seed uint64) error {
	if len(rulesets) == 0 {
		return nil
	}
	last := rulesets[len(rulesets)-1]
	shared, past := last.NewState(), last.NewHistory()
	var errs []error
	for i, g := range rulesets {
		c := newChecker(g, newEncodings(), seed+uint64(i))
		c.playMixed(shared, past)
		errs = append(errs, c.faults...)
	}
	return errors.Join(errs...)
}

func (c *checker) playMixed(shared engine.State, past *engine.History) {
	own, h := c.g.NewState(), c.g.NewHistory()
	own.Start(h)
	shared.CopyFrom(own)
	past.CopyFrom(h)
	for n := 0; !own.Outcome().Over && n < maxDecisions; n++ {
		if !slices.Equal(own.Legal(nil, h), shared.Legal(nil, past)) {
			c.fault(own, "a state that was of another ruleset has other legal actions")
			return
		}
		a, ok := c.pick(own, h)
		if !ok {
			c.fault(own, "no way to go on after %d decisions", n)
			return
		}
		own.Apply(a, h)
		shared.Apply(a, past)
		if !c.same(own, shared) || decides(own) && own.EncodingHash() != shared.EncodingHash() {
			c.fault(own, "a state that was of another ruleset comes to %s", shared.AppendPosition(nil))
			return
		}
	}
}
