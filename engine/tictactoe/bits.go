package tictactoe

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

func (s *State) show(side engine.Side, b *kit.Bits) {
	b.Board("own stones", uint64(s.stones[side&1]))
	b.Board("other stones", uint64(s.stones[1-side&1]))
}
