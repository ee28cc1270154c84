package configs

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/train/plan"
)

// Run is a run file: everything that `ludozero train` does.
type Run struct {
	plan.Config `mapstructure:",squash"`
	// Evaluation is how networks are measured.
	Evaluation Rating `mapstructure:"evaluation"`

	games engine.Families `mapstructure:"-"`
}

// Rating is a series of matches against fixed opponents, when a run ends and
// while it goes on.
type Rating struct {
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
	// the generations, up to MaxRatings. 0: as many as Share allows.
	Ratings int `mapstructure:"ratings"`
	// Pairs are played against each opponent and against the network that was
	// measured before.
	Pairs int `mapstructure:"pairs"`
}

// MaxRatings is how many there may be in any case, about. After each the Elo of the
// newest network is fitted, in time that grows with their square, and in the report
// that of all, with their cube: ten seconds for so many.
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
	var errs []error
	if !(d.Share >= 0 && d.Share <= 1) {
		errs = append(errs, fmt.Errorf("share: %g: want 0 to 1", d.Share))
	}
	if d.Ratings < 0 || d.Ratings > MaxRatings {
		errs = append(errs, fmt.Errorf("ratings: %d: want 0 to %d", d.Ratings, MaxRatings))
	}
	if d.Pairs < 1 {
		errs = append(errs, fmt.Errorf("pairs: %d: want at least 1", d.Pairs))
	}
	return errors.Join(errs...)
}

// DefaultRun trains Kon'reh without end. games are those that Validate knows.
func DefaultRun(games engine.Families) Run {
	return Run{games: games, Config: plan.DefaultConfig(), Evaluation: Rating{Simulations: 64, During: DefaultDuring(), Match: match.DefaultConfig()}}
}

// Validate joins every problem of r.
func (r *Run) Validate() error {
	errs := []error{r.Config.Validate(r.games)}
	if r.Evaluation.Simulations < 1 {
		errs = append(errs, fmt.Errorf("evaluation.simulations: %d: want at least 1", r.Evaluation.Simulations))
	}
	errs = append(errs, problems.In("evaluation.during", r.Evaluation.During.Validate())...)
	return errors.Join(append(errs, problems.In("evaluation.match", r.Evaluation.Match.Validate())...)...)
}

// freeKeys may change while a run goes on: they say how long it lasts, on how
// many cores and with how much memory and disk, and how it is measured.
var freeKeys = []string{
	"budget", "core_budget", "generations", "workers", "self_play.cache_positions",
	"retention.checkpoints", "retention.every",
	"evaluation.simulations", "evaluation.opponents",
	"evaluation.during.share", "evaluation.during.ratings", "evaluation.during.pairs",
	"evaluation.match.pairs", "evaluation.match.opening_turns", "evaluation.match.max_turns",
	"evaluation.match.clock",
	"evaluation.match.workers", "evaluation.match.seed",
}

// FreeKey tells whether a key may change while a run goes on.
func FreeKey(key string) bool { return slices.Contains(freeKeys, key) }

// Difference is a key with two values: lists as in a file, on one line.
type Difference struct{ Key, Old, New string }

// Diff lists the keys in which settings differ, in the order of the fields.
func Diff[T any](old, new T) []Difference {
	var all []Difference
	for _, l := range leaves(reflect.TypeFor[T]()) {
		a := text(reflect.ValueOf(old).FieldByIndex(l.index))
		b := text(reflect.ValueOf(new).FieldByIndex(l.index))
		if a != b {
			all = append(all, Difference{l.key, a, b})
		}
	}
	return all
}
