package schools

import (
	"io"

	"github.com/ludozero/ludozero/report/sheet"
)

// WriteRatings writes a line for each player of the round robin; only the head if there
// was none.
func (r *Result) WriteRatings(w io.Writer) error {
	rows := [][]string{sheet.Row("school", "games", "points", "elo", "low", "high")}
	if r.RoundRobin != nil {
		t := r.RoundRobin.Ratings
		for _, i := range t.Order() {
			p := &t.Players[i]
			rows = append(rows, sheet.Row(p.Name, p.Games, p.Points, p.Elo))
		}
	}
	return sheet.WriteCSV(w, rows)
}

// WriteDuels writes a line for every two of the round robin.
func (r *Result) WriteDuels(w io.Writer) error {
	rows := [][]string{sheet.Row("a", "b", "games", "score", "low", "high", "p", "p_holm")}
	if r.RoundRobin != nil {
		for _, d := range r.RoundRobin.Duels {
			rows = append(rows, sheet.Row(d.A, d.B, d.Games, d.Score, d.P, d.Holm))
		}
	}
	return sheet.WriteCSV(w, rows)
}

// WriteEffects writes a line for each school and weight.
func (r *Result) WriteEffects(w io.Writer) error {
	rows := [][]string{sheet.Row("school", "weight", "games", "wins", "draws", "losses", "score", "low", "high", "elo", "elo_low", "elo_high", "p", "p_holm")}
	for _, e := range r.Effects {
		rows = append(rows, sheet.Row(e.School, e.Weight, e.Games, e.Wins, e.Draws, e.Losses, e.Score, e.Elo, e.P, e.Holm))
	}
	return sheet.WriteCSV(w, rows)
}

// WriteFingerprints writes a line for each school and measure.
func (r *Result) WriteFingerprints(w io.Writer) error {
	rows := [][]string{sheet.Row("school", "games", "measure", "unit", "counted", "value", "low", "high", "difference", "difference_low", "difference_high")}
	for _, p := range r.Prints {
		for _, f := range p.Figures {
			rows = append(rows, sheet.Row(p.School, p.Games, f.Measure, f.Unit, f.Counted, f.Value, f.Difference))
		}
	}
	return sheet.WriteCSV(w, rows)
}

// WriteDeclared writes a line for each declared difference.
func (r *Result) WriteDeclared(w io.Writer) error {
	rows := [][]string{sheet.Row("school", "column", "words", "measure", "direction", "value", "low", "high", "control", "control_low", "control_high",
		"difference", "difference_low", "difference_high", "p", "p_holm", "shown")}
	for _, c := range r.Claims {
		rows = append(rows, sheet.Row(c.School, c.Column, c.Words, c.Measure, string(c.Direction), c.Value, c.Control, c.Difference, c.P, c.Holm, c.Shown))
	}
	return sheet.WriteCSV(w, rows)
}

// WriteNetworks writes a line for each match with a network.
func (r *Result) WriteNetworks(w io.Writer) error {
	rows := [][]string{sheet.Row("school", "network", "simulations", "games", "score", "low", "high", "elo", "elo_low", "elo_high")}
	for _, m := range r.Matches {
		rows = append(rows, sheet.Row(m.School, m.Network, m.Simulations, m.Games, m.Score, m.Elo))
	}
	return sheet.WriteCSV(w, rows)
}
