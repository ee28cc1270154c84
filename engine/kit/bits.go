package kit

import (
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// Bits is what a state shows as bits ([engine.BitState]), while it is written. One
// description of it gives both the bits and their names, so that the two cannot disagree:
//
//	func (s *State) show(side engine.Side, b *kit.Bits) {
//		b.Board("own pieces", s.pieces[side])
//		b.Board("other pieces", s.pieces[1-side])
//	}
//
//	func (s *State) ViewBits(side engine.Side, words []uint64) {
//		b := kit.NewBits(words)
//		s.show(side, &b)
//	}
//
// What is written, and in which order, must not depend on the position.
type Bits struct {
	words  []uint64
	at     int // the next bit
	layout *[]engine.BitInput
}

// NewBits clears words and returns a writer of them.
func NewBits(words []uint64) Bits {
	clear(words)
	return Bits{words: words}
}

// BitInputs returns what show writes.
func BitInputs(show func(b *Bits)) (list []engine.BitInput) {
	show(&Bits{words: make([]uint64, mostBitWords), layout: &list})
	return list
}

// mostBitWords bounds the words of a layout.
const mostBitWords = 256

// Board writes the next word. Boards come before counts and flags.
func (b *Bits) Board(name string, set uint64) {
	if b.layout != nil {
		b.record(name, 64)
	}
	b.words[b.at>>6] = set
	b.at += 64
}

// Boards returns words to set bits in, a number of words for each name: for boards of more than
// 64 cells, and where pieces are listed.
func (b *Bits) Boards(names []string, words int) []uint64 {
	from := b.at >> 6
	for _, name := range names {
		for range words {
			if b.layout != nil {
				b.record(name, 64)
			}
			b.at += 64
		}
	}
	return b.words[from : b.at>>6]
}

// Count writes a count as one bit of most, 1 to 64: none for 0, the last for most or more.
func (b *Bits) Count(name string, n, most int) {
	if b.at&63+most > 64 {
		b.at = (b.at + 63) &^ 63
	}
	if b.layout != nil {
		b.record(name, most)
	}
	if n > 0 {
		b.words[b.at>>6] |= 1 << ((b.at + min(n, most) - 1) & 63)
	}
	b.at += most
}

// Flag writes one bit.
func (b *Bits) Flag(name string, on bool) {
	n := 0
	if on {
		n = 1
	}
	b.Count(name, n, 1)
}

// Runs are inputs of a few bits each, neighbours within a word, which are written at once: that
// is faster than a [Bits.Count] or [Bits.Flag] for each.
type Runs struct {
	list []engine.BitInput
	bits int
}

// NewRuns returns runs with these names, of one bit or of the number at a name's end:
// "own Greens:6" has six.
func NewRuns(names ...string) Runs {
	r := Runs{}
	for _, name := range names {
		n := 1
		if at := strings.LastIndexByte(name, ':'); at >= 0 {
			if number, err := strconv.Atoi(name[at+1:]); err == nil {
				name, n = name[:at], number
			}
		}
		r.list = append(r.list, engine.BitInput{Name: name, Bits: n})
		r.bits += n
	}
	return r
}

// Runs writes runs, the first in the lowest bits of set. Higher bits of set must be 0.
func (b *Bits) Runs(r *Runs, set uint64) {
	if b.at&63+r.bits > 64 {
		b.at = (b.at + 63) &^ 63
	}
	b.words[b.at>>6] |= set << (b.at & 63)
	if b.layout != nil {
		at := b.at
		for _, run := range r.list {
			b.record(run.Name, run.Bits)
			b.at += run.Bits
		}
		b.at = at
	}
	b.at += r.bits
}

// OneHot returns a count for a run as Count writes it: bit min(n, most)-1, nothing for 0.
func OneHot(n, most int) uint64 { return 1 << min(n, most) >> 1 }

func (b *Bits) record(name string, n int) {
	*b.layout = append(*b.layout, engine.BitInput{Name: name, First: b.at, Bits: n})
}
