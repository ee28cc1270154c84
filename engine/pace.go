package engine

// Pacer is a State that can say how long games of its kind last, for players that
// divide their time. It is an estimate and binds nobody.
type Pacer interface {
	State
	// TurnsLeft is how many player turns a game between good players may be
	// expected to go on from here, at least 1. Meaningless after the end.
	TurnsLeft() int
}

// unknownPace is assumed of a game that says nothing. If that is too much, time is
// left over; too little, and the end is played on increments.
const unknownPace = 60

// TurnsLeft is that of a Pacer, and 60 in other games. It does not allocate.
func TurnsLeft(s State) int {
	if p, ok := s.(Pacer); ok {
		return p.TurnsLeft()
	}
	return unknownPace
}
