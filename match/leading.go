package match

import "fmt"

// Leading counts points for the progress of a tournament.
type Leading struct {
	series *Series
	rounds int
	number int // of the last game
	points []float64
	games  []int
}

// NewLeading counts the points of a tournament of that number of rounds.
func NewLeading(s *Series, rounds int) *Leading {
	n := len(s.Contestants)
	return &Leading{series: s, rounds: rounds, points: make([]float64, n), games: make([]int, n)}
}

// Add counts a game; it can be Hooks.Counted.
func (l *Leading) Add(g *Game) bool {
	pair := l.series.Schedule[g.Pair-1]
	l.number = g.Number
	l.points[pair.A] += g.Points
	l.points[pair.B] += 1 - g.Points
	l.games[pair.A]++
	l.games[pair.B]++
	return true
}

// Text says which round it is and who has the best score.
func (l *Leading) Text() string {
	best, share := 0, -1.0
	for i, n := range l.games {
		if s := l.points[i] / float64(max(1, n)); n > 0 && s > share {
			best, share = i, s
		}
	}
	perRound := l.series.Games() / l.rounds
	return fmt.Sprintf("round %d of %d, best score %.0f %%: %s", (l.number-1)/perRound+1, l.rounds, 100*share, l.series.Contestants[best].Name)
}
