package rundir

// RulesEvent is what the games of one ruleset of a mix were like.
type RulesEvent struct {
	Rules string `json:"rules"`
	Games int    `json:"games"`
	Draws int    `json:"draws"`
	// MeanTurns is their length, FirstScore the first player's mean score.
	MeanTurns  float64 `json:"mean_turns"`
	FirstScore float64 `json:"first_score"`
}

// RarelyDecidedEvent tells that so few games of a ruleset are decided from now on
// that its positions teach little of who wins, or that this is over.
type RarelyDecidedEvent struct {
	Generation int    `json:"generation"`
	Rules      string `json:"rules"`
	// Games are its newest games, in whole generations, and Draws those of them
	// that were drawn.
	Games int  `json:"games"`
	Draws int  `json:"draws"`
	Over  bool `json:"over"`
}
