package schools

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/stats/rating"
)

func (r *Result) tables() []sheet.Table {
	var list []sheet.Table
	if len(r.Claims) > 0 {
		list = append(list, r.glanceTable())
	}
	if r.RoundRobin != nil {
		list = append(list, r.ratingTable())
	}
	list = append(list, r.effectTable())
	if len(r.Claims) > 0 {
		list = append(list, r.claimTable())
	}
	list = append(list, r.printTable())
	if len(r.Matches) > 0 {
		list = append(list, r.networkTable())
	}
	if r.RoundRobin != nil {
		list = append(list, r.crossTable(), r.duelTable())
	}
	return list
}

// glanceTable is what each school is recognised by, and what of the table is missing.
func (r *Result) glanceTable() sheet.Table {
	t := sheet.Table{
		ID: "glance", Title: "The schools at a glance", Left: 1, Head: []string{"school", "score against none, %", "shown", "shown of the table", "not shown"},
		Notes: []string{"Which differences from none that the book's table names were shown, by its words; more of each is below."},
	}
	for _, name := range r.Names {
		shown, missing := []string{}, []string{}
		for _, c := range r.Claims {
			switch {
			case c.School != name:
			case c.Shown:
				shown = append(shown, c.Column+" "+c.Words)
			default:
				missing = append(missing, c.Column+" "+c.Words)
			}
		}
		if len(shown)+len(missing) == 0 {
			continue // one of a user's own
		}
		score := "-"
		for i := range r.Effects {
			if e := &r.Effects[i]; e.School == name && e.Weight == 1 {
				score = sheet.Cell(e.Score, 100, "%.0f")
			}
		}
		t.Rows = append(t.Rows, []string{name, score, fmt.Sprintf("%d of %d", len(shown), len(shown)+len(missing)), listed(shown), listed(missing)})
	}
	return t
}

// listed joins words; a dash stands for none.
func listed(words []string) string { return cmp.Or(strings.Join(words, ", "), "-") }

// valueText writes a value of a measure, without its interval.
func valueText(m *Measure, x float64) string {
	text := estimateText(m, rating.Estimate{Value: x, Low: math.Inf(-1), High: math.Inf(1)})
	if m.Share && text != "-" {
		text += " %"
	}
	return text
}

// estimateText writes one with its interval.
func estimateText(m *Measure, e rating.Estimate) string {
	switch {
	case math.IsNaN(e.Value):
		return "-"
	case m.Share:
		return sheet.Cell(e, 100, "%.0f")
	case math.Abs(e.Value) >= 20:
		return sheet.Cell(e, 1, "%.0f")
	}
	return sheet.Cell(e, 1, "%.2f")
}

// measureNamed finds the measure of an ID, which must exist.
func measureNamed(id string) *Measure {
	for i := range measures {
		if measures[i].ID == id {
			return &measures[i]
		}
	}
	panic("BUG: no measure " + id)
}

func (r *Result) ratingTable() sheet.Table {
	rated := r.RoundRobin.Ratings
	t := sheet.Table{
		ID: "ratings", Title: "Round robin", Left: 2,
		Head: []string{"", "school", "games", "score, %", "Elo less none's"},
		Notes: []string{
			fmt.Sprintf("Every two schools, and none, played %s with seats exchanged. Intervals are of 95 %%; two that overlap do not say that their schools are equal.", wording.Count(r.Rounds, "pair")),
			fmt.Sprintf("%s %.1f %% of the games were drawn.", seat(rated, ""), 100*r.RoundRobin.Drawn),
		},
	}
	for rank, i := range rated.Order() {
		p := &rated.Players[i]
		elo := sheet.Cell(p.Elo, 1, "%+.0f")
		if p.Name == rated.Anchor {
			elo = "0"
		}
		t.Rows = append(t.Rows, []string{strconv.Itoa(rank + 1), p.Name, strconv.Itoa(p.Games), fmt.Sprintf("%.1f", 100*p.Points/float64(p.Games)), elo})
	}
	return t
}

func (r *Result) effectTable() sheet.Table {
	return sheet.Table{
		ID: "effects", Title: "What a doctrine does: each school against none", Left: 1,
		Head: []string{"school", "weight", "games", "won-drawn-lost", "score, %", "Elo", "p", "corrected"},
		Notes: []string{
			"The same engine with and without the doctrine. Weight 1 is the file as it stands; other weights multiply its numbers. p is that of an even match, corrected for the number of rows after Holm.",
		},
		Rows: sheet.Rows(r.Effects, func(e *Effect) []string {
			return sheet.Row(e.School, e.Weight, e.Games, fmt.Sprintf("%d-%d-%d", e.Wins, e.Draws, e.Losses),
				sheet.Cell(e.Score, 100, "%.1f"), sheet.Cell(e.Elo, 1, "%+.0f"), sheet.Probability(e.P), sheet.Probability(e.Holm))
		}),
	}
}

func (r *Result) claimTable() sheet.Table {
	return sheet.Table{
		ID: "declared", Title: "What the book's table says, tested", Left: 4,
		Head: []string{"school", "column", "table", "measure", "declared", "school's", "none's", "difference", "p", "corrected", "shown"},
		Notes: []string{
			fmt.Sprintf("Declared before the games: the school has more or less of the measure than none has in the same rounds, at weight 1. One-sided p by exchanging the two within rounds (%d draws), corrected for the number of rows after Holm; shown if that is at most 0.05. Not shown does not mean that there is no difference.", exchanges),
			"What the table calls medium or leaves to the situation is compared with nothing. Shares are in percent.",
		},
		Rows: sheet.Rows(r.Claims, func(c *Claim) []string {
			m := measureNamed(c.Measure)
			return []string{
				c.School, c.Column, c.Words, m.Name, string(c.Direction), valueText(m, c.Value.Value), valueText(m, c.Control.Value),
				estimateText(m, c.Difference), sheet.Probability(c.P), sheet.Probability(c.Holm), sheet.YesNo(c.Shown),
			}
		}),
	}
}

func (r *Result) printTable() sheet.Table {
	t := sheet.Table{
		ID: "fingerprints", Title: "Fingerprints", Left: 2, Head: []string{"measure", "unit"},
		Notes: []string{
			fmt.Sprintf("Of %d games each against none, from the school's own decisions alone unless the measure says opponent; what was drawn as an opening is not counted. Intervals are in the plots and in fingerprints.csv; they are not corrected for their number.", r.Prints[0].Games),
			"A first Seed is a mean over the games that have one. T* counts up to 8. A dash: there was nothing to count.",
		},
	}
	for i := range r.Prints {
		t.Head = append(t.Head, r.Prints[i].School)
	}
	for k := range measures {
		m := &measures[k]
		row := []string{m.Name, m.Unit}
		for i := range r.Prints {
			row = append(row, valueText(m, r.Prints[i].Figures[k].Value.Value))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (r *Result) networkTable() sheet.Table {
	t := sheet.Table{
		ID: "networks", Title: "Against networks", Left: 1, Head: []string{"school"},
		Notes: []string{"The school's score in percent, with intervals of 95 %, by network and simulations a move. Rows are not corrected for their number."},
	}
	rows := map[string][]string{}
	for i := range r.Matches {
		m := &r.Matches[i]
		head := fmt.Sprintf("%s, %d", m.Network, m.Simulations)
		if !slices.Contains(t.Head, head) {
			t.Head = append(t.Head, head)
		}
		rows[m.School] = append(rows[m.School], sheet.Cell(m.Score, 100, "%.0f"))
	}
	for i := range r.Prints {
		name := r.Prints[i].School
		t.Rows = append(t.Rows, append([]string{name}, rows[name]...))
	}
	return t
}

// crossTable is all scores of the round robin, by rating.
func (r *Result) crossTable() sheet.Table {
	rated := r.RoundRobin.Ratings
	order := rated.Order()
	t := sheet.Table{
		ID: "crosstable", Title: "Who beats whom", Left: 2, Head: []string{"", "school"},
		Notes: []string{
			"Score of the row in percent. With *: more or less than half, after Holm's correction for all of these matches.",
			r.cyclesText(),
		},
	}
	scores := map[[2]string]string{}
	for i := range r.RoundRobin.Duels {
		d := &r.RoundRobin.Duels[i]
		mark := ""
		if d.Holm <= level {
			mark = "*"
		}
		scores[[2]string{d.A, d.B}] = fmt.Sprintf("%.0f%s", 100*d.Score.Value, mark)
		scores[[2]string{d.B, d.A}] = fmt.Sprintf("%.0f%s", 100*(1-d.Score.Value), mark)
	}
	for rank, i := range order {
		t.Head = append(t.Head, strconv.Itoa(rank+1))
		row := []string{strconv.Itoa(rank + 1), rated.Players[i].Name}
		for _, j := range order {
			text := "-"
			if i != j {
				text = scores[[2]string{rated.Players[i].Name, rated.Players[j].Name}]
			}
			row = append(row, text)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// cyclesText says whether the results contradict an order.
func (r *Result) cyclesText() string {
	st := r.RoundRobin
	if st.Cycles == nil {
		return "Too little was played to ask whether there is an order at all."
	}
	text := fmt.Sprintf("Whether one number for each school can explain all scores: %s (%d draws of whole rounds).", sheet.PValue(*st.Cycles), replicates)
	if len(st.Rings) == 0 {
		return text + " No three schools beat each other in a ring after the correction."
	}
	text += " Rings of three in which each beats the next, after the correction:"
	for i, ring := range st.Rings {
		if i > 0 {
			text += ";"
		}
		text += fmt.Sprintf(" %s, %s, %s", ring[0], ring[1], ring[2])
	}
	return text + "."
}

func (r *Result) duelTable() sheet.Table {
	duels := slices.Clone(r.RoundRobin.Duels)
	slices.SortStableFunc(duels, func(a, b Duel) int { return cmp.Compare(a.P, b.P) })
	return sheet.Table{
		ID: "duels", Title: "Every two schools", Left: 2, Head: []string{"school", "against", "games", "score, %", "p", "corrected"},
		Notes: []string{"By p, which is exact: in each pair of games the two might as well have been exchanged. Corrected for the number of rows after Holm."},
		Rows: sheet.Rows(duels, func(d *Duel) []string {
			return sheet.Row(d.A, d.B, d.Games, sheet.Cell(d.Score, 100, "%.1f"), sheet.Probability(d.P), sheet.Probability(d.Holm))
		}),
	}
}

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
