package player

import (
	"math"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// evenMaterial is the lead, in units of the smallest piece, that minimax takes
// for half of maxJudged.
const evenMaterial = 10

// evaluation is the value of a position that a search looks no further than, within
// ±maxJudged and in p's view.
type evaluation func(s engine.State, p engine.Player) float32

// byMaterial is the value of a position by material, within ±maxJudged and in p's view;
// a game that counts none is always even.
func byMaterial(s engine.State, p engine.Player) float32 {
	m, ok := s.(engine.Material)
	if !ok {
		return 0
	}
	lead := m.Material(p) - m.Material(p.Other())
	return maxJudged * lead / (evenMaterial + max(lead, -lead))
}

// Expected returns the result that a, which must be Judged, expects, in [-1, 1] and the
// view of the player who acts: its value, or, if that is a lead of this package's players,
// what a lead of v smallest pieces means by alphabeta.Nat: tanh(50·v/Nat).
func Expected(a *match.Analysis) float64 {
	if !a.Lead || a.Solved {
		return a.Value
	}
	return expected(a.Value)
}

// expected is the result that a value of minimax expects, unexpected the judged value that
// expects a result. Chance averages results: a mean of leads would mean nothing.
func expected(value float64) float64 {
	if value > maxJudged || value < -maxJudged {
		return math.Copysign(1, value) // a forced win
	}
	lead := evenMaterial * value / (maxJudged - math.Abs(value))
	return math.Tanh(50 * lead / alphabeta.Nat)
}

func unexpected(result float64) float64 {
	lead := math.Atanh(result) * alphabeta.Nat / 50
	if math.IsInf(lead, 0) {
		return math.Copysign(maxJudged, result)
	}
	return maxJudged * lead / (evenMaterial + math.Abs(lead))
}
