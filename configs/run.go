package configs

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/ludozero/ludozero/evaluation"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/train/run"
)

// Run is a run file: everything that `ludozero train` does.
type Run struct {
	run.Config `mapstructure:",squash"`
	// Evaluation is how the trained network is measured at the end.
	Evaluation Rating `mapstructure:"evaluation"`
}

// Rating is a series of matches against fixed opponents.
type Rating struct {
	// Simulations is the network's budget for a move.
	Simulations int `mapstructure:"simulations"`
	// Opponents are players in one line each, see `ludozero match --help`.
	// Without any there is no rating.
	Opponents []string          `mapstructure:"opponents"`
	Match     evaluation.Config `mapstructure:"match"`
}

// DefaultRun trains Kon'reh without end.
func DefaultRun() Run {
	return Run{Config: run.DefaultConfig(), Evaluation: Rating{Simulations: 64, Match: evaluation.DefaultConfig()}}
}

// Validate joins every problem of r.
func (r *Run) Validate() error {
	errs := []error{r.Config.Validate()}
	if r.Evaluation.Simulations < 1 {
		errs = append(errs, fmt.Errorf("evaluation.simulations: %d: want at least 1", r.Evaluation.Simulations))
	}
	return errors.Join(append(errs, problems.In("evaluation.match", r.Evaluation.Match.Validate())...)...)
}

// freeKeys may change while a run goes on: they say how long it lasts, on how
// many cores and with how much memory and disk, and how it is measured.
var freeKeys = []string{
	"budget", "generations", "workers", "self_play.cache_positions",
	"retention.checkpoints", "retention.every",
	"evaluation.simulations", "evaluation.opponents",
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
