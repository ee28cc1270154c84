package engine

// Pacer is a State that estimates how long games last, for players that divide their
// time.
type Pacer interface {
	State
	// TurnsLeft is the expected number of player turns left in a game between good
	// players, at least 1. Meaningless after the end.
	TurnsLeft() int
}

// unknownPace is assumed for states that are no Pacer. If it is too large, time is left
// over; if too small, the end is played on increments.
const unknownPace = 60

// TurnsLeft calls Pacer.TurnsLeft; it is 60 if s is no Pacer. It does not allocate.
func TurnsLeft(s State) int {
	if p, ok := s.(Pacer); ok {
		return p.TurnsLeft()
	}
	return unknownPace
}
