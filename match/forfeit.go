package match

import "slices"

// Reasons of games that a player lost for what it did, not by the rules or on time.
const (
	ForfeitIllegal = "illegal-move" // it chose what cannot be played
	ForfeitCrash   = "crash"        // its process ended
	ForfeitSilence = "no-answer"    // it did not answer
)

// IsForfeit tells whether reason is one of those.
func IsForfeit(reason string) bool {
	return slices.Contains([]string{ForfeitIllegal, ForfeitCrash, ForfeitSilence}, reason)
}

// Forfeit is the error of a player that has lost the game by it, as is usual
// between programs: the series goes on. Another error of a player ends the series.
type Forfeit struct {
	Reason string // one of the constants above
	Err    error  // what happened, for people
}

func (f *Forfeit) Error() string { return f.Reason + ": " + f.Err.Error() }

func (f *Forfeit) Unwrap() error { return f.Err }
