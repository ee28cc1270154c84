package konreh

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// Material implements [engine.Material]: Red 1, Orange 2, Green 3, Blue 5 and
// half a Red for each special that it has left. A side without Blue pays a Red
// for every turn of its Reforge countdown that has passed. The weights are
// a beginner's count of pieces, not tuned.
func (s *State) Material(p engine.Player) float32 {
	side := s.SideOf(p)
	count := func(k kind) float32 { return float32(bits.OnesCount64(s.of(side, k))) }
	b := s.blues[side&1]
	sum := count(red) + 2*count(orange) + 3*count(green) + 5*count(blue)
	sum += 0.5 * float32(b.specials())
	if left := b.reforge(); left > 0 {
		sum -= float32(s.game.rules.reforgeTurns) - float32(left)
	}
	return sum
}
