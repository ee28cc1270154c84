package knaw

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
	(&State{game: &Game{maxTurns: 1, variants: make([]bool, len(variantNames))}}).show(0, b)
})

// BitInputs implements [engine.Bitwise].
func (g *Game) BitInputs() []engine.BitInput { return bitInputs }

// ViewBits implements [engine.BitState].
func (s *State) ViewBits(side engine.Side, words []uint64) {
	b := kit.NewBits(words)
	s.show(side, &b)
}

var (
	typeNames = kit.Names([]string{"own ", "other "}, "bards", "fools", "heralds")
	rollNames = kit.Names([]string{"own ", "other "}, "rolls at points of contention")
)

const (
	turnSteps  = 8 // in which turns are seen
	bonusSteps = 10
)

// show writes where the pieces of each type are and what was rolled, as the side sees it
// from below, and the rules. The scores are a term. The two pieces of a type look alike.
func (s *State) show(side engine.Side, b *kit.Bits) {
	both := [sides]uint8{uint8(side & 1), uint8(1 - side&1)}
	turned := side&1 == 1
	boards := b.Boards(typeNames, 2)
	for i, who := range both {
		for piece, x := range s.at[who] {
			if turned {
				x = uint8(opposite(int(x)))
			}
			word := 2 * (i*pieces/2 + piece/2)
			if x >= half {
				word, x = word+1, x-half
			}
			boards[word] |= 1 << (x & 63)
		}
	}
	boards = b.Boards(rollNames, 2)
	for i, who := range both {
		rolled := s.rolled[who]
		if turned {
			rolled = rolled.turned()
		}
		boards[2*i], boards[2*i+1] = rolled.lo, rolled.hi
	}
	b.Count("phase", int(s.phase)+1, int(phases))
	b.Count("die", int(max(s.dice[0], s.carried)), 6)
	b.Count("second die", int(s.dice[1]), 6)
	b.Flag("errand with the second die", s.die != 0)
	b.Count("turn / limit in eighths", int(s.turn)*turnSteps/s.game.maxTurns, turnSteps)
	b.Count("resolution bonus / 30 in tenths", s.game.bonus*bonusSteps/maxBonus, bonusSteps)
	for i, on := range s.game.variants {
		b.Flag(variantNames[i], on)
	}
}
