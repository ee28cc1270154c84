package balance

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/sheet"
)

func (r *Result) tables() []sheet.Table {
	list := []sheet.Table{r.scoreTable()}
	if len(r.Comparisons) > 0 {
		list = append(list, r.verdictTable())
	}
	if len(r.Checks) > 0 {
		list = append(list, r.checkTable())
	}
	if len(r.Spreads) > 0 {
		list = append(list, r.spreadTable())
	}
	return append(list, r.startTable(), r.endTable(), r.useTable(), r.varietyTable())
}

func (r *Result) scoreTable() sheet.Table {
	t := sheet.Table{
		ID: "scores", Title: "First player's score", Left: 2,
		Head:  []string{"variant", "players", "starts", "games", "first player, %", "δ, points", "side A, %", "decisive, %", "turns"},
		Notes: []string{"Every start has the same number of games. Scores, decisive games and turns are of the starts that are chosen: one half of the games chooses, the other is counted. In brackets are intervals of 95 %. δ is the first player's score less one half, in hundredths of a point."},
	}
	for _, g := range r.groups() {
		t.Rows = append(t.Rows, []string{
			g.Short, g.Label, strconv.Itoa(g.Group.Starts), strconv.Itoa(g.Games),
			sheet.Cell(g.measure(MeasureFirst), 100, "%.1f"), sheet.Cell(g.measure(MeasureDelta), 100, "%+.1f"),
			sheet.Cell(g.measure(MeasureSideA), 100, "%.1f"), sheet.Cell(g.measure(MeasureDecisive), 100, "%.0f"),
			sheet.Cell(g.measure(MeasureTurns), 1, "%.0f"),
		})
	}
	for _, g := range r.Variants[0].Groups {
		text := about(g.Basis, g.Networks)
		if g.Networks > 0 && !slices.Contains(t.Notes, text) {
			t.Notes = append(t.Notes, text)
		}
	}
	return t
}

func (r *Result) verdictTable() sheet.Table {
	t := sheet.Table{
		ID: "verdicts", Title: "Verdicts against " + r.Baseline, Left: 2,
		Head: []string{"variant", "by", "|δ| less the baseline's, points", "first player's score, change", "these games", "p", "p by Holm", "verdict", "condition"},
		Notes: []string{
			fmt.Sprintf("These games, by themselves: fairer if |δ| is smaller by at least %s, with the whole interval; not fairer if it is not, with the whole interval; otherwise they cannot tell. p, two-sided: how often games would be so far from %s less if that were the truth.", difference(r.Matters), difference(r.Matters)),
			fmt.Sprintf("A verdict, in rows marked *, wants p below %g after Holm's correction for the number of verdicts, and the condition: the network is within %d Elo of one that was trained further on the variant, and likewise for the baseline. Other rows are cross-checks. The difference that matters was fixed before the games.", Significance, EloCondition),
		},
	}
	t.Rows = sheet.Rows(r.Comparisons, func(c *Comparison) []string {
		by, adjusted, verdict := c.Group, "-", "-"
		if c.Main {
			by, adjusted, verdict = "* "+by, sheet.Probability(*c.PHolm), string(c.Verdict)
		}
		return []string{
			c.Variant, by, sheet.Cell(c.Distance, 100, "%+.1f"), sheet.Cell(c.Change, 100, "%+.1f"), string(c.Found), sheet.Probability(c.P), adjusted, verdict, c.Condition,
		}
	})
	return t
}

func (r *Result) checkTable() sheet.Table {
	return sheet.Table{
		ID: "checks", Title: "The network against one trained on the variant", Left: 3,
		Head:  []string{"variant", "network", "tuned", "games", "Elo of the network", "moving first", "second", "condition"},
		Notes: []string{fmt.Sprintf("Wins, draws and losses of the first network, which plays all variants, by its own seat; the start is the same in all pairs. Met: the whole interval is above %d Elo.", -EloCondition)},
		Rows: sheet.Rows(r.Checks, func(c *Check) []string {
			m := c.Match
			return []string{c.Variant, c.Shared, c.Tuned, strconv.Itoa(m.Tally.Games()), sheet.Cell(m.Elo, 1, "%+.0f"), m.AsFirst.String(), m.AsSecond.String(), c.Status}
		}),
	}
}

// shownStarts is how many of the best, worst and most often chosen starts are shown.
const shownStarts = 3

// startTable shows the ends of the tables by which starts are chosen.
func (r *Result) startTable() sheet.Table {
	t := sheet.Table{
		ID: "starts", Title: "Starts, by " + r.Variants[0].main().Label, Left: 2,
		Head: []string{"variant", "start", "lines", "games", "first player, %", "by player, %", "chosen by tables, %"},
	}
	for i := range r.Variants {
		v := &r.Variants[i]
		shown := v.shown()
		for _, at := range shown {
			s := &v.Starts[at]
			words, scores := s.Words, make([]string, len(s.Players))
			if words == v.Chosen {
				words = "* " + words
			}
			for k := range s.Players {
				scores[k] = fmt.Sprintf("%.0f", 100*s.Players[k].Score)
			}
			t.Rows = append(t.Rows, []string{
				v.Short, words, strconv.Itoa(s.Lines), strconv.Itoa(s.Games), sheet.Cell(s.Score, 100, "%.1f"), strings.Join(scores, ", "), fmt.Sprintf("%.1f", 100*s.Chosen),
			})
		}
		if left := len(v.Starts) - len(shown); left > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: %s more in starts.csv.", v.Short, wording.Count(left, "start")))
		}
	}
	t.Notes = append(t.Notes,
		"A start is a position in which the start is settled, by the first of the lines that lead there or to an image of it. Those with the highest and the lowest scores are shown, and those that are chosen most often. Players are in the order in which they are named at the end.",
		"Chosen: by tables drawn from one half of the games, and from the other, in which who decides at each step takes what is best for them. * is chosen by all games together. What the same games say of its score flatters whoever chose it; the score of the variant is free of that.")
	return t
}

// shown are the starts to show, by falling score.
func (v *VariantResult) shown() []int {
	order := make([]int, len(v.Starts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(v.Starts[b].Chosen, v.Starts[a].Chosen) })
	often := slices.Clone(order[:min(shownStarts, len(order))])
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(v.Starts[b].Score.Value, v.Starts[a].Score.Value) })
	var list []int
	for i, at := range order {
		if i < shownStarts || i >= len(order)-shownStarts || v.Starts[at].Words == v.Chosen || slices.Contains(often, at) {
			list = append(list, at)
		}
	}
	return list
}

// endTable shows the results of all games, whatever their start.
func (r *Result) endTable() sheet.Table {
	t := sheet.Table{
		ID: "ends", Title: "All games", Left: 2, Head: []string{"variant", "players", "first player", "score, %", "ends"},
		Notes: []string{"Of the first player, who makes the first decision of the game: won-drawn-lost and score, from all starts alike."},
	}
	for _, g := range r.groups() {
		var ends []string
		for _, reason := range slices.Sorted(maps.Keys(g.Reasons)) {
			ends = append(ends, fmt.Sprintf("%s %d", reason, g.Reasons[reason]))
		}
		score := (float64(g.First.Wins) + float64(g.First.Draws)/2) / float64(g.First.Games())
		t.Rows = append(t.Rows, []string{g.Short, g.Label, g.First.String(), fmt.Sprintf("%.1f", 100*score), strings.Join(ends, ", ")})
	}
	return t
}

// useTable shows how often each part of the rules is used, by variant.
func (r *Result) useTable() sheet.Table {
	t := sheet.Table{ID: "use", Title: "Use of the rules, by " + r.Variants[0].main().Label, Left: 2, Head: []string{"what", "unit"}}
	var names []Measure
	for i := range r.Variants {
		t.Head = append(t.Head, r.Variants[i].Short)
		for _, m := range r.Variants[i].main().Measures {
			if m.Unit != unitScore && !slices.ContainsFunc(names, func(x Measure) bool { return x.Name == m.Name }) {
				names = append(names, m)
			}
		}
	}
	never := []string{}
	for _, name := range names {
		unit, scale, format := name.Unit, 1.0, "%.2f"
		switch unit {
		case unitShare, unitMoves:
			unit, scale, format = "% of "+strings.TrimPrefix(unit, "share of "), 100, "%.1f"
		case unitTurns:
			format = "%.1f"
		}
		row := []string{name.Name, unit}
		seen := unit != unitGame
		for i := range r.Variants {
			text := "-"
			for _, m := range r.Variants[i].main().Measures {
				switch {
				case m.Name != name.Name:
				case unit == unitGame && m.Value.Value == 0:
					text = "never"
				default:
					text, seen = sheet.Cell(m.Value, scale, format), true
				}
			}
			row = append(row, text)
		}
		if !seen {
			never = append(never, name.Name)
			continue
		}
		t.Rows = append(t.Rows, row)
	}
	if len(never) > 0 {
		t.Notes = append(t.Notes, "In no game: "+strings.Join(never, ", ")+".")
	}
	t.Notes = append(t.Notes, "Means over games from the starts that are chosen, with intervals of 95 %, not corrected for their number: of 20 figures that do not differ between variants, some seem to. Where all games have the same number there is no interval.")
	return t
}

func (r *Result) varietyTable() sheet.Table {
	t := sheet.Table{
		ID: "variety", Title: "Players and temperatures", Left: 2,
		Head: []string{"variant", "player", "temperature", "games", "repeated", "first player, %", "won-drawn-lost", "turns", "openings", "effective"},
		Notes: []string{
			fmt.Sprintf("Games from all starts alike. Each player draws its first %s after the start is settled from its own policy, at this temperature. Openings are different beginnings of %d decisions; effective is how many equally frequent ones would vary as much (the exponential of their entropy), which grows with the number of games.",
				wording.Count(r.Sampled, "decision"), OpeningDecisions),
			"Intervals are about further games of the player.",
		},
	}
	for _, g := range r.groups() {
		for _, c := range g.Cells {
			t.Rows = append(t.Rows, []string{
				g.Short, c.Player, strconv.FormatFloat(c.Temperature, 'g', -1, 64), strconv.Itoa(c.Games), strconv.Itoa(c.Repeated),
				sheet.Cell(c.Score, 100, "%.1f"), c.First.String(), fmt.Sprintf("%.1f", c.MeanTurns),
				strconv.Itoa(c.Openings), fmt.Sprintf("%.1f", c.EffectiveOpenings),
			})
		}
	}
	return t
}

func tally(t match.Tally) []string {
	return []string{strconv.Itoa(t.Wins), strconv.Itoa(t.Draws), strconv.Itoa(t.Losses)}
}

// Games is a table with a row for each game: who played it how, the points of the
// first player and of the owner of side A, and how often it has each kind of decision.
func (in *Input) Games() sheet.CSV {
	head := sheet.Row("variant", "player", "network", "simulations", "temperature", "start", "number", "first_points", "side_a_points", "swapped", "reason", "turns", "decisions", "repeats", in.Variants[0].KindNames)
	for _, k := range in.Variants[0].PieceNames {
		head = append(head, "moves by "+k)
	}
	rows := [][]string{head}
	for i := range in.Variants {
		v := &in.Variants[i]
		for _, p := range v.Played {
			who := &in.Players[p.Player]
			cells := sheet.Row(v.Name, who.Spec.Text, who.Network, who.Simulations, in.Config.Temperatures[p.Temperature], v.Starts.List[p.Start].Words, p.Number,
				p.First, p.SideA, p.Swapped, p.Reason, p.Turns, p.Decisions, p.Repeats)
			for _, n := range slices.Concat(p.Kinds, p.Pieces) {
				cells = append(cells, strconv.Itoa(n))
			}
			rows = append(rows, cells)
		}
	}
	return sheet.CSV{Name: "games.csv", Rows: rows}
}

// groupOf is a group with its variant.
type groupOf struct {
	*VariantResult
	*Group
}

func (r *Result) groups() []groupOf {
	var list []groupOf
	for i := range r.Variants {
		for k := range r.Variants[i].Groups {
			list = append(list, groupOf{&r.Variants[i], &r.Variants[i].Groups[k]})
		}
	}
	return list
}

// CSV are the tables for programs; measures.csv and verdicts.csv are about games
// from the starts that are chosen, cells.csv and starts.csv about all.
func (r *Result) CSV() []sheet.CSV {
	measures := sheet.NewCSV[Measure]("measures.csv", "variant group networks basis games repeated measure unit value low high", nil, nil)
	cells := sheet.NewCSV[CellResult]("cells.csv", "variant player network temperature games repeated "+
		"first_wins first_draws first_losses first_score low high mean_turns openings effective_openings", nil, nil)
	for _, g := range r.groups() {
		measures.Rows = append(measures.Rows, sheet.Rows(g.Measures, func(m *Measure) []string {
			return sheet.Row(g.Name, g.Label, g.Networks, string(g.Basis), g.Games, g.Repeated, m.Name, m.Unit, m.Value)
		})...)
		cells.Rows = append(cells.Rows, sheet.Rows(g.Cells, func(c *CellResult) []string {
			return sheet.Row(g.Name, c.Player, c.Network, c.Temperature, c.Games, c.Repeated,
				tally(c.First), c.Score, c.MeanTurns, c.Openings, c.EffectiveOpenings)
		})...)
	}
	verdicts := sheet.NewCSV("verdicts.csv", "variant baseline group main basis delta delta_low delta_high "+
		"baseline_delta baseline_delta_low baseline_delta_high change change_low change_high "+
		"distance distance_low distance_high found p p_holm verdict condition", r.Comparisons, func(c *Comparison) []string {
		adjusted := ""
		if c.PHolm != nil {
			adjusted = sheet.Number(*c.PHolm)
		}
		return sheet.Row(c.Variant, r.Baseline, c.Group, c.Main, string(c.Basis), c.Delta, c.Baseline,
			c.Change, c.Distance, string(c.Found), c.P, adjusted, string(c.Verdict), c.Condition)
	})
	return []sheet.CSV{measures, cells, verdicts, r.starts()}
}

// starts has a row for each start and player, and one for all players, with the interval.
func (r *Result) starts() sheet.CSV {
	t := sheet.NewCSV[StartResult]("starts.csv", "variant start lines games chosen chosen_by_all player score low high", nil, nil)
	for i := range r.Variants {
		v := &r.Variants[i]
		for j := range v.Starts {
			s := &v.Starts[j]
			common := sheet.Row(v.Name, s.Words, s.Lines, s.Games, s.Chosen, s.Words == v.Chosen)
			t.Rows = append(t.Rows, sheet.Row(common, "", s.Score))
			for _, p := range s.Players {
				t.Rows = append(t.Rows, sheet.Row(common, p.Player, p.Score, "", ""))
			}
		}
	}
	return t
}
