package balance

import (
	"fmt"
	"maps"
	"math"
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
	if len(r.Worth) > 0 {
		list = append(list, r.worthTable())
	}
	if len(r.Checks) > 0 {
		list = append(list, r.checkTable())
	}
	list = append(list, r.seatTable())
	list = append(list, r.swapTables()...)
	return append(list, r.moveTable(), r.useTable(), r.varietyTable())
}

func (r *Result) scoreTable() sheet.Table {
	t := sheet.Table{
		ID: "scores", Title: "First player's score", Left: 2,
		Head:  []string{"variant", "players", "games", "first player, %", "δ, points", "side A, %", "decisive, %", "turns"},
		Notes: []string{"Of games from the start. In brackets are intervals of 95 %. δ is the first player's score less one half, in hundredths of a point."},
	}
	for _, g := range r.groups() {
		t.Rows = append(t.Rows, []string{
			g.Short, g.Label, strconv.Itoa(g.Games),
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

func (r *Result) worthTable() sheet.Table {
	return sheet.Table{
		ID: "worth", Title: "What the double move is worth", Left: 3,
		Head: []string{"without", "with", "players", "worth to the second player, points"},
		Rows: sheet.Rows(r.Worth, func(w *Worth) []string {
			return []string{w.Without, w.With, w.Group, sheet.Cell(w.Value, 100, "%+.1f")}
		}),
		Notes: []string{"The first player's score without it less that with it: expected score, a draw being half a win."},
	}
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

// seatTable keeps player, side and exchange apart.
func (r *Result) seatTable() sheet.Table {
	t := sheet.Table{
		ID: "seats", Title: "Player, side and exchange", Left: 2,
		Head:  []string{"variant", "players", "first player", "owner of side A", "first player, sides kept", "first player, sides exchanged", "ends"},
		Notes: []string{"Games won-drawn-lost. The first player makes the first decision of the game; side A is a place on the board, which the players may exchange."},
	}
	text := func(x match.Tally) string {
		if x.Games() == 0 {
			return "-"
		}
		return x.String()
	}
	for _, g := range r.groups() {
		var ends []string
		for _, reason := range slices.Sorted(maps.Keys(g.Reasons)) {
			ends = append(ends, fmt.Sprintf("%s %d", reason, g.Reasons[reason]))
		}
		t.Rows = append(t.Rows, []string{g.Short, g.Label, text(g.First), text(g.SideA), text(g.FirstHeld), text(g.FirstSwapped), strings.Join(ends, ", ")})
	}
	return t
}

// swapTables say what networks make of an exchange of sides.
func (r *Result) swapTables() []sheet.Table {
	t := sheet.Table{
		ID: "swaps", Title: "If both play by a network's values of the first decisions", Left: 3,
		Head:  []string{"variant", "by", "best first decision", "first player expects, %", "exchanged", "pays after"},
		Notes: []string{"Who may exchange takes the better side, who begins chooses the most even decision. What is left of 50 % is how evenly the first decisions can divide the game by this network's values; a perfect exchange makes 50 % by construction. How games ended is in the tables above."},
	}
	for _, v := range r.Variants {
		for _, s := range v.Swaps {
			t.Rows = append(t.Rows, []string{v.Short, s.Player, s.Word, fmt.Sprintf("%.1f", 100*s.Score), sheet.YesNo(s.Exchanged), fmt.Sprintf("%d of %d", s.Exchanges, s.Moves)})
		}
	}
	if t.Rows == nil {
		return nil
	}
	return []sheet.Table{t}
}

func (r *Result) moveTable() sheet.Table {
	t := sheet.Table{
		ID: "moves", Title: "First decisions", Left: 2,
		Head:  []string{"variant", "first decision", "played, %", "by the networks, %", "with the exchange, %", "exchanged by", "forced games", "first player's score in them, %"},
		Notes: []string{"Played: its share of the games from the start. By the networks: the first player's score that they expect after it if nobody exchanges sides, the lowest to the highest of several; with the exchange: if whoever may takes the better side. Forced games begin with it and are in no other table."},
	}
	for i := range r.Variants {
		v := &r.Variants[i]
		for _, m := range v.FirstMoves {
			word := m.Word
			if n := len(m.Images); n > 1 {
				word += fmt.Sprintf(" (and %d like it)", n-1)
			}
			held, settled, exchanged := "-", "-", "-"
			if len(m.Values) > 0 {
				held = spread(m.Values, func(x *MoveValue) float64 { return x.Held })
				if len(v.Swaps) > 0 {
					settled = spread(m.Values, func(x *MoveValue) float64 { return x.Settled })
					n := 0
					for _, x := range m.Values {
						if x.Exchanged {
							n++
						}
					}
					exchanged = fmt.Sprintf("%d of %d", n, len(m.Values))
				}
			}
			score := "-"
			if m.Score != nil {
				score = sheet.Cell(*m.Score, 100, "%.0f")
			}
			t.Rows = append(t.Rows, []string{v.Short, word, fmt.Sprintf("%.0f", 100*m.Played), held, settled, exchanged, strconv.Itoa(m.ForcedGames), score})
		}
	}
	return t
}

// spread writes the lowest and the highest of values, as percent.
func spread(list []MoveValue, of func(*MoveValue) float64) string {
	if len(list) == 1 {
		return fmt.Sprintf("%.1f", 100*of(&list[0]))
	}
	low, high := math.Inf(1), math.Inf(-1)
	for i := range list {
		low, high = min(low, of(&list[i])), max(high, of(&list[i]))
	}
	return fmt.Sprintf("%.1f to %.1f", 100*low, 100*high)
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
	t.Notes = append(t.Notes, "Means over games from the start with intervals of 95 %, not corrected for their number: of 20 figures that do not differ between variants, some seem to. Where all games have the same number there is no interval.")
	return t
}

func (r *Result) varietyTable() sheet.Table {
	t := sheet.Table{
		ID: "variety", Title: "Players and temperatures", Left: 2,
		Head: []string{"variant", "player", "temperature", "games", "repeated", "first player, %", "won-drawn-lost", "side A", "turns", "openings", "effective"},
		Notes: []string{
			fmt.Sprintf("Each player draws its first %s after the start is settled from its own policy, at this temperature. Openings are different beginnings of %d decisions; effective is how many equally frequent ones would vary as much (the exponential of their entropy), which grows with the number of games.",
				wording.Count(r.Sampled, "decision"), OpeningDecisions),
			"Intervals are about further games of the player.",
		},
	}
	for _, g := range r.groups() {
		for _, c := range g.Cells {
			t.Rows = append(t.Rows, []string{
				g.Short, c.Player, strconv.FormatFloat(c.Temperature, 'g', -1, 64), strconv.Itoa(c.Games), strconv.Itoa(c.Repeated),
				sheet.Cell(c.Score, 100, "%.1f"), c.First.String(), c.SideA.String(), fmt.Sprintf("%.1f", c.MeanTurns),
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
	head := sheet.Row("variant", "player", "network", "simulations", "temperature", "forced", "number", "first_points", "side_a_points", "swapped", "reason", "turns", "decisions", "repeats", "first_decision", in.Variants[0].KindNames)
	for _, k := range in.Variants[0].PieceNames {
		head = append(head, "moves by "+k)
	}
	rows := [][]string{head}
	for i := range in.Variants {
		v := &in.Variants[i]
		moves := FirstMoves(v.Game)
		for _, p := range v.Played {
			who := &in.Players[p.Player]
			forced := ""
			if p.Forced > 0 {
				forced = moves[p.Forced-1].Word
			}
			cells := sheet.Row(v.Name, who.Spec.Text, who.Network, who.Simulations, in.Config.Temperatures[p.Temperature], forced, p.Number,
				p.First, p.SideA, p.Swapped, p.Reason, p.Turns, p.Decisions, p.Repeats, p.FirstWord)
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

// groups lists the groups of all variants.
func (r *Result) groups() []groupOf {
	var list []groupOf
	for i := range r.Variants {
		for k := range r.Variants[i].Groups {
			list = append(list, groupOf{&r.Variants[i], &r.Variants[i].Groups[k]})
		}
	}
	return list
}

// CSV are the tables for programs; all but first-moves.csv are about games from the
// start.
func (r *Result) CSV() []sheet.CSV {
	measures := sheet.NewCSV[Measure]("measures.csv", "variant group networks basis games repeated measure unit value low high", nil, nil)
	cells := sheet.NewCSV[CellResult]("cells.csv", "variant player network temperature games repeated "+
		"first_wins first_draws first_losses side_a_wins side_a_draws side_a_losses first_score low high mean_turns openings effective_openings", nil, nil)
	for _, g := range r.groups() {
		measures.Rows = append(measures.Rows, sheet.Rows(g.Measures, func(m *Measure) []string {
			return sheet.Row(g.Name, g.Label, g.Networks, string(g.Basis), g.Games, g.Repeated, m.Name, m.Unit, m.Value)
		})...)
		cells.Rows = append(cells.Rows, sheet.Rows(g.Cells, func(c *CellResult) []string {
			return sheet.Row(g.Name, c.Player, c.Network, c.Temperature, c.Games, c.Repeated,
				tally(c.First), tally(c.SideA), c.Score, c.MeanTurns, c.Openings, c.EffectiveOpenings)
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
	return []sheet.CSV{measures, cells, verdicts, r.firstMoves()}
}

// firstMoves has a row for each first decision and network that was asked about it,
// or one row with empty values if none was.
func (r *Result) firstMoves() sheet.CSV {
	t := sheet.NewCSV[FirstMoveResult]("first-moves.csv", "variant first_decision images played forced_games forced_score low high player held settled exchanged", nil, nil)
	for i := range r.Variants {
		v := &r.Variants[i]
		for _, m := range v.FirstMoves {
			score := []string{"", "", ""}
			if m.Score != nil {
				score = sheet.Interval(*m.Score)
			}
			common := sheet.Row(v.Name, m.Word, len(m.Images), m.Played, m.ForcedGames, score)
			if len(m.Values) == 0 {
				t.Rows = append(t.Rows, append(common, "", "", "", ""))
			}
			t.Rows = append(t.Rows, sheet.Rows(m.Values, func(x *MoveValue) []string {
				return sheet.Row(common, x.Player, x.Held, x.Settled, x.Exchanged)
			})...)
		}
	}
	return t
}
