package configs

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/train/plan"
)

// Run is a run file: everything that `ludozero train` does.
type Run struct {
	plan.Config `mapstructure:",squash"`
	// Evaluation is how networks are measured.
	Evaluation ratings.Config `mapstructure:"evaluation"`

	games engine.Families `mapstructure:"-"`
}

// usualTurns ends the games of a run whose file does not name rules, where its game has
// such an option: the games of a young network need not end otherwise.
const usualTurns = 600

// DefaultRun trains the first of games without end. games, at least one, are those that
// Validate knows.
func DefaultRun(games engine.Families) Run {
	r := Run{games: games, Config: plan.DefaultConfig(), Evaluation: ratings.DefaultConfig()}
	first := games[0]
	r.Game, r.Rules = first.Name, first.Presets[0].Name
	if slices.ContainsFunc(first.Options, func(o engine.Option) bool { return o.Name == engine.LengthOption }) {
		r.Rules = fmt.Sprintf("%s,%s=%d", r.Rules, engine.LengthOption, usualTurns)
	}
	return r
}

// Validate joins every problem of r.
func (r *Run) Validate() error {
	errs := problems.List{r.Config.Validate(r.games)}
	errs.In("evaluation", r.Evaluation.Validate())
	return errs.Err()
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
