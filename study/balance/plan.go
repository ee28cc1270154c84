package balance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/opening"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study"
)

// Config says how much each player plays of each variant.
type Config struct {
	// Games is how many games each player plays from the start, of each variant and
	// at each temperature; even.
	Games int `json:"games"`
	// Forced is how many it plays after each first decision, those that are images
	// of each other under a symmetry counting once; even, 0 for none.
	Forced int `json:"forced"`
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

// DefaultConfig has intervals of about ±7 points for each variant and one network,
// at both temperatures together.
func DefaultConfig() Config {
	return Config{Games: 100, Forced: 2, Sampled: 8, Temperatures: []float64{0.5, 1}, Matters: 0.02, MaxTurns: 2000, Seed: 1}
}

// maxGames keeps a schedule in the memory of one machine.
const maxGames = 1_000_000

// Validate reports every impossible value.
func (c *Config) Validate() error {
	var errs []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	check(c.Games >= 2 && c.Games <= maxGames && c.Games%2 == 0, "games=%d: want an even number from 2 to %d", c.Games, maxGames)
	check(c.Forced >= 0 && c.Forced <= maxGames && c.Forced%2 == 0, "forced=%d: want 0 or an even number", c.Forced)
	check(c.Matters >= 0 && c.Matters < 0.5, "matters=%g: want 0 up to less than 0.5 points a game", c.Matters)
	check(c.MaxTurns >= 0, "max_turns=%d: want 0 or more", c.MaxTurns)
	check(len(c.Temperatures) > 0, "temperatures: want at least one")
	for i, t := range c.Temperatures {
		if err := (player.Sampling{Decisions: c.Sampled, Temperature: t}).Validate(); err != nil {
			errs = append(errs, err)
		}
		check(!slices.Contains(c.Temperatures[:i], t), "temperature %g: it is there twice", t)
	}
	return errors.Join(errs...)
}

// Variant is one of the rulesets that are compared.
type Variant struct {
	// Name is what distinguishes it, "balance=pie" or "balance=pie,cross_stay=2";
	// Short is the values alone.
	Name, Short string
	Game        engine.Game
}

// label names the group that p belongs to: networks of equal simulations, or itself.
func label(p *study.Participant) string {
	if p.Network == "" {
		return p.Spec.Text
	}
	return fmt.Sprintf("networks, sims=%d", p.Simulations)
}

// FirstMove is a first decision of the game, for all that are images of it under the
// symmetries of the start.
type FirstMove struct {
	// Word writes the image with the smallest number, Images all of them.
	Word   string
	Images []string

	action engine.Action
}

// FirstMoves lists the first decisions in the order of their numbers; none if chance
// begins.
func FirstMoves(g engine.Game) []FirstMove {
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	if s.Actor() == engine.Chance {
		return nil
	}
	mask := s.SymmetryMask()
	var list []FirstMove
	for _, a := range s.Legal(nil, h) {
		least := a
		for i := range g.Info().Symmetries {
			if mask>>i&1 != 0 {
				least = min(least, g.Info().Symmetries[i].Action(a))
			}
		}
		word := string(s.AppendAction(nil, a))
		if at := slices.IndexFunc(list, func(m FirstMove) bool { return m.action == least }); at >= 0 {
			list[at].Images = append(list[at].Images, word)
			continue
		}
		list = append(list, FirstMove{Word: word, Images: []string{word}, action: least})
	}
	return list
}

// Cell says what a pair of games of a variant's series is: who plays it how. The
// contestants of a series are two of each temperature, since a series has none play
// itself.
type Cell struct {
	Player, Temperature int // indices
	// Forced is the number of the first move that is forced, from 1; 0: none.
	Forced int
}

// Series is the schedule of the games that the player of this index has with itself
// in a variant, and what its pairs are. It depends on no other variant and player.
// Games from the start come before forced ones.
func (c *Config) Series(v *Variant, players []study.Participant, index int) (*match.Series, []Cell, error) {
	s := &match.Series{
		Game: v.Game, MaxTurns: c.MaxTurns,
		Seed:     seed.Number(c.Seed, "balance "+v.Game.Rules(), 0),
		Openings: &match.Openings{Source: "the start, then each first decision", List: []match.Opening{{}}},
	}
	for _, t := range c.Temperatures {
		one, err := players[index].Spec.Sampled(v.Game, player.Sampling{Decisions: c.Sampled, Temperature: t})
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", v.Name, err)
		}
		s.Contestants = append(s.Contestants, one, one)
	}
	var cells []Cell
	add := func(pairs, forced int) {
		for range pairs {
			for t := range c.Temperatures {
				s.Schedule = append(s.Schedule, match.Pair{A: 2 * t, B: 2*t + 1, Opening: forced})
				cells = append(cells, Cell{index, t, forced})
			}
		}
	}
	add(c.Games/2, 0)
	if c.Forced == 0 {
		return s, cells, nil
	}
	after := v.Game.NewState()
	for i, m := range FirstMoves(v.Game) {
		after.Start(nil)
		after.Apply(m.action, nil)
		s.Openings.List = append(s.Openings.List, opening.Opening{Actions: []engine.Action{m.action}, Turn: after.Turn()})
		add(c.Forced/2, i+1)
	}
	return s, cells, nil
}

// Until are the sizes at the end of a round, counted from 1: as many games from the start
// in all variants and at all temperatures. Forced games come in the last round.
func (c Config) Until(round, rounds int) Config {
	c.Games = 2 * match.Share(c.Games/2, round, rounds)
	if round < rounds {
		c.Forced = 0
	}
	return c
}

// Total is how many games a participant plays of a variant.
func (c *Config) Total(g engine.Game) int {
	return len(c.Temperatures) * (c.Games + c.Forced*len(FirstMoves(g)))
}

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
			return nil, fmt.Errorf("vary %q: want OPTION=VALUE,VALUE", word)
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
		v := Variant{Name: g.Rules(), Short: g.Rules(), Game: g}
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

// settingsOf are the options of g.
func settingsOf(f *engine.Family, g engine.Game) (engine.Settings, error) {
	preset, options := "", strings.Split(g.Rules(), ",")
	if !strings.Contains(options[0], "=") {
		preset, options = options[0], options[1:]
	}
	return f.Settings(preset, options)
}

// DoubleMoves lists the pairs of variants, as indices, that differ only in whether
// the second player begins with two moves: without it, with it. Only the values of
// Kon'reh's option "balance" count. With the pie rule either player may come to own the
// side that has the double move.
func DoubleMoves(f *engine.Family, variants []Variant) ([][2]int, error) {
	const option, without, with = "balance", "single", "double-move"
	rest := make([]string, len(variants)) // the ruleset but for the option
	words := make([]string, len(variants))
	for i := range variants {
		s, err := settingsOf(f, variants[i].Game)
		if err != nil {
			return nil, err
		}
		words[i] = s.Values[option]
		delete(s.Values, option)
		rest[i] = fmt.Sprint(s.Values) // in the order of names
	}
	var list [][2]int
	for i := range variants {
		for k := range variants {
			if words[i] == without && words[k] == with && rest[i] == rest[k] {
				list = append(list, [2]int{i, k})
			}
		}
	}
	return list, nil
}
