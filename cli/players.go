package cli

import (
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/player/open"
)

// opener makes the players of descriptions. main closes it when the command has ended.
var opener = open.New(games.All())
