package positions

import (
	"context"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
)

// codedError is said of a game that could not be played to its end.
type codedError struct {
	Plies int    `json:"plies"`
	Error string `json:"error"`
}

// replayCodes answers a line with the game by its rules page's codes.
func replayCodes(_ context.Context, a *arena, line []byte) (any, error) {
	played := new(enginetest.Replayed)
	c, err := enginetest.ParseCodedGame(line)
	var g engine.Coded
	if err == nil {
		g, err = c.Game(a.family)
	}
	if err == nil {
		played, err = c.Replay(g)
	}
	if err != nil {
		return codedError{played.Plies, err.Error()}, err
	}
	return played, nil
}
