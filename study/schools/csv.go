package schools

import "github.com/ludozero/ludozero/report/sheet"

// CSV are the tables for programs. Those of a round robin that was not played have
// only a head.
func (r *Result) CSV() []sheet.CSV {
	ratings := sheet.NewCSV[Duel]("ratings.csv", "school games points elo low high", nil, nil)
	var duels []Duel
	if r.RoundRobin != nil {
		duels = r.RoundRobin.Duels
		t := r.RoundRobin.Ratings
		for _, i := range t.Order() {
			p := &t.Players[i]
			ratings.Rows = append(ratings.Rows, sheet.Row(p.Name, p.Games, p.Points, p.Elo))
		}
	}
	prints := sheet.NewCSV[Print]("fingerprints.csv", "school games measure unit counted value low high difference difference_low difference_high", nil, nil)
	for _, p := range r.Prints {
		prints.Rows = append(prints.Rows, sheet.Rows(p.Figures, func(f *Figure) []string {
			return sheet.Row(p.School, p.Games, f.Measure, f.Unit, f.Counted, f.Value, f.Difference)
		})...)
	}
	return []sheet.CSV{
		ratings, prints,
		sheet.NewCSV("duels.csv", "a b games score low high p p_holm", duels, func(d *Duel) []string {
			return sheet.Row(d.A, d.B, d.Games, d.Score, d.P, d.Holm)
		}),
		sheet.NewCSV("effects.csv", "school weight games wins draws losses score low high elo elo_low elo_high p p_holm", r.Effects, func(e *Effect) []string {
			return sheet.Row(e.School, e.Weight, e.Games, e.Wins, e.Draws, e.Losses, e.Score, e.Elo, e.P, e.Holm)
		}),
		sheet.NewCSV("declared.csv", "school column words measure direction value low high control control_low control_high "+
			"difference difference_low difference_high p p_holm shown", r.Claims, func(c *Claim) []string {
			return sheet.Row(c.School, c.Column, c.Words, c.Measure, string(c.Direction), c.Value, c.Control, c.Difference, c.P, c.Holm, c.Shown)
		}),
		sheet.NewCSV("networks.csv", "school network simulations games score low high elo elo_low elo_high", r.Matches, func(m *Match) []string {
			return sheet.Row(m.School, m.Network, m.Simulations, m.Games, m.Score, m.Elo)
		}),
	}
}
