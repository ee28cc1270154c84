package solve

import "math/bits"

// table holds bounds of positions. A slot is one word with the whole key beside the
// bounds, so that positions cannot be confused:
//
//	bits 0-48   key of the position
//	bits 49-54  lower bound + scoreBias
//	bits 55-60  upper bound + scoreBias
//
// Slots come in pairs: the first keeps the position with fewer stones, which took
// longer to search, the second the newest of the others. Zero is empty: no
// position has key 0.
type table struct {
	slots []uint64
	shift uint // turns a product into the index of a pair
}

const (
	keyBits   = 49
	keyMask   = 1<<keyBits - 1
	scoreBits = 6
	scoreMask = 1<<scoreBits - 1
	scoreBias = 22
)

// newTable has room for the greatest power of two of slots within size bytes, 16
// at least.
func newTable(size int) table {
	pairs := max(1, bits.Len(uint(size/16))-1)
	return table{slots: make([]uint64, 2<<pairs), shift: uint(64 - pairs)}
}

func (t *table) pair(key uint64) *[2]uint64 {
	// Multiplication by 2^64 over the golden ratio spreads keys (Knuth, The Art
	// of Computer Programming 3, 6.4).
	i := key * 0x9e3779b97f4a7c15 >> t.shift
	return (*[2]uint64)(t.slots[2*i:])
}

// get returns the bounds of the position with that key, or ok false.
func (t *table) get(key uint64) (low, high int, ok bool) {
	p := t.pair(key)
	w := p[0]
	if w&keyMask != key {
		if w = p[1]; w&keyMask != key {
			return 0, 0, false
		}
	}
	return int(w>>keyBits&scoreMask) - scoreBias, int(w>>(keyBits+scoreBits)&scoreMask) - scoreBias, true
}

// put stores the bounds of the position with that key.
func (t *table) put(key uint64, low, high int) {
	w := key | uint64(low+scoreBias)<<keyBits | uint64(high+scoreBias)<<(keyBits+scoreBits)
	switch p := t.pair(key); {
	case p[0]&keyMask == key:
		p[0] = w
	case p[1]&keyMask == key:
		p[1] = w
	case p[0] == 0 || stonesOf(key) <= stonesOf(p[0]&keyMask):
		p[1] = p[0]
		p[0] = w
	default:
		p[1] = w
	}
}

// stonesOf is the number of stones of the position with that key: in every column
// the height of its highest bit.
func stonesOf(key uint64) int {
	// Fill every column below its highest bit; each then has one bit more than
	// it has stones.
	key |= key >> 1 & board
	key |= key >> 2 & (bottom * 0b11111)
	key |= key >> 4 & (bottom * 0b111)
	return bits.OnesCount64(key) - cols
}
