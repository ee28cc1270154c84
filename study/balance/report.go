package balance

import (
	"fmt"
	"math"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report/figure"
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
	return fmt.Sprintf("Games: at least %d of each variant, equally many from each start, for each player and temperature (%s); %s drawn from the policy of each player once the start is settled; %s; seed %d. Players: %s.%s",
		r.Games, strings.Join(temperatures, ", "), wording.Count(r.Sampled, "decision"), limit, r.Seed, strings.Join(r.Players, "; "), weights)
}

// mostGroups is how many groups a plot has room for.
const mostGroups = 16

func (r *Result) plots() []sheet.Plot {
	var list []sheet.Plot
	add := func(id, title, unit, about string, share bool, reference, margin float64, name string) {
		p := &figure.Intervals{ID: id, Title: title, Unit: unit, Share: share, Reference: reference, Margin: margin}
		for _, g := range r.groups() {
			p.Add(lines(g.Short), g.Label, sheet.PointOf(g.measure(name)))
		}
		list = append(list, sheet.Plot{Intervals: p, About: about})
	}
	none := math.NaN()
	if len(r.Variants) <= mostGroups {
		add("delta", "First player's score", unitScore, fmt.Sprintf("The line is one half, the band the %s on both sides that do not matter. Bars are intervals of 95 %%.", difference(r.Matters)), true, 0.5, r.Matters, MeasureFirst)
		if len(r.Comparisons) > 0 {
			list = append(list, r.distancePlot())
		}
		add("decisive", "Decisive games", unitShare, "The share of games that somebody won.", true, none, 0, MeasureDecisive)
		add("turns", "Length", unitTurns, "Mean over games from the starts that are chosen.", false, none, 0, MeasureTurns)
	}
	for i := range r.Variants {
		if p, ok := r.startPlot(i); ok {
			list = append(list, p)
		}
	}
	return list
}

// lines breaks a name for the axis.
func lines(name string) string {
	return strings.NewReplacer(", ", "\n", ",", "\n", "-", "-\n").Replace(name)
}

// distancePlot shows what verdicts go by.
func (r *Result) distancePlot() sheet.Plot {
	p := &figure.Intervals{ID: "distance", Title: "|δ| less that of " + r.Baseline, Unit: "points a game", Share: true, Reference: -r.Matters}
	short := map[string]string{}
	for _, v := range r.Variants {
		short[v.Name] = lines(v.Short)
	}
	for _, c := range r.Comparisons {
		p.Add(short[c.Variant], c.Group, sheet.PointOf(c.Distance))
	}
	return sheet.Plot{Intervals: p, About: fmt.Sprintf("Below the line with the whole interval: fairer by %s or more. Above it with the whole interval: not.", difference(r.Matters))}
}

// startPlot shows the starts of variant i, if there is room for it.
func (r *Result) startPlot(i int) (sheet.Plot, bool) {
	v := &r.Variants[i]
	if len(v.Starts) < 2 || len(v.Starts) > mostGroups {
		return sheet.Plot{}, false
	}
	p := &figure.Intervals{ID: "starts" + sheet.Number(float64(i+1)), Title: "Starts of " + v.Name, Unit: "first player's score", Share: true, Reference: 0.5}
	for j := range v.Starts {
		p.Add(lines(strings.ReplaceAll(v.Starts[j].Words, " ", ", ")), v.main().Label, sheet.PointOf(v.Starts[j].Score))
	}
	return sheet.Plot{Intervals: p, About: "Games from each start. Who decides at a step takes what is best by games like these."}, true
}
