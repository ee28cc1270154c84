package elements

import "github.com/ludozero/ludozero/engine"

// Actions are numbered as the rules page does, except that moves of Shadow and pieces
// that Wind brings have numbers of their own, so that no two share a logit.
const (
	firstSwap   = squares * squares   // Balance swaps with a square
	firstLeaf   = firstSwap + squares // Leaf swaps with a square
	firstPull   = firstLeaf + squares // Moon pulls along a direction
	firstPush   = firstPull + 8       // Power pushes along a direction
	firstTake   = firstPush + 8       // Wood removes from a square
	actionStop  = firstTake + squares
	actionWind  = actionStop + 1 // Wind's ability without moving
	actionLead  = actionWind + 1 // Leadership gives its action away
	firstPlace  = actionLead + 1 // 81·kind + square
	firstCopy   = firstPlace + kinds*squares
	firstDraft  = firstCopy + squares
	firstShadow = firstDraft + kinds    // Shadow goes to a square
	firstBring  = firstShadow + squares // 8·from + direction from Wind
	numActions  = firstBring + 8*squares
)

// shape says what an action is numbered by besides its verb.
type shape uint8

const (
	alone shape = iota
	fromTo
	square
	direction
	kindSquare
	kindAlone
	fromDirection
)

// verb is a range of actions.
type verb struct {
	first engine.Action
	shape shape
	// word begins the word of an action and its kind in reports; doc is for the policy head.
	word, doc string
}

// verbs are all actions in the order of their numbers. Those of moves have no word of
// their own.
var verbs = [...]verb{
	{0, fromTo, "", "go"},
	{firstSwap, square, "swap", "swap with Balance"},
	{firstLeaf, square, "leaf", "swap with Leaf"},
	{firstPull, direction, "pull", "Moon pulls"},
	{firstPush, direction, "push", "Power pushes"},
	{firstTake, square, "remove", "remove by Wood"},
	{actionStop, alone, "stop", "stop"},
	{actionWind, alone, "wind", "use Wind without moving"},
	{actionLead, alone, "lead", "lead"},
	{firstPlace, kindSquare, "place", "place"},
	{firstCopy, square, "copy", "copy Mirror to"},
	{firstDraft, kindAlone, "draft", "draft"},
	{firstShadow, square, "", "Shadow goes to"},
	{firstBring, fromDirection, "", "put"},
}

// verbOf is the verb of an action, and the action's number in its range.
func verbOf(a engine.Action) (v *verb, x int) {
	i := len(verbs) - 1
	for verbs[i].first > a {
		i--
	}
	return &verbs[i], int(a - verbs[i].first)
}

// mapAction maps an action by symmetry i.
func mapAction(a engine.Action, i int) engine.Action {
	v, x := verbOf(a)
	switch v.shape {
	case fromTo, kindSquare:
		if v.shape == fromTo {
			x = squares*mapped[i][x/squares] + x%squares
		}
		x += mapped[i][x%squares] - x%squares
	case square:
		x = mapped[i][x]
	case direction:
		x = mapDirection(x, i)
	case fromDirection:
		x = 8*mapped[i][x/8] + mapDirection(x%8, i)
	}
	return v.first + engine.Action(x)
}

// mapDirection maps a direction by symmetry i.
func mapDirection(d, i int) int {
	const centre = size*4 + 4
	to := mapped[i][offset(centre, rowStep[d], colStep[d])]
	for e := range 8 {
		if offset(centre, rowStep[e], colStep[e]) == to {
			return e
		}
	}
	panic("BUG: a symmetry maps a direction to none")
}
