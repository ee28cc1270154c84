// Package positions gathers positions that judges of package alphabeta learn from: of
// recorded games, and of games that engines play for it. What is learned of them is the
// callers' affair.
package positions

import (
	"math/bits"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
)

// turn turns s by a symmetry that holds for it, drawn from rng: none is preferred.
func turn(s engine.State, rng *rand.Rand) {
	mask := s.SymmetryMask()
	for skip := rng.IntN(bits.OnesCount32(mask)); skip > 0; skip-- {
		mask &= mask - 1
	}
	s.Transform(bits.TrailingZeros32(mask))
}

// Image makes dst an image of src by a symmetry that holds for it, drawn from rng.
func Image(dst, src engine.State, rng *rand.Rand) {
	dst.CopyFrom(src)
	turn(dst, rng)
}
