package konkvest

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var (
	_ engine.Bitwise  = (*Game)(nil)
	_ engine.BitState = (*State)(nil)
)

// bitInputs is what show writes.
var bitInputs = kit.BitInputs(func(b *kit.Bits) {
	(&State{game: &Game{maxPlies: 1, variants: make([]bool, len(variantNames))}}).show(0, b)
})

// BitInputs implements [engine.Bitwise].
func (g *Game) BitInputs() []engine.BitInput { return bitInputs }

// ViewBits implements [engine.BitState].
func (s *State) ViewBits(side engine.Side, words []uint64) {
	b := kit.NewBits(words)
	s.show(side, &b)
}

var (
	bitBoards   = kit.Names([]string{"own ", "other "}, kindNames[:]...)
	bitReserves = kit.Names([]string{"own reserve: ", "other reserve: "}, kindNames[:hands]...)
	bitAttacks  = kit.Names([]string{"own ", "other "}, "run of attacks on the Queen")
)

const (
	// manyReserved is the number in reserve from which more look alike, manyAttacks that of
	// turns in a row.
	manyReserved = 6
	manyAttacks  = 4
	plySteps     = 8 // in which plies are seen
)

// show writes the pieces by square as the side sees them, the reserves and the counters that
// end games, and the rules. Wakes and ways that are free are terms.
func (s *State) show(side engine.Side, b *kit.Bits) {
	both := [2]uint8{uint8(side & 1), uint8(1 - side&1)}
	boards := b.Boards(bitBoards, squares/64)
	for i, who := range both {
		for of := s.of[who]; !of.Empty(); of = of.Rest() {
			sq := of.First()
			at := i*kinds*squares + s.kindOf(who, sq)*squares + seen(uint8(i), sq)
			boards[at>>6] |= 1 << (at & 63)
		}
	}
	for i, who := range both {
		for kind, n := range s.reserve[who] {
			b.Count(bitReserves[i*hands+kind], int(n), manyReserved)
		}
	}
	for i, who := range both {
		b.Count(bitAttacks[i], int(s.runs[who]), manyAttacks)
	}
	b.Count("decisions of the formation left", toPlace-int(s.step), toPlace)
	b.Count("ply / limit in eighths", int(s.ply)*plySteps/s.game.maxPlies, plySteps)
	b.Flag("position seen before", s.seen > 0)
	for i, on := range s.game.variants {
		b.Flag(variantNames[i], on)
	}
}
