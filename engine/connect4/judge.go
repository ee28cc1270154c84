package connect4

import (
	_ "embed"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

//go:embed weights.txt
var weightsText string

// weights holds a weight for each input plane and cell: see weights.txt.
var weights = engine.MustWeights(kit.PieceSquareNames(&features), weightsText)

// NewJudge implements engine.Judged.
func (game) NewJudge() engine.Judge { return kit.NewPieceSquares(&features, weights) }
