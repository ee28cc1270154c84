package alphabeta

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// Terms are what positions of a ruleset are judged by if weights are given for them.
type Terms struct {
	// Names names the weights, in order: the same for all rulesets of a game.
	Names []string
	// Judge returns a judge by weights, one for each name.
	Judge func(weights []int32) engine.TermJudge
	// Shipped are the weights that the game brings, nil if it brings none.
	Shipped []int32
}

// TermsOf returns the terms that g brings ([engine.Termed]), or else its inputs
// ([kit.PieceSquares]).
func TermsOf(g engine.Game) Terms {
	var t Terms
	if own, ok := g.(engine.Termed); ok {
		t.Names, t.Judge = own.TermNames(), own.NewTermJudge
	} else {
		f := &g.Info().Features
		t.Names = kit.PieceSquareNames(f)
		t.Judge = func(w []int32) engine.TermJudge { return kit.NewPieceSquares(f, w) }
	}
	if g, ok := g.(engine.Judged); ok {
		if j, ok := g.NewJudge().(engine.TermJudge); ok && len(j.Weights()) == len(t.Names) {
			t.Shipped = j.Weights()
		}
	}
	return t
}
