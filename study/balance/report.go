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
		r.Games, forced, strings.Join(temperatures, ", "), wording.Count(r.Sampled, "decision"), limit, r.Seed, strings.Join(r.Players, "; "), weights)
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
		add("turns", "Length", unitTurns, "Mean over games from the start.", false, none, 0, MeasureTurns)
	}
	if len(r.Worth) > 1 {
		list = append(list, r.worthPlot())
	}
	for i := range r.Variants {
		if p, ok := r.movePlot(i); ok {
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

// worthPlot shows the value of the double move by strength, with a series for each of
// the variants that have it.
func (r *Result) worthPlot() sheet.Plot {
	p := &figure.Intervals{ID: "worth", Title: "What the double move is worth", Unit: "points a game", Share: true}
	for _, w := range r.Worth {
		p.Add(lines(w.Group), w.With, sheet.PointOf(w.Value))
	}
	return sheet.Plot{Intervals: p, About: "The first player's score without it less that with it, by strength."}
}

// movePlot shows the first decisions of variant i, if there is anything to show and
// room for it.
func (r *Result) movePlot(i int) (sheet.Plot, bool) {
	v := &r.Variants[i]
	n := len(v.FirstMoves)
	if n < 2 || n > mostGroups || v.FirstMoves[0].Score == nil && len(v.FirstMoves[0].Values) == 0 {
		return sheet.Plot{}, false
	}
	p := &figure.Intervals{ID: "moves" + sheet.Number(float64(i+1)), Title: "First decisions in " + v.Name, Unit: "first player's score", Share: true, Reference: 0.5}
	forced := figure.Series{Name: "games that begin with it"}
	thought := figure.Series{Name: "networks' values, sides kept (lowest to highest)"}
	for _, m := range v.FirstMoves {
		p.Groups = append(p.Groups, m.Word)
		if m.Score != nil {
			forced.Points = append(forced.Points, sheet.PointOf(*m.Score))
		}
		if len(m.Values) > 0 {
			q := figure.Point{Low: math.Inf(1), High: math.Inf(-1)}
			for _, x := range m.Values {
				q.Value += x.Held / float64(len(m.Values))
				q.Low, q.High = min(q.Low, x.Held), max(q.High, x.Held)
			}
			thought.Points = append(thought.Points, q)
		}
	}
	for _, s := range []figure.Series{forced, thought} {
		if len(s.Points) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	about := "Games that begin with the decision, and what networks expect after it."
	if len(v.Swaps) > 0 {
		about += " The games are with the exchange of sides, the values without it."
	}
	return sheet.Plot{Intervals: p, About: about}, true
}
