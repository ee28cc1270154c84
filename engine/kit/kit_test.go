package kit

import (
	"math/bits"
	"testing"
)

// TestSquareNames: what AppendSquare writes ParseSquare reads, and nothing else.
func TestSquareNames(t *testing.T) {
	const rows, cols = 16, 13
	for cell := range rows * cols {
		name := string(AppendSquare(nil, cols, cell))
		if got, err := ParseSquare(name, rows, cols); err != nil || got != cell {
			t.Errorf("ParseSquare(%q) = %d, %v, want %d", name, got, err, cell)
		}
	}
	for _, name := range []string{"", "a", "1", "a0", "a17", "n1", "A1", "a01", "a+1", "a1 ", "é1"} {
		if got, err := ParseSquare(name, rows, cols); err == nil {
			t.Errorf("ParseSquare(%q) = %d, want an error", name, got)
		}
	}
}

// TestSetBits: from every place, also across words, it is Set of every bit.
func TestSetBits(t *testing.T) {
	for first := range 130 {
		for _, set := range []uint64{0, 1, 1 << 63, 0x8421, ^uint64(0)} {
			var got, want Observation
			got.SetBits(first, set)
			for rest := set; rest != 0; rest &= rest - 1 {
				want.Set(first + bits.TrailingZeros64(rest))
			}
			if got != want {
				t.Fatalf("SetBits(%d, %#x) = %x, want %x", first, set, got.ones[:4], want.ones[:4])
			}
		}
	}
}
