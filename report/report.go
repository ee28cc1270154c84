// Package report sums up a training run in the morning: what was trained, how strong
// it got, what its games are like and whether the training is healthy.
//
// A [Report] is one tree of numbers, each with its conditions. [Build] makes it from
// figures that others have read; it is a pure function, so that the same run gives
// the same report. [Report.WriteText], [Report.WriteJSON] and [Report.WriteHTML]
// write it. The package reads and writes no files, plays no games and has no clock.
package report

import (
	"encoding/json"
	"math"
	"time"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/report/sample"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/train/rundir"
)

// Version changes when a part of the JSON form changes its meaning or is removed. New
// parts need no new version.
const Version = 1

// Report is the report on a run.
type Report struct {
	Version int `json:"version"`
	// Headline says in plain sentences what was trained and how strong it is.
	Headline []string  `json:"headline"`
	Warnings []Warning `json:"warnings"`
	Run      Run       `json:"run"`
	// Strength is nil if no matches were played.
	Strength *Strength `json:"strength,omitempty"`
	// Course is the run over its generations, in at most maxStages stages; it is empty
	// if no generation was trained.
	Course []Stage `json:"course"`
	// Reliability is how far values agree with the outcomes of the newest games;
	// nil if that is not known.
	Reliability *Reliability `json:"reliability,omitempty"`
	// Games describes the recorded games; nil if none were read.
	Games *Games `json:"games,omitempty"`
	// Samples are a few annotated games; nil if there are none.
	Samples *sample.Choice `json:"samples,omitempty"`
}

// Warning is a problem in words.
type Warning struct {
	// Code names the kind of warning: a word that does not change.
	Code string `json:"code"`
	// Severe tells that the run learns nothing of use, or that a part of it cannot
	// be read.
	Severe bool `json:"severe"`
	// First and Last are the generations concerned; both 0 if none are.
	First int `json:"first_generation,omitempty"`
	Last  int `json:"last_generation,omitempty"`
	// Past tells that it no longer holds in the newest generation.
	Past bool   `json:"past"`
	Text string `json:"text"`
}

// Run is what was trained, how, and how far.
type Run struct {
	Name  string `json:"name"`
	Game  string `json:"game"`
	Rules string `json:"rules"`
	// Mix is the mix of rulesets of self-play; empty if it plays Rules alone.
	Mix []MixEntry `json:"rules_mix,omitempty"`
	// State is "running", "finished" or "stopped".
	State string `json:"state"`
	// Origin is the RUN@GENERATION that the run was forked from.
	Origin string `json:"origin,omitempty"`
	Mode   string `json:"mode"`
	Seed   uint64 `json:"seed"`

	Networks []NetworkSize `json:"networks"`
	// Search and Simulations are the search of self-play. If the number of simulations
	// grows, it grows from FirstSimulations in generation 0 to Simulations within
	// GrowthGenerations generations.
	Search            string `json:"search"`
	Simulations       int    `json:"simulations"`
	FirstSimulations  int    `json:"first_simulations,omitempty"`
	GrowthGenerations int    `json:"growth_generations,omitempty"`
	// FullShare of the decisions has such a search, the others one of FastSimulations;
	// both are 0 if all are full.
	FullShare       float64 `json:"full_share,omitempty"`
	FastSimulations int     `json:"fast_simulations,omitempty"`
	// MovesLeft is the bonus for winning sooner and losing later, 0 for none.
	MovesLeft float64 `json:"moves_left,omitempty"`
	// Teacher is the teacher of self-play, nil if there is none.
	Teacher *Teacher `json:"teacher,omitempty"`
	// Kernels are the kernel variants of all processes of the run.
	Kernels []string `json:"kernels"`
	// Processes counts the starts, Began and Ended are the times of the first and
	// the last event; a pack has none.
	Processes int       `json:"processes"`
	Began     time.Time `json:"began,omitzero"`
	Ended     time.Time `json:"ended,omitzero"`
	// Learned is the time spent learning, over all processes; Budget, CoreBudget and
	// GenerationsWanted its limits, 0 for none.
	Learned           time.Duration `json:"learned_ns"`
	Budget            time.Duration `json:"budget_ns"`
	CoreBudget        time.Duration `json:"core_budget_ns,omitempty"`
	GenerationsWanted int           `json:"generations_wanted"`
	// CoreTime is the processor time of learning, summed over cores, Spent the total
	// for the network over all runs before; null if unknown.
	CoreTime *time.Duration `json:"core_ns"`
	Spent    *model.Spent   `json:"spent"`
	// Before is the total for the network that the run began with; null if unknown.
	Before *model.Spent `json:"before"`
	// Generation is the newest network; Steps, Games and Positions count training in
	// this run, without the run it was forked from.
	Generation int   `json:"generation"`
	Steps      int64 `json:"steps"`
	Games      int64 `json:"games"`
	Positions  int64 `json:"positions"`
}

// Teacher is a player that plays Share of the games of generation 0, evenly falling to
// none at generation Generations.
type Teacher struct {
	Player      string  `json:"player"`
	Share       float64 `json:"share"`
	Generations int     `json:"generations"`
}

// MixEntry is an entry of a mix of rulesets; Weight is its share of the games.
type MixEntry struct {
	Rules  string  `json:"rules"`
	Weight float64 `json:"weight"`
}

// NetworkSize is the size of the network from a generation on.
type NetworkSize struct {
	Generation int `json:"generation"`
	Blocks     int `json:"blocks"`
	Channels   int `json:"channels"`
	Parameters int `json:"parameters"` // 0 if unknown
}

// Number is a figure; NaN, null in JSON, where it is not known.
type Number float64

// Known reports whether the number is known.
func (n Number) Known() bool { return !math.IsNaN(float64(n)) }

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if f := float64(n); !math.IsNaN(f) && !math.IsInf(f, 0) {
		return json.Marshal(f)
	}
	return []byte("null"), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(text []byte) error {
	var f *float64
	if err := json.Unmarshal(text, &f); err != nil {
		return err
	}
	*n = Number(math.NaN())
	if f != nil {
		*n = Number(*f)
	}
	return nil
}

// Stage is one generation, or some in a row: the games that they learned from,
// and the training. Figures of games are means over games or positions, figures of
// training means over steps.
type Stage struct {
	First int `json:"first_generation"`
	Last  int `json:"last_generation"`
	// Learned is the time spent learning when Last was done, CoreSeconds the processor
	// time of that, in this run alone.
	Learned     time.Duration `json:"learned_ns"`
	CoreSeconds Number        `json:"core_seconds"`
	NewGames    int64         `json:"new_games"`
	// RepeatedGames are games that repeat another of their generation.
	RepeatedGames int64 `json:"repeated_games"`
	NewPositions  int64 `json:"new_positions"`
	Steps         int64 `json:"steps"`

	// Drawn is the share of games that were drawn, FirstScore the first player's
	// points a game, with intervals of 95 % that take games as independent but for
	// those that repeat another, which are no evidence.
	Drawn      rating.Estimate `json:"drawn"`
	FirstScore rating.Estimate `json:"first_score"`
	// TaughtGames were played by the teacher; OwnDrawn is Drawn of the others.
	TaughtGames int64           `json:"taught_games,omitempty"`
	OwnDrawn    rating.Estimate `json:"own_drawn"`
	// Ends counts the games by the reason for their end.
	Ends []rundir.EndCount `json:"ends"`

	Figures
}

// Figures are the plain means of a stage. In JSON they are fields of the stage.
type Figures struct {
	Turns         Number `json:"turns"`
	RootValue     Number `json:"root_value"`
	PolicyEntropy Number `json:"policy_entropy"`
	Surprise      Number `json:"surprise"`
	FullShare     Number `json:"full_share"`
	// RepeatedShare is of games that repeat another of the same generation,
	// AgainShare of those that the generation before had, too.
	RepeatedShare    Number `json:"repeated_share"`
	AgainShare       Number `json:"again_share"`
	ValueCalibration Number `json:"value_calibration"`
	ValueExplained   Number `json:"value_explained"`
	ValueSlope       Number `json:"value_slope"`
	RootCalibration  Number `json:"root_calibration"`
	RootExplained    Number `json:"root_explained"`

	PolicyLoss   Number `json:"policy_loss"`
	PolicyFloor  Number `json:"policy_floor"`
	ValueLoss    Number `json:"value_loss"`
	ValueFloor   Number `json:"value_floor"`
	TurnsLoss    Number `json:"turns_loss"`
	ReplyLoss    Number `json:"reply_loss"`
	ReplyFloor   Number `json:"reply_floor"`
	GradientNorm Number `json:"gradient_norm"`
	// GradientNormMax is the largest of the stage, ClippedShare the share of steps
	// whose gradient was clipped to train.clip_norm.
	GradientNormMax Number `json:"gradient_norm_max"`
	ClippedShare    Number `json:"clipped_share"`
	LearningRate    Number `json:"learning_rate"`
	MeanAge         Number `json:"mean_age"`
	Window          Number `json:"window_positions"`

	// Figures on the frozen set: positions that are the same for every run of the
	// game and its rules.
	FrozenDivergence    Number `json:"frozen_divergence"`
	FrozenEntropy       Number `json:"frozen_entropy"`
	FrozenSearchEntropy Number `json:"frozen_search_entropy"`
	FrozenValueGap      Number `json:"frozen_value_gap"`
	FrozenDrift         Number `json:"frozen_drift"`
	FrozenValueDrift    Number `json:"frozen_value_drift"`

	PositionsPerSecond   Number `json:"positions_per_second"`
	EvaluationsPerSecond Number `json:"evaluations_per_second"`
	CacheHits            Number `json:"cache_hits"`
	SamplesPerSecond     Number `json:"samples_per_second"`
	Memory               Number `json:"resident_bytes"`
}

// Reliability is the reliability curves of the network's own value of positions
// and of the value that the search came to, in ten bins: positions whose value
// lies in [-1 + 0.2·i, -1 + 0.2·(i+1)), in the acting player's view.
type Reliability struct {
	// First and Last are the generations of the games.
	First   int               `json:"first_generation"`
	Last    int               `json:"last_generation"`
	Games   int64             `json:"games"`
	Network []rundir.ValueBin `json:"network"`
	Search  []rundir.ValueBin `json:"search"`
}

// Strength is the result of the matches of the run's networks.
type Strength struct {
	// Elo is the rating of the networks over generations, nil if there is none:
	// NoElo says why.
	Elo   *ratings.Curve `json:"elo,omitempty"`
	NoElo string         `json:"no_elo,omitempty"`
	// Networks are the networks that played, in order of generation, with their cost.
	Networks []Rated `json:"networks"`
	// Matches are in the order they were played. Compared are the indices of those
	// under the conditions of the newest one that no longer match repeats.
	Matches  []Match `json:"matches"`
	Compared []int   `json:"compared"`
}

// Match is a match of a network of the run, in its view.
type Match struct {
	Generation int `json:"generation"`
	// Learned is the learning time when the network was written.
	Learned time.Duration `json:"learned_ns"`
	// Final says that the match ended the run.
	Final bool `json:"final"`
	// Opponent is the fixed opponent, or "generation N" of another network of the
	// run.
	Opponent string `json:"opponent"`
	Fixed    bool   `json:"fixed_opponent"`
	// Simulations is the network's budget per move.
	Simulations   int    `json:"simulations"`
	Rules         string `json:"rules"`
	Pairs         int    `json:"pairs"`
	RepeatedPairs int    `json:"repeated_pairs"`
	OpeningTurns  int    `json:"opening_turns"`
	MaxTurns      int    `json:"max_turns"`
	Clock         string `json:"clock,omitempty"` // the time control; empty for none
	Seed          uint64 `json:"seed"`
	match.Tally
	AsFirst   match.Tally     `json:"as_first"`
	AsSecond  match.Tally     `json:"as_second"`
	Score     rating.Estimate `json:"score"`
	Elo       rating.Estimate `json:"elo"`
	Reasons   map[string]int  `json:"reasons"`
	MeanTurns float64         `json:"mean_turns"`
	// Timed says that time limited a player, so that a repetition plays other games.
	Timed bool `json:"timed"`
}

// Games describes the recorded games.
type Games struct {
	// Shards of Of were read, spread evenly over the run; they hold Games games.
	Shards int `json:"shards"`
	Of     int `json:"of_shards"`
	Games  int `json:"games"`
	// Sides are the names of the two sides of the board.
	Sides [2]string `json:"sides"`
	// Parts are the games by the generation that played them, Rules by ruleset
	// where there are several.
	Parts []GamesPart       `json:"parts"`
	Rules []*census.Summary `json:"by_rules,omitempty"`
}

// GamesPart is the games played by the networks of some generations.
type GamesPart struct {
	First int `json:"first_generation"`
	Last  int `json:"last_generation"`
	// Learned is the learning time after training on the last of them, or the total of
	// the run.
	Learned time.Duration   `json:"learned_ns"`
	Summary *census.Summary `json:"summary"`
}
