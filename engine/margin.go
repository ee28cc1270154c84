package engine

// Margined is a State that can say by how much a player leads where the game is decided by
// a count, such as points or territory, so that a network learns from close games and
// clear ones (train.margin_share).
type Margined interface {
	// Margin is the lead of player p, First or Second, in the count that decides the game,
	// in units of a clear lead: 1 about where winners of ordinary games are. It is asked
	// for at the end of a game, where it follows from the count even if a limit ended the
	// game and made it a draw, and depends on the position alone. The two players' sum to
	// 0. It does not allocate.
	Margin(p Player) float32
}

// HasMargin reports whether the states of g are Margined.
func HasMargin(g Game) bool {
	_, ok := g.NewState().(Margined)
	return ok
}
