package enginetest

import "github.com/ludozero/ludozero/engine"

// checkPace checks that a game in progress has at least one turn left.
func (c *checker) checkPace(s engine.State, _ *engine.History) {
	if n := engine.TurnsLeft(s); !s.Outcome().Over && n < 1 {
		c.fault(s, "TurnsLeft is %d, want at least 1", n)
	}
}
