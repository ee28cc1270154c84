package lab

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// Config says how much is played.
type Config struct {
	// Games is how many games each player plays with itself under each ruleset. Even.
	Games int `json:"games"`
	// Judged is how many of the first of them the judge sees; 0: none.
	Judged int `json:"judged"`
	// DepthPairs is how many pairs of games each step of effort plays against the next under
	// each ruleset, Doublings the number of steps.
	DepthPairs int `json:"depth_pairs"`
	Doublings  int `json:"doublings"`
	// Sampled, Temperature and Slips are how games vary; see player.Sampling.
	Sampled     int     `json:"sampled"`
	Temperature float64 `json:"temperature"`
	Slips       float64 `json:"slips"`
	// MaxTurns ends a game as a draw; 0 is no limit.
	MaxTurns int    `json:"max_turns"`
	Seed     uint64 `json:"seed"`
}

// DefaultConfig tells shares of games to about ±4 points at each strength.
func DefaultConfig() Config {
	return Config{Games: 600, Judged: 100, DepthPairs: 100, Doublings: 5, Sampled: 8, Temperature: 1, Slips: 0.05, MaxTurns: 2000, Seed: 1}
}

// maxGames keeps a schedule in the memory of one machine.
const maxGames = 1_000_000

// Validate reports every impossible value.
func (c *Config) Validate() error {
	var errs problems.List
	errs.Want(c.Games >= 2 && c.Games <= maxGames && c.Games%2 == 0, "--games %d: want an even number from 2 to %d", c.Games, maxGames)
	errs.Want(c.Judged >= 0, "--judged %d: want 0 or more", c.Judged)
	errs.Want(c.DepthPairs >= 0 && c.DepthPairs <= maxGames, "--depth-pairs %d: want 0 to %d", c.DepthPairs, maxGames)
	errs.Want(c.Doublings >= 1 && c.Doublings <= maxDoublings, "--doublings %d: want 1 to %d", c.Doublings, maxDoublings)
	errs.Want(c.MaxTurns >= 0, "--max-turns %d: want 0 or more", c.MaxTurns)
	if err := c.sampling().Validate(); err != nil {
		errs = append(errs, err)
	}
	return errs.Err()
}

func (c *Config) sampling() player.Sampling {
	return player.Sampling{Decisions: c.Sampled, Temperature: c.Temperature, Slips: c.Slips}
}

// Until are the sizes at the end of a round, counted from 1.
func (c Config) Until(round, rounds int) Config {
	c.Games = 2 * match.Share(c.Games/2, round, rounds)
	c.Judged = match.Share(c.Judged, round, rounds)
	c.DepthPairs = match.Share(c.DepthPairs, round, rounds)
	return c
}

// Series is the schedule of the games that spec plays with itself by the rules of g, from
// the start. It depends on nothing else.
func (c *Config) Series(g engine.Game, spec *player.Spec) (*match.Series, error) {
	one, err := spec.Sampled(g, c.sampling())
	if err != nil {
		return nil, fmt.Errorf("rules %s: %w", g.Rules(), err)
	}
	s := &match.Series{
		Game: g, MaxTurns: c.MaxTurns, Seed: seed.Number(c.Seed, "lab "+g.Rules(), 0),
		Contestants: []match.Contestant{one, one}, // a series has nobody play itself
		Openings:    &match.Openings{Source: "the start", List: []match.Opening{{}}},
	}
	for range c.Games / 2 {
		s.Schedule = append(s.Schedule, match.Pair{A: 0, B: 1})
	}
	return s, nil
}
