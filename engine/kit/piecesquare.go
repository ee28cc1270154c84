package kit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// PieceSquares is an engine.TermJudge for games without terms of their own: it knows what
// a network is shown. Each input is a term: a cell of a plane, a global, and one that is
// always 1, for the side to move. Planes are in the acting side's view, so that own and
// enemy pieces have weights of their own. It judges any decision of a player.
type PieceSquares struct {
	weights         []int32
	planes, globals []float32
}

// NewPieceSquares returns a judge by weights, in the order of PieceSquareNames.
func NewPieceSquares(f *engine.Features, weights []int32) *PieceSquares {
	if want := f.Planes*f.Cells() + f.Globals + 1; len(weights) != want {
		panic(fmt.Sprintf("BUG: %d weights of piece-square terms, want %d", len(weights), want))
	}
	return &PieceSquares{weights: slices.Clone(weights), planes: make([]float32, f.Planes*f.Cells()), globals: make([]float32, f.Globals)}
}

// PieceSquareNames names the terms of PieceSquares: "own_stones.2:5" is column 5 of row 2
// of the plane "own stones", counted from 0, in the acting side's view.
func PieceSquareNames(f *engine.Features) []string {
	names := make([]string, 0, f.Planes*f.Cells()+f.Globals+1)
	for _, plane := range f.PlaneNames {
		for row := range f.Height {
			for col := range f.Width {
				names = append(names, fmt.Sprintf("%s.%d:%d", word(plane), row, col))
			}
		}
	}
	for _, global := range f.GlobalNames {
		names = append(names, "global."+word(global))
	}
	return append(names, "tempo")
}

// word is a name of inputs as one word without a colon.
func word(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r <= ' ' || r == ':' }), "_")
}

// Judge implements engine.Judge.
func (p *PieceSquares) Judge(s engine.State, extra int32) (value int32, danger bool) {
	s.Encode(p.planes, p.globals)
	sum := float64(p.weights[len(p.weights)-1])
	for i, x := range p.planes {
		if x != 0 {
			sum += float64(float64(p.weights[i]) * float64(x)) // rounded before the sum, as no fused operation does
		}
	}
	for i, x := range p.globals {
		sum += float64(float64(p.weights[len(p.planes)+i]) * float64(x))
	}
	sum = math.Round(sum) + float64(extra)
	return int32(max(-mostJudged, min(mostJudged, sum))), false
}

// Count implements engine.TermJudge.
func (p *PieceSquares) Count(s engine.State, counts []float64) (ok bool) {
	s.Encode(p.planes, p.globals)
	for i, x := range p.planes {
		counts[i] = float64(x)
	}
	for i, x := range p.globals {
		counts[len(p.planes)+i] = float64(x)
	}
	counts[len(counts)-1] = 1
	return true
}

// Weights implements engine.TermJudge.
func (p *PieceSquares) Weights() []int32 { return slices.Clone(p.weights) }
