package run

import (
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/selfplay/record"
)

// rulesets is how many rulesets self-play draws from, 0 without a mix.
func (r *runner) rulesets() int {
	if r.mix == nil {
		return 0
	}
	return len(r.mix.Games())
}

// rulesShares are the parts that rulesets have in the positions played up to the
// last training, those behind the network that a fork began with included.
func (r *runner) rulesShares() []model.RulesShare {
	var rows []record.RulesRows
	if r.origin != nil {
		rows = r.origin.RulesRows()
	}
	rows = record.AddRulesRows(rows, r.window.Rules())
	sum := 0
	for _, c := range rows {
		sum += c.Rows
	}
	var shares []model.RulesShare
	for _, c := range rows {
		shares = append(shares, model.RulesShare{Rules: c.Rules, Share: float64(c.Rows) / float64(sum)})
	}
	return shares
}
