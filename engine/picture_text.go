package engine

import (
	"slices"
	"strconv"
	"strings"
)

// Beside is the pieces beside the board of a side, or of NoSide: where they are, in words,
// and the pieces in their order.
func Beside(l *Layout, pieces []Piece, side Side) (place string, list []Piece) {
	for _, p := range pieces {
		if p.Cell < 0 && p.Side == side {
			list = append(list, p)
		}
	}
	switch {
	case side == NoSide:
		return l.Shared, list
	case l.Beside == "":
		return "beside the board", list
	}
	return l.Beside, list
}

// BoardText is a position for a terminal: what Board draws, then a line for each named
// place beside the board with pieces, and one for each overlay.
func BoardText(s State, color bool) string {
	lines := []string{strings.TrimRight(s.Board(color), "\n")}
	if d, ok := s.(Pictured); ok {
		lines = append(lines, besideLines(d.Layout(), d.AppendPieces(nil))...)
	}
	if o, ok := s.(Overlaid); ok {
		lines = append(lines, OverlayLines(o.Layout(), o.AppendOverlays(nil))...)
	}
	return strings.Join(lines, "\n") + "\n"
}

func besideLines(l *Layout, pieces []Piece) (lines []string) {
	for _, side := range [3]Side{0, 1, NoSide} {
		place, list := Beside(l, pieces, side)
		if len(list) == 0 || side >= 0 && l.Beside == "" {
			continue
		}
		if side >= 0 {
			place = l.Sides[side] + " " + place
		}
		words := make([]string, len(list))
		for i, p := range list {
			words[i] = l.Kinds[p.Kind].Name
			if p.Count > 1 {
				words[i] += " ×" + strconv.Itoa(p.Count)
			}
		}
		lines = append(lines, place+": "+strings.Join(words, ", "))
	}
	return lines
}

// OverlayLines says in a line for each name what overlays show, with the names of the
// cells.
func OverlayLines(l *Layout, overlays []Overlay) (lines []string) {
	var names []string
	for i := range overlays {
		o := &overlays[i]
		at := slices.Index(names, o.Words(l))
		if at < 0 {
			at = len(names)
			names, lines = append(names, o.Words(l)), append(lines, o.Words(l)+":")
		}
		lines[at] += " " + o.CellNames(l)
	}
	return lines
}
