// Package alphabeta is a search written by hand, for every game: it needs no network
// and serves as a yardstick for those that are learned. What it knows of a game is the
// game's judge ([engine.Judge]) and what its states answer ([engine.Searched]).
//
// It searches by iterative deepening with principal variation search, a
// transposition table, killer and history ordering and late move reductions
// (Marsland 1986; Reinefeld 1983; Schaeffer 1989), judges quiet positions by a
// sum of weighted terms, and looks beyond its depth at loud actions and at
// turns on which a player is in danger (quiescence, Beal 1990). A chance decision is worth
// the mean over its outcomes, which are pruned without a change of value (Star2, Ballard
// 1983).
//
// Depth counts player turns. All decisions of a turn belong together, so that
// nothing is judged while a turn's business is unfinished, and values are turned
// round by who decides, never by habit: a player may decide several times in a
// row, and hold or swap changes who owns which side.
//
// The package starts no goroutine but those of helpers ([Engine.Help]), which end with the search,
// draws no random number and has no clock: a search ends at its depth or when the caller's
// function says so.
package alphabeta
