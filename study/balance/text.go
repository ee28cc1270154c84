package balance

import (
	"fmt"
	"io"
	"strings"

	"github.com/ludozero/ludozero/report/sheet"
)

// report puts the result together for people: what was found in sentences, and all
// tables.
func (r *Result) report() *sheet.Report {
	return &sheet.Report{
		Title: "Balance of " + r.Game, Under: fmt.Sprintf("rules %s (version %d)", r.Rules, r.GameVersion),
		Summary: r.Summary, Tables: r.tables(), Conditions: r.conditions(), Command: r.Command,
	}
}

// WriteText writes the result for a terminal.
func (r *Result) WriteText(w io.Writer) error { return r.report().WriteText(w) }

// WriteHTML writes the result as a page that needs nothing else: no file, no
// address, no script.
func (r *Result) WriteHTML(w io.Writer) error {
	page := r.report()
	page.Plots = r.plots()
	return page.WriteHTML(w)
}

// conditions are what the games were played with.
func (r *Result) conditions() string {
	var temperatures []string
	for _, t := range r.Temperatures {
		temperatures = append(temperatures, fmt.Sprintf("%g", t))
	}
	forced := "no forced first decisions"
	if r.Forced > 0 {
		forced = fmt.Sprintf("%d after each first decision", r.Forced)
	}
	limit := "no limit of turns"
	if r.MaxTurns > 0 {
		limit = fmt.Sprintf("drawn after %d turns", r.MaxTurns)
	}
	weights := ""
	if r.Precision != "" {
		weights = fmt.Sprintf(" Networks are computed in %s.", r.Precision)
	}
	for _, network := range r.Networks {
		weights += fmt.Sprintf(" Network %s: %s.", network, r.Weights[network])
	}
	return fmt.Sprintf("Games: %d from the start and %s, for each player and temperature (%s); %s drawn from the policy of each player; %s; seed %d. Players: %s.%s",
		r.Games, forced, strings.Join(temperatures, ", "), sheet.Plural(r.Sampled, "decision"), limit, r.Seed, strings.Join(r.Players, "; "), weights)
}
