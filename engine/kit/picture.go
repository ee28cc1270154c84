package kit

import (
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// PieceKinds are the kinds of a Layout of a red and a blue side, by their names and the
// letters of their pieces.
func PieceKinds(names []string, letter func(kind int, side uint8) string) (kinds []engine.PieceKind) {
	for kind, name := range names {
		kinds = append(kinds, engine.PieceKind{Name: name, Letters: [2]string{letter(kind, 0), letter(kind, 1)}, Colors: [2]string{"red", "blue"}})
	}
	return kinds
}

// Paint writes text in the colour of a side for a terminal, plain if color is false.
func Paint(color bool, side uint8, text string) string {
	if !color {
		return text
	}
	return [2]string{"\x1b[31m", "\x1b[34m"}[side] + text + "\x1b[0m"
}

// Did are the kinds of actions of an engine.Classifier.
type Did []string

// Append appends the numbers of some kinds, in ascending order.
func (d Did) Append(dst []int, kinds ...string) []int {
	begin := len(dst)
	for _, kind := range kinds {
		i := slices.Index(d, kind)
		if i < 0 {
			panic("BUG: no kind of action " + kind)
		}
		dst = append(dst, i)
	}
	slices.Sort(dst[begin:])
	return dst
}
