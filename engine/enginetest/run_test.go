package enginetest_test

import (
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

func TestSmallGames(t *testing.T) {
	for _, f := range []*engine.Family{&tictactoe.Family, &connect4.Family} {
		enginetest.Run(t, f)
	}
	enginetest.Run(t, &racegame.Family, "standard", "standard,track=2", "standard,track=6,turns=20")
	enginetest.Run(t, &pienim.Family, "standard", "shifting", "standard,pie=false", "shifting,height=2", "standard,height=4")
}
