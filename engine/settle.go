package engine

// Settler is a State of a game that compensates for moving second: the players may swap
// sides, or a first turn has more moves. A match may begin in the middle of a game only
// once that is settled.
type Settler interface {
	State
	// Settled reports whether the compensation is over: sides will not change owners any
	// more, and no longer turn is to come. Once true it stays true. Meaningless after
	// the end.
	Settled() bool
	// Neutral is the action that declines the side swap, if that is the decision; ok is
	// false at all other decisions.
	Neutral() (a Action, ok bool)
}

// Settled calls Settler.Settled; it is true if s is no Settler.
func Settled(s State) bool {
	t, ok := s.(Settler)
	return !ok || t.Settled()
}

// Neutral returns the action that declines the side swap; ok is false if s has none.
func Neutral(s State) (a Action, ok bool) {
	if t, is := s.(Settler); is {
		return t.Neutral()
	}
	return 0, false
}
