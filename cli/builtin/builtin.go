// Package builtin lists the games of this module with what each brings besides its
// rules: one entry a game, and the only place of the commands that names one.
package builtin

import (
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/konreh/measure"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/player/kinds"
	"github.com/ludozero/ludozero/study/yardstick/sets"
)

// Games returns the games in the order in which they are listed to people. One without
// an entry here brings its rules, and its guide and players if it has some.
func Games() []shell.Game {
	brings := map[string]shell.Game{
		konreh.Family.Name: {
			Signature: true,
			Solved:    sets.Races,
			SolvedDoc: "Reforge races: a countdown is to be run out or stopped",
			Measures: func(g engine.Game, line string, moves []string) (shell.Measures, error) {
				return measure.Describe(g, line, moves)
			},
		},
		connect4.Family.Name: {
			Signature: true,
			Solved:    sets.Connect4,
			Fresh:     sets.Connect4Fresh,
			SolvedDoc: "a win is to be kept won or a draw drawn, and no side could complete a line at once",
		},
		tictactoe.Family.Name: {Signature: true},
	}
	var list []shell.Game
	guides, players := games.Guides(), kinds.ByGame()
	for _, f := range games.All() {
		g := brings[f.Name]
		g.Family, g.Guide, g.Players = f, guides[f.Name], players[f.Name]
		list = append(list, g)
	}
	return list
}
