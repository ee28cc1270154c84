package schools

import (
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study"
)

// Config says how much is played.
type Config struct {
	// Rounds is how many pairs of games every two schools play in the round robin;
	// 0: that part is left out.
	Rounds int `json:"rounds"`
	// Pairs is how many each plays against the control at weight 1, OtherPairs how many
	// at each other weight, of the same openings; at most Pairs.
	Pairs      int `json:"pairs"`
	OtherPairs int `json:"other_pairs"`
	// NetworkPairs is how many each plays against each network at each strength; 0:
	// that part is left out.
	NetworkPairs int `json:"network_pairs"`
	// Weights multiply the doctrine; 1, which the table speaks of, is among them.
	Weights []float64 `json:"weights"`
	// OpeningTurns is how many player turns are drawn at random before the players
	// take over; even, so that the game's own first side begins.
	OpeningTurns int `json:"opening_turns"`
	// MaxTurns ends a game as a draw; 0 is no limit.
	MaxTurns int    `json:"max_turns"`
	Seed     uint64 `json:"seed"`
}

// DefaultConfig has 200 games of each school for its fingerprint.
func DefaultConfig() Config {
	return Config{Rounds: 20, Pairs: 100, OtherPairs: 50, NetworkPairs: 10, Weights: []float64{0.5, 1, 2}, OpeningTurns: 4, MaxTurns: 600, Seed: 1}
}

const (
	maxPairs    = 100_000
	maxWeights  = 8
	maxOpenings = 100 // turns
	maxWeight   = 4   // of a doctrine
)

// Validate reports every impossible value.
func (c *Config) Validate() error {
	var errs problems.List
	errs.Want(c.Rounds >= 0 && c.Rounds <= maxPairs, "rounds=%d: want 0 to %d", c.Rounds, maxPairs)
	errs.Want(c.Pairs >= 2 && c.Pairs <= maxPairs, "pairs=%d: want 2 to %d", c.Pairs, maxPairs)
	errs.Want(c.OtherPairs >= 1 && c.OtherPairs <= c.Pairs, "other_pairs=%d: want 1 to pairs=%d", c.OtherPairs, c.Pairs)
	errs.Want(c.NetworkPairs >= 0 && c.NetworkPairs <= maxPairs, "network_pairs=%d: want 0 to %d", c.NetworkPairs, maxPairs)
	errs.Want(c.OpeningTurns >= 2 && c.OpeningTurns <= maxOpenings && c.OpeningTurns%2 == 0, "opening_turns=%d: want an even number from 2 to %d", c.OpeningTurns, maxOpenings)
	errs.Want(c.MaxTurns == 0 || c.MaxTurns > c.OpeningTurns, "max_turns=%d: want 0 or more than opening_turns", c.MaxTurns)
	errs.Want(slices.Contains(c.Weights, 1), "weights: want 1 among them, of which the table speaks")
	errs.Want(len(c.Weights) <= maxWeights, "weights: want at most %d", maxWeights)
	for i, w := range c.Weights {
		errs.Want(w > 0 && w <= maxWeight, "weight %g: want more than 0 and at most %d", w, maxWeight)
		errs.Want(!slices.Contains(c.Weights[:i], w), "weight %g: it is there twice", w)
	}
	return errs.Err()
}

// Until are the sizes at the end of a round, counted from 1.
func (c Config) Until(round, rounds int) Config {
	c.Rounds, c.NetworkPairs = match.Share(c.Rounds, round, rounds), match.Share(c.NetworkPairs, round, rounds)
	c.Pairs = max(2, match.Share(c.Pairs, round, rounds)) // that a figure has an error
	c.OtherPairs = min(c.OtherPairs, c.Pairs)
	return c
}

// School is a school that takes part.
type School struct {
	// Name is for people, Word how it is asked for. ID names a shipped school, for
	// which differences are declared; it is empty for a user's own.
	Name, Word, ID string
	// Specs are the players, by Config.Weights.
	Specs []*player.Spec
}

// Field is who takes part. Schools may be compared without networks.
type Field struct {
	Control *player.Spec
	Schools []School
	// Strengths are networks at their numbers of simulations.
	Strengths []study.Participant
}

func (c *Config) one() int { return slices.Index(c.Weights, 1) }

// Part is one of the series.
type Part struct {
	// Name is also the name of its folder.
	Name    string
	Series  *match.Series
	Players []*player.Spec // the contestants
	rounds  int
}

// Names of the parts.
const (
	RoundRobin = "round-robin"
	Doctrines  = "doctrines"
	Networks   = "networks"
)

// SeedOf is the seed of a part, from which its openings are drawn, too.
func (c *Config) SeedOf(name string) uint64 { return seed.Number(c.Seed, "schools "+name, 0) }

// rounds is how many rounds a part has; 0 leaves it out.
func (c *Config) rounds(name string) int {
	return map[string]int{RoundRobin: c.Rounds, Doctrines: c.Pairs, Networks: c.NetworkPairs}[name]
}

// Part makes the series of a part. Every round has an opening of its own. In the round
// robin every two of the control, contestant 0, and the schools meet.
//
// Of the doctrines, the control, contestant 0, meets itself and each school at each
// weight: contestant 1 is the control again, which the others are compared with, and
// 2 + s·weights + w is school s at weight w.
//
// Of the networks, the control and each school meet each strength; contestant
// 1 + schools + k is strength k.
func (c *Config) Part(name string, g engine.Game, f *Field, openings *match.Openings) (*Part, error) {
	p := &Part{Name: name, rounds: c.rounds(name), Players: []*player.Spec{f.Control}, Series: &match.Series{
		Game: g, Openings: openings, MaxTurns: c.MaxTurns, Seed: c.SeedOf(name),
	}}
	if n := len(openings.List); n < p.rounds {
		return nil, fmt.Errorf("%s: only %d different openings of %d turns for %d rounds: want more opening turns or fewer rounds", name, n, c.OpeningTurns, p.rounds)
	}
	if name == Doctrines {
		p.Players = append(p.Players, f.Control)
	}
	for _, s := range f.Schools {
		if name == Doctrines {
			p.Players = append(p.Players, s.Specs...)
		} else {
			p.Players = append(p.Players, s.Specs[c.one()])
		}
	}
	schools := len(p.Players)
	if name == Networks {
		p.Players = append(p.Players, study.Specs(f.Strengths)...)
	}
	for _, s := range p.Players {
		p.Series.Contestants = append(p.Series.Contestants, s.Contestant(g))
	}
	for round := range p.rounds {
		for a := range schools {
			for b := a + 1; b < len(p.Players); b++ {
				other := b > 1 && (b-2)%len(c.Weights) != c.one() // of the doctrines: not at weight 1
				if name == Networks && b < schools || name == Doctrines && (a > 0 || other && round >= c.OtherPairs) {
					continue
				}
				p.Series.Schedule = append(p.Series.Schedule, match.Pair{A: a, B: b, Opening: round})
			}
		}
	}
	return p, nil
}

// Plan is the number of games of each part, 0 if it is left out.
type Plan struct{ RoundRobin, Doctrines, Networks int }

// Plan counts the games.
func (c *Config) Plan(f *Field) Plan {
	n := len(f.Schools)
	return Plan{
		RoundRobin: c.Rounds * n * (n + 1),
		Doctrines:  2*c.Pairs*(1+n) + 2*c.OtherPairs*n*(len(c.Weights)-1),
		Networks:   2 * c.NetworkPairs * (n + 1) * len(f.Strengths),
	}
}
