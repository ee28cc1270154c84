package tictactoe

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// Family lists tic-tac-toe: one ruleset, no options.
var Family = engine.Family{
	Name:    "tictactoe",
	Doc:     "Tic-tac-toe: three in a row on a 3×3 board.",
	Presets: []engine.Preset{{Name: "standard", Doc: "x moves first"}},
	Build:   func(engine.Settings) (engine.Game, error) { return game{}, nil },
}

type game struct{}

func (game) Info() *engine.Info          { return &info }
func (game) Rules() string               { return "standard" }
func (game) NewState() engine.State      { return new(State) }
func (game) NewHistory() *engine.History { return engine.NewHistory(0) }

var info = engine.Info{
	Name:           "tictactoe",
	Version:        1,
	EncoderVersion: 1,
	Sides:          [2]string{"x", "o"},
	NumActions:     cells,
	MaxLegal:       cells,
	PackedBytes:    packedBytes,
	Features:       features,
	Policy:         engine.PolicyHead{Planes: 1, Cells: kit.Count(cells), PlaneNames: []string{"mark here"}},
	Symmetries:     symmetries,
}
