package elements

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine/manual"
)

// reachTerms writes State.reach of one side as the terms moves and takes: where its pieces
// that are not frozen go by their printed movement, and what they or Wood could take.
func reachTerms(set func(name, formula string), who, enemy string, own int) {
	of := func(kind int) string {
		l := lettersOf(kind)
		if kind == mirror {
			l = [2]string{l[0] + " x", l[1] + " X"}
		}
		return "(minus " + manual.Side("(on "+l[own]+")", "(on "+l[1-own]+")") + " (term cold))"
	}
	guard := lettersOf(shield)
	guarded := manual.Side("(on "+guard[1-own]+")", "(on "+guard[own]+")")
	set(who+"-land", fmt.Sprintf("(or (minus (board) (or (term %s) (and (term %s) %s))) (if (count (and (term %s) (set zone *))) (set zone *) (none)))",
		who, enemy, beyond(1, 2, 1, "(if (min (option ice_passives true) (count (and "+guarded+" (term cold)))) (none) "+guarded+")"), who))
	// White Lotus lets other pieces in its box go to squares of it alone.
	var free, bound []string
	for _, alike := range movers {
		var list []string
		for _, kind := range alike {
			list = append(list, of(kind))
		}
		pieces := "(or " + strings.Join(list, " ") + ")"
		free = append(free, printed(alike[0], who, "(minus "+pieces+" (term bound))"))
		bound = append(bound, printed(alike[0], who, "(and "+pieces+" (term bound))"))
	}
	set(who+"-moves", "(and (term "+who+"-land) (or "+strings.Join(free, " ")+" (and (term box) (or "+strings.Join(bound, " ")+"))))")
	set(who+"-takes", "(and (term "+enemy+") (or (term "+who+"-moves) (and (term "+who+"-land) (or "+slides(0, of(wood))+" "+slides(1, of(wood))+"))))")
}

// movers are the kinds that move, those together that move alike.
var movers = [][]int{
	{balance, freedom, power}, {leadership, moon, lotus}, {fire, leaf, chaos, shield}, {mirror, wind, wood, portal}, {rock}, {sun}, {water}, {infinity}, {shadow},
}

// beyond are the squares n steps from some, in every by-th direction from first on, whatever
// stands between.
func beyond(first, by, n int, pieces string) string {
	var list []string
	for d := first; d < 8; d += by {
		list = append(list, fmt.Sprintf("(step %d %d %s)", n*rowStep[d], n*colStep[d], pieces))
	}
	return "(or " + strings.Join(list, " ") + ")"
}

// slides is slide as a formula.
func slides(parity int, pieces string) string {
	var list []string
	for d := parity; d < 8; d += 2 {
		list = append(list, fmt.Sprintf("(step %[1]d %[2]d (minus (step %[1]d %[2]d %[3]s) (or (term own) (term other))))", rowStep[d], colStep[d], pieces))
	}
	return "(or " + strings.Join(list, " ") + " (if (option distance exact) (none) " + beyond(parity, 2, 1, pieces) + "))"
}

// printed are the squares that pieces which move as a kind may go to by their printed
// movement.
func printed(kind int, who, pieces string) string {
	around := beyond(0, 1, 1, pieces)
	switch kind {
	case balance:
		return slides(0, pieces)
	case leadership:
		return slides(1, pieces)
	case fire:
		var leaps []string
		for _, k := range [][2]int{{-2, -1}, {-2, 1}, {-1, -2}, {-1, 2}, {1, -2}, {1, 2}, {2, -1}, {2, 1}} {
			leaps = append(leaps, fmt.Sprintf("(step %d %d %s)", k[0], k[1], pieces))
		}
		return "(or " + strings.Join(leaps, " ") + ")"
	case rock:
		return "(or " + around + " " + slides(0, pieces) + ")"
	case sun:
		return beyond(0, 2, 1, pieces)
	case water:
		return "(or " + beyond(0, 2, 3, pieces) + " (if (option distance exact) (none) (or " + beyond(0, 2, 1, pieces) + " " + beyond(0, 2, 2, pieces) + ")))"
	case infinity:
		return "(minus (spread 2 " + eight + " " + pieces + " (board)) " + pieces + ")"
	case shadow: // beside any other own piece
		return "(if (count " + pieces + ") (minus " + beyond(0, 1, 1, "(minus (term "+who+") "+pieces+")") + " " + pieces + ") (none))"
	}
	return around // Mirror, Wind, Wood and Portal
}
