package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/selfplay/census"
)

// gameTables tell how the games of self-play end, who wins them and which parts of
// the rules they use.
func (r *Report) gameTables() []table {
	g, ends := r.Games, r.endTable()
	if g == nil {
		return []table{ends}
	}
	list := []table{ends, g.seatTable()}
	uses := g.useTable()
	if len(uses.Rows) > 0 {
		list = append(list, uses)
	} else if text := g.formText(); text != "" {
		list[1].Notes = append(list[1].Notes, text)
	}
	last := &list[len(list)-1]
	last.Notes = append(last.Notes, g.readText())
	return list
}

// seatTable is results by player and by side of the first and the last part of the
// recorded games and of all of them.
func (g *Games) seatTable() table {
	t := table{
		Title: "Results by player and by side", Left: 1,
		Head: []string{"games of", "games", "first", "second", "drawn", g.Sides[0] + " won", g.Sides[1] + " won", "first scored (95 %)"},
	}
	add := func(name string, d *census.Summary) {
		of := func(n int) string { return percent(float64(n) / float64(d.Games)) }
		t.Rows = append(t.Rows, []string{
			name, wording.Grouped(d.Games), of(d.FirstWins), of(d.SecondWins), of(d.Draws), of(d.WinsBySide[g.Sides[0]]), of(d.WinsBySide[g.Sides[1]]),
			scoreText(firstScore(d)),
		})
	}
	oldest, newest := &g.Parts[0], g.newest()
	add(oldest.generations(), oldest.Summary)
	if newest != oldest {
		add(newest.generations(), newest.Summary)
	}
	for _, d := range g.Rules {
		add(d.Rules, d)
	}
	return t
}

// generations names the generations of a part.
func (p *GamesPart) generations() string {
	if p.First == p.Last {
		return fmt.Sprintf("generation %d", p.First)
	}
	return fmt.Sprintf("generations %d to %d", p.First, p.Last)
}

// short is generations for the head of a column.
func (p *GamesPart) short() string { return shortGenerations(p.First, p.Last) }

func (s *Stage) short() string { return shortGenerations(s.First, s.Last) }

func shortGenerations(first, last int) string {
	if first == last {
		return fmt.Sprintf("gen %d", first)
	}
	return fmt.Sprintf("gen %d–%d", first, last)
}

// newest is the last part with at least half the mean number of games of a part: a
// generation that has just begun says little.
func (g *Games) newest() *GamesPart {
	for i := len(g.Parts) - 1; i > 0; i-- {
		if p := &g.Parts[i]; 2*p.Summary.Games*len(g.Parts) >= g.Games {
			return p
		}
	}
	return &g.Parts[0]
}

// useTable tells how often the first and the last part of the recorded games use
// each part of the rules. It has no rows for a game without kinds of actions.
func (g *Games) useTable() table {
	first, last := g.Parts[0].Summary, g.newest().Summary
	was, is := g.Parts[0].short(), g.newest().short()
	t := table{Title: "Use of the rules", Left: 1, Head: []string{"", "a game: " + was, is, "in games: " + was, is}}
	var never []string
	for _, k := range last.ActionsByKind {
		if !slices.ContainsFunc(g.Parts, func(p GamesPart) bool { return kindOf(p.Summary, k.Kind).Games > 0 }) {
			never = append(never, k.Kind)
			continue
		}
		before := kindOf(first, k.Kind)
		t.Rows = append(t.Rows, []string{k.Kind, fmt.Sprintf("%.3g", before.PerGame), fmt.Sprintf("%.3g", k.PerGame),
			scoreText(share(before.Games, first)), scoreText(share(k.Games, last))})
	}
	if len(never) > 0 {
		t.Notes = []string{"Never, or not in these rules: " + strings.Join(never, ", ") + "."}
	}
	return t
}

// endTable is the reasons of ends in the first and the newest stage, with how many
// of the games read were drawn; of a run without a stage, those of the games read.
func (r *Report) endTable() table {
	t := table{Title: "How games end", Left: 1}
	const drawn = "drawn, of games read"
	if len(r.Course) == 0 {
		p := r.Games.newest()
		t.Head = []string{"end", p.short(), drawn}
		for _, e := range p.Summary.Ends {
			t.Rows = append(t.Rows, []string{e.Reason, scoreText(share(e.Games, p.Summary)), r.Games.drawnBy(e.Reason)})
		}
		return t
	}
	stages := []*Stage{&r.Course[0], &r.Course[len(r.Course)-1]}
	t.Head = []string{"end", stages[0].short(), stages[1].short(), drawn}
	for _, reason := range r.reasons() {
		cells := []string{reason}
		for _, s := range stages {
			cells = append(cells, scoreText(s.share(float64(s.ended(reason)))))
		}
		t.Rows = append(t.Rows, append(cells, r.Games.drawnBy(reason)))
	}
	return t
}

func (s *Stage) ended(reason string) int64 {
	for _, e := range s.Ends {
		if e.Reason == reason {
			return e.Games
		}
	}
	return 0
}

func (g *Games) drawnBy(reason string) string {
	if g == nil {
		return "-"
	}
	games, draws := 0, 0
	for i := range g.Parts {
		for _, e := range g.Parts[i].Summary.Ends {
			if e.Reason == reason {
				games += e.Games
				draws += e.Draws
			}
		}
	}
	if games == 0 {
		return "-"
	}
	return fmt.Sprintf("%s of %s", wording.Grouped(draws), wording.Grouped(games))
}

func (g *Games) readText() string {
	text := fmt.Sprintf("Of %s", count(int64(g.Games), "recorded game"))
	if g.Shards < g.Of {
		text += fmt.Sprintf(" in %s, spread evenly over the run's %s", count(int64(g.Shards), "shard"), wording.Grouped(g.Of))
	}
	text += "; intervals of 95 % take games as independent"
	repeated := 0
	for i := range g.Parts {
		repeated += g.Parts[i].Summary.Repeated
	}
	if repeated > 0 {
		text += fmt.Sprintf(", but for %s that repeat others, which are no evidence", wording.Grouped(repeated))
	}
	return text + "."
}

// formText sums up the forms of moves of a game without kinds of actions; it is empty
// if there is one form.
func (g *Games) formText() string {
	forms := map[string]float64{}
	last := g.newest().Summary
	for _, f := range last.ActionsByForm {
		forms[f.Form] = f.PerGame
	}
	if len(forms) < 2 {
		return ""
	}
	var list []string
	for _, form := range slices.SortedFunc(maps.Keys(forms), func(a, b string) int { return cmp.Or(cmp.Compare(forms[b], forms[a]), cmp.Compare(a, b)) }) {
		list = append(list, fmt.Sprintf("%s %.3g", form, forms[form]))
	}
	return fmt.Sprintf("Moves a game by the form of their word, %s: %s.", g.newest().generations(), strings.Join(list, ", "))
}
