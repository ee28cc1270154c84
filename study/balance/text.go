package balance

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/report/sheet"
)

// Report puts the result together for people.
func (r *Result) Report() *sheet.Report {
	return &sheet.Report{
		Title: "Balance of " + r.Game, Under: fmt.Sprintf("rules %s (version %d)", r.Rules, r.GameVersion),
		Summary: r.Summary, Plots: r.plots(), Tables: r.tables(), Conditions: r.conditions(), Command: r.Command,
	}
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
