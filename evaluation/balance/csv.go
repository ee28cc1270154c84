package balance

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/ludozero/ludozero/evaluation"
	"github.com/ludozero/ludozero/evaluation/rating"
)

// number writes x so that it reads back; what is infinite or no number is empty.
func number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

func interval(e rating.Estimate) []string {
	return []string{number(e.Value), number(e.Low), number(e.High)}
}

func tally(t evaluation.Tally) []string {
	return []string{strconv.Itoa(t.Wins), strconv.Itoa(t.Draws), strconv.Itoa(t.Losses)}
}

// row joins cells and lists of cells.
func row(parts ...any) []string {
	var cells []string
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			cells = append(cells, p)
		case int:
			cells = append(cells, strconv.Itoa(p))
		case float64:
			cells = append(cells, number(p))
		case bool:
			cells = append(cells, strconv.FormatBool(p))
		case []string:
			cells = append(cells, p...)
		}
	}
	return cells
}

func writeCSV(w io.Writer, rows [][]string) error {
	c := csv.NewWriter(w)
	return c.WriteAll(rows)
}

// WriteGames writes a line for each game: who played it how, what the first player
// and the owner of side A made of it, and how often it has each kind of decision.
func WriteGames(w io.Writer, in *Input) error {
	head := row("variant", "player", "network", "simulations", "temperature", "forced", "number", "first_points", "side_a_points", "swapped", "reason", "turns", "decisions", "repeats", "first_decision")
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
			cells := row(v.Name, who.Spec.Text, who.Network, who.Simulations, in.Config.Temperatures[p.Temperature], forced, p.Number,
				p.First, p.SideA, p.Swapped, p.Reason, p.Turns, p.Decisions, p.Repeats, p.FirstWord)
			for _, list := range [][]int{p.Kinds, p.Pieces} {
				for _, n := range list {
					cells = append(cells, strconv.Itoa(n))
				}
			}
			rows = append(rows, cells)
		}
	}
	return writeCSV(w, rows)
}

// WriteMeasures writes a line for each figure of each group, of games from the start.
func (r *Result) WriteMeasures(w io.Writer) error {
	rows := [][]string{row("variant", "group", "networks", "basis", "games", "repeated", "measure", "unit", "value", "low", "high")}
	for i := range r.Variants {
		v := &r.Variants[i]
		for k := range v.Groups {
			g := &v.Groups[k]
			for _, m := range g.Measures {
				rows = append(rows, row(v.Name, g.Label, g.Networks, string(g.Basis), g.Games, g.Repeated, m.Name, m.Unit, interval(m.Value)))
			}
		}
	}
	return writeCSV(w, rows)
}

// WriteCells writes a line for each player at each temperature, of games from the
// start.
func (r *Result) WriteCells(w io.Writer) error {
	rows := [][]string{row("variant", "player", "network", "temperature", "games", "repeated",
		"first_wins", "first_draws", "first_losses", "side_a_wins", "side_a_draws", "side_a_losses",
		"first_score", "low", "high", "mean_turns", "openings", "effective_openings")}
	for i := range r.Variants {
		v := &r.Variants[i]
		for k := range v.Groups {
			for _, c := range v.Groups[k].Cells {
				rows = append(rows, row(v.Name, c.Player, c.Network, c.Temperature, c.Games, c.Repeated,
					tally(c.First), tally(c.SideA), interval(c.Score), c.MeanTurns, c.Openings, c.EffectiveOpenings))
			}
		}
	}
	return writeCSV(w, rows)
}

// WriteVerdicts writes a line for each comparison with the baseline.
func (r *Result) WriteVerdicts(w io.Writer) error {
	rows := [][]string{row("variant", "baseline", "group", "main", "basis", "delta", "delta_low", "delta_high",
		"baseline_delta", "baseline_delta_low", "baseline_delta_high", "change", "change_low", "change_high",
		"distance", "distance_low", "distance_high", "found", "p", "p_holm", "verdict", "condition")}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		adjusted := ""
		if c.PHolm != nil {
			adjusted = number(*c.PHolm)
		}
		rows = append(rows, row(c.Variant, r.Baseline, c.Group, c.Main, string(c.Basis), interval(c.Delta), interval(c.Baseline),
			interval(c.Change), interval(c.Distance), string(c.Found), c.P, adjusted, string(c.Verdict), c.Condition))
	}
	return writeCSV(w, rows)
}

// WriteFirstMoves writes a line for each first decision and network that was asked
// about it, or one line with empty values if none was.
func (r *Result) WriteFirstMoves(w io.Writer) error {
	rows := [][]string{row("variant", "first_decision", "images", "played", "forced_games", "forced_score", "low", "high", "player", "held", "settled", "exchanged")}
	for i := range r.Variants {
		v := &r.Variants[i]
		for k := range v.FirstMoves {
			m := &v.FirstMoves[k]
			score := []string{"", "", ""}
			if m.Score != nil {
				score = interval(*m.Score)
			}
			common := row(v.Name, m.Word, len(m.Images), m.Played, m.ForcedGames, score)
			if len(m.Values) == 0 {
				rows = append(rows, append(common, "", "", "", ""))
			}
			for _, x := range m.Values {
				rows = append(rows, row(common, x.Player, x.Held, x.Settled, x.Exchanged))
			}
		}
	}
	return writeCSV(w, rows)
}
