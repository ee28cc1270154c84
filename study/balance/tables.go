package balance

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/sheet"
)

// tables are those of the report, in order.
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
	for k := range r.Variants[0].Groups {
		g := &r.Variants[0].Groups[k]
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
		for k := range v.FirstMoves {
			m := &v.FirstMoves[k]
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
				sheet.Plural(r.Sampled, "decision"), OpeningDecisions),
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
