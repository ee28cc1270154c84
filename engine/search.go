package engine

// Judge values positions for a search without a network. It is used by one search at a
// time and must not allocate in steady state.
type Judge interface {
	// Judge is the value of a player's decision in that player's view, in hundredths of
	// the game's smallest piece, within ±900,000. extra is added to what it counts. danger
	// says that the player stands to lose much at once, so that a search should look at
	// all actions before it believes the value.
	Judge(s State, extra int32) (value int32, danger bool)
}

// Judged is a Game that brings a judge.
type Judged interface {
	Game
	NewJudge() Judge
}

// Searched is a State that answers what a search without a network asks. States that
// are not are searched with less knowledge.
type Searched interface {
	State
	// BeginsTurn reports whether a turn begins with this decision. Others belong to a
	// turn under way, within which nothing is judged. Where it is true of a roll the
	// judge is asked before the roll, in the view of the side whose turn it is.
	BeginsTurn() bool
	// SearchKey is a hash of all that the rest of the game depends on, except the
	// history: what Hash covers, counters that end the game, and who owns which side.
	SearchKey() uint64
	// RepeatedSince reports whether the position where this turn begins is in h more than
	// once if the first from entries of h do not count.
	RepeatedSince(h *History, from int) bool
	// Loudness says whether a legal action changes what the position is worth at once, as
	// a capture does, and ranks such actions: a higher one is looked at first.
	Loudness(a Action) (rank int32, loud bool)
}
