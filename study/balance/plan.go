package balance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study"
)

// Config says how much each player plays of each variant.
type Config struct {
	// Games is how many games each player plays of each variant at each temperature, at
	// least: the same even number from each of its starts. Even.
	Games int `json:"games"`
	// Sampled and Temperatures are how games vary; see player.Sampling.
	Sampled      int       `json:"sampled"`
	Temperatures []float64 `json:"temperatures"`
	// Matters is the smallest difference between two variants' |δ| that matters, in
	// points a game. It changes no game, and is said before any.
	Matters float64 `json:"matters"`
	// MaxTurns ends a game as a draw; 0 is no limit.
	MaxTurns int    `json:"max_turns"`
	Seed     uint64 `json:"seed"`
}

// DefaultConfig has an interval of about ±7 points for a variant with one start and one
// network, at both temperatures together.
func DefaultConfig() Config {
	return Config{Games: 100, Sampled: 8, Temperatures: []float64{0.5, 1}, Matters: 0.02, MaxTurns: 2000, Seed: 1}
}

// maxGames keeps a schedule in the memory of one machine.
const maxGames = 1_000_000

// Validate reports every impossible value.
func (c *Config) Validate() error {
	var errs problems.List
	errs.Want(c.Games >= 2 && c.Games <= maxGames && c.Games%2 == 0, "games=%d: want an even number from 2 to %d", c.Games, maxGames)
	errs.Want(c.Matters >= 0 && c.Matters < 0.5, "matters=%g: want 0 up to less than 0.5 points a game", c.Matters)
	errs.Want(c.MaxTurns >= 0, "max_turns=%d: want 0 or more", c.MaxTurns)
	errs.Want(len(c.Temperatures) > 0, "temperatures: want at least one")
	for i, t := range c.Temperatures {
		if err := (player.Sampling{Decisions: c.Sampled, Temperature: t}).Validate(); err != nil {
			errs = append(errs, err)
		}
		errs.Want(!slices.Contains(c.Temperatures[:i], t), "temperature %g: it is there twice", t)
	}
	return errs.Err()
}

// Variant is one of the rulesets that are compared.
type Variant struct {
	// Name is what distinguishes it, "balance=pie" or "balance=pie,cross_stay=2";
	// Short is the values alone.
	Name, Short string
	Game        engine.Game
	// Dice says that chance decides, too: the two games of a pair have the same dice, and
	// are not independent.
	Dice   bool
	Starts *Starts
}

// label names the group that p belongs to: networks of equal simulations, or itself.
func label(p *study.Participant) string {
	if p.Network == "" {
		return p.Spec.Text
	}
	return fmt.Sprintf("networks, sims=%d", p.Simulations)
}

// Cell says what a pair of games of a variant's series is: who plays it how from where.
// The contestants of a series are two of each temperature, since a series has none play
// itself.
type Cell struct {
	Player, Temperature, Start int // indices
}

// Series is the schedule of the games that the player of this index has with itself
// in a variant, and what its pairs are. It depends on no other variant and player.
// Each pass plays a pair from every start at every temperature.
func (c *Config) Series(v *Variant, players []study.Participant, index int) (*match.Series, []Cell, error) {
	s := &match.Series{
		Game: v.Game, MaxTurns: c.MaxTurns,
		Seed:     seed.Number(c.Seed, "balance "+v.Game.Rules(), 0),
		Openings: &match.Openings{Source: "every way to settle the start"},
	}
	for i := range v.Starts.List {
		s.Openings.List = append(s.Openings.List, v.Starts.List[i].opening)
	}
	for _, t := range c.Temperatures {
		one, err := players[index].Spec.Sampled(v.Game, player.Sampling{Decisions: c.Sampled, Temperature: t})
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", v.Name, err)
		}
		s.Contestants = append(s.Contestants, one, one)
	}
	var cells []Cell
	for range c.passes(v) {
		for start := range v.Starts.List {
			for t := range c.Temperatures {
				s.Schedule = append(s.Schedule, match.Pair{A: 2 * t, B: 2*t + 1, Opening: start})
				cells = append(cells, Cell{index, t, start})
			}
		}
	}
	return s, cells, nil
}

// passes is how many pairs there are of each start at each temperature.
func (c *Config) passes(v *Variant) int {
	starts := len(v.Starts.List)
	return (c.Games/2 + starts - 1) / starts
}

// Until are the sizes at the end of a round, counted from 1.
func (c Config) Until(round, rounds int) Config {
	c.Games = 2 * match.Share(c.Games/2, round, rounds)
	return c
}

// Total is how many games a participant plays of a variant.
func (c *Config) Total(v *Variant) int { return c.ofStart(v) * len(v.Starts.List) }

// ofStart is how many of them begin at each start.
func (c *Config) ofStart(v *Variant) int { return 2 * c.passes(v) * len(c.Temperatures) }

// Variants are the rulesets of a family in which options take lists of values, in
// every combination: rules is the word for what is the same, vary has
// "option=value,value" words. Without any there is the one ruleset.
func Variants(f *engine.Family, rules string, vary []string) ([]Variant, error) {
	parts := []string{}
	if rules != "" {
		parts = append(parts, rules)
	}
	var names []string
	for _, word := range vary {
		name, values, ok := strings.Cut(word, "=")
		if !ok || values == "" {
			return nil, fmt.Errorf("%q: want OPTION=VALUE with | between alternatives of the value, such as %s=pie|single", word, engine.BalanceOption)
		}
		names = append(names, name)
		parts = append(parts, name+"="+strings.ReplaceAll(values, ",", "|"))
	}
	all, err := f.Expand(strings.Join(parts, ","), maxVariants)
	if err != nil {
		return nil, err
	}
	var list []Variant
	for _, g := range all {
		settings, err := settingsOf(f, g)
		if err != nil {
			return nil, err
		}
		v := Variant{Name: g.Rules(), Short: g.Rules(), Game: g, Dice: g.Info().NumChance > 0}
		if v.Starts, err = FindStarts(g); err != nil {
			return nil, err
		}
		if len(names) > 0 {
			var words, short []string
			for _, n := range names {
				words = append(words, n+"="+settings.Values[n])
				short = append(short, settings.Values[n])
			}
			v.Name, v.Short = strings.Join(words, ","), strings.Join(short, ", ")
		}
		if slices.ContainsFunc(list, func(other Variant) bool { return other.Name == v.Name }) {
			return nil, fmt.Errorf("two variants are %s: want only varied options to differ", v.Name)
		}
		list = append(list, v)
	}
	return list, nil
}

// maxVariants is more than anyone can make sense of.
const maxVariants = 64

func settingsOf(f *engine.Family, g engine.Game) (engine.Settings, error) {
	preset, options := "", strings.Split(g.Rules(), ",")
	if !strings.Contains(options[0], "=") {
		preset, options = options[0], options[1:]
	}
	return f.Settings(preset, options)
}
