package ugi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// options are what setoption sets, besides the rules.
type options struct {
	// simulations and moveTime, in milliseconds, limit every search; 0: no limit.
	simulations, moveTime int
	temperature           float64 // 0: the best move
	multiPV               int
	seed                  uint64
	// limitStrength has the player play at rating, by its measured table.
	limitStrength bool
	rating        int // 0: the most that was measured
}

func defaultOptions() options { return options{multiPV: 1, seed: 1} }

// spins are the options that are whole numbers.
var spins = []struct {
	name                 string
	standard, least, max int
	set                  func(o *options, n int)
}{
	{"Simulations", 0, 0, 1_000_000, func(o *options, n int) { o.simulations = n }},
	{"MoveTime", 0, 0, 3_600_000, func(o *options, n int) { o.moveTime = n }},
	{"MultiPV", 1, 1, 100, func(o *options, n int) { o.multiPV = n }},
	{optionSeed, 1, 0, math.MaxInt32, func(o *options, n int) { o.seed = uint64(n) }},
}

const (
	optionRules       = "Rules"
	optionTemperature = "Temperature"
	optionLimit       = "LimitStrength"
	optionRating      = "Rating"
	optionSeed        = "Seed"
)

// describe are the lines that list the options of a player of g.
func describe(g engine.Game, p match.Player) []string {
	lines := []string{
		fmt.Sprintf("option name %s type string default %s", optionRules, g.Rules()),
		fmt.Sprintf("option name %s type string default 0", optionTemperature),
	}
	for _, s := range spins {
		lines = append(lines, fmt.Sprintf("option name %s type spin default %d min %d max %d", s.name, s.standard, s.least, s.max))
	}
	if r, err := ratingsOf(p); err == nil {
		least, most := r.Range()
		lines = append(lines, fmt.Sprintf("option name %s type check default false", optionLimit),
			fmt.Sprintf("option name %s type spin default %d min %d max %d", optionRating, most, least, most))
	}
	return lines
}

// ratingsOf is the table by which a player plays at a rating, and why it has none.
func ratingsOf(p match.Player) (*player.Ratings, error) {
	rated, ok := p.(player.Rated)
	if !ok {
		return nil, errors.New("no ratings were measured of this player")
	}
	return rated.Ratings()
}

// strength is how player p searches if it is to play at a rating; nil: as it does
// otherwise.
func (o *options) strength(p match.Player) (*player.Strength, error) {
	if !o.limitStrength {
		return nil, nil
	}
	r, err := ratingsOf(p)
	if err != nil {
		return nil, fmt.Errorf("%s is on: %w", optionLimit, err)
	}
	rating := o.rating
	if rating == 0 {
		_, rating = r.Range()
	}
	s, err := r.At(rating)
	return &s, err
}

// setStrength sets one of the two options of a rating. Nothing has changed if it
// fails.
func (s *server) setStrength(name, value string) error {
	next := s.options
	if name == optionLimit {
		if value != "true" && value != "false" {
			return fmt.Errorf("%s %q: want true or false", optionLimit, value)
		}
		next.limitStrength = value == "true"
		if _, err := next.strength(s.player); err != nil {
			return err
		}
		s.options = next
		return nil
	}
	r, err := ratingsOf(s.player)
	if err != nil {
		return fmt.Errorf("%s: %w", optionRating, err)
	}
	least, most := r.Range()
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most {
		return fmt.Errorf("%s %q: want a whole number from %d to %d", optionRating, value, least, most)
	}
	if s.options.rating = n; !s.options.limitStrength {
		s.say("info string %s counts once %s is true", optionRating, optionLimit)
	}
	return nil
}

// setOption is the command setoption. Nothing has changed if it fails.
func (s *server) setOption(ctx context.Context, words []string) error {
	i := slices.Index(words, "value")
	if len(words) < 4 || words[0] != "name" || i < 2 || i == len(words)-1 {
		return errors.New("want name NAME value VALUE")
	}
	name, value := strings.Join(words[1:i], " "), strings.Join(words[i+1:], " ")
	known := []string{optionRules, optionTemperature}
	if _, err := ratingsOf(s.player); err == nil {
		known = append(known, optionLimit, optionRating)
	}
	switch {
	case strings.EqualFold(name, optionRules):
		g, err := s.cfg.Parse(value)
		if err != nil {
			return err
		}
		if err = s.sit(ctx, g); err == nil {
			s.explain()
		}
		return err
	case strings.EqualFold(name, optionTemperature):
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || x != 0 && (player.Sampling{Temperature: x}).Validate() != nil {
			return fmt.Errorf("%s %q: want 0 for the best move, or up to 10", optionTemperature, value)
		}
		s.options.temperature = x
		return nil
	case strings.EqualFold(name, optionLimit):
		return s.setStrength(optionLimit, value)
	case strings.EqualFold(name, optionRating):
		return s.setStrength(optionRating, value)
	}
	for _, o := range spins {
		if known = append(known, o.name); !strings.EqualFold(name, o.name) {
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < o.least || n > o.max {
			return fmt.Errorf("%s %q: want a whole number from %d to %d", o.name, value, o.least, o.max)
		}
		if o.set(&s.options, n); o.name == optionSeed {
			s.games = 0 // a game depends on the seed and how many came after it was set
		}
		return nil
	}
	return fmt.Errorf("no option %q: want one of %s", name, strings.Join(known, ", "))
}
