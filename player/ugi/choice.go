package ugi

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// Choice says by what a player is chosen.
type Choice struct {
	// Named is one of Config.Choices; "" leaves it to Config.Player.
	Named string
	// Decision is about how long a decision takes; 0: not known.
	Decision time.Duration
}

// anyPlayer is the value of the option Player that leaves the choice to Config.Player.
const anyPlayer = "auto"

// clockDecisions is in how many decisions the time on a clock is used up, about: players
// divide it by the game and by how long it still takes.
const clockDecisions = 30

// choices are the players of g that the other side may choose among.
func (s *server) choices(g engine.Game) []string {
	if s.cfg.Choices == nil {
		return nil
	}
	return s.cfg.Choices(g)
}

// chosen is the choice as far as it can be had in g: who was named may not know its rules.
func (s *server) chosen(g engine.Game) Choice {
	if c := s.choice; slices.Contains(s.choices(g), c.Named) {
		return c
	}
	return Choice{Decision: s.choice.Decision}
}

// playerOption has one of several players play.
func (s *server) playerOption(names []string) option {
	names = append([]string{anyPlayer}, names...)
	return option{optionPlayer, "combo default " + anyPlayer + " var " + strings.Join(names, " var "), func(ctx context.Context, value string) error {
		if !slices.Contains(names, value) {
			return fmt.Errorf("%s %q: want one of %s", optionPlayer, value, strings.Join(names, ", "))
		}
		if value == anyPlayer {
			value = ""
		}
		return s.choose(ctx, Choice{Named: value})
	}}
}

// chooseFor chooses who searches within b. A player with a rating is one whose
// ratings were measured, however long it may take.
func (s *server) chooseFor(ctx context.Context, b *match.Bounds) error {
	c := Choice{Named: s.choice.Named}
	switch {
	case s.options.limitStrength:
	case b.Time > 0:
		c.Decision = b.Time
	case b.Remaining > 0:
		c.Decision = b.Remaining/clockDecisions + b.Increment
	case b.Simulations == 0 && b.Depth == 0:
		c.Decision = b.Default
	}
	return s.choose(ctx, c)
}

// choose has the player of a choice play, from now on. Nothing has changed if there can be none.
func (s *server) choose(ctx context.Context, c Choice) error {
	if c == s.choice || len(s.choices(s.game)) < 2 {
		return nil
	}
	spec, note, err := s.cfg.Player(s.game, c)
	if err != nil {
		return err
	}
	before := s.choice
	if s.choice = c; spec.Text == s.spec.Text {
		return nil
	}
	if err := s.reseat(ctx); err != nil {
		s.choice = before
		return err
	}
	if note != "" {
		s.say("info string %s", note)
	}
	return nil
}
