package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/train/run"
)

// seatRows are results by player and by side of the first and the last part of
// the recorded games and of all of them, under heads.
func (g *Games) seatRows() [][]string {
	rows := [][]string{{"games of", "games", "first", "second", "drawn", g.Sides[0] + " won", g.Sides[1] + " won", "first scored (95 %)"}}
	add := func(name string, d *census.Summary) {
		of := func(n int) string { return percent(float64(n) / float64(d.Games)) }
		rows = append(rows, []string{
			name, grouped(int64(d.Games)), of(d.FirstWins), of(d.SecondWins), of(d.Draws), of(d.WinsBySide[g.Sides[0]]), of(d.WinsBySide[g.Sides[1]]),
			scoreText(scoreOf(d.FirstWins, d.Draws, d.Games)),
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
	return rows
}

// generations words the generations of a part.
func (p *GamesPart) generations() string {
	if p.First == p.Last {
		return fmt.Sprintf("generation %d", p.First)
	}
	return fmt.Sprintf("generations %d to %d", p.First, p.Last)
}

// short is generations in a word, for a column.
func (p *GamesPart) short() string { return shortGenerations(p.First, p.Last) }

func (s *Stage) short() string { return shortGenerations(s.First, s.Last) }

func shortGenerations(first, last int) string {
	if first == last {
		return fmt.Sprintf("gen %d", first)
	}
	return fmt.Sprintf("gen %d–%d", first, last)
}

// newest is the last part with half as many games as parts have on average, or
// more: a generation that has just begun says little.
func (g *Games) newest() *GamesPart {
	for i := len(g.Parts) - 1; i > 0; i-- {
		if p := &g.Parts[i]; 2*p.Summary.Games*len(g.Parts) >= g.Games {
			return p
		}
	}
	return &g.Parts[0]
}

// useRows are how often the first and the last part of the recorded games use
// each part of the rules, under heads, and what no game uses. Games without kinds
// of actions of their own have the forms of their words.
func (g *Games) useRows() (rows [][]string, never []string) {
	first, last := g.Parts[0].Summary, g.newest().Summary
	was, is := g.Parts[0].short(), g.newest().short()
	rows = [][]string{{"", "a game: " + was, is, "in games: " + was, is}}
	for _, k := range last.ActionsByKind {
		met := false
		for i := range g.Parts {
			met = met || kindOf(g.Parts[i].Summary, k.Kind).Games > 0
		}
		if !met {
			never = append(never, k.Kind)
			continue
		}
		before := kindOf(first, k.Kind)
		rows = append(rows, []string{k.Kind, fmt.Sprintf("%.3g", before.PerGame), fmt.Sprintf("%.3g", k.PerGame),
			scoreText(share(before.Games, first.Games)), scoreText(share(k.Games, last.Games))})
	}
	return rows, never
}

// neverText names what no game has.
func neverText(never []string) []string {
	if len(never) == 0 {
		return nil
	}
	return []string{"Never, or not in these rules: " + strings.Join(never, ", ") + "."}
}

// endRows are the reasons of ends in the first and the newest stage, under heads,
// with how many of the games read were drawn; of a run without a stage, those of
// the games read.
func (r *Report) endRows() [][]string {
	if len(r.Course) == 0 {
		p := r.Games.newest()
		rows := [][]string{{"end", p.short(), "drawn, of games read"}}
		for _, e := range p.Summary.Ends {
			rows = append(rows, []string{e.Reason, scoreText(share(e.Games, p.Summary.Games)), r.Games.drawnBy(e.Reason)})
		}
		return rows
	}
	rows := [][]string{{"end", r.Course[0].short(), r.Course[len(r.Course)-1].short(), "drawn, of games read"}}
	for _, reason := range r.reasons() {
		cells := []string{reason}
		for _, i := range []int{0, len(r.Course) - 1} {
			s := &r.Course[i]
			at := slices.IndexFunc(s.Ends, func(e run.EndCount) bool { return e.Reason == reason })
			n := int64(0)
			if at >= 0 {
				n = s.Ends[at].Games
			}
			cells = append(cells, scoreText(s.share(float64(n))))
		}
		rows = append(rows, append(cells, r.Games.drawnBy(reason)))
	}
	return rows
}

// drawnBy is how many games that ended for a reason were drawn.
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
	return fmt.Sprintf("%s of %s", grouped(int64(draws)), grouped(int64(games)))
}

// readText says which games were read.
func (g *Games) readText() string {
	text := fmt.Sprintf("Of %s", count(int64(g.Games), "recorded game"))
	if g.Shards < g.Of {
		text += fmt.Sprintf(" in %s, spread evenly over the run's %s", count(int64(g.Shards), "shard"), grouped(int64(g.Of)))
	}
	return text + "; intervals of 95 % take games as independent."
}

// formText sums up the forms of moves of a game that has no kinds; it is empty if
// they are all of one.
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

func (t *textWriter) games(r *Report) {
	t.line("")
	t.table(1, r.endRows())
	g := r.Games
	if g == nil {
		return
	}
	t.line("")
	t.table(1, g.seatRows())
	if rows, never := g.useRows(); len(rows) > 1 {
		t.line("")
		t.table(1, rows)
		for _, text := range neverText(never) {
			t.paragraph("", text)
		}
	} else if text := g.formText(); text != "" {
		t.paragraph("", text)
	}
	t.paragraph("", g.readText())
}
