package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxFaulty is the number of invalid combinations that Expand names: one wrong word makes
// every combination with it invalid.
const maxFaulty = 3

// Expand builds the games of a rules word in which the preset and the values of
// options may be lists of alternatives, "standard|table,balance=single|pie": one
// game for each combination, the last list running fastest. A word without a
// list is what Parse reads. At most limit combinations are allowed. Errors name
// the combination.
func (f *Family) Expand(rules string, limit int) ([]Game, error) {
	parts := strings.Split(rules, ",")
	lists := make([][]string, len(parts))
	combinations := 1
	for i, part := range parts {
		name, values, option := strings.Cut(part, "=")
		if !option {
			name, values = "", part
		}
		for _, v := range strings.Split(values, "|") {
			if v == "" && strings.Contains(values, "|") {
				return nil, fmt.Errorf("rules of %s: %q: an alternative is empty", f.Name, part)
			}
			if option {
				v = name + "=" + v
			}
			if slices.Contains(lists[i], v) {
				return nil, fmt.Errorf("rules of %s: %q: the alternative %s is there twice", f.Name, part, v)
			}
			lists[i] = append(lists[i], v)
		}
		if combinations *= len(lists[i]); combinations > limit {
			return nil, fmt.Errorf("rules of %s: %q has more than %d combinations", f.Name, rules, limit)
		}
	}
	words := make([]string, len(parts))
	var all []Game
	var errs []error
	for n := range combinations {
		for i, rest := len(lists)-1, n; i >= 0; i-- {
			words[i] = lists[i][rest%len(lists[i])]
			rest /= len(lists[i])
		}
		word := strings.Join(words, ",")
		g, err := f.Parse(word)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", word, err))
			continue
		}
		all = append(all, g)
	}
	if n := len(errs); n > maxFaulty {
		errs = append(errs[:maxFaulty], fmt.Errorf("%s: %d more combinations are no rules of %s", rules, n-maxFaulty, f.Name))
	}
	return all, errors.Join(errs...)
}
