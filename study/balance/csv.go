package balance

import (
	"io"
	"strconv"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/sheet"
)

func tally(t match.Tally) []string {
	return []string{strconv.Itoa(t.Wins), strconv.Itoa(t.Draws), strconv.Itoa(t.Losses)}
}

// WriteGames writes a line for each game: who played it how, what the first player
// and the owner of side A made of it, and how often it has each kind of decision.
func WriteGames(w io.Writer, in *Input) error {
	head := sheet.Row("variant", "player", "network", "simulations", "temperature", "forced", "number", "first_points", "side_a_points", "swapped", "reason", "turns", "decisions", "repeats", "first_decision")
	head = append(head, in.Variants[0].KindNames...)
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
			for _, list := range [][]int{p.Kinds, p.Pieces} {
				for _, n := range list {
					cells = append(cells, strconv.Itoa(n))
				}
			}
			rows = append(rows, cells)
		}
	}
	return sheet.WriteCSV(w, rows)
}

// WriteMeasures writes a line for each figure of each group, of games from the start.
func (r *Result) WriteMeasures(w io.Writer) error {
	rows := [][]string{sheet.Row("variant", "group", "networks", "basis", "games", "repeated", "measure", "unit", "value", "low", "high")}
	for i := range r.Variants {
		v := &r.Variants[i]
		for k := range v.Groups {
			g := &v.Groups[k]
			for _, m := range g.Measures {
				rows = append(rows, sheet.Row(v.Name, g.Label, g.Networks, string(g.Basis), g.Games, g.Repeated, m.Name, m.Unit, sheet.Interval(m.Value)))
			}
		}
	}
	return sheet.WriteCSV(w, rows)
}

// WriteCells writes a line for each player at each temperature, of games from the
// start.
func (r *Result) WriteCells(w io.Writer) error {
	rows := [][]string{sheet.Row("variant", "player", "network", "temperature", "games", "repeated",
		"first_wins", "first_draws", "first_losses", "side_a_wins", "side_a_draws", "side_a_losses",
		"first_score", "low", "high", "mean_turns", "openings", "effective_openings")}
	for i := range r.Variants {
		v := &r.Variants[i]
		for k := range v.Groups {
			for _, c := range v.Groups[k].Cells {
				rows = append(rows, sheet.Row(v.Name, c.Player, c.Network, c.Temperature, c.Games, c.Repeated,
					tally(c.First), tally(c.SideA), sheet.Interval(c.Score), c.MeanTurns, c.Openings, c.EffectiveOpenings))
			}
		}
	}
	return sheet.WriteCSV(w, rows)
}

// WriteVerdicts writes a line for each comparison with the baseline.
func (r *Result) WriteVerdicts(w io.Writer) error {
	rows := [][]string{sheet.Row("variant", "baseline", "group", "main", "basis", "delta", "delta_low", "delta_high",
		"baseline_delta", "baseline_delta_low", "baseline_delta_high", "change", "change_low", "change_high",
		"distance", "distance_low", "distance_high", "found", "p", "p_holm", "verdict", "condition")}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		adjusted := ""
		if c.PHolm != nil {
			adjusted = sheet.Number(*c.PHolm)
		}
		rows = append(rows, sheet.Row(c.Variant, r.Baseline, c.Group, c.Main, string(c.Basis), sheet.Interval(c.Delta), sheet.Interval(c.Baseline),
			sheet.Interval(c.Change), sheet.Interval(c.Distance), string(c.Found), c.P, adjusted, string(c.Verdict), c.Condition))
	}
	return sheet.WriteCSV(w, rows)
}

// WriteFirstMoves writes a line for each first decision and network that was asked
// about it, or one line with empty values if none was.
func (r *Result) WriteFirstMoves(w io.Writer) error {
	rows := [][]string{sheet.Row("variant", "first_decision", "images", "played", "forced_games", "forced_score", "low", "high", "player", "held", "settled", "exchanged")}
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
				rows = append(rows, append(common, "", "", "", ""))
			}
			for _, x := range m.Values {
				rows = append(rows, sheet.Row(common, x.Player, x.Held, x.Settled, x.Exchanged))
			}
		}
	}
	return sheet.WriteCSV(w, rows)
}
