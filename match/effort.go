package match

import (
	"cmp"
	"fmt"
	"time"
)

// Effort sums up the searches of a player that is limited by time.
type Effort struct {
	// Limit is the time of one decision; zero if time is no limit, or if the clock
	// of the game is.
	Limit time.Duration `json:"limit_ns"`
	Clock bool          `json:"clock,omitempty"`
	// Decisions counts those with a choice, Simulations is the sum over them; they are
	// positions of searches to a depth, Depth says.
	Decisions   int   `json:"decisions"`
	Simulations int64 `json:"simulations"`
	Depth       bool  `json:"depth,omitempty"`
	// Time is the sum over the decisions, Late by how much the slowest went over
	// its limit, or over the time that it had planned by the clock.
	Time time.Duration `json:"time_ns"`
	Late time.Duration `json:"late_ns"`
	// Full is how many searches ended because their tree had no room left.
	Full int `json:"full"`
	// Decided is how many searches by the clock ended since no more time could
	// have changed the choice.
	Decided int `json:"decided,omitempty"`
}

// Timed tells whether time is a limit at all.
func (e *Effort) Timed() bool { return e.Limit > 0 || e.Clock }

// add counts an answer, if time limits its player.
func (e *Effort) add(a *Analysis) {
	if a == nil || a.Limit == 0 && !a.ByClock {
		return
	}
	if e.Clock = a.ByClock; !e.Clock {
		e.Limit = a.Limit
	}
	if a.Ending == EndForced {
		return
	}
	e.Decisions++
	e.Depth = e.Depth || a.Depth > 0
	e.Simulations += int64(a.Simulations)
	e.Time += a.Time
	if a.Limit > 0 {
		e.Late = max(e.Late, a.Time-a.Limit)
	}
	switch a.Ending {
	case EndFull:
		e.Full++
	case EndSettled:
		e.Decided++
	}
}

// nextGame forgets what was counted but Late: that stays the largest of all
// searches so far.
func (e *Effort) nextGame() { *e = Effort{Limit: e.Limit, Clock: e.Clock, Late: e.Late} }

// ofGame returns a copy; nil if time is no limit to the player.
func (e *Effort) ofGame() *Effort {
	if !e.Timed() {
		return nil
	}
	game := *e
	return &game
}

// plus is the sum of both; either may be nil, for nothing.
func (e *Effort) plus(f *Effort) *Effort {
	if e == nil || f == nil {
		return cmp.Or(e, f)
	}
	return &Effort{
		Limit:       max(e.Limit, f.Limit),
		Decisions:   e.Decisions + f.Decisions,
		Simulations: e.Simulations + f.Simulations,
		Time:        e.Time + f.Time,
		Late:        max(e.Late, f.Late),
		Full:        e.Full + f.Full,
		Depth:       e.Depth || f.Depth,
		Clock:       e.Clock || f.Clock,
		Decided:     e.Decided + f.Decided,
	}
}

func (e *Effort) String() string {
	n := max(1, e.Decisions)
	limit := "of " + e.Limit.String()
	if e.Clock {
		limit = "by the clock"
	}
	unit := "simulations"
	if e.Depth {
		unit = "positions"
	}
	mean := e.Time / time.Duration(n)
	text := fmt.Sprintf("%d searches %s: mean %v, %.0f %s, at most %v late",
		e.Decisions, limit, mean.Round(10*time.Microsecond), float64(e.Simulations)/float64(n), unit, e.Late.Round(10*time.Microsecond))
	if e.Limit > 0 && mean > e.Limit+e.Limit/4 {
		text += "; too late on average to tell of this limit: the machine has other work, or too many games at once"
	}
	if e.Full > 0 {
		text += fmt.Sprintf("; %d ended early: no room left in the tree", e.Full)
	}
	if e.Decided > 0 {
		text += fmt.Sprintf("; %d ended once no time left could change the choice", e.Decided)
	}
	return text
}
