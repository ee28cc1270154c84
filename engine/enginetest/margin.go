package enginetest

import (
	"math"

	"github.com/ludozero/ludozero/engine"
)

// checkMargin checks that the margins of a Margined sum to 0 and follow from the packed
// position, from which training computes them.
func (c *checker) checkMargin(s engine.State, _ *engine.History) {
	m, ok := s.(engine.Margined)
	if !ok {
		return
	}
	first, second := m.Margin(engine.First), m.Margin(engine.Second)
	if first != -second || math.IsInf(float64(first), 0) {
		c.fault(s, "Margin is %v for %v, %v for %v: want finite numbers that sum to 0", first, engine.First, second, engine.Second)
		return
	}
	c.a.Start(nil)
	if err := c.a.Unpack(s.Pack(nil)); err != nil {
		c.fault(s, "its own bytes are refused: %v", err)
	} else if got := c.a.(engine.Margined).Margin(engine.First); got != first {
		c.fault(s, "Margin is %v, but %v of the packed position", first, got)
	}
}
