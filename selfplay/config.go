package selfplay

import (
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model/precision"
)

// Config holds the parameters of self-play.
type Config struct {
	// GamesInFlight is the number of games one worker plays at the same time
	// and so the largest batch its network sees.
	GamesInFlight int `mapstructure:"games_in_flight"`
	// Temperature is the exponent 1/tau on the visits a move is drawn with
	// during the first TemperatureTurns turns, FinalTemperature later. Zero
	// plays the most visited action.
	Temperature      float64 `mapstructure:"temperature"`
	TemperatureTurns int     `mapstructure:"temperature_turns"`
	FinalTemperature float64 `mapstructure:"final_temperature"`
	// FullShare is the share of decisions with a full search, drawn for each. The others
	// get FastSimulations without root noise; they advance the game and train the value,
	// but have no policy target (playout cap randomisation, Wu 2020). 1: all.
	FullShare       float64 `mapstructure:"full_share"`
	FastSimulations int     `mapstructure:"fast_simulations"`
	// FirstSimulations is the budget of a full search in generation 0. It grows by the
	// same factor each generation to Search.Simulations at generation GrowthGenerations;
	// see SimulationsAt. Zero: all generations have Search.Simulations.
	FirstSimulations  int `mapstructure:"first_simulations"`
	GrowthGenerations int `mapstructure:"growth_generations"`
	// CachePositions is the size of a worker's evaluation cache in positions, for each
	// network that it plays with. A position takes 32 bytes and 8 for each legal action,
	// up to 32. The cache affects speed, not results. Zero: no cache.
	CachePositions int `mapstructure:"cache_positions"`
	// Precision is the number format that networks play in, one of
	// precision.Names, or precision.Auto until a run is created. The caller
	// makes the networks of a Job accordingly.
	Precision string `mapstructure:"precision"`
	// FoldSymmetries makes the network evaluate each position in its canonical form, so
	// that a position and its images under the game's symmetries have the same
	// evaluation.
	FoldSymmetries bool `mapstructure:"fold_symmetries"`
	// Beginnings is where games begin.
	Beginnings BeginningsConfig `mapstructure:"beginnings"`
	// Teacher is another player that plays games of the first generations.
	Teacher TeacherConfig `mapstructure:"teacher"`
	// Resignation says when a player gives a game up.
	Resignation ResignationConfig `mapstructure:"resignation"`
	// Search is the search of a decision in full.
	Search mcts.Config `mapstructure:"search"`
}

// DefaultConfig is small enough for an ordinary CPU. AlphaZero used 800
// simulations and temperature 1 for 30 moves (Silver et al. 2018).
func DefaultConfig() Config {
	c := Config{GamesInFlight: 16, Temperature: 1, TemperatureTurns: 30, FinalTemperature: 0.25, FullShare: 1, FastSimulations: 16, GrowthGenerations: 20, CachePositions: 32768, Precision: precision.Default, Beginnings: defaultBeginnings(), Teacher: defaultTeacher(), Resignation: defaultResignation(), Search: mcts.DefaultConfig()}
	c.Search.Simulations = 64
	c.Search.NoiseFraction = 0.25
	return c
}

// maxTemperature makes draws nearly uniform.
const maxTemperature = 10

// maxGrowthGenerations is more than any run has.
const maxGrowthGenerations = 1_000_000

// maxCachePositions keeps a worker's cache below 5 GB.
const maxCachePositions = 1 << 24

// Validate joins every problem of c, each with its key, value and rule.
func (c *Config) Validate() error {
	var l problems.List
	problems.Range(&l, "games_in_flight", c.GamesInFlight, 1, 1024)
	l.If(c.TemperatureTurns < 0, "temperature_turns: %d: want at least 0", c.TemperatureTurns)
	problems.Range(&l, "temperature", c.Temperature, 0, maxTemperature)
	problems.Range(&l, "final_temperature", c.FinalTemperature, 0, maxTemperature)
	l.If(!(c.FullShare > 0 && c.FullShare <= 1), "full_share: %g: want above 0, at most 1", c.FullShare)
	m := c.Search.Tuning.MovesLeft
	l.If(m > 0 && c.Search.Search == mcts.SearchGumbel, "search.moves_left: %g with search.search: %s: want 0, or %s; the other has no use for it", m, mcts.SearchGumbel, mcts.SearchPUCT)
	l.If(c.FastSimulations < 1 || c.FastSimulations > c.Search.Simulations && c.FullShare < 1,
		"fast_simulations: %d: want 1 to search.simulations, %d", c.FastSimulations, c.Search.Simulations)
	least := c.fewestSimulations()
	l.If(c.FirstSimulations != 0 && (c.FirstSimulations < least || c.FirstSimulations > c.Search.Simulations),
		"first_simulations: %d: want %d to search.simulations, %d, or 0 for that from the beginning", c.FirstSimulations, least, c.Search.Simulations)
	problems.Range(&l, "growth_generations", c.GrowthGenerations, 1, maxGrowthGenerations)
	problems.Range(&l, "cache_positions", c.CachePositions, 0, maxCachePositions)
	_, err := precision.Parse(c.Precision)
	l.If(err != nil && c.Precision != precision.Auto, "%w or %s", err, precision.Auto)
	l.If(c.Search.PendingLeaves != 1, "search.pending_leaves: %d: want 1 in self-play, whose batches are joined over games", c.Search.PendingLeaves)
	l.In("beginnings", c.Beginnings.Validate())
	l.In("teacher", c.Teacher.Validate())
	l.In("resignation", c.Resignation.Validate())
	l.In("search", c.Search.Validate())
	return l.Err()
}

// ValidateNew reports policy targets that are the network's own policy. Runs of earlier programs
// may have them.
func (c *Config) ValidateNew() error {
	var l problems.List
	l.If(c.Search.Simulations == 1, "search.simulations: 1: want 2 or more, or targets are the network's own policy")
	l.If(c.Search.Target == mcts.TargetImproved && c.Search.GumbelCScale == 0, "search.gumbel_cscale: 0: want more than 0, or values are ignored")
	return l.Err()
}
