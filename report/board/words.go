package board

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Title names a picture: the game, the turn and the side to move or the winner.
func Title(p *engine.Picture) string {
	return fmt.Sprintf("%s, %s", p.Game, Caption(p))
}

// Caption says whose turn it is and what to decide, or how the game ended.
func Caption(p *engine.Picture) string {
	switch {
	case p.End != nil && p.End.Winner == engine.NoSide:
		return fmt.Sprintf("drawn after %s: %s", turns(p.Turn), p.End.Reason)
	case p.End != nil:
		return fmt.Sprintf("%s won after %s: %s", p.Layout.Sides[p.End.Winner], turns(p.Turn), p.End.Reason)
	case p.Actor == engine.Chance.String():
		return fmt.Sprintf("turn %d, chance decides", p.Turn+1)
	case p.Asked == "":
		return fmt.Sprintf("turn %d, %s to move", p.Turn+1, p.Layout.Sides[p.Mover])
	}
	return fmt.Sprintf("turn %d, %s: %s", p.Turn+1, p.Layout.Sides[p.Mover], p.Asked)
}

func turns(n int) string {
	if n == 1 {
		return "1 turn"
	}
	return itoa(n) + " turns"
}

// Describe says in words what the picture shows, for people who cannot see it: the
// pieces of each side with their tags, and the marks.
func Describe(p *engine.Picture) string {
	var parts []string
	for side := range engine.Side(2) {
		parts = append(parts, p.Layout.Sides[side]+": "+cmp.Or(sideWords(p, side, cmp.Or(p.Layout.Beside, "beside the board")), "nothing"))
	}
	if words := sideWords(p, engine.NoSide, ""); words != "" {
		parts = append(parts, cmp.Or(p.Layout.Shared, "neither side")+": "+words)
	}
	parts = append(parts, engine.OverlayLines(p.Layout, p.Overlays)...)
	if len(p.Marks) > 0 {
		var words []string
		for _, m := range p.Marks {
			words = append(words, markWords(p.Layout, m))
		}
		parts = append(parts, "Last move: "+strings.Join(words, ", "))
	}
	return strings.Join(parts, ". ") + "."
}

// sideWords lists the pieces of a side, or those of neither. beside is said of those
// beside the board.
func sideWords(p *engine.Picture, side engine.Side, beside string) string {
	var kinds []string
	for k := range p.Layout.Kinds {
		var places []string
		for _, x := range p.Pieces {
			if x.Kind != k || x.Side != side {
				continue
			}
			place := beside
			if x.Cell >= 0 {
				place = p.Layout.Cells[x.Cell].Name
			}
			if x.Count > 1 {
				place = strings.TrimSpace(itoa(x.Count) + " " + place)
			}
			if len(x.Tags) > 0 {
				var tags []string
				for _, t := range x.Tags {
					tags = append(tags, t.Text)
				}
				place += " (" + strings.Join(tags, "; ") + ")"
			}
			places = append(places, place)
		}
		if len(places) > 0 {
			kinds = append(kinds, strings.TrimSpace(p.Layout.Kinds[k].Name+" "+strings.Join(places, " ")))
		}
	}
	return strings.Join(kinds, ", ")
}

func markWords(l *engine.Layout, m engine.Mark) string {
	var names []string
	for _, c := range m.Cells {
		names = append(names, l.Cells[c].Name)
	}
	from := ""
	if m.From != nil {
		from = l.Kinds[m.From.Kind].Name + " "
	}
	switch m.Kind {
	case engine.MarkTake:
		return from + "taken"
	case engine.MarkMove:
		return strings.Join(names, " to ")
	case engine.MarkStrike:
		return names[0] + " strikes " + names[len(names)-1]
	case engine.MarkPlace:
		return from + "placed on " + names[0]
	case engine.MarkRemove:
		return "removed from " + names[0]
	}
	return "line " + strings.Join(names, " ")
}
