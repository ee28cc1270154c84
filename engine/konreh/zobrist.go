package konreh

import (
	"math/bits"
	"math/rand/v2"
)

// zobristKeys are the keys of each side's kinds of pieces on each square, from
// a fixed seed: hashes are the same in every run.
var zobristKeys = func() (keys [2][4][64]uint64) {
	r := rand.NewPCG(0x6b6f6e726568, 1)
	for side := range keys {
		for k := range keys[side] {
			for sq := range keys[side][k] {
				keys[side][k][sq] = r.Uint64()
			}
		}
	}
	return keys
}()

// zobristFromScratch is what State.zobrist must be.
func (s *State) zobristFromScratch() uint64 {
	var h uint64
	for side, occ := range s.occ {
		for ; occ != 0; occ &= occ - 1 {
			sq := uint8(bits.TrailingZeros64(occ))
			h ^= zobristKeys[side][s.kindAt(sq)][sq]
		}
	}
	return h
}
