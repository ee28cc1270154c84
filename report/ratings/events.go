package ratings

import (
	"math"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/train/rundir"
)

// ratedMatch is a match for events.
func ratedMatch(m *Match) rundir.RatedMatch {
	r := m.Result
	return rundir.RatedMatch{Opponent: m.OpponentName(), Network: m.Opponent == "", Wins: r.Wins, Draws: r.Draws, Losses: r.Losses, Score: intervalOf(r.Score)}
}

// RatedEloOf is the rating of the newest network for events, nil if there is none.
func RatedEloOf(c *Curve) *rundir.RatedElo {
	if c == nil {
		return nil
	}
	i := intervalOf(c.Networks[len(c.Networks)-1].Elo)
	return &rundir.RatedElo{Anchor: c.Anchor, Value: i.Value, Low: i.Low, High: i.High}
}

// intervalOf is an estimate for events.
func intervalOf(e match.Estimate) rundir.Interval {
	finite := func(x float64) *float64 {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return nil
		}
		return &x
	}
	return rundir.Interval{Value: finite(e.Value), Low: finite(e.Low), High: finite(e.High)}
}
