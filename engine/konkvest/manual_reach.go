package konkvest

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine/kit"
	"github.com/ludozero/ludozero/engine/manual"
)

// manualTerms are wakes, territories and State.reach of both sides as formulas. On the grid a
// step forward is a row up, and a column to the right if it is to the front right.
func manualTerms() map[string]manual.Formula {
	t := map[string]manual.Formula{}
	all := make([]int, kinds)
	for k := range all {
		all[k] = k
	}
	for own, who := range [2]string{"own", "other"} {
		w := wayWriter{sign: 1 - 2*own}
		set := func(name, formula string) { t[who+"-"+name] = manual.F(formula) }
		set("pieces", pieceOn(own, all...))
		makers := pieceOn(own, pawn, queen)
		column := fmt.Sprintf("(spread 0 (%s) %s (board))", w.step(behind), makers)
		set("wake", fmt.Sprintf("(if (option wake cone) (spread 0 (%s %s) %s (board)) (if (option wake column) (or %s %s %s) (spread 0 (%s %s %s %s) %s (board))))",
			w.step(backLeft), w.step(backRight), makers,
			column, w.along(backLeft, column), w.along(backRight, column),
			w.step(left), w.step(right), w.step(backLeft), w.step(backRight), makers))
		captured := "(minus (term " + who + "-wake) (term " + [2]string{"other", "own"}[own] + "-wake))"
		beyond := manual.Side("(set beyond-of-"+[2]string{"south", "north"}[own]+")", "(set beyond-of-"+[2]string{"north", "south"}[own]+")")
		set("promotional", "(if (count "+pieceOn(own, pawn)+") (and "+captured+" "+beyond+") "+captured+")")

		attacks, relocations := "(none)", []string{"(none)"}
		for class := classes - 1; class >= 0; class-- {
			var members []int
			for k := range kinds {
				if int(classOf[k]) == class {
					members = append(members, k)
				}
			}
			pieces := pieceOn(own, members...)
			attacks = fmt.Sprintf("(if (count (and (it) %s)) %s %s)", pieces, w.attacks(class), attacks)
			relocations = append(relocations, w.relocations(class, pieces)...)
		}
		set("attacks", attacks)
		set("relocations", "(and (term empty) (or "+strings.Join(relocations, " ")+"))")
	}
	t["empty"] = manual.F("(minus (board) (or (term own-pieces) (term other-pieces)))")
	return t
}

// wayWriter writes ways of the side to act (sign 1) or the other as steps on the grid.
type wayWriter struct{ sign int }

func (w wayWriter) grid(by kit.Way) (row, col int) { return w.sign * by.Y, w.sign * (by.X + by.Y) / 2 }

func (w wayWriter) step(by kit.Way) string {
	row, col := w.grid(by)
	return fmt.Sprintf("(%d %d)", row, col)
}

// along is where a way leads from pieces.
func (w wayWriter) along(by kit.Way, pieces string) string {
	row, col := w.grid(by)
	return fmt.Sprintf("(step %d %d %s)", row, col, pieces)
}

// pass is where pieces come by some ways one after the other, over empty hexes.
func (w wayWriter) pass(pieces string, ways ...kit.Way) string {
	for i, by := range ways {
		if i > 0 {
			pieces = "(and (term empty) " + pieces + ")"
		}
		pieces = w.along(by, pieces)
	}
	return pieces
}

// to is where pieces come by a way: to a neighbour, or over one that is empty.
func (w wayWriter) to(by kit.Way, pieces string) string {
	for _, over := range overOne {
		if over.to == by {
			var routes []string
			for _, via := range over.via {
				routes = append(routes, w.pass(pieces, via, kit.Way{X: by.X - via.X, Y: by.Y - via.Y}))
			}
			return "(or " + strings.Join(routes, " ") + ")"
		}
	}
	return w.along(by, pieces)
}

// ray are the hexes along a way up to the first that is not empty, and with it.
func (w wayWriter) ray(by kit.Way) string {
	row, col := w.grid(by)
	return fmt.Sprintf("(ray 12 %d %d (it) (term empty))", row, col)
}

func (w wayWriter) union(ways []kit.Way, pieces string) string {
	list := []string{"(none)"}
	for _, by := range ways {
		list = append(list, w.to(by, pieces))
	}
	return "(or " + strings.Join(list, " ") + ")"
}

// attacks are the hexes that the one piece (it), of a class, attacks: by its reach under the
// default options, and what other values add or replace.
func (w wayWriter) attacks(class int) string {
	list := func(ways ...kit.Way) []kit.Way { return ways }
	under := func(option, value, then, or string) string {
		return "(if (option " + option + " " + value + ") " + then + " " + or + ")"
	}
	lines, leaps := list(times(frontLeft, 2), times(frontRight, 2)), list(leftLeap, rightLeap)
	it := "(it)"
	at := func(ways ...kit.Way) string { return w.union(ways, it) }
	sides, fronts := w.ray(left)+" "+w.ray(right), w.ray(frontLeft)+" "+w.ray(frontRight)
	switch class {
	case pawn:
		return at(frontLeft, frontRight)
	case support:
		var long []string
		for _, l := range [...]struct{ side, front kit.Way }{{left, frontLeft}, {right, frontRight}} {
			long = append(long, w.pass(it, l.front, l.front, l.side), w.pass(it, l.side, l.front, l.front), w.pass(it, l.front, l.side, l.front))
		}
		return "(or " + at(ahead) + " " + under("support_leap", "long", "(or "+strings.Join(long, " ")+")", at(leaps...)) + ")"
	case guard:
		return "(or " + at(frontLeft, frontRight) + " " + under("guard_reach", "vertical", at(ahead), under("guard_reach", "lines", at(lines...), at(append(lines, ahead)...))) + ")"
	case rook:
		return "(or " + at(frontLeft, frontRight) + " " + sides + ")"
	case lanser:
		return "(or " + fronts + " " + under("lanser", "sides+forward", "(or "+sides+")", "(none)") + ")"
	case general:
		return "(or " + at(append(lines, left, right, frontLeft, frontRight, times(left, 2), times(right, 2))...) + " " +
			under("general_reach", "lines", "(none)", at(ahead)) + " " + under("general_reach", "disc", at(leaps...), "(none)") + ")"
	case queen:
		return at(neighbours[:]...)
	case hero:
		return under("hero_forward", "exact2", at(left, right, ahead),
			"(or "+at(left, right, frontLeft, frontRight, ahead)+" "+under("hero_forward", "upto2-lines", at(lines...), "(none)")+")")
	}
	return "(or " + sides + " " + fronts + ")" // a champion
}

// relocations are where pieces of a class may go if nobody stands there.
func (w wayWriter) relocations(class int, pieces string) (list []string) {
	var ways []kit.Way
	switch class {
	case pawn:
		ways = []kit.Way{ahead}
	case support:
		ways = []kit.Way{frontLeft, frontRight}
	case guard:
		ways = []kit.Way{left, right}
	case general, hero, champion:
		ways = []kit.Way{backLeft, backRight}
	case queen:
		ways = []kit.Way{times(left, 2), times(right, 2), behind}
	}
	for _, by := range ways {
		list = append(list, w.to(by, pieces))
	}
	return list
}
