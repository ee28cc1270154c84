package schools

import (
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/study"
)

// Result is a comparison that has been played to its end.
type Result struct {
	Game        string `json:"game"`
	GameVersion int    `json:"game_version"`
	Rules       string `json:"rules"`
	// Control and Schools are descriptions of players, the schools at weight 1; Names
	// are for people. Identity has a digest of every school of a user's own, and the
	// hash of the weights of every network, by description.
	Control  string            `json:"control"`
	Schools  []string          `json:"schools"`
	Names    []string          `json:"names"`
	Networks []string          `json:"networks"`
	Identity map[string]string `json:"identity"`
	Command  string            `json:"command"`
	Config
	Games     int     `json:"games"`
	MeanTurns float64 `json:"mean_turns"`
	// Stopped is nil unless a limit ended the comparison.
	Stopped *study.Stop `json:"stopped,omitempty"`
	// RoundRobin is nil if none was played.
	RoundRobin *Standing `json:"round_robin,omitempty"`
	// Effects are the schools against the control, by school and weight.
	Effects []Effect `json:"effects"`
	// Prints are the control and the schools at weight 1.
	Prints []Print `json:"fingerprints"`
	// Claims are the differences that were declared.
	Claims []Claim `json:"declared"`
	// Matches are played against networks.
	Matches []Match `json:"networks_matches,omitempty"`
	// Summary says in sentences what was found.
	Summary []string `json:"summary"`
}

// Standing is the round robin.
type Standing struct {
	// Ratings have the control, who is the anchor, and the schools.
	Ratings *rating.Table `json:"ratings"`
	// Duels are every two of them.
	Duels []Duel `json:"duels"`
	// Cycles is the p-value of there being an order of all players; nil with fewer
	// than three of them or of leastRounds. Rings are threes of whom each
	// beats the next, after Holm's correction.
	Cycles *float64    `json:"p_order"`
	Rings  [][3]string `json:"rings"`
	// Drawn is the share of drawn games.
	Drawn float64 `json:"drawn"`
	// Reasons counts how games ended.
	Reasons map[string]int `json:"reasons"`
}

// Duel is all games between two, in A's view.
type Duel struct {
	A     string          `json:"a"`
	B     string          `json:"b"`
	Games int             `json:"games"`
	Score rating.Estimate `json:"score"`
	// P is the p-value of the two being even, Holm the same corrected for all duels.
	P    float64 `json:"p"`
	Holm float64 `json:"p_holm"`
}

// Effect is a school against the control at a weight of its doctrine.
type Effect struct {
	School string          `json:"school"`
	Weight float64         `json:"weight"`
	Games  int             `json:"games"`
	Wins   int             `json:"wins"`
	Draws  int             `json:"draws"`
	Losses int             `json:"losses"`
	Score  rating.Estimate `json:"score"`
	Elo    rating.Estimate `json:"elo"`
	// P is the p-value of the school being even with the control, Holm the same
	// corrected for all schools and weights.
	P    float64 `json:"p"`
	Holm float64 `json:"p_holm"`
}

// Print is a fingerprint: how a side has played against the control.
type Print struct {
	School string `json:"school"`
	Games  int    `json:"games"`
	// Figures are in the order of the measures.
	Figures []Figure `json:"figures"`
}

// Figure is a measure of a school.
type Figure struct {
	Measure string `json:"measure"`
	Unit    string `json:"unit"`
	// Counted is of how many games, entries, Seeds or turns the value is a mean.
	Counted float64         `json:"counted"`
	Value   rating.Estimate `json:"value"`
	// Difference from the control, in the same rounds; zero for the control itself.
	Difference rating.Estimate `json:"difference"`
}

// Claim is a difference that the book's table names, tested.
type Claim struct {
	School    string    `json:"school"`
	Column    string    `json:"column"`
	Words     string    `json:"words"`
	Measure   string    `json:"measure"`
	Direction Direction `json:"direction"`
	// Value is the school's, Control the control's, both not a number (null) if there
	// was nothing to count.
	Value      rating.Estimate `json:"value"`
	Control    rating.Estimate `json:"control"`
	Difference rating.Estimate `json:"difference"`
	// P is one-sided, Holm the same corrected for all declared differences.
	P    float64 `json:"p"`
	Holm float64 `json:"p_holm"`
	// Shown says that Holm is at most 0.05.
	Shown bool `json:"shown"`
}

// Match is a school against a network, in the school's view.
type Match struct {
	School      string          `json:"school"`
	Network     string          `json:"network"`
	Simulations int             `json:"simulations"`
	Games       int             `json:"games"`
	Score       rating.Estimate `json:"score"`
	Elo         rating.Estimate `json:"elo"`
}
