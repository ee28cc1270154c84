package engine

// Settler is a State of a game that makes up for moving second: by letting the
// players exchange sides, by a first turn of more moves. A game may be given to
// two players in the middle once that is settled; before, whoever takes over is
// owed something or may have been handed a choice that nobody thought about.
type Settler interface {
	State
	// Settled tells whether the start balance is behind: sides will not change
	// owners any more, and nobody has a turn to come that is longer than others.
	// Once true it is true for the rest of the game. Meaningless after the end.
	Settled() bool
	// Neutral is the action that leaves both sides with their owners, if the
	// decision is whether to exchange them; ok is false at all other decisions.
	Neutral() (a Action, ok bool)
}

// Settled is that of a Settler. In other games there is nothing to settle.
func Settled(s State) bool {
	t, ok := s.(Settler)
	return !ok || t.Settled()
}

// Neutral is that of a Settler, never ok in other games.
func Neutral(s State) (a Action, ok bool) {
	if t, is := s.(Settler); is {
		return t.Neutral()
	}
	return 0, false
}
