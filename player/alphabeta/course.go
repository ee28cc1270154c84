package alphabeta

// Course is how far a turn has gone in a search: searches look at whole turns, but a
// set-up or draft of many decisions has too many ways to go.
type Course struct {
	// Decisions counts those of the turn, Ways the ways there were to take them, at least.
	Decisions, Ways int
}

// A turn is long after longTurn decisions, or after wideTurn if there were more than
// manyWays to take them: a draft of 20 choices is then seen for four decisions.
const (
	longTurn = 5
	wideTurn = 4
	manyWays = 100_000
)

// Long says that a position within the turn is to be judged as it is.
func (c Course) Long() bool {
	return c.Decisions >= longTurn || c.Decisions >= wideTurn && c.Ways > manyWays
}

// Next is the course after a decision between that many choices.
func (c Course) Next(choices int) Course {
	return Course{c.Decisions + 1, min(max(1, c.Ways), manyWays+1) * choices}
}
