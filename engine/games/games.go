// Package games is the one list of all games by name.
package games

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/diamondchess"
	"github.com/ludozero/ludozero/engine/elements"
	"github.com/ludozero/ludozero/engine/knaw"
	"github.com/ludozero/ludozero/engine/konkvest"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// All returns the families in the order in which they are listed to people.
func All() engine.Families {
	return engine.Families{
		&konreh.Family,
		&connect4.Family,
		&tictactoe.Family,
		&diamondchess.Family,
		&konkvest.Family,
		&elements.Family,
		&knaw.Family,
	}
}
