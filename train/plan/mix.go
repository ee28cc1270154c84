package plan

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/selfplay"
)

// RulesWeight is an entry of a mix of rulesets.
type RulesWeight struct {
	// Rules is a rules word in which the preset and the values of options may be
	// lists of alternatives, "standard|table,balance=single|pie,max_turns=600".
	// Each combination is as likely as any other of the entry.
	Rules string `mapstructure:"rules"`
	// Weight is the entry's share of the games over the sum of all weights;
	// above 0.
	Weight float64 `mapstructure:"weight"`
}

// maxRulesets bounds a mix: a run of a night plays some ten thousand games, and
// a ruleset with fewer than a few dozen of them teaches nothing.
const maxRulesets = 256

// newMix builds the mix of these entries, nil if there are none. The error joins
// every problem.
func newMix(f *engine.Family, entries []RulesWeight) (*selfplay.Mix, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	var errs problems.List
	var all []engine.Game
	var weights []float64
	for i, e := range entries {
		errs.Want(e.Weight > 0 && e.Weight <= 1e6, "rules_mix: entry %d: weight %g: want a number above 0, at most 1000000", i+1, e.Weight)
		games, err := f.Expand(e.Rules, maxRulesets)
		errs.Each(fmt.Sprintf("rules_mix: entry %d: ", i+1), err)
		for _, g := range games {
			all, weights = append(all, g), append(weights, e.Weight/float64(len(games)))
		}
	}
	errs.If(len(all) > maxRulesets, "rules_mix: %d rulesets: want at most %d", len(all), maxRulesets)
	if len(errs) > 0 {
		return nil, errs.Err()
	}
	return selfplay.NewMix(all, weights), nil
}
