package plan

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/selfplay"
)

// Config is everything that a training run depends on.
type Config struct {
	// Game and Rules name the game and its ruleset: that of the evaluation, and
	// of all games of self-play unless RulesMix has any.
	Game  string `mapstructure:"game"`
	Rules string `mapstructure:"rules"`
	// RulesMix are the rulesets of self-play; each game draws one of them.
	RulesMix []RulesWeight `mapstructure:"rules_mix"`
	// Seed is the root of every random number of the run.
	Seed uint64 `mapstructure:"seed"`
	// Budget is the time to learn, over all processes that work on the run,
	// CoreBudget what processors may spend on that (see State.CoreTime), whatever
	// else the machine does, and Generations the number of networks to train. The
	// run ends with whichever comes first; zero is no limit, but one of them is
	// needed.
	Budget      time.Duration `mapstructure:"budget"`
	CoreBudget  time.Duration `mapstructure:"core_budget"`
	Generations int           `mapstructure:"generations"`
	// Mode is ModeAlternating or ModeConcurrent. The latter plays and trains at
	// the same time, which uses the cores better, but no two runs are the same.
	Mode string `mapstructure:"mode"`
	// Lag is 0 or, in the alternating mode, 1: then the games of a generation are played
	// by the network before its own, while that is trained. Which network plays a game
	// still follows from its number alone. See Plays.
	Lag int `mapstructure:"lag"`
	// GamesPerGeneration are played before the next network is trained, with
	// each network in the alternating mode, GamesPerShard of them go into one
	// file.
	GamesPerGeneration int `mapstructure:"games_per_generation"`
	GamesPerShard      int `mapstructure:"games_per_shard"`
	// PassesPerPosition is how often, on average, a new position is trained on
	// in the generation it is new in; draws are from the whole window.
	PassesPerPosition float64 `mapstructure:"passes_per_position"`
	// FullPassesAt is how many positions must have been seen for new ones to be
	// trained on PassesPerPosition times; before, it is that times the share of
	// them that was. It keeps a trained network from learning a small window by
	// heart, as a fork with a fresh one begins with. 0: all passes at once.
	FullPassesAt int64 `mapstructure:"full_passes_at"`
	// Workers is the number of self-play goroutines and of the trainer's
	// threads. Zero is one for each core. It changes speed, no result.
	Workers int `mapstructure:"workers"`

	// Model is the network of the run, up to the first entry of Growth, each of
	// which changes it from a generation on. Generations ascend.
	Model    model.Config    `mapstructure:"model"`
	Growth   []Growth        `mapstructure:"growth"`
	SelfPlay selfplay.Config `mapstructure:"self_play"`
	Train    TrainConfig     `mapstructure:"train"`
	Window   WindowConfig    `mapstructure:"window"`
	// PlayCPuct is the exploration constant of players with networks of this run,
	// which their cards name: in matches, the run's own among them, in play and in
	// analysis. What suits a player differs from what suits self-play, where
	// exploration finds what is to be learned. Zero: the default of all players.
	PlayCPuct float64 `mapstructure:"play_cpuct"`
	// PlaySearch is their method, one of model.Searches. Empty: the default of all
	// players.
	PlaySearch string `mapstructure:"play_search"`
	// Retention says which checkpoints are kept; it changes no result.
	Retention Retention `mapstructure:"retention"`
}

// Values of Config.Mode.
const (
	// ModeAlternating plays the games of a generation and then trains on them.
	ModeAlternating = "alternating"
	// ModeConcurrent does both at once and shares the cores between them.
	ModeConcurrent = "concurrent"
)

// DefaultConfig trains a game until it is stopped: the caller says which, by which rules.
func DefaultConfig() Config {
	return Config{
		Seed:               1,
		Mode:               ModeAlternating,
		GamesPerGeneration: 128,
		GamesPerShard:      16,
		PassesPerPosition:  4,
		Model:              model.DefaultConfig(),
		SelfPlay:           selfplay.DefaultConfig(),
		Train:              DefaultTrainConfig(),
		Window:             DefaultWindowConfig(),
	}
}

// Validate joins every problem of c, each with its key, value and rule. games are
// those that the program knows.
func (c *Config) Validate(games engine.Families) error {
	var errs problems.List
	if f, err := games.ByName(c.Game); err != nil {
		errs.Add("game: %w", err)
	} else {
		g, err := f.Parse(c.Rules)
		if err != nil {
			errs.Add("rules: %w", err)
		} else {
			errs.Want(c.Train.MarginShare == 0 || engine.HasMargin(g), "train.margin_share: %g: want 0 in %s, whose results have no margin", c.Train.MarginShare, c.Game)
		}
		_, err = newMix(f, c.RulesMix)
		errs = append(errs, err)
	}
	errs.Want(c.Budget >= 0, "budget: %v: want at least 0", c.Budget)
	errs.Want(c.CoreBudget >= 0, "core_budget: %v: want at least 0", c.CoreBudget)
	errs.Want(c.Generations >= 0, "generations: %d: want at least 0", c.Generations)
	errs.Want(c.Budget != 0 || c.CoreBudget != 0 || c.Generations != 0, "budget, core_budget and generations are all 0: the run would never end")
	errs.Want(c.Mode == ModeAlternating || c.Mode == ModeConcurrent, "mode: %q: want %s or %s", c.Mode, ModeAlternating, ModeConcurrent)
	errs.Want(c.Lag == 0 || c.Lag == 1 && c.Mode == ModeAlternating, "lag: %d with mode %s: want 0, or 1 with %s; in the other mode games have no network of their own", c.Lag, c.Mode, ModeAlternating)
	errs.Want(c.GamesPerGeneration >= 1 && c.GamesPerGeneration <= 1e9, "games_per_generation: %d: want 1 to 1000000000", c.GamesPerGeneration)
	errs.Want(c.GamesPerShard >= 1, "games_per_shard: %d: want at least 1", c.GamesPerShard)
	errs.Want(c.PassesPerPosition > 0 && c.PassesPerPosition <= 1000, "passes_per_position: %g: want above 0, at most 1000", c.PassesPerPosition)
	errs.Want(c.FullPassesAt >= 0, "full_passes_at: %d: want at least 0", c.FullPassesAt)
	errs.Want(c.PlayCPuct >= 0 && c.PlayCPuct <= model.MaxCPuct, "play_cpuct: %g: want 0 to %d", c.PlayCPuct, model.MaxCPuct)
	errs.Want(c.PlaySearch == "" || slices.Contains(model.Searches, c.PlaySearch), "play_search: %q: want nothing or one of %s", c.PlaySearch, strings.Join(model.Searches, ", "))
	errs.Want(c.Workers >= 0 && c.Workers <= 1024, "workers: %d: want 0 to 1024", c.Workers)
	errs.In("model", c.Model.Validate())
	errs = append(errs, c.checkGrowth())
	errs.In("self_play", c.SelfPlay.Validate())
	errs.In("train", c.Train.Validate())
	m := c.SelfPlay.Search.Tuning.MovesLeft
	errs.Want(m == 0 || c.Train.TurnsLoss > 0, "self_play.search.moves_left: %g with train.turns_loss: 0: want 0, or a network that learns to tell the turns left", m)
	errs.In("window", c.Window.Validate())
	errs.In("retention", c.Retention.Validate())
	return errs.Err()
}

// Rules are what the games of a run are played by.
type Rules struct {
	Family *engine.Family
	// Game has the rules of the evaluation.
	Game engine.Game
	// Mix has those of self-play; nil: all games are by Game's rules.
	Mix *selfplay.Mix
}

// NewRules builds what c names, of games.
func (c *Config) NewRules(games engine.Families) (*Rules, error) {
	f, err := games.ByName(c.Game)
	if err != nil {
		return nil, err
	}
	g, err := f.Parse(c.Rules)
	if err != nil {
		return nil, err
	}
	mix, err := newMix(f, c.RulesMix)
	return &Rules{Family: f, Game: g, Mix: mix}, err
}

// ValidateNew reports what makes no sense in a new run, though runs of earlier programs may have
// it: that of SelfPlay and Train.
func (c *Config) ValidateNew() error {
	var errs problems.List
	errs.In("self_play", c.SelfPlay.ValidateNew())
	return errors.Join(c.Train.ValidateNew(), errs.Err())
}

// WorkerCount is Workers, or the number of cores where that is zero.
func (c *Config) WorkerCount() int {
	if c.Workers > 0 {
		return c.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Retention says which checkpoints a run keeps. Nothing of a checkpoint goes
// before a newer one and the metrics are safe.
type Retention struct {
	// Checkpoints is how many of the newest are kept whole, so that the run could
	// go on from each. 0: all are, for good.
	Checkpoints int `mapstructure:"checkpoints"`
	// Every is of which older generations the network is kept, with its card and
	// state: the multiples of it. 0: of none. The untrained network stays in any
	// case, since the rating plays it, and so does what Rater keeps.
	Every int `mapstructure:"every"`
}

// Validate joins every problem of c, each with its key, value and rule.
func (c Retention) Validate() error {
	var errs problems.List
	errs.If(c.Checkpoints < 0, "checkpoints: %d: want at least 0", c.Checkpoints)
	errs.If(c.Every < 0, "every: %d: want at least 0", c.Every)
	errs.If(c.Every > 0 && c.Checkpoints == 0, "every: %d: want 0 if checkpoints is 0: then all are kept", c.Every)
	return errs.Err()
}

// Keeping is how much of a checkpoint is kept.
type Keeping int

// What is kept: the whole checkpoint, its network alone, or nothing.
const (
	KeepAll Keeping = iota
	KeepNetwork
	KeepNothing
)

// Of says how much of a generation's checkpoint is kept if last is the newest.
func (c Retention) Of(generation, last int) Keeping {
	switch {
	case c.Checkpoints == 0 || generation > last-c.Checkpoints:
		return KeepAll
	case generation == 0 || c.Every > 0 && generation%c.Every == 0:
		return KeepNetwork
	}
	return KeepNothing
}
