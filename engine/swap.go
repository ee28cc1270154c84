package engine

// Swapper is a State that can exchange the sides, for tests of the encoding: what one
// side is shown must be what the other would be shown in its place.
type Swapper interface {
	State
	// Swap gives each side the other's pieces, where they stand as seen from its seat, and
	// the decision to the other player. It reports false, and leaves the state as it is,
	// where rules or set-up treat the sides differently.
	Swap() bool
}

// Remembering is a Game whose legal actions can depend on more than the position that
// a network is shown, because a rule forbids what the history holds.
type Remembering interface {
	Game
	// Remembers says which rule does, empty if none does under this ruleset.
	Remembers() string
}

// Remembers calls Remembering.Remembers; it is empty for other games.
func Remembers(g Game) string {
	if r, ok := g.(Remembering); ok {
		return r.Remembers()
	}
	return ""
}
