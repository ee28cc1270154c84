package enginetest

import "github.com/ludozero/ludozero/engine"

// checkPace holds a Pacer to leave a game that goes on at least a turn.
func (c *checker) checkPace(s engine.State, _ *engine.History) {
	if n := engine.TurnsLeft(s); !s.Outcome().Over && n < 1 {
		c.fault(s, "TurnsLeft is %d, want at least 1", n)
	}
}
