package player

import "github.com/ludozero/ludozero/engine"

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
