package balance

import (
	"slices"
	"strconv"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/sheet"
)

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
		for k := range v.Played {
			p := &v.Played[k]
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
		for k := range v.FirstMoves {
			m := &v.FirstMoves[k]
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
