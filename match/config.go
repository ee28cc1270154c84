package match

import (
	"fmt"

	"github.com/ludozero/ludozero/internal/problems"
)

// Config says how a match is played. Keys in files are in snake case.
type Config struct {
	// Pairs is the number of openings; each is played twice.
	Pairs int `mapstructure:"pairs"`
	// OpeningTurns is how many player turns are played at random before the
	// players take over; 0 starts every game at the start position. Where the
	// rules balance the start (a double move, hold or swap), an opening is not
	// over before that is settled; see opening.Spec. Choose an even number past
	// it: then the side to move first is the same as in the game itself.
	OpeningTurns int `mapstructure:"opening_turns"`
	// MaxTurns ends a game as a draw, for rulesets that need not end; 0 is no
	// limit. Games that end so are counted under their own reason.
	MaxTurns int `mapstructure:"max_turns"`
	// Clock gives each player of a game a time to think, "5+3": five minutes and
	// three seconds a turn; see ParseTimeControl. Empty is no clock.
	Clock string `mapstructure:"clock"`
	// Workers is the number of games played at the same time; 0 is one for each
	// core: in a game one player thinks at a time. It changes no result, except
	// where players are limited by time and share the cores.
	Workers int `mapstructure:"workers"`
	// Seed determines openings, chance and all that players draw.
	Seed uint64 `mapstructure:"seed"`
}

// MaxPairs is how many pairs a series may have: intervals are down to ±0.2 Elo, and
// its schedule still fits the memory of one machine.
const MaxPairs = 10_000_000

// DefaultConfig is a match whose 95 % interval is about ±35 Elo between equal
// players that seldom draw.
func DefaultConfig() Config {
	return Config{Pairs: 200, OpeningTurns: 4, MaxTurns: 2000, Seed: 1}
}

// Validate reports every impossible value.
func (c *Config) Validate() error {
	var errs problems.List
	check := func(ok bool, key string, value int, rule string) {
		errs.If(!ok, "%s=%d: %s", key, value, rule)
	}
	check(c.Pairs >= 1 && c.Pairs <= MaxPairs, "pairs", c.Pairs, fmt.Sprintf("want 1 to %d", MaxPairs))
	check(c.OpeningTurns >= 0, "opening_turns", c.OpeningTurns, "want 0 or more")
	check(c.MaxTurns == 0 || c.MaxTurns > c.OpeningTurns, "max_turns", c.MaxTurns, "want 0 or more than opening_turns")
	check(c.Workers >= 0, "workers", c.Workers, "want 0 or more")
	if _, err := ParseTimeControl(c.Clock); err != nil {
		errs = append(errs, err)
	}
	return errs.Err()
}
