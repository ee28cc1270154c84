// Package kinds lists the kinds of players that games of this module bring, each for
// its own game alone. Those that play every game are in package player.
package kinds

import (
	"maps"

	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/school"
	"github.com/ludozero/ludozero/player/solver"
)

// ByGame returns the kinds that each game brings, by the name of the game and then by
// the names that descriptions have them under.
func ByGame() map[string]map[string]player.Kind {
	return map[string]map[string]player.Kind{
		konreh.Family.Name:   {school.KindName: school.Kind()},
		connect4.Family.Name: {solver.KindName: solver.Kind()},
	}
}

// All returns the kinds of all games.
func All() map[string]player.Kind {
	all := map[string]player.Kind{}
	for _, of := range ByGame() {
		maps.Copy(all, of)
	}
	return all
}
