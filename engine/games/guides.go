package games

import (
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/diamondchess"
	"github.com/ludozero/ludozero/engine/elements"
	"github.com/ludozero/ludozero/engine/guide"
	"github.com/ludozero/ludozero/engine/knaw"
	"github.com/ludozero/ludozero/engine/konkvest"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// Guides are the guides of the games that have one.
func Guides() guide.Guides {
	return guide.Guides{
		konreh.Family.Name:       konreh.Guide(),
		connect4.Family.Name:     connect4.Guide(),
		tictactoe.Family.Name:    tictactoe.Guide(),
		diamondchess.Family.Name: diamondchess.Guide(),
		konkvest.Family.Name:     konkvest.Guide(),
		knaw.Family.Name:         knaw.Guide(),
		elements.Family.Name:     elements.Guide(),
	}
}
