package kit_test

import (
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// TestBitsAreWhereTheLayoutSays, boards, counts, flags and runs, in order and within words.
func TestBitsAreWhereTheLayoutSays(t *testing.T) {
	runs := kit.NewRuns("a", "b: x:3", "c:6")
	show := func(b *kit.Bits) {
		b.Board("board", 5)
		b.Boards([]string{"x", "y"}, 2)[3] = 1
		b.Count("none", 0, 30)
		b.Count("last", 99, 30)
		b.Flag("on", true) // bit 60 of the word
		b.Runs(&runs, 1|kit.OneHot(2, 3)<<1|kit.OneHot(7, 6)<<4)
	}
	want := []engine.BitInput{
		{Name: "board", First: 0, Bits: 64}, {Name: "x", First: 64, Bits: 64}, {Name: "x", First: 128, Bits: 64}, {Name: "y", First: 192, Bits: 64}, {Name: "y", First: 256, Bits: 64},
		{Name: "none", First: 320, Bits: 30}, {Name: "last", First: 350, Bits: 30}, {Name: "on", First: 380, Bits: 1},
		{Name: "a", First: 384, Bits: 1}, {Name: "b: x", First: 385, Bits: 3}, {Name: "c", First: 388, Bits: 6},
	}
	got := kit.BitInputs(show)
	if !slices.Equal(got, want) {
		t.Errorf("the layout is %v, want %v", got, want)
	}
	words := make([]uint64, engine.BitWords(got))
	words[2] = 7 // what was there
	b := kit.NewBits(words)
	show(&b)
	if want := []uint64{5, 0, 0, 0, 1, 1<<59 | 1<<60, 1 | 1<<2 | 1<<9}; !slices.Equal(words, want) {
		t.Errorf("the words are %#x, want %#x", words, want)
	}
}
