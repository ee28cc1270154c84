// Package pawnrace is a small complete game: five pawns in each of two rows a side race
// over a board of 5×5. A pawn goes one square ahead or diagonally ahead, and captures
// diagonally; the first on the far row wins, and so does who has captured all pawns.
//
// A game of your own begins here: rewrite state.go for its rules, encode.go for what a
// network sees and picture.go for what people see, and keep the tests green on the way.
package pawnrace

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// Family lists the rulesets. All share the shape of the board, the actions and the
// network.
var Family = engine.Family{
	Name:    "pawnrace",
	Doc:     "pawnrace: pawns race to the far row of a board of 5×5.",
	Presets: []engine.Preset{{Name: "standard", Doc: "pawns capture diagonally"}},
	Options: []engine.Option{
		{Name: "capture", Doc: "where pawns capture: diagonally, or straight ahead too", Default: "diagonal", Values: []string{"diagonal", "any"}},
	},
	Build: func(s engine.Settings) (engine.Game, error) {
		return &Game{Ruleset: kit.Ruleset{About: &info, Word: s.Rules, Board: kit.HalfTurn(cells)}, captureAhead: s.Text("capture") == "any"}, nil
	},
}

// Game is one ruleset.
type Game struct {
	kit.Ruleset
	captureAhead bool
}

var (
	_ engine.Game   = (*Game)(nil)
	_ engine.Coded  = (*Game)(nil)
	_ engine.Turner = (*Game)(nil)
)

var info = engine.Info{
	Name: "pawnrace", Version: 1, EncoderVersion: 1, Sides: [2]string{"x", "o"},
	NumActions: numActions, MaxLegal: pawns * len(steps), PackedBytes: packedBytes,
	Features:   features,
	Policy:     engine.PolicyHead{Planes: len(steps), Cells: kit.Count(numActions), PlaneNames: []string{"step to the left", "step ahead", "step to the right"}},
	Symmetries: []engine.Symmetry{{Name: "identity"}, kit.Symmetry("mirror", rows, cols, mirrorSquare, []int{2, 1, 0})},
}

// NewState implements engine.Game.
func (g *Game) NewState() engine.State {
	s := &State{game: g}
	s.Start(nil)
	return s
}

// Code implements engine.Coded: another program would number moves by 3·square + step,
// both as side 0 sees them.
func (g *Game) Code(s engine.State, a engine.Action) int {
	step, from := int(a)/cells, int(a)%cells
	if s.Side() == 1 {
		step, from = 2-step, cells-1-from
	}
	return 3*from + step
}
