package player

import (
	"errors"
	"fmt"
	"math"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/internal/strictjson"
)

// Ratings is a measured table of how strong a network plays by how it searches: what
// a tournament of it against itself and others said, under one ruleset. A rating is
// Elo on the scale of that tournament. A rating between two levels
// gives settings between theirs; one beyond the table is refused.
type Ratings struct {
	// Weights identifies the weights that were measured, as zoo.Digest does.
	Weights string `json:"weights"`
	Game    string `json:"game"`
	Rules   string `json:"rules"`
	// Anchor is the player whose rating is AnchorElo.
	Anchor    string  `json:"anchor"`
	AnchorElo float64 `json:"anchor_elo"`
	// Command plays the tournament again, Games is how many games it has.
	Command string `json:"command"`
	Games   int    `json:"games"`
	// Levels are settings of the network in ascending order of Elo.
	Levels []Level `json:"levels"`
	// Others are the other players of the tournament.
	Others []RatedPlayer `json:"others"`
}

// RatedPlayer is a player of the tournament with its rating and 95 % interval.
type RatedPlayer struct {
	Player string  `json:"player"`
	Elo    float64 `json:"elo"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Games  int     `json:"games"`
}

// Level is a setting that was measured.
type Level struct {
	Strength
	RatedPlayer
}

// Strength is how a network searches to play as strong as it is asked to.
type Strength struct {
	Simulations int `json:"simulations"`
	// Temperature is Sampling.Temperature for all decisions; 0: it plays the best.
	Temperature float64 `json:"temperature"`
}

// MaxRating bounds the ratings that can be asked for; none is below 0.
const MaxRating = 10_000

// ReadRatings reads a table and reports everything that is wrong with it.
func ReadRatings(data []byte) (*Ratings, error) {
	var r Ratings
	if err := strictjson.Decode(data, &r); err != nil {
		return nil, err
	}
	return &r, r.Validate()
}

// Validate reports everything that is wrong with a table.
func (r *Ratings) Validate() error {
	var errs problems.List
	errs.Want(r.Weights != "" && r.Game != "" && r.Rules != "" && r.Anchor != "" && r.Command != "" && r.Games > 0,
		"want weights, game, rules, anchor, command and games")
	errs.Want(len(r.Levels) > 1, "%d levels: want two or more", len(r.Levels))
	rated := func(p *RatedPlayer) {
		errs.Want(p.Player != "" && p.Games > 0 && p.Low <= p.Elo && p.Elo <= p.High && math.Abs(p.High-p.Low) < MaxRating,
			"player %q: Elo %g, %g to %g, in %d games: want a rating within its interval", p.Player, p.Elo, p.Low, p.High, p.Games)
	}
	for i := range r.Others {
		rated(&r.Others[i])
	}
	for i := range r.Levels {
		l := &r.Levels[i]
		rated(&l.RatedPlayer)
		errs.Want(l.Elo >= 0 && l.Elo <= MaxRating, "level %d: Elo %g: want 0 to %d", i+1, l.Elo, MaxRating)
		errs.Want(l.Simulations >= 1, "level %d: simulations=%d: want 1 or more", i+1, l.Simulations)
		errs.Want(l.Temperature >= 0 && l.Temperature <= maxTemperature, "level %d: temperature=%g: want 0 to %d", i+1, l.Temperature, maxTemperature)
		if i == 0 {
			continue
		}
		b := &r.Levels[i-1]
		errs.Want(l.Elo > b.Elo && l.Simulations >= b.Simulations && l.Temperature <= b.Temperature && l.Strength != b.Strength,
			"levels %d and %d: Elo %g with %+v after %g with %+v: want more Elo by more simulations or a lower temperature", i, i+1, l.Elo, l.Strength, b.Elo, b.Strength)
	}
	if len(r.Levels) > 1 {
		least, most := r.Range()
		errs.Want(least < most, "levels from %d to %d: want a range", least, most)
	}
	return errs.Err()
}

// Range are the least and the highest rating that was measured, in whole numbers.
func (r *Ratings) Range() (least, most int) {
	return int(math.Ceil(r.Levels[0].Elo)), int(math.Floor(r.Levels[len(r.Levels)-1].Elo))
}

// At is how the network plays at a rating: between two levels as far along the
// logarithm of simulations, and along temperature, as the rating is along Elo.
// Ratings out of range are refused.
func (r *Ratings) At(rating int) (Strength, error) {
	least, most := r.Range()
	if rating < least || rating > most {
		return Strength{}, fmt.Errorf("rating %d: want %d to %d, which is what was measured", rating, least, most)
	}
	i := 1
	for i < len(r.Levels)-1 && float64(rating) > r.Levels[i].Elo {
		i++
	}
	a, b := &r.Levels[i-1], &r.Levels[i]
	part := (float64(rating) - a.Elo) / (b.Elo - a.Elo)
	between := func(x, y float64) float64 { return x + part*(y-x) }
	return Strength{
		Simulations: int(math.Round(math.Exp(between(math.Log(float64(a.Simulations)), math.Log(float64(b.Simulations)))))),
		Temperature: between(a.Temperature, b.Temperature),
	}, nil
}

// Under reports why the table says nothing of games by rules of family f: it is of
// others, which those are not that end games after other numbers of turns.
func (r *Ratings) Under(f *engine.Family, rules string) error {
	same, err := f.Alike(r.Rules, rules, engine.LengthOption, engine.PliesOption)
	if err == nil && !same {
		err = fmt.Errorf("its ratings were measured under %s, not %s", r.Rules, rules)
	}
	return err
}

// errNoRatings is said of networks without a table.
var errNoRatings = errors.New("no ratings were measured of it")

// Ratings returns the table under the rules that the network plays by; the error says
// why there is none. A description that sets how the network searches has
// none: it says how strong it is to be already.
func (n *net) Ratings() (*Ratings, error) {
	switch {
	case n.sims > 0:
		return nil, errors.New("its description sets its simulations: want time=clock")
	case n.unlike != "":
		return nil, fmt.Errorf("its description sets %s, for which no ratings were measured", n.unlike)
	}
	if n.ratings == nil {
		return nil, errNoRatings
	}
	return n.ratings()
}
