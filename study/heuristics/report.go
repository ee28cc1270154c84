package heuristics

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report/figure"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/stats/rating"
)

// Report is the result for people.
func (r *Result) Report() *sheet.Report {
	return &sheet.Report{
		Title: "Rules of thumb of Kon'reh", Under: fmt.Sprintf("rules %s (version %d)", r.Rules, r.GameVersion),
		Summary: r.Summary, Plots: r.plots(),
		Tables:     []sheet.Table{r.findingTable(), r.onOffTable(), r.regretTable(), r.situationTable(), r.seenTable()},
		Conditions: r.conditions(), Command: r.Command,
	}
}

// levelNames are the situations of question q at some levels.
func levelNames(q int, levels []int) string {
	var names []string
	for _, l := range levels {
		names = append(names, questions[q].Levels[l])
	}
	return strings.Join(names, "; ")
}

func claimText(q int, c *Claim) string {
	word := "worse"
	if c.Better {
		word = "better"
	}
	return fmt.Sprintf("%s: to %s is %s", levelNames(q, c.Levels), questions[q].Act, word)
}

func orderText(q int, o *Order) string {
	return fmt.Sprintf("to %s gains more at %s than at %s", questions[q].Act, levelNames(q, o.High), levelNames(q, o.Low))
}

// percent is an estimate of a share or score in a table, points one of a difference.
func percent(e rating.Estimate) string { return cell(e, "%.1f") }
func points(e rating.Estimate) string  { return cell(e, "%+.1f") }

func cell(e rating.Estimate, format string) string {
	if math.IsNaN(e.Value) {
		return "-"
	}
	return sheet.Cell(e, 100, format)
}

// summary says what was found in sentences.
func (r *Result) summary() []string {
	var list []string
	for _, f := range []struct {
		finding Finding
		text    string
	}{
		{Supported, "Supported by the data"}, {Contradict, "Not supported, the data say the opposite"},
		{PartsDiffer, "Supported by one part and not by another"}, {CannotTell, "The data cannot tell"},
	} {
		var ids []string
		for i := range r.Heuristics {
			if h := &r.Heuristics[i]; h.Finding == f.finding {
				ids = append(ids, fmt.Sprintf("%s (%s)", h.ID, tagText(h.Tag)))
			}
		}
		if len(ids) > 0 {
			list = append(list, fmt.Sprintf("%s: %s.", f.text, strings.Join(ids, ", ")))
		}
	}
	list = append(list, fmt.Sprintf("This is after Holm's correction over the %d tests that were declared before the games, at %g %%; what searches expect counts only if the other networks agree. It is about these players, networks and numbers of simulations.",
		r.Tests, 100*Alpha))
	if r.Stopped != nil {
		list = append(list, r.Stopped.String())
	}
	return list
}

func tagText(t Tag) string {
	if t == Untagged {
		return "no tag"
	}
	return string(t)
}

func (r *Result) findingTable() sheet.Table {
	t := sheet.Table{
		ID: "findings", Title: "Findings", Left: 6,
		Head: []string{"rule", "book's tag", "in short", "on and off", "regret", "finding"},
		Notes: []string{
			"Each rule of the book (Nicholas A. Gasper, 2025) is in our words. The book explains the tags Hard, Soft and Bait, and gives Soft to the one about SSI and to XS 2, and Bait to the ring; the others have none there.",
			"On and off: the score against the same player without the rule differs from one half. Regret: each claim of the rule holds in what searches expect, and so does the order of its measure where it has one. A rule is supported if one of both says so and none the opposite.",
			"What was observed in games is in no finding.",
		},
	}
	for _, h := range r.Heuristics {
		regret := string(h.Regret)
		if len(h.Claims) == 0 {
			regret = "no test"
		}
		t.Rows = append(t.Rows, []string{h.ID, string(h.Tag), h.Says, string(h.OnOff.Finding), regret, string(h.Finding)})
	}
	return t
}

func (r *Result) onOffTable() sheet.Table {
	t := sheet.Table{
		ID: "onoff", Title: "On and off: the rule against the same player without it", Left: 2,
		Head:  []string{"rule", "player", "games", "won", "drawn", "lost", "score, %", "Elo", "p", "p (Holm)", "finding"},
		Notes: []string{fmt.Sprintf("Pairs of games with seats exchanged, school:only-RULE against school:none, both %s deep. In brackets are intervals of 95 %%.", wording.Count(r.Config.Depth, "player turn"))},
	}
	for i := range r.Heuristics {
		h := &r.Heuristics[i]
		o := &h.OnOff
		t.Rows = append(t.Rows, sheet.Row(h.ID, "school:"+h.School(), o.Games, o.Won, o.Drawn, o.Lost,
			percent(o.Score), sheet.Cell(o.Elo, 1, "%+.0f"), sheet.Probability(o.P), sheet.Probability(o.Holm), string(o.Finding)))
		if o.Repeats > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: %s repeat earlier ones move by move and are no more evidence.", h.ID, wording.Count(o.Repeats, "pair")))
		}
	}
	return t
}

func (r *Result) regretTable() sheet.Table {
	t := sheet.Table{
		ID: "regret", Title: "Regret: what searches expect", Left: 2,
		Head: []string{"rule", "claim", "choices", "games"},
		Notes: []string{
			"Gain of the act in hundredths of a point: expected score after the best move of the act, less that after the best other move. Each network judges moves that another one has chosen. Intervals of 95 % are by drawing whole games.",
			fmt.Sprintf("The p-value is of the first network, 1 with fewer than %d games; agreement says whether the others have its sign, and one of them clearly (yes) or not (same sign). A finding needs p (Holm) below %g and yes.", MinGames, Alpha),
			"An act against all other moves loses a little nearly always, since there are more of the others: there a rule is supported only together with the order of its measure. The rule ring has no measure, so nothing is tested here.",
		},
	}
	for _, n := range r.Networks {
		t.Head = append(t.Head, "gain by "+n)
	}
	t.Head = append(t.Head, "p", "p (Holm)", "agreement", "finding")
	for i := range r.Heuristics {
		r.Heuristics[i].regretTests(func(_, text string, gains []Gain, test *Test) {
			row := []string{r.Heuristics[i].ID, text, fmt.Sprint(gains[0].Questions), fmt.Sprint(gains[0].Games)}
			for k := range gains {
				row = append(row, points(gains[k].Interval))
			}
			agreement := test.Agreement
			if agreement == "" {
				agreement = "-"
			}
			t.Rows = append(t.Rows, append(row, sheet.Probability(test.P), sheet.Probability(test.Holm), agreement, string(test.Finding)))
		})
	}
	return t
}

func (r *Result) situationTable() sheet.Table {
	t := sheet.Table{
		ID: "situations", Title: "By situation", Left: 2,
		Head: []string{"choice", "situation", "choices", "games"},
		Notes: []string{
			"Gains as above. Preferred is how often the network that chose for the first one would rather have the act. Where it would, the gain is what not doing it would cost; where it would not, the gain below 0 is what doing it costs. Both are by the first network, which did not choose.",
		},
	}
	for _, n := range r.Networks {
		t.Head = append(t.Head, "gain by "+n)
	}
	t.Head = append(t.Head, "preferred, %", "gain where preferred", "gain where not")
	for _, s := range r.Situations {
		row := []string{s.Act + ", or " + s.Else, s.Level, fmt.Sprint(s.Gains[0].Questions), fmt.Sprint(s.Gains[0].Games)}
		for k := range s.Gains {
			row = append(row, points(s.Gains[k].Interval))
		}
		t.Rows = append(t.Rows, append(row, percent(s.Prefers), points(s.Taken), points(s.Left)))
	}
	return t
}

func (r *Result) seenTable() sheet.Table {
	t := sheet.Table{
		ID: "observed", Title: "Observed in games (observational)", Left: 1,
		Head: []string{"rule", "decisions", "games", "obeyed, %", "score of who obeys, %", "score of who breaks it, %", "difference, points"},
		Notes: []string{
			fmt.Sprintf("Observational: %s of %s were looked at, and nobody was told to obey. Who obeys a rule may do so because the position is good, and who breaks it because it is lost; a difference here says nothing about the rule's effect, and is in no finding.", wording.Count(r.Games, "game"), r.Source),
			"Decisions in which both was possible, to obey and to break the rule. Intervals of 95 % are by drawing whole games.",
		},
	}
	t.Rows = sheet.Rows(r.Heuristics, func(h *RuleResult) []string {
		s := &h.Seen
		return sheet.Row(h.ID, s.Decisions, s.Games, percent(s.Share), percent(s.Obeying), percent(s.Breaking), points(s.Difference))
	})
	return t
}

func (r *Result) conditions() string {
	c := &r.Config
	weights := ""
	for _, n := range r.Networks {
		weights += fmt.Sprintf(" Network %s: %s.", n, r.Weights[n])
	}
	return fmt.Sprintf("On and off: %s a rule, openings of %d random turns, drawn after %d turns. Choices: from %d games of the networks at %d simulations, of which %s of each player are drawn from its policy, and where these have too few from games of on and off; at most %d of a kind from a game and %d in all; chosen with %d simulations, judged with %d after each move. Seed %d.%s",
		wording.Count(c.Pairs, "pair"), OpeningTurns, c.MaxTurns, c.Games, c.Sims, wording.Count(c.Sampled, "decision"), c.PerGame, c.Most, c.ChooseSims, c.JudgeSims, c.Seed, weights)
}

// OpeningTurns is how many random turns the games of on and off begin with.
const OpeningTurns = 4

func (r *Result) plots() []sheet.Plot {
	match := &figure.Intervals{ID: "score", Title: "On and off", Unit: "score against the player without the rule", Share: true, Reference: 0.5}
	for _, h := range r.Heuristics {
		match.Add(strings.ReplaceAll(h.ID, "-", "-\n"), "player with the rule", sheet.PointOf(h.OnOff.Score))
	}
	list := []sheet.Plot{{Intervals: match, About: "The line is one half. Bars are intervals of 95 %, not corrected."}}
	for q := range questions {
		p := &figure.Intervals{ID: "gain-" + questions[q].ID, Title: "To " + questions[q].Act, Unit: "gain in expected score", Share: true}
		for _, x := range r.Situations {
			if x.Question != questions[q].ID || math.IsNaN(x.Gains[0].Interval.Value) {
				continue
			}
			for k, n := range r.Networks {
				p.Add(strings.ReplaceAll(x.Level, ", ", ",\n"), n, sheet.PointOf(x.Gains[k].Interval))
			}
		}
		if len(p.Groups) > 0 {
			list = append(list, sheet.Plot{Intervals: p, About: "Against: " + questions[q].Else + ". Above the line the act is better. Bars are intervals of 95 %, not corrected."})
		}
	}
	return list
}

// heads are the heads of the three cells of an estimate.
func heads(name string) []string { return []string{name, name + "_low", name + "_high"} }

// CSV are the tables for programs.
func (r *Result) CSV() []sheet.CSV {
	findings := sheet.CSV{Name: "findings.csv", Rows: [][]string{sheet.Row("rule", "tag", "games", "won", "drawn", "lost", heads("score"), "p", "holm", "on_off", "regret", "finding",
		"observed_decisions", "observed_games", heads("obeyed"), heads("score_obeying"), heads("score_breaking"), heads("difference"))}}
	regret := sheet.CSV{Name: "regret.csv", Rows: [][]string{sheet.Row("rule", "kind", "text", "network", "choices", "games", heads("gain"), "p", "holm", "agreement", "finding")}}
	for i := range r.Heuristics {
		h := &r.Heuristics[i]
		o, s := &h.OnOff, &h.Seen
		findings.Rows = append(findings.Rows, sheet.Row(h.ID, string(h.Tag), o.Games, o.Won, o.Drawn, o.Lost, o.Score, o.P, o.Holm, string(o.Finding), string(h.Regret), string(h.Finding),
			s.Decisions, s.Games, s.Share, s.Obeying, s.Breaking, s.Difference))
		h.regretTests(func(kind, text string, gains []Gain, t *Test) {
			for k := range gains {
				row := sheet.Row(h.ID, kind, text, gains[k].cells())
				if k == 0 { // the one that is tested
					row = append(row, sheet.Row(t.P, t.Holm, t.Agreement, string(t.Finding))...)
				} else {
					row = append(row, "", "", "", "")
				}
				regret.Rows = append(regret.Rows, row)
			}
		})
	}
	situations := sheet.CSV{Name: "situations.csv", Rows: [][]string{sheet.Row("question", "act", "else", "level", "network", "choices", "games", heads("gain"), heads("act_preferred"),
		heads("gain_where_preferred"), heads("gain_where_not"))}}
	for _, s := range r.Situations {
		for k := range s.Gains {
			row := sheet.Row(s.Question, s.Act, s.Else, s.Level, s.Gains[k].cells())
			if k == 0 {
				row = append(row, sheet.Row(s.Prefers, s.Taken, s.Left)...)
			} else {
				row = append(row, slices.Repeat([]string{""}, 9)...)
			}
			situations.Rows = append(situations.Rows, row)
		}
	}
	return []sheet.CSV{findings, regret, situations}
}

func (g *Gain) cells() []string { return sheet.Row(g.Network, g.Questions, g.Games, g.Interval) }

// regretTests visits the tests of what searches expect.
func (h *RuleResult) regretTests(visit func(kind, text string, gains []Gain, t *Test)) {
	for k := range h.Claims {
		visit("claim", h.Claims[k].Text, h.Claims[k].Gains, &h.Claims[k].Test)
	}
	if h.Order != nil {
		visit("order", h.Order.Text, h.Order.Gains, &h.Order.Test)
	}
}

// Choices is a table with a row for each choice: where it is, and what each network made
// of it.
func (in *Input) Choices(games []Game) sheet.CSV {
	head := sheet.Row("game", "ply", "question", "level", "position")
	for _, n := range in.Networks {
		head = append(head, "act by "+n, "other by "+n, "gain by "+n, "act preferred by its chooser")
	}
	rows := [][]string{head}
	var h *engine.History
	var s *konreh.State
	for i := range in.Asked {
		x := &in.Asked[i]
		if s == nil {
			s, h = games[x.Game].Rules.NewState().(*konreh.State), games[x.Game].Rules.NewHistory()
		}
		x.Position(games, s, h)
		row := sheet.Row(x.Game+1, x.Ply, questions[x.Question].ID, questions[x.Question].Levels[x.Level], string(s.AppendPosition(nil)))
		for _, v := range in.Verdicts[i] {
			row = append(row, sheet.Row(string(s.AppendAction(nil, v.Act)), string(s.AppendAction(nil, v.Other)), math.Round(1e5*v.Gain)/1e5, v.Prefers)...)
		}
		rows = append(rows, row)
	}
	return sheet.CSV{Name: "choices.csv", Rows: rows}
}
