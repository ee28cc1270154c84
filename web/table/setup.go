package table

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/table"
)

// Setup is what a table begins with. With nothing set but Game it is a game between
// two people by the default rules.
type Setup struct {
	Game  string `json:"game"`
	Rules string `json:"rules,omitempty"`
	// Seats are the two players: "you" (or nothing) for a person, or a player of the
	// offers, such as "net:konreh,sims=400".
	Seats [2]string `json:"seats"`
	// Position is the position line to begin with; empty is the start. Moves are
	// the words played from there, separated by spaces.
	Position string `json:"position,omitempty"`
	Moves    string `json:"moves,omitempty"`
	// Clock is minutes and seconds a turn, such as "5+3"; empty is no clock.
	Clock string `json:"clock,omitempty"`
	// Hints is the player who gives hints and reviews; empty is a network or evaluation that
	// plays the game, or else the strongest opponent of its guide.
	Hints string `json:"hints,omitempty"`
	// Seed seeds the players and chance.
	Seed uint64 `json:"seed,omitempty"`
	// Dice is DiceByHand if people enter what chance decides, as at a real board; empty: the
	// program draws it.
	Dice string `json:"dice,omitempty"`
	// Ended is how a game ended that is over by other things than its Moves.
	Ended *table.Ended `json:"ended,omitempty"`
	// Lesson is a lesson of the game's guide. It sets Rules, Seats, Position and Seed;
	// there is no clock.
	Lesson string `json:"lesson,omitempty"`
}

// DiceByHand is a value of Setup.Dice.
const DiceByHand = table.DiceByHand

func (s *Setup) checkDice(g engine.Game) error {
	switch {
	case s.Dice != "" && s.Dice != DiceByHand:
		return fmt.Errorf("dice %q: want %s, or nothing for those of the program", s.Dice, DiceByHand)
	case s.Dice != "" && g.Info().NumChance == 0:
		return fmt.Errorf("dice %q: nothing is drawn in %s", s.Dice, g.Info().Name)
	}
	return nil
}

// Offer is a kind of player that may sit at a table.
type Offer struct {
	// Name begins a player's description: "random", "net:konreh".
	Name string `json:"name"`
	// Label and Doc are for people.
	Label string `json:"label"`
	Doc   string `json:"doc"`
	// Games are the games that it plays; empty is all.
	Games []string `json:"games,omitempty"`
	// Limits are ways to bound its thinking. A description sets exactly one, or none
	// if the offer has none.
	Limits []Limit `json:"limits,omitempty"`
	// Rules is the ruleset of a first game against it; empty is the default.
	Rules string `json:"rules,omitempty"`
	// Shown says that the page was made to show this network.
	Shown bool `json:"shown,omitempty"`

	learned string         // the network or evaluation that it plays by, "" for other players
	trained []string       // the rulesets that it learned from
	family  *engine.Family // of these
}

// Limit bounds the thinking of a player.
type Limit struct {
	Option string `json:"option"`
	// Unit follows the number: "" or "ms".
	Unit    string `json:"unit,omitempty"`
	Doc     string `json:"doc"`
	Min     int    `json:"min"`
	Max     int    `json:"max"`
	Default int    `json:"default"`
	nodes   int    // positions that a decision may look at whatever the number; 0: no bound
}

// Text is the description of the player with a limit.
func (o *Offer) Text(limit *Limit, n int) string {
	if limit == nil {
		return o.Name
	}
	return o.Name + o.separator() + limit.Option + "=" + strconv.Itoa(n) + limit.Unit
}

// separator stands before the first option of a description.
func (o *Offer) separator() string {
	if strings.Contains(o.Name, ":") {
		return ","
	}
	return ":"
}

// check finds the offer of a game that text describes. It accepts nothing else but the
// opponents of the game's guide and its lessons: no path, no other option, no larger
// number.
func (c *Config) check(game, text string) (*Offer, error) {
	offers := c.Offers
	if c.Guides[game].Names(text) {
		for i := range offers {
			if o := &offers[i]; o.plays(game) && (text == o.Name || strings.HasPrefix(text, o.Name+o.separator())) {
				return o, nil
			}
		}
	}
	// An offer that fixes its options may begin like another.
	if i := slices.IndexFunc(offers, func(o Offer) bool { return o.Name == text && len(o.Limits) == 0 && o.plays(game) }); i >= 0 {
		return &offers[i], nil
	}
	var names []string
	for i := range offers {
		o := &offers[i]
		if !o.plays(game) {
			continue
		}
		names = append(names, o.Name)
		rest, ok := strings.CutPrefix(text, o.Name)
		switch {
		case !ok || rest != "" && !strings.HasPrefix(rest, o.separator()):
			continue
		case len(o.Limits) == 0:
			return nil, fmt.Errorf("player %q: %s takes no options", text, o.Name)
		case rest == "":
			return nil, fmt.Errorf("player %q: want %s", text, o.forms())
		}
		return o, o.limited(text, rest[1:])
	}
	return nil, fmt.Errorf("player %q: want one of %s, %s", text, table.You, strings.Join(names, ", "))
}

func (o *Offer) plays(game string) bool {
	return len(o.Games) == 0 || slices.Contains(o.Games, game)
}

// limited checks the option of a description.
func (o *Offer) limited(text, word string) error {
	name, value, _ := strings.Cut(word, "=")
	for i := range o.Limits {
		l := &o.Limits[i]
		if l.Option != name {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSuffix(value, l.Unit))
		if err != nil || strconv.Itoa(n)+l.Unit != value || n < l.Min || n > l.Max {
			return fmt.Errorf("player %q: %s: want %d to %d%s", text, name, l.Min, l.Max, l.Unit)
		}
		return nil
	}
	return fmt.Errorf("player %q: want %s", text, o.forms())
}

func (o *Offer) forms() string {
	var forms []string
	for i := range o.Limits {
		forms = append(forms, o.Text(&o.Limits[i], o.Limits[i].Default))
	}
	return strings.Join(forms, " or ")
}

// seats resolves the players, their offers (nil for people) and the player who gives
// hints.
func (s *Setup) seats(cfg *Config) (seats [2]table.Seat, offered [2]*Offer, hints string, err error) {
	var errs []error
	for i, text := range s.Seats {
		if seats[i].Name = table.You; text == "" || text == table.You {
			continue
		}
		seats[i].Name = text
		if offered[i], err = cfg.check(s.Game, text); err != nil {
			errs = append(errs, err)
		}
	}
	if s.Hints != "" {
		hints = s.Hints
		if _, err := cfg.check(s.Game, hints); err != nil {
			errs = append(errs, err)
		}
	}
	if hints == "" {
		hints = cfg.coach(s.Game)
	}
	return seats, offered, hints, errors.Join(errs...)
}

// coach is the player who gives hints unless a setup names another: the first with a network
// or evaluation, or the strongest opponent of the game's guide, or the first of the offers.
func (c *Config) coach(game string) string {
	i := slices.IndexFunc(c.Offers, func(o Offer) bool { return o.plays(game) })
	if i < 0 {
		return ""
	}
	o := &c.Offers[i]
	if g := c.Guides[game]; o.learned == "" && g != nil {
		for _, named := range slices.Backward(g.Opponents) {
			if _, err := c.check(game, named.Player); err == nil {
				return named.Player
			}
		}
	}
	if len(o.Limits) == 0 {
		return o.Name
	}
	return o.Text(&o.Limits[0], o.Limits[0].Default)
}

// session sets up the position and plays the given moves. To the session both players
// are people: the table asks its players itself, without waiting.
func (s *Setup) session(games engine.Families, seats [2]table.Seat, maxSteps int) (*table.Session, error) {
	g, err := games.Open(s.Game, s.Rules)
	if err != nil {
		return nil, err
	}
	control, err := match.ParseTimeControl(s.Clock)
	if err != nil {
		return nil, err
	}
	if err := s.checkDice(g); err != nil {
		return nil, err
	}
	start := g.NewState()
	if s.Position == "" {
		start.Start(nil)
	} else if err := start.ParsePosition(s.Position); err != nil {
		return nil, fmt.Errorf("position: %w", err)
	}
	session, err := table.New(context.Background(), g, start, seats, s.Seed)
	if err != nil {
		return nil, err
	}
	if n := len(strings.Fields(s.Moves)); n > maxSteps {
		return nil, fmt.Errorf("%d moves: want at most %d", n, maxSteps)
	}
	if err := session.Restore(&table.Saved{Moves: s.Moves, Dice: s.Dice, Ended: s.Ended}); err != nil {
		return nil, err
	}
	if control.On() {
		session.SetClock(control)
	}
	return session, nil
}
