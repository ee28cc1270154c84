package ratings

import (
	"context"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/match"
)

// Config says how the networks of a run are measured: in matches against fixed
// opponents, when the run ends and while it goes on.
type Config struct {
	// Simulations is the network's budget for a move.
	Simulations int `mapstructure:"simulations"`
	// Opponents are players in one line each, see `ludozero match --help`.
	// Without any there is no rating.
	Opponents []string     `mapstructure:"opponents"`
	During    During       `mapstructure:"during"`
	Match     match.Config `mapstructure:"match"`
}

// During says how much is measured while a run goes on. It changes nothing of
// what is learned.
type During struct {
	// Share bounds the time for it by a share of the learning time, which it is no
	// part of: a rating begins if those before it took less. 0: there is none.
	Share float64 `mapstructure:"share"`
	// Ratings is how many there are at most, about, spread over the budgets or
	// the generations, up to MaxRatings. 0: only Share limits them.
	Ratings int `mapstructure:"ratings"`
	// Pairs are played against each opponent and against the network that was
	// measured before.
	Pairs int `mapstructure:"pairs"`
}

// MaxRatings is about how many there may be in any case. After each the Elo of the
// newest network is fitted, in time that grows with the square of their number, and
// in the report that of all, with its cube: ten seconds for this many.
const MaxRatings = 100

// Most is how many ratings there are at most, about.
func (d *During) Most() int {
	if d.Ratings == 0 {
		return MaxRatings
	}
	return d.Ratings
}

// DefaultDuring is a rating every twelve minutes in a night of ten hours.
func DefaultDuring() During { return During{Share: 0.05, Ratings: 50, Pairs: 8} }

// Validate joins every problem of d.
func (d *During) Validate() error {
	var errs problems.List
	errs.Want(d.Share >= 0 && d.Share <= 1, "share: %g: want 0 to 1", d.Share)
	errs.If(d.Ratings < 0 || d.Ratings > MaxRatings, "ratings: %d: want 0 to %d", d.Ratings, MaxRatings)
	errs.If(d.Pairs < 1 || d.Pairs > match.MaxPairs, "pairs: %d: want 1 to %d", d.Pairs, match.MaxPairs)
	return errs.Err()
}

// DefaultConfig has no opponents.
func DefaultConfig() Config {
	return Config{Simulations: 64, During: DefaultDuring(), Match: match.DefaultConfig()}
}

// Validate joins every problem of c.
func (c *Config) Validate() error {
	var errs problems.List
	errs.If(c.Simulations < 1, "simulations: %d: want at least 1", c.Simulations)
	errs.In("during", c.During.Validate())
	errs.In("match", c.Match.Validate())
	return errs.Err()
}

// Check finds out now what would fail in the matches of g, hours later. network says what
// is wrong with the budget of a network's moves, opponent with a player in the place of an
// opponent. Errors have the keys of run files.
func (c *Config) Check(g engine.Game, network func(simulations int) error, opponent func(text string) error) error {
	if len(c.Opponents) == 0 {
		return nil
	}
	var errs problems.List
	check := func(key string, err error) {
		errs.If(err != nil, "evaluation.%s: %w", key, err)
	}
	if c.Simulations > 0 {
		check("simulations", network(c.Simulations))
	}
	if c.Match.OpeningTurns > 0 {
		_, err := match.RandomOpenings(context.Background(), g, 1, c.Match.OpeningTurns, c.Match.Seed)
		check("match.opening_turns", err)
	}
	for _, text := range c.Opponents {
		check("opponents", opponent(text))
	}
	return problems.Join(errs)
}
