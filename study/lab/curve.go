package lab

// Curve is how a game stood.
type Curve struct {
	// Values are the expected result at the beginning of each turn in the first player's
	// view, from -1 to 1, and last the result.
	Values []float64 `json:"values"`
	// Stakes are how much of the expected result, in points, a player would have lost at
	// some of the turns by playing that turn at random.
	Stakes []float64 `json:"stakes"`
}
