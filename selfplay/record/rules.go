package record

import (
	"cmp"
	"fmt"
	"slices"
)

// RulesRows counts the rows of one ruleset.
type RulesRows struct {
	Rules string
	Rows  int
}

// RulesRows counts the rows of each ruleset, in the order of the rules words.
// It decodes one column.
func (s *Shard) RulesRows() ([]RulesRows, error) {
	var c Columns
	if err := s.eachPage(c.addRules, "rules"); err != nil {
		return nil, fmt.Errorf("shard %s: %w: %w", s.Name, ErrCorrupt, err)
	}
	counts := make([]RulesRows, len(c.Rules))
	for i, rules := range c.Rules {
		counts[i].Rules = rules
	}
	for _, i := range c.RulesOf {
		counts[i].Rows++
	}
	slices.SortFunc(counts, byRules)
	return counts, nil
}

// AddRulesRows adds counts to sums, both in the order of the rules words.
func AddRulesRows(sums, counts []RulesRows) []RulesRows {
	for _, c := range counts {
		i, ok := slices.BinarySearchFunc(sums, c, byRules)
		if !ok {
			sums = slices.Insert(sums, i, RulesRows{Rules: c.Rules})
		}
		sums[i].Rows += c.Rows
	}
	return sums
}

func byRules(a, b RulesRows) int { return cmp.Compare(a.Rules, b.Rules) }
