package diamondchess

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
	(&State{game: &Game{maxTurns: 1, noCapture: 1, variants: make([]bool, len(ruleNames))}}).show(0, b)
})

// BitInputs implements [engine.Bitwise].
func (g *Game) BitInputs() []engine.BitInput { return bitInputs }

// ViewBits implements [engine.BitState].
func (s *State) ViewBits(side engine.Side, words []uint64) {
	b := kit.NewBits(words)
	s.show(side, &b)
}

// Steps in which counters are seen that run for long.
const (
	quietSteps = 16
	turnSteps  = 8
)

// show writes the pieces, the hits that they have absorbed, the turn under way, the
// counters that end games and the rules.
func (s *State) show(side engine.Side, b *kit.Bits) {
	plane := 0
	seat := func(set uint64) {
		if side == 1 {
			set = turnBoard(set)
		}
		b.Board(planeNames[plane], set)
		plane++
	}
	sides := [2]uint8{uint8(side & 1), uint8(1 - side&1)}
	for _, who := range sides {
		for _, set := range s.pieces[who] {
			seat(set)
		}
	}
	for _, who := range sides {
		seat(s.spent[who] & s.pieces[who][gormoror])
		seat(s.spent[who] & s.pieces[who][rassimel])
	}
	plane += 2 // river and own side never change
	seat(s.moved)
	seat(s.pack)
	b.Count("phase", int(s.phase)+1, int(phases))
	b.Flag("second move", s.second)
	b.Flag("zi ri has moved this turn", s.flown)
	b.Count("strikes left", int(s.strikes), 2)
	b.Count("turn / limit in eighths", int(s.turn)*turnSteps/s.game.maxTurns, turnSteps)
	b.Count("turns without effect / limit in sixteenths", (int(s.quiet)+1)*quietSteps/(s.game.noCapture+1), quietSteps)
	b.Flag("position seen before", s.seen > 0)
	b.Flag("the other side passed", s.passes > 0)
	for i, on := range s.game.variants {
		b.Flag(ruleNames[i], on)
	}
}
