package lab

import (
	"fmt"
	"maps"
	"math"
	"slices"
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
		Title: "Sheet of " + r.Game, Under: fmt.Sprintf("%s (version %d)", names(r.Rules), r.GameVersion),
		Summary: r.Summary, Plots: r.plots(), Tables: r.tables(), Conditions: r.conditions(), Command: r.Command,
	}
}

// cell writes a figure of m.
func (m *Measure) cell(e rating.Estimate, plus bool) string {
	if math.IsNaN(e.Value) {
		return "-"
	}
	format, scale := "%.1f", 100.0
	if !m.Share {
		scale = 1
		switch a := math.Abs(e.Value); {
		case a >= 100:
			format = "%.0f"
		case a < 10:
			format = "%.2f"
		}
	}
	if plus {
		format = strings.Replace(format, "%", "%+", 1)
	}
	return sheet.Cell(e, scale, format)
}

// unit is the unit as tables write it.
func (m *Measure) unit() string {
	if m.Share {
		return "%, " + m.Unit
	}
	return m.Unit
}

func (r *Result) measure(id string) *Measure {
	for i := range r.Measures {
		if r.Measures[i].ID == id {
			return &r.Measures[i]
		}
	}
	return nil
}

func (r *Result) tables() []sheet.Table {
	var list []sheet.Table
	for i := range r.Strengths {
		list = append(list, r.strengthTable(i))
	}
	return append(list, r.definitions())
}

// strengthTable has a row for each measure of the games of one player.
func (r *Result) strengthTable(at int) sheet.Table {
	s := &r.Strengths[at]
	t := sheet.Table{ID: "strength" + strconv.Itoa(at+1), Title: s.Title, Left: 2, Head: []string{"measure", "unit"}}
	two := len(r.Rules) == 2
	t.Head = append(t.Head, r.Rules...)
	t.Head = append(t.Head, "games")
	if two {
		t.Head = append(t.Head, "difference", "found", "p", "p (Holm)")
	}
	for i := range r.Measures {
		m := &r.Measures[i]
		row := []string{m.Name, m.unit()}
		var games []string
		any := false
		for side := range s.Sides {
			e, n, ok := s.Sides[side].estimate(m.ID)
			text := "-"
			if ok {
				text, any = m.cell(e, false), true
			}
			row, games = append(row, text), append(games, strconv.Itoa(n))
		}
		if !any {
			continue
		}
		row = append(row, strings.Join(games, ", "))
		if two {
			row = append(row, s.differenceCells(m)...)
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = []string{r.tableNote(s)}
	return t
}

func (s *Strength) differenceCells(m *Measure) []string {
	for i := range s.Differences {
		if d := &s.Differences[i]; d.Measure == m.ID {
			return []string{m.cell(d.Value, true), sheet.YesNo(d.Found), sheet.Probability(d.P), sheet.Probability(d.Holm)}
		}
	}
	return []string{"-", "-", "-", "-"}
}

func (r *Result) tableNote(s *Strength) string {
	text := "In brackets are intervals of 95 %; a figure without one is the same in all games, or of too few that differ."
	var repeated, lacks []string
	for i := range s.Sides {
		for _, what := range s.Sides[i].Lacks {
			lacks = append(lacks, fmt.Sprintf("%s under %s", what, r.Rules[i]))
		}
		if n := s.Sides[i].Repeated; n > 0 {
			repeated = append(repeated, fmt.Sprintf("%d of %d under %s", n, s.Sides[i].Games, r.Rules[i]))
		}
	}
	if len(repeated) > 0 {
		text += " Games that repeat an earlier one and are no evidence: " + strings.Join(repeated, ", ") + "."
	}
	if len(lacks) > 0 {
		text += " Nothing is said of " + strings.Join(lacks, "; ") + "."
	}
	return text
}

// definitions says what the measures are; ends and kinds have one row each.
func (r *Result) definitions() sheet.Table {
	t := sheet.Table{
		ID: "measures", Title: "Measures", Left: 5, Head: []string{"measure", "unit", "definition", "after", "where it would break"},
		Notes: []string{"Browne 2008: Automatic Generation and Evaluation of Recombination Games, thesis, Queensland University of Technology. Stephenson, Soemers, Piette, Browne 2021: General Game Heuristic Prediction Based on Ludeme Descriptions. Thompson 2000: Defining the Abstract, The Games Journal. Lantz, Isaksen, Jaffe, Nealen, Togelius 2017: Depth in Strategic Games, AAAI workshop."},
	}
	before := ""
	for i := range r.Measures {
		m := &r.Measures[i]
		if m.Definition == before {
			continue
		}
		before = m.Definition
		name, _, many := strings.Cut(m.Name, ":")
		if many {
			name += ": ..."
		}
		t.Rows = append(t.Rows, []string{name, m.Unit, m.Definition, m.Source, wording.OrDash(m.Breaks)})
	}
	return t
}

// conditions are what the games were played with.
func (r *Result) conditions() string {
	limit := "no limit of turns"
	if r.MaxTurns > 0 {
		limit = fmt.Sprintf("drawn after %d turns", r.MaxTurns)
	}
	text := fmt.Sprintf("Games: %d of each player with itself under each ruleset; in each, every player draws %s from its policy at temperature %g, %g of them from all legal actions; %s; seed %d.",
		r.Games, wording.Count(r.Sampled, "decision"), r.Temperature, r.Slips, limit, r.Seed)
	for _, p := range slices.Sorted(maps.Keys(r.Weights)) {
		text += fmt.Sprintf(" %s: %s.", p, r.Weights[p])
	}
	if r.Judge != "" {
		text += fmt.Sprintf(" %s judged the first %d games of each player under each ruleset.", r.Judge, min(r.Judged, r.Games))
	}
	if len(r.Climbs) > 0 {
		text += fmt.Sprintf(" Depth: %d pairs of games, drawn alike, of each effort against half of it.", r.DepthPairs)
	}
	if r.Kernel != "" {
		text += " Networks computed on " + r.Kernel + "."
	}
	return text
}

// plotted are the measures that the page has plots of.
var plotted = []string{"first_score", "draws", "turns", "branching", "drama", "leads", "decisive_turn", "tempo"}

func (r *Result) plots() []sheet.Plot {
	var list []sheet.Plot
	for _, id := range plotted {
		m := r.measure(id)
		if m == nil {
			continue
		}
		p := &figure.Intervals{ID: id, Title: upper(m.Name), Unit: m.Unit, Share: m.Share, Reference: math.NaN()}
		if id == "first_score" {
			p.Reference = 0.5
		}
		for i := range r.Strengths {
			for side := range r.Rules {
				if e, _, ok := r.Strengths[i].Sides[side].estimate(id); ok {
					p.Add(lines(r.Strengths[i].Player), r.Rules[side], sheet.PointOf(e))
				}
			}
		}
		list = append(list, sheet.Plot{Intervals: p, About: upper(m.Definition) + "."})
	}
	if p, ok := r.coursePlot(); ok {
		list = append(list, p)
	}
	if len(r.Climbs) > 0 {
		list = append(list, r.climbPlot())
	}
	return list
}

// coursePlot shows how uncertain the games of the strongest player were as they went.
func (r *Result) coursePlot() (sheet.Plot, bool) {
	best := r.Players[len(r.Players)-1]
	p := &figure.Intervals{ID: "course", Title: "Uncertainty over time", Unit: "uncertainty", Share: true, Reference: math.NaN()}
	for i := range r.Courses {
		if c := &r.Courses[i]; c.Player == best {
			for part, e := range c.Uncertainty {
				p.Add(fmt.Sprintf("%d", 100*(part+1)/len(c.Uncertainty)), c.Rules, sheet.PointOf(e))
			}
		}
	}
	return sheet.Plot{Intervals: p, About: fmt.Sprintf("Mean uncertainty in each tenth of the turns, up to the percentage below, in games of %s.", best)}, len(p.Groups) > 0
}

// climbPlot shows what each doubling of effort gains.
func (r *Result) climbPlot() sheet.Plot {
	p := &figure.Intervals{ID: "depth", Title: "What twice the effort gains", Unit: "Elo", Reference: 0}
	for i := range r.Climbs {
		c := &r.Climbs[i]
		for j := range c.Steps {
			e := c.Steps[j].elo()
			p.Add(effort.FindString(c.Steps[j].Stronger), c.Rules, sheet.PointOf(e.Estimate()))
		}
	}
	return sheet.Plot{Intervals: p, About: fmt.Sprintf("The player of that effort against the same with half of it, from %s on.", r.Climbs[0].Steps[0].Weaker)}
}

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// lines breaks the description of a player for an axis.
func lines(player string) string {
	return strings.NewReplacer(":", ":\n", ",", ",\n", "@", "\n@").Replace(player)
}

// CSV are the tables for programs.
func (r *Result) CSV() []sheet.CSV {
	figures := sheet.CSV{Name: "figures.csv", Rows: [][]string{strings.Fields("player rules measure unit games value low high")}}
	differences := sheet.CSV{Name: "differences.csv", Rows: [][]string{strings.Fields("player measure unit value low high p p_holm found")}}
	for i := range r.Strengths {
		s := &r.Strengths[i]
		for side := range s.Sides {
			for _, f := range s.Sides[side].Figures {
				figures.Rows = append(figures.Rows, sheet.Row(s.Player, r.Rules[side], f.Measure, r.measure(f.Measure).Unit, f.Games, f.Value))
			}
		}
		for _, d := range s.Differences {
			differences.Rows = append(differences.Rows, sheet.Row(s.Player, d.Measure, r.measure(d.Measure).Unit, d.Value, d.P, d.Holm, d.Found))
		}
	}
	list := []sheet.CSV{figures}
	if len(r.Rules) == 2 {
		list = append(list, differences)
	}
	return list
}
