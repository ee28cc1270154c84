package connect4

import "github.com/ludozero/ludozero/engine"

// Family lists Connect Four: one ruleset, no options.
var Family = engine.Family{
	Name:    "connect4",
	Doc:     "Connect Four on 6 rows and 7 columns.",
	Presets: []engine.Preset{{Name: "standard", Doc: "x moves first"}},
	Build:   func(engine.Settings) (engine.Game, error) { return game{}, nil },
}

type game struct{}

func (game) Info() *engine.Info          { return &info }
func (game) Rules() string               { return "standard" }
func (game) NewState() engine.State      { return new(State) }
func (game) NewHistory() *engine.History { return engine.NewHistory(0) }

var info = engine.Info{
	Name:           "connect4",
	Version:        1,
	EncoderVersion: 2,
	Sides:          [2]string{"x", "o"},
	NumActions:     cols,
	MaxLegal:       cols,
	PackedBytes:    packedBytes,
	Features:       features,
	Policy:         engine.PolicyHead{Planes: 1, Cells: policyCells(), PlaneNames: []string{"stone in the column of this cell"}},
	Symmetries:     symmetries,
}

// policyCells reads a column's logit from its third cell, which is as near to
// all cells of the column as one can be: a shallow network sees most from it.
func policyCells() []int32 {
	t := make([]int32, cols)
	for c := range t {
		t[c] = int32(2*cols + c)
	}
	return t
}
