package rundir

import (
	"fmt"
	"time"
)

// RatingEvent tells what matches have shown of a network, in its view, or how
// far they are.
type RatingEvent struct {
	Generation int `json:"generation"`
	// Games are played, GamesWant are to be.
	Games     int `json:"games"`
	GamesWant int `json:"games_want"`
	// Matches lists the finished matches.
	Matches []RatedMatch `json:"matches"`
	// Elo is what all matches of the run have shown of the network until now.
	Elo *RatedElo `json:"elo,omitempty"`
	// Took is how long the matches took; no learning time.
	Took time.Duration `json:"took_ns"`
	// Problem says why the network could not be measured.
	Problem string `json:"problem,omitempty"`
	Done    bool   `json:"done"`
}

// RatedMatch is a match of a network against a fixed opponent or an earlier
// network of the run.
type RatedMatch struct {
	Opponent string   `json:"opponent"`
	Network  bool     `json:"network"` // the opponent is one of the run
	Wins     int      `json:"wins"`
	Draws    int      `json:"draws"`
	Losses   int      `json:"losses"`
	Score    Interval `json:"score"` // points a game, in [0, 1]
}

// RatedElo is a rating relative to Anchor, with the ends of an Interval.
type RatedElo struct {
	Anchor string   `json:"anchor"`
	Value  *float64 `json:"value"`
	Low    *float64 `json:"low"`
	High   *float64 `json:"high"`
}

// String words a rating: "+35 (-2 to +73) from generation 0".
func (e *RatedElo) String() string {
	switch {
	case e.Value != nil && e.Low != nil && e.High != nil:
		return fmt.Sprintf("%+.0f (%+.0f to %+.0f) from %s", *e.Value, *e.Low, *e.High, e.Anchor)
	case e.Low != nil:
		return fmt.Sprintf("above %+.0f from %s", *e.Low, e.Anchor)
	case e.High != nil:
		return fmt.Sprintf("below %+.0f from %s", *e.High, e.Anchor)
	}
	return "unknown"
}

// Interval is a number with its 95 % interval. What is infinite or unknown is
// nil: games that were all won show no more than that a rating is above Low.
type Interval struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// RatingJob is what a rater is to measure while a run goes on.
type RatingJob struct {
	Generation int
	Learned    time.Duration // until its network was written, about
	// Workers is how many cores there are to play on.
	Workers int
	// Show reports how far the measurement is.
	Show func(*RatingEvent)
}
