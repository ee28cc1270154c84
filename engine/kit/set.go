package kit

import "math/bits"

// Set is a set of cells of a board of up to 128: cell i is bit i of Lo and Hi together.
// Boards of up to 64 cells need a uint64 only.
type Set struct{ Lo, Hi uint64 }

// Single is the set of one cell.
func Single(cell int) Set {
	one, high := uint64(1)<<(cell&63), -uint64(cell>>6&1) // high is all ones from cell 64 on
	return Set{one &^ high, one & high}
}

// Or is the union of two sets.
func (a Set) Or(b Set) Set { return Set{a.Lo | b.Lo, a.Hi | b.Hi} }

// And is what two sets have in common.
func (a Set) And(b Set) Set { return Set{a.Lo & b.Lo, a.Hi & b.Hi} }

// Minus is a set without the cells of another.
func (a Set) Minus(b Set) Set { return Set{a.Lo &^ b.Lo, a.Hi &^ b.Hi} }

// Empty tells whether no cell is in the set.
func (a Set) Empty() bool { return a.Lo|a.Hi == 0 }

// Count is how many cells are in the set.
func (a Set) Count() int { return bits.OnesCount64(a.Lo) + bits.OnesCount64(a.Hi) }

// Has tells whether a cell is in the set.
func (a Set) Has(cell int) bool {
	word := a.Lo
	if cell >= 64 {
		word = a.Hi
	}
	return word>>(cell&63)&1 != 0
}

// Turned takes cell i to 127-i.
func (a Set) Turned() Set { return Set{bits.Reverse64(a.Hi), bits.Reverse64(a.Lo)} }

// First is the lowest cell of a set that is not empty.
func (a Set) First() int {
	if a.Lo != 0 {
		return bits.TrailingZeros64(a.Lo)
	}
	return 64 + bits.TrailingZeros64(a.Hi)
}

// Last is the highest cell of a set that is not empty.
func (a Set) Last() int {
	if a.Hi != 0 {
		return 127 - bits.LeadingZeros64(a.Hi)
	}
	return 63 - bits.LeadingZeros64(a.Lo)
}

// Rest is a set without its lowest cell: for b := a; !b.Empty(); b = b.Rest() visits all.
func (a Set) Rest() Set {
	if a.Lo != 0 {
		return Set{a.Lo & (a.Lo - 1), a.Hi}
	}
	return Set{0, a.Hi & (a.Hi - 1)}
}
