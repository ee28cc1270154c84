package connect4

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var (
	_ engine.Bitwise  = game{}
	_ engine.BitState = (*State)(nil)
)

// bitInputs is what show writes.
var bitInputs = kit.BitInputs(func(b *kit.Bits) { new(State).show(0, b) })

// BitInputs implements [engine.Bitwise].
func (game) BitInputs() []engine.BitInput { return bitInputs }

// ViewBits implements [engine.BitState].
func (s *State) ViewBits(side engine.Side, words []uint64) {
	b := kit.NewBits(words)
	s.show(side, &b)
}

// show writes the planes that a network sees, of which all are cheap here.
func (s *State) show(side engine.Side, b *kit.Bits) {
	taken := s.taken()
	own, other := s.stones[side&1], s.stones[1-side&1]
	b.Board("own stones", own)
	b.Board("other stones", other)
	b.Board("cells that complete an own line", Lines(own, taken))
	b.Board("cells that complete a line of the other side", Lines(other, taken))
	b.Board("cells that can be played to", (taken+bottom)&board)
	b.Count("seat", int(side)+1, 2)
}
