package elements

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var (
	_ engine.Bitwise  = (*Game)(nil)
	_ engine.BitState = (*State)(nil)
)

// bitInputs is what show writes.
var bitInputs = kit.BitInputs(func(b *kit.Bits) {
	(&State{game: &Game{maxTurns: 1, cycle: make([]uint8, 1), variants: make([]bool, len(variantNames))}}).show(0, b)
})

// BitInputs implements [engine.Bitwise].
func (g *Game) BitInputs() []engine.BitInput { return bitInputs }

// ViewBits implements [engine.BitState].
func (s *State) ViewBits(side engine.Side, words []uint64) {
	b := kit.NewBits(words)
	s.show(side, &b)
}

var (
	bitBoards   = append(kit.Names([]string{"own ", "other "}, kindNames[:]...), "copies of Mirror")
	bitReserves = [3]kit.Runs{runsOf("own reserve: "), runsOf("other reserve: "), runsOf("draft area: ")}
	bitRooms    = kit.Names([]string{"own ", "other "}, "room in reserve")
	bitRules    = kit.NewRuns(variantNames...)
	bitSlots    = func() (names [maxCycle]string) {
		for j := range names {
			names[j] = fmt.Sprintf("%d slots on: own, other, territory", j)
		}
		return names
	}()
)

func runsOf(where string) kit.Runs {
	return kit.NewRuns(kit.Names([]string{where}, kindNames[:]...)...)
}

const (
	turnSteps = 8 // in which turns are seen
	manyRooms = 5 // room in a reserve from which more looks alike
)

// show writes the pieces, which both sides see alike, reserves and draft area, what the turn
// has come to, and whose slots come next. Territories keep their number, since their squares
// do.
func (s *State) show(side engine.Side, b *kit.Bits) {
	g, both := s.game, [2]uint8{uint8(side & 1), uint8(1 - side&1)}
	boards := b.Boards(bitBoards, 2)
	for i, who := range both {
		for of := s.of[who]; !of.Empty(); of = of.Rest() {
			sq := of.First()
			at := 128*(i*kinds+s.at[sq].kind()) + sq
			boards[at>>6] |= 1 << (at & 63)
		}
	}
	copy(boards[4*kinds:], []uint64{s.copies.Lo, s.copies.Hi})
	b.Runs(&bitReserves[0], uint64(s.reserve[both[0]]))
	b.Runs(&bitReserves[1], uint64(s.reserve[both[1]]))
	b.Runs(&bitReserves[2], uint64(s.draft))
	for i, who := range both {
		b.Count(bitRooms[i], s.room(who), manyRooms)
	}
	b.Count("phase", int(s.phase)+1, int(phases))
	b.Flag("led by Leadership", s.lead)
	b.Count("drafts left", int(s.drafts), manyRooms)
	b.Count("turn / limit in eighths", int(s.turn)*turnSteps/g.maxTurns, turnSteps)
	b.Flag("position seen before", s.seen > 0)
	rules := uint64(0)
	for i, on := range g.variants {
		if on {
			rules |= 1 << i
		}
	}
	b.Runs(&bitRules, rules)
	for j := range bitSlots {
		x := g.cycle[(int(s.slot)+j)%len(g.cycle)]
		if x < 2 {
			x ^= both[0] // 0 is an own slot, 1 the other's
		}
		b.Count(bitSlots[j], int(x)+1, 2+len(territories))
	}
}
