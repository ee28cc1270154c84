package engine

// Coded is a Game whose rules page numbers the actions, for comparing games with
// other implementations of the same page. The codes of a page are absolute: they name
// squares of the board whoever acts, where an [Action] is written from the seat of the
// acting side.
type Coded interface {
	Game
	// Code is the page's code of an action that is legal in s, or of a possible
	// outcome of chance. Different actions of a position have different codes.
	Code(s State, a Action) int
	// Ending is what the page calls the reason of an Outcome.
	Ending(reason string) string
}
