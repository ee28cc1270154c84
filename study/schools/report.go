package schools

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report/figure"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/stats/rating"
)

// Report puts the result together for people.
func (r *Result) Report() *sheet.Report {
	return &sheet.Report{
		Title: "Schools of Kon'reh", Under: fmt.Sprintf("rules %s (version %d)", r.Rules, r.GameVersion),
		Summary: r.Summary, Plots: r.plots(), Tables: r.tables(), Conditions: r.conditions(), Command: r.Command,
	}
}

// conditions are what the games were played with.
func (r *Result) conditions() string {
	limit := "no limit of turns"
	if r.MaxTurns > 0 {
		limit = fmt.Sprintf("drawn after %d turns", r.MaxTurns)
	}
	var weights []string
	for _, w := range r.Weights {
		weights = append(weights, strconv.FormatFloat(w, 'g', -1, 64))
	}
	text := fmt.Sprintf("Games in pairs with seats exchanged, from openings of %d turns drawn at random, one for all pairs of a round; %s; seed %d. %s of each two schools in the round robin; %d of each school against none at weight 1, %d at each other weight (weights %s)",
		r.OpeningTurns, limit, r.Seed, wording.Count(r.Rounds, "pair"), r.Pairs, r.OtherPairs, strings.Join(weights, ", "))
	if len(r.Matches) > 0 {
		text += fmt.Sprintf("; %d against each network", r.NetworkPairs)
	}
	text += ". Players: " + strings.Join(append(append([]string{r.Control}, r.Schools...), r.Networks...), "; ") + "."
	for _, list := range [][]string{r.Schools, r.Networks} {
		for _, player := range list {
			if id := r.Identity[player]; id != "" {
				text += fmt.Sprintf(" %s: %s.", player, id)
			}
		}
	}
	return text
}

// mostGroups is how many schools a plot has room for.
const mostGroups = 16

func (r *Result) plots() []sheet.Plot {
	if len(r.Prints) > mostGroups {
		return nil
	}
	var list []sheet.Plot
	if r.RoundRobin != nil {
		list = append(list, r.ratingPlot())
	}
	list = append(list, r.effectPlot())
	if len(r.Matches) > 0 {
		list = append(list, r.networkPlot())
	}
	for k := range measures {
		if p, ok := r.printPlot(k); ok {
			list = append(list, p)
		}
	}
	return list
}

func (r *Result) ratingPlot() sheet.Plot {
	rated := r.RoundRobin.Ratings
	p := &figure.Intervals{ID: "elo", Title: "Ratings in the round robin", Unit: "Elo less none's", Slanted: true}
	for _, i := range rated.Order() {
		if x := &rated.Players[i]; x.Name != rated.Anchor {
			p.Add(x.Name, "school", sheet.PointOf(x.Elo))
		}
	}
	return sheet.Plot{Intervals: p, About: "The line is none. Bars are intervals of 95 %."}
}

func (r *Result) effectPlot() sheet.Plot {
	p := &figure.Intervals{ID: "effect", Title: "Each school against none", Unit: "score", Share: true, Reference: 0.5, Slanted: true}
	for _, e := range r.Effects {
		p.Add(e.School, fmt.Sprintf("weight %g", e.Weight), sheet.PointOf(e.Score))
	}
	return sheet.Plot{Intervals: p, About: "The doctrine at several weights. The line is an even match."}
}

func (r *Result) networkPlot() sheet.Plot {
	p := &figure.Intervals{ID: "networks-plot", Title: "Against networks", Unit: "school's score", Share: true, Reference: 0.5, Slanted: true}
	for _, m := range r.Matches {
		p.Add(m.School, fmt.Sprintf("%s, %d simulations", m.Network, m.Simulations), sheet.PointOf(m.Score))
	}
	return sheet.Plot{Intervals: p, About: "The line is an even match."}
}

// printPlot plots measure k, if the page has a plot of it and there is anything to show.
func (r *Result) printPlot(k int) (sheet.Plot, bool) {
	m := &measures[k]
	control := r.Prints[0].Figures[k].Value
	p := &figure.Intervals{ID: "print-" + strings.ReplaceAll(m.ID, "_", "-"), Title: m.Name, Unit: m.Unit, Share: m.Share, Slanted: true, Reference: control.Value}
	if !math.IsInf(control.High, 0) {
		p.Margin = control.High - control.Value
	}
	some := false
	for i := range r.Prints[1:] {
		x := r.Prints[1+i].Figures[k].Value
		some = some || !math.IsNaN(x.Value)
		p.Add(r.Names[i], "school", sheet.PointOf(clipped(m, x)))
	}
	return sheet.Plot{Intervals: p, About: "The line is none, the band its interval of 95 %."}, m.Drawn && some
}

// clipped keeps the interval of a share in its range.
func clipped(m *Measure, e rating.Estimate) rating.Estimate {
	if m.Share && !math.IsInf(e.High, 0) {
		e.Low, e.High = max(0, e.Low), min(1, e.High)
	}
	return e
}
