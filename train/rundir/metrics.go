package rundir

// Metrics is what can be said of one trained generation: the games of the
// network before it, and the training on them that made it. It is a row of the
// run's metrics file and part of its checkpoint's state, from which the file is
// made again after a kill. In both a name is the same. What is marked optional
// is null if it is not known or there was nothing to take it of.
//
// The same run, interrupted or not, gives the same values except those that
// Repeatable leaves out.
//
// A new column is a new field at the end of its group, with a value set where
// the group is: see tally.fill, Metrics.rates, lesson.fill, Metrics.frozen,
// processFigures.
type Metrics struct {
	// Generation is the checkpoint's, from 1. Step, Games and Positions
	// are all that the run has learned from by then, as in State.
	Generation int32 `parquet:"generation" json:"generation"`
	Step       int64 `parquet:"step" json:"step,omitempty"`
	Games      int64 `parquet:"games" json:"games,omitempty"`
	Positions  int64 `parquet:"positions" json:"positions,omitempty"`
	// LearnedSeconds is the time spent learning, over all processes.
	LearnedSeconds float64 `parquet:"learned_seconds" json:"learned_seconds,omitempty"`
	// CoreSeconds is what processors spent on that, each core by itself, null if it
	// is unknown.
	CoreSeconds float64 `parquet:"core_seconds,optional" json:"core_seconds,omitempty"`

	// NewGames were played by generation Generation-1, in a concurrent run also by
	// some before it, NewPositions recorded in them.
	NewGames     int64 `parquet:"new_games" json:"new_games,omitempty"`
	NewPositions int64 `parquet:"new_positions" json:"new_positions,omitempty"`
	// MeanTurns is the length of the games in player turns, DrawRate the share of
	// draws, FirstScore the first player's points per game, a draw counting one
	// half.
	MeanTurns  float64 `parquet:"mean_turns" json:"mean_turns,omitempty"`
	DrawRate   float64 `parquet:"draw_rate" json:"draw_rate,omitempty"`
	FirstScore float64 `parquet:"first_score" json:"first_score,omitempty"`
	// Ends counts the games by the reason of their end, in order of reason.
	Ends []EndCount `parquet:"ends,list" json:"ends,omitempty"`
	// MeanRootValue is the mean value of the searches in [-1, 1], in the first
	// player's view: the searches' estimate of 2·FirstScore - 1.
	MeanRootValue float64 `parquet:"mean_root_value" json:"mean_root_value,omitempty"`
	// PolicyEntropy is the mean entropy of the policy targets, in nats.
	PolicyEntropy float64 `parquet:"policy_entropy,optional" json:"policy_entropy,omitempty"`
	// FullShare is the share of the searched positions that were searched in full.
	FullShare float64 `parquet:"full_share" json:"full_share,omitempty"`
	// PositionsPerSecond and EvaluationsPerSecond are of the process that ended
	// the games, null if it found them all played.
	PositionsPerSecond   float64 `parquet:"positions_per_second,optional" json:"positions_per_second,omitempty"`
	EvaluationsPerSecond float64 `parquet:"evaluations_per_second,optional" json:"evaluations_per_second,omitempty"`
	// CacheHits is the share of evaluations that a cache saved the network, by
	// the same process.
	CacheHits float64 `parquet:"cache_hits,optional" json:"cache_hits,omitempty"`
	// Surprise is the mean divergence of the policy targets from the network's
	// prior, in nats.
	Surprise float64 `parquet:"surprise,optional" json:"surprise,omitempty"`
	// PlayedOn counts the games that were played on though a player would have
	// resigned, WronglyResigned those of them that this player did not lose.
	PlayedOn        int64 `parquet:"played_on" json:"played_on,omitempty"`
	WronglyResigned int64 `parquet:"wrongly_resigned" json:"wrongly_resigned,omitempty"`
	// RepeatedGames counts the games that repeat an earlier one of the same games, from
	// first action to last and by the same rules.
	RepeatedGames int64 `parquet:"repeated_games" json:"repeated_games,omitempty"`
	// ValueBins are the reliability curve of the network's own value of the
	// recorded positions, in ten bins. ValueCalibration is its mean distance from
	// the diagonal, weighed by positions. ValueExplained is the share of the
	// outcomes' variance that the value explains, 1 - Var(outcome - value) /
	// Var(outcome): 1 is all, 0 nothing, and below 0 a constant would be nearer.
	// ValueSlope is the slope of the regression of outcome on value: 1 if the value is
	// calibrated, less if it is too sure of itself, more if it is too cautious,
	// below 0 if its sign is wrong; ValueSlopeError is its standard error, with
	// games as clusters. All of it in the acting player's view; 0 where value or
	// outcome does not vary.
	ValueBins        []ValueBin `parquet:"value_bins,list" json:"value_bins,omitempty"`
	ValueCalibration float64    `parquet:"value_calibration" json:"value_calibration,omitempty"`
	ValueExplained   float64    `parquet:"value_explained" json:"value_explained,omitempty"`
	ValueSlope       float64    `parquet:"value_slope" json:"value_slope,omitempty"`
	ValueSlopeError  float64    `parquet:"value_slope_error" json:"value_slope_error,omitempty"`
	// RootBins and the rest are the same of the value that the search came to.
	RootBins        []ValueBin `parquet:"root_bins,list" json:"root_bins,omitempty"`
	RootCalibration float64    `parquet:"root_calibration" json:"root_calibration,omitempty"`
	RootExplained   float64    `parquet:"root_explained" json:"root_explained,omitempty"`
	RootSlope       float64    `parquet:"root_slope" json:"root_slope,omitempty"`
	RootSlopeError  float64    `parquet:"root_slope_error" json:"root_slope_error,omitempty"`
	// GamesAgain counts the games that the generation before has learned
	// from, too; as in RepeatedGames they are the same from first action to last.
	GamesAgain int64 `parquet:"games_again" json:"games_again,omitempty"`
	// Simulations is the budget of a full search by generation Generation-1.
	Simulations int64 `parquet:"simulations" json:"simulations,omitempty"`
	// TaughtGames were played by the teacher, TaughtDraws of them drawn. They count in
	// the figures of games, not in those of searches and values.
	TaughtGames int64 `parquet:"taught_games" json:"taught_games,omitempty"`
	TaughtDraws int64 `parquet:"taught_draws" json:"taught_draws,omitempty"`

	// Steps were taken in this training, from WindowPositions positions. Losses,
	// norm and age are means over them, null if there were none.
	Steps           int64 `parquet:"steps" json:"steps,omitempty"`
	WindowPositions int64 `parquet:"window_positions" json:"window_positions,omitempty"`
	// PolicyLoss and ValueLoss are cross-entropies in nats; the floors are the
	// entropies of their targets, below which they cannot fall. TurnsLoss is the
	// Huber loss of the turns left, in units of model.TurnsUnit.
	PolicyLoss  float64 `parquet:"policy_loss,optional" json:"policy_loss,omitempty"`
	PolicyFloor float64 `parquet:"policy_floor,optional" json:"policy_floor,omitempty"`
	ValueLoss   float64 `parquet:"value_loss,optional" json:"value_loss,omitempty"`
	ValueFloor  float64 `parquet:"value_floor,optional" json:"value_floor,omitempty"`
	TurnsLoss   float64 `parquet:"turns_loss,optional" json:"turns_loss,omitempty"`
	// GradientNorm is the norm of the whole gradient before clipping, LearningRate
	// the rate after the last step.
	GradientNorm float64 `parquet:"gradient_norm,optional" json:"gradient_norm,omitempty"`
	LearningRate float64 `parquet:"learning_rate" json:"learning_rate,omitempty"`
	// MeanAge is how many generations before the newest network that played the
	// positions drawn were played.
	MeanAge float64 `parquet:"mean_age" json:"mean_age,omitempty"`
	// SamplesPerSecond is the speed of the training.
	SamplesPerSecond float64 `parquet:"samples_per_second,optional" json:"samples_per_second,omitempty"`
	// ReplyLoss and ReplyFloor are loss and floor of the opponent's reply, null if the
	// network has no head for it.
	ReplyLoss  float64 `parquet:"reply_loss,optional" json:"reply_loss,omitempty"`
	ReplyFloor float64 `parquet:"reply_floor,optional" json:"reply_floor,omitempty"`
	// Parameters counts the weights of the network, which may grow.
	Parameters int64 `parquet:"parameters" json:"parameters,omitempty"`
	// GradientNormMax is the largest norm of a step before clipping, ClippedSteps
	// how many steps had one above train.clip_norm and were cut down to it.
	GradientNormMax float64 `parquet:"gradient_norm_max,optional" json:"gradient_norm_max,omitempty"`
	ClippedSteps    int64   `parquet:"clipped_steps" json:"clipped_steps,omitempty"`

	// FrozenPositions is the size of the frozen set, which depends on game and rules
	// alone: 64 of random play and 64 of a small search's, or fewer in small games.
	// The network that was trained is asked about them and searched with 32
	// simulations of PUCT without noise; figures are means over positions, values
	// in the acting player's view.
	FrozenPositions int64 `parquet:"frozen_positions" json:"frozen_positions,omitempty"`
	// FrozenDivergence is how far the search's visits diverge from the network's prior, in
	// nats: what a search still adds. FrozenEntropy and FrozenSearchEntropy are of
	// prior and visits. FrozenValueGap is the distance of the root's value from
	// the network's own.
	FrozenDivergence    float64 `parquet:"frozen_divergence" json:"frozen_divergence,omitempty"`
	FrozenEntropy       float64 `parquet:"frozen_entropy" json:"frozen_entropy,omitempty"`
	FrozenSearchEntropy float64 `parquet:"frozen_search_entropy" json:"frozen_search_entropy,omitempty"`
	FrozenValueGap      float64 `parquet:"frozen_value_gap" json:"frozen_value_gap,omitempty"`
	// FrozenDrift is the divergence of the network's prior from that of the network
	// before it, in nats, FrozenValueDrift the distance of their values: 0 if
	// nothing was learned.
	FrozenDrift      float64 `parquet:"frozen_drift" json:"frozen_drift,omitempty"`
	FrozenValueDrift float64 `parquet:"frozen_value_drift" json:"frozen_value_drift,omitempty"`
	// FrozenSeconds is what these figures took, making the set included.
	FrozenSeconds float64 `parquet:"frozen_seconds" json:"frozen_seconds,omitempty"`

	// HeapBytes is the memory of the Go heap in use, ResidentBytes that of the
	// process as the system sees it, 0 where it does not say; Goroutines are
	// counted when the training is done.
	HeapBytes     int64 `parquet:"heap_bytes" json:"heap_bytes,omitempty"`
	ResidentBytes int64 `parquet:"resident_bytes" json:"resident_bytes,omitempty"`
	Goroutines    int64 `parquet:"goroutines" json:"goroutines,omitempty"`
}

// EndCount counts games with one reason of their end.
type EndCount struct {
	Reason string `parquet:"reason" json:"reason"`
	Games  int64  `parquet:"games" json:"games"`
}

// Repeatable returns m without what depends on clock, machine and process: what
// is left is the same whenever the run is done again.
func (m Metrics) Repeatable() Metrics {
	m.LearnedSeconds, m.CoreSeconds = 0, 0
	m.PositionsPerSecond, m.EvaluationsPerSecond, m.SamplesPerSecond, m.CacheHits = 0, 0, 0, 0
	m.HeapBytes, m.ResidentBytes, m.Goroutines = 0, 0, 0
	m.FrozenSeconds = 0
	return m
}

// SetRates takes over from the last event of the games what depends on how they
// were played.
func (m *Metrics) SetRates(e *SelfPlayEvent) {
	m.PositionsPerSecond, m.EvaluationsPerSecond, m.CacheHits = e.PositionsPerSecond, e.EvaluationsPerSecond, e.CacheHits
}

// ValueBin is a point of a reliability curve: what became of the positions whose
// value lies in [-1 + 0.2·i, -1 + 0.2·(i+1)), i being its place among ten; the
// last bin has 1 as well. Values and outcomes are in the acting player's view.
type ValueBin struct {
	// Positions of that many Games lie in the bin. Without any, the rest is 0.
	Positions int64 `parquet:"positions" json:"positions"`
	Games     int64 `parquet:"games" json:"games"`
	// Predicted is their mean value, Outcome their mean outcome: equal if the
	// values are calibrated.
	Predicted float64 `parquet:"predicted" json:"predicted"`
	Outcome   float64 `parquet:"outcome" json:"outcome"`
	// Error is the standard error of Outcome - Predicted. The positions of a game
	// share its result and count as one cluster (Liang and Zeger 1986); with a
	// single game it is 1, as good as unknown.
	Error float64 `parquet:"error" json:"error"`
}
