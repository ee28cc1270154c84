package match

import (
	"cmp"
	"fmt"
	"time"
)

// Effort sums up what the searches of players that are limited by time took.
type Effort struct {
	// Limit is the time of one decision; zero if time is no limit, or if the clock
	// of the game is.
	Limit time.Duration `json:"limit_ns"`
	Clock bool          `json:"clock,omitempty"`
	// Decisions are those with a choice, Simulations those of all of them.
	Decisions   int   `json:"decisions"`
	Simulations int64 `json:"simulations"`
	// Time is that of all decisions together, Late by how much the slowest
	// went over its limit, or over what it had planned for by the clock.
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

// Timed is a Player that measures what its decisions take.
type Timed interface {
	Player
	// Effort is that of all decisions so far.
	Effort() Effort
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
	text := fmt.Sprintf("%d searches %s: mean %v, %.0f simulations, at most %v late",
		e.Decisions, limit, (e.Time / time.Duration(n)).Round(10*time.Microsecond), float64(e.Simulations)/float64(n), e.Late.Round(10*time.Microsecond))
	if e.Full > 0 {
		text += fmt.Sprintf("; %d ended early: no room left in the tree", e.Full)
	}
	if e.Decided > 0 {
		text += fmt.Sprintf("; %d ended once no time left could change the choice", e.Decided)
	}
	return text
}

// since is what was taken after the searches of earlier. Late stays that of all of
// them: which search was the slowest is not known.
func (e Effort) since(earlier Effort) Effort {
	e.Decisions -= earlier.Decisions
	e.Simulations -= earlier.Simulations
	e.Time -= earlier.Time
	e.Full -= earlier.Full
	e.Decided -= earlier.Decided
	return e
}
