package balance

import (
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/stats/resample"
	"github.com/ludozero/ludozero/study"
)

// Result is a comparison that has been played to its end. Values in points a game
// unless said otherwise.
type Result struct {
	Game        string `json:"game"`
	GameVersion int    `json:"game_version"`
	Rules       string `json:"rules"`
	Baseline    string `json:"baseline"`
	// Networks are the words for the networks, in their order; Simulations the
	// strengths that they play at, ascending.
	Networks    []string `json:"networks"`
	Simulations []int    `json:"simulations"`
	// Players are the descriptions of all participants, Weights what networks are
	// besides their words: hashes of their weights, by word.
	Players []string          `json:"players"`
	Weights map[string]string `json:"weights"`
	// Precision is the number format that networks are computed in and the kind
	// of kernels that did, "f32 on avx2"; empty without networks.
	Precision string `json:"precision,omitempty"`
	// Command repeats the comparison. Stopped is nil unless a limit ended it.
	Command string      `json:"command"`
	Stopped *study.Stop `json:"stopped,omitempty"`

	Config

	Variants    []VariantResult `json:"variants"`
	Comparisons []Comparison    `json:"comparisons"`
	Checks      []Check         `json:"checks,omitempty"`
	Spreads     []Spread        `json:"spreads,omitempty"`
	// Summary says in sentences what was found.
	Summary []string `json:"summary"`
}

// VariantResult is what the games of a variant have shown.
type VariantResult struct {
	Name  string `json:"name"`
	Short string `json:"short"`
	Rules string `json:"rules"`
	// Compensated says that the start has to be settled (engine.Settler).
	Compensated bool `json:"compensated,omitempty"`
	// NotTrained are the networks that did not learn from these rules.
	NotTrained []string `json:"not_trained,omitempty"`
	// Groups are the networks by strength and then the other players.
	Groups []Group `json:"groups"`
	// Lines is how many lines of play settle the start. Of a compensated variant, Starts
	// are the positions that they lead to, by the group that verdicts are by, and Chosen
	// the one that a table of all its games chooses.
	Lines  int           `json:"lines"`
	Chosen string        `json:"chosen,omitempty"`
	Starts []StartResult `json:"starts,omitempty"`
}

// StartResult is the games of one start.
type StartResult struct {
	// Words is the first line that leads there, Lines counts all.
	Words string `json:"line"`
	Lines int    `json:"lines"`
	Games int    `json:"games"`
	// Score is the first player's, Players each player's own.
	Score   rating.Estimate `json:"score"`
	Players []PlayerScore   `json:"players"`
	// Chosen is how often tables of half of the games choose this start.
	Chosen float64 `json:"chosen"`
}

// PlayerScore is the first player's score in the games of one player.
type PlayerScore struct {
	Player string  `json:"player"`
	Score  float64 `json:"score"`
}

// Group is networks of one strength, or one other player.
type Group struct {
	Label   string   `json:"label"`
	Players []string `json:"players"`
	// Networks is how many there are; 0 for another player.
	Networks int `json:"networks"`
	// Basis says what the intervals are about.
	Basis resample.Basis `json:"basis"`
	Games int            `json:"games"`
	// Repeated counts games that repeat an earlier one of the same player.
	Repeated int `json:"repeated"`
	// Starts is how many different starts there were, each with the same number of games.
	Starts int `json:"starts"`
	// First and Reasons are of the games from all starts, Measures of those from the
	// starts that are chosen.
	First    match.Tally    `json:"first"`
	Reasons  map[string]int `json:"reasons"`
	Measures []Measure      `json:"measures"`
	// Cells are the players' games at each temperature.
	Cells []CellResult `json:"cells"`
}

// Measure is one figure of a group.
type Measure struct {
	Name string `json:"name"`
	// Unit is what it counts: points a game, share of games, turns, a game.
	Unit  string          `json:"unit"`
	Value rating.Estimate `json:"value"`
}

// Names and units of the measures that every game has.
const (
	MeasureFirst     = "first player's score"
	MeasureDelta     = "δ, first player's score - ½"
	MeasureSideA     = "side A's score"
	MeasureDecisive  = "decisive games"
	MeasureSwapped   = "sides exchanged"
	MeasureTurns     = "length"
	MeasureDecisions = "decisions"

	unitScore = "points a game"
	unitShare = "share of games"
	unitTurns = "player turns"
	unitGame  = "a game"
	unitMoves = "share of moves"
)

// measure is the figure of that name, which must be there.
func (g *Group) measure(name string) rating.Estimate {
	for i := range g.Measures {
		if g.Measures[i].Name == name {
			return g.Measures[i].Value
		}
	}
	panic("BUG: no measure " + name)
}

// CellResult is the games of one player at one temperature.
type CellResult struct {
	Player      string      `json:"player"`
	Network     string      `json:"network,omitempty"`
	Temperature float64     `json:"temperature"`
	Games       int         `json:"games"`
	Repeated    int         `json:"repeated"`
	First       match.Tally `json:"first"`
	// Score is the first player's, with an interval about games of this player.
	Score     rating.Estimate `json:"score"`
	MeanTurns float64         `json:"mean_turns"`
	// Openings counts different beginnings of OpeningDecisions decisions;
	// EffectiveOpenings is the exponential of their entropy: how many equally
	// frequent ones would vary as much.
	Openings          int     `json:"openings"`
	EffectiveOpenings float64 `json:"effective_openings"`
}

// Verdict is what games say of a variant against the baseline.
type Verdict string

// The verdicts.
const (
	Fairer     Verdict = "fairer"
	NotFairer  Verdict = "not fairer"
	CannotTell Verdict = "cannot tell"
	// NoVerdict: the condition of EloCondition is not shown to be met.
	NoVerdict Verdict = "no verdict"
)

// Comparison is a variant against the baseline, by one group.
type Comparison struct {
	Variant string         `json:"variant"`
	Group   string         `json:"group"`
	Basis   resample.Basis `json:"basis"`
	// Main marks the comparison that was declared beforehand, by the networks at
	// their greatest strength, or by the first player if there are none. The others
	// are cross-checks.
	Main bool `json:"main"`
	// Delta and Baseline are δ of both, Change the difference of the first
	// player's scores.
	Delta    rating.Estimate `json:"delta"`
	Baseline rating.Estimate `json:"baseline"`
	Change   rating.Estimate `json:"change"`
	// Distance is |δ| of the variant less |δ| of the baseline: below 0 if the
	// variant is fairer.
	Distance rating.Estimate `json:"distance"`
	// Found is what the interval says by itself, P its two-sided p-value: how often
	// games would be so far from Distance = -Matters if that were the truth.
	Found Verdict `json:"found"`
	P     float64 `json:"p"`
	// Verdict is of the Main comparison alone, and PHolm its P after Holm's
	// correction for their number. It is Found if PHolm is below
	// Significance and the condition is met. Condition says in words what is known
	// of that.
	PHolm     *float64 `json:"p_holm,omitempty"`
	Verdict   Verdict  `json:"verdict,omitempty"`
	Condition string   `json:"condition"`
}

// Check is a match between the network that plays all variants and one that was
// trained on one.
type Check struct {
	Variant string `json:"variant"`
	Shared  string `json:"shared"`
	Tuned   string `json:"tuned"`
	// Match is in the shared network's view; its games are not in here.
	Match *match.Result `json:"match"`
	// Status is one of Met, NotMet and NotShown.
	Status string `json:"status"`
}

// What is known of the condition.
const (
	Met      = "met"
	NotMet   = "not met"
	NotShown = "not shown"
	// NotChecked: there is no network that was trained on the variant.
	NotChecked = "not checked"
)

// NewCheck judges the match of the shared network, A, with the tuned one: met if the
// whole interval of A's Elo is above -EloCondition, not met if it is below.
func NewCheck(variant, shared, tuned string, match *match.Result) Check {
	c := Check{Variant: variant, Shared: shared, Tuned: tuned, Match: match, Status: NotShown}
	switch {
	case match.Elo.Low >= -EloCondition:
		c.Status = Met
	case match.Elo.High < -EloCondition:
		c.Status = NotMet
	}
	return c
}
