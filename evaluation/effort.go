package evaluation

import (
	"fmt"
	"sync"
	"time"
)

// Effort sums up what the searches of players that are limited by time took.
// Searches of games that were dropped are in it, too.
type Effort struct {
	// Limit is the time of one decision; zero if time is no limit.
	Limit time.Duration `json:"limit_ns"`
	// Decisions are those with a choice, Simulations those of all of them.
	Decisions   int   `json:"decisions"`
	Simulations int64 `json:"simulations"`
	// Time is that of all decisions together, Late by how much the slowest
	// went over its limit.
	Time time.Duration `json:"time_ns"`
	Late time.Duration `json:"late_ns"`
	// Full is how many searches ended because their tree had no room left.
	Full int `json:"full"`
}

// Timed is a Player that measures what its decisions take.
type Timed interface {
	Player
	// Effort is that of all decisions so far.
	Effort() Effort
}

func (e *Effort) add(f Effort) {
	e.Limit = max(e.Limit, f.Limit)
	e.Decisions += f.Decisions
	e.Simulations += f.Simulations
	e.Time += f.Time
	e.Late = max(e.Late, f.Late)
	e.Full += f.Full
}

func (e *Effort) String() string {
	n := max(1, e.Decisions)
	text := fmt.Sprintf("%d searches of %v: mean %v, %.0f simulations, at most %v late",
		e.Decisions, e.Limit, (e.Time / time.Duration(n)).Round(10*time.Microsecond), float64(e.Simulations)/float64(n), e.Late.Round(10*time.Microsecond))
	if e.Full > 0 {
		text += fmt.Sprintf("; %d ended early: no room left in the tree", e.Full)
	}
	return text
}

// efforts adds up what the players of all workers report.
type efforts struct {
	mu  sync.Mutex
	sum [2]Effort // of A and B
}

func (e *efforts) add(players [2]Player) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, p := range players {
		if t, ok := p.(Timed); ok {
			e.sum[i].add(t.Effort())
		}
	}
}

// of is the effort of contestant i, or nil if time is no limit to it.
func (e *efforts) of(i int) *Effort {
	if e.sum[i].Limit == 0 {
		return nil
	}
	return &e.sum[i]
}
