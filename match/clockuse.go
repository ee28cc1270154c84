package match

import (
	"fmt"
	"time"
)

// GameClock is what the clocks of a game said when it ended.
type GameClock struct {
	// AUsed and BUsed are the thinking times of A and B.
	AUsed time.Duration `json:"a_used_ns"`
	BUsed time.Duration `json:"b_used_ns"`
	// ALeft and BLeft are what was left; at most 0 for a player whose flag fell:
	// it was late by that much when it decided or was broken off.
	ALeft time.Duration `json:"a_left_ns"`
	BLeft time.Duration `json:"b_left_ns"`
}

// note reads c, the clocks of a game in which A sat first or not.
func (c *Clock) note(aFirst bool) *GameClock {
	if c == nil {
		return nil
	}
	a := 0
	if !aFirst {
		a = 1
	}
	return &GameClock{AUsed: c.used[a], BUsed: c.used[1-a], ALeft: c.left[a], BLeft: c.left[1-a]}
}

// ClockUse sums up what one contestant did with its time in games with clocks.
type ClockUse struct {
	Games int `json:"games"`
	// Used is its thinking time, Given the time that it had: the stocks and the
	// increments of its finished turns, if the next turn came.
	Used  time.Duration `json:"used_ns"`
	Given time.Duration `json:"given_ns"`
	// Least is the smallest rest of a game that it did not lose on time; Forfeits
	// counts the others, and Late is by how much it was late at most.
	Least    time.Duration `json:"least_left_ns"`
	Forfeits int           `json:"forfeits"`
	Late     time.Duration `json:"late_ns"`
}

func (u *ClockUse) add(used, left time.Duration) {
	u.Games++
	u.Used += used
	u.Given += used + left
	switch {
	case left <= 0:
		u.Forfeits++
		u.Late = max(u.Late, -left)
	case u.Games-u.Forfeits == 1:
		u.Least = left
	default:
		u.Least = min(u.Least, left)
	}
}

// Share is the part of its time that the contestant used.
func (u *ClockUse) Share() float64 {
	if u.Given <= 0 {
		return 0
	}
	return float64(u.Used) / float64(u.Given)
}

func (u *ClockUse) String() string {
	n := time.Duration(max(1, u.Games))
	text := fmt.Sprintf("%v a game used of %v (%.0f %%)", brief(u.Used/n), brief(u.Given/n), 100*u.Share())
	if u.Games > u.Forfeits {
		text += fmt.Sprintf(", least left %v", brief(u.Least))
		if u.Forfeits > 0 {
			text += " in other games"
		}
	}
	switch u.Forfeits {
	case 0:
		return text + "; no forfeit"
	case 1:
		return text + fmt.Sprintf("; 1 forfeit, %v late", brief(u.Late))
	}
	return text + fmt.Sprintf("; %d forfeits, at most %v late", u.Forfeits, brief(u.Late))
}

// brief rounds a time to about three digits for people.
func brief(d time.Duration) time.Duration {
	for unit := 100 * time.Second; unit > time.Microsecond; unit /= 10 {
		if d >= unit || d <= -unit {
			return d.Round(unit / 100)
		}
	}
	return d
}

// clockText explains a time control.
func clockText(control string) string { return control + ", minutes and seconds a turn; no grace" }

// ClockUses sums up games of s by contestant; nil if they had no clocks.
func ClockUses(s *Series, games []Game) []ClockUse {
	if !s.Clock.On() {
		return nil
	}
	uses := make([]ClockUse, len(s.Contestants))
	for i := range games {
		if c := games[i].Clock; c != nil {
			pair, _ := s.pairOf(games[i].Number - 1)
			uses[pair.A].add(c.AUsed, c.ALeft)
			uses[pair.B].add(c.BUsed, c.BLeft)
		}
	}
	return uses
}
