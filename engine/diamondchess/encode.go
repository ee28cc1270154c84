package diamondchess

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var bothSides = []string{"own ", "enemy "}

// planeNames names the planes, in the order in which observe writes them.
var planeNames = slices.Concat(
	kit.Names(bothSides, kindNames[:]...),
	kit.Names(bothSides, "gormoror has absorbed a hit", "rassimel has absorbed a hit"),
	[]string{"river", "own side", "moved this turn", "pack: may move", "pack: allowance at least 2", "pack: allowance 3", "next square of the set-up"},
	kit.Names(bothSides, "relocations end", "weapons strike", "magic strikes", "sleeth pounces", "targets"),
)

// ruleNames name what is shown of the options: the variants of a Game.
var ruleNames = []string{
	"second move optional", "pounce adjacent", "herethroy's target at home", "sacrifice by the piece", "futile attacks", "zi ri let pass", "towns use fords",
}

func features() engine.Features {
	globals := slices.Concat(
		kit.Names([]string{"phase "}, phaseNames[:]...),
		[]string{"second move", "own zi ri has moved this turn", "one strike left", "two strikes left"},
	)
	for _, name := range kit.Names(bothSides, kindNames[cani:]...) {
		globals = append(globals, name+" in hand, share")
	}
	globals = append(globals, "turn / limit", "turns without effect / limit", "position seen before", "the other side passed")
	f := kit.Features(size, size, -1, planeNames, append(globals, ruleNames...))
	f.Constant = []string{"river", "own side"}
	return f
}

// observe writes what the acting side sees.
func (s *State) observe(o *kit.Observation) {
	turned := s.side == 1
	both, setup := [2]uint8{s.side, 1 - s.side}, s.phase == phaseSetup
	for _, side := range both {
		o.Boards(turned, s.pieces[side][:]...)
	}
	for _, side := range both {
		o.Boards(turned, s.spent[side]&s.pieces[side][gormoror], s.spent[side]&s.pieces[side][rassimel])
	}
	o.Boards(false, river, sides[0])
	next := uint64(0)
	if setup {
		next = 1 << fill[s.side][s.placed(s.side)]
	}
	o.Boards(turned, s.moved, s.pack, s.two, s.three, next)
	for _, side := range both {
		var r threats
		if !setup {
			r = s.threats(side)
		}
		o.Boards(turned, r.relocations, r.weapons, r.magic, r.pounces, r.targets)
	}
	o.OneOf(int(s.phase), int(phases))
	o.Flags(s.second, s.flown, s.strikes == 1, s.strikes == 2)
	if setup {
		for _, side := range both {
			for kind := cani; kind < kinds; kind++ {
				left := fullSet[kind] - bits.OnesCount64(s.pieces[side][kind])
				o.Number(float32(left) / float32(fullSet[kind]))
			}
		}
	} else {
		o.OneOf(-1, 2*(kinds-1))
	}
	g := s.game
	o.Number(float32(s.turn) / float32(g.maxTurns))
	o.Number(float32(s.quiet+1) / float32(g.noCapture+1))
	o.Flags(s.seen > 0, s.passes > 0)
	o.Flags(g.variants...)
}

// Encode implements engine.State.
func (s *State) Encode(planes, globals []float32) {
	var o kit.Observation
	s.observe(&o)
	o.Write(planes, globals)
}

// EncodingHash implements engine.State.
func (s *State) EncodingHash() uint64 {
	var o kit.Observation
	s.observe(&o)
	return o.Hash(&info.Features)
}

// policyHead: relocations stand on the square that a piece leaves, by direction and
// distance, attacks by direction and target, so that no two actions share a logit.
func policyHead() engine.PolicyHead {
	h := kit.NewHead(numActions, squares)
	plane := func(name string, rows, cols int, action func(from, to int) int) {
		h.Plane(name)
		for from := range squares {
			if to := kit.Offset(size, size, from, rows, cols); to >= 0 {
				h.Set(from, engine.Action(action(from, to)))
			}
		}
	}
	relocate := func(from, to int) int { return squares*from + to }
	lines := func(d, least, most int) {
		for n := least; n <= most; n++ {
			plane(fmt.Sprintf("go %d squares by %+d row %+d column", n, rowStep[d], colStep[d]), n*rowStep[d], n*colStep[d], relocate)
		}
	}
	for d := range 8 {
		lines(d, 1, 3)
	}
	for _, k := range knight {
		plane(fmt.Sprintf("leap %+d rows %+d columns", k[0], k[1]), k[0], k[1], relocate)
	}
	lines(1, 4, size-1) // an orren's, up and down the river
	lines(5, 4, size-1)
	for d := range 8 {
		for z, what := range []string{"piece", "zi ri"} {
			plane(fmt.Sprintf("attack the %s at %+d row %+d column", what, rowStep[d], colStep[d]), rowStep[d], colStep[d],
				func(from, _ int) int { return firstAttack + 16*from + 2*d + z })
		}
	}
	h.Global("stop", actionStop)
	for kind, name := range kindNames[cani:] {
		h.Global("place "+name, engine.Action(firstPlace+kind))
	}
	return h.Policy()
}

// symmetries: after the set-up rows and columns can be exchanged.
func symmetries() []engine.Symmetry {
	y := engine.Symmetry{Name: "rows for columns", Cells: make([]int32, squares), Actions: make([]engine.Action, numActions)}
	for sq := range y.Cells {
		y.Cells[sq] = int32(mirrorSquare(sq))
	}
	for a := range engine.Action(numActions) {
		b := a
		switch {
		case a < firstAttack:
			b = engine.Action(squares*mirrorSquare(int(a>>6)) + mirrorSquare(int(a&63)))
		case a < actionStop:
			// Up becomes left: direction d becomes 6-d.
			x := a - firstAttack
			b = firstAttack + engine.Action(16*mirrorSquare(int(x>>4))) + 2*((6-x>>1&7)&7) + x&1
		}
		y.Actions[a] = b
	}
	return []engine.Symmetry{{Name: "identity"}, y}
}

// SymmetryMask implements engine.State.
func (s *State) SymmetryMask() uint32 {
	if s.phase == phaseSetup {
		return 1
	}
	return 3
}

// Transform implements engine.State.
func (s *State) Transform(i int) {
	if i == 1 {
		s.rearrange(kit.Transpose)
	}
}

// Swap implements engine.Swapper. The set-up's squares are not each other's image.
func (s *State) Swap() bool {
	if s.phase == phaseSetup {
		return false
	}
	s.pieces[0], s.pieces[1] = s.pieces[1], s.pieces[0]
	s.spent[0], s.spent[1] = s.spent[1], s.spent[0]
	s.rearrange(turnBoard)
	s.side ^= 1
	return true
}

// rearrange gives every piece a square by a map of the board.
func (s *State) rearrange(image func(uint64) uint64) {
	s.at = [squares]uint8{}
	for side := range uint8(2) {
		for kind, b := range s.pieces[side] {
			s.pieces[side][kind] = 0
			for b = image(b); b != 0; b &= b - 1 {
				s.put(side, kind, bits.TrailingZeros64(b))
			}
		}
	}
	for _, b := range []*uint64{&s.spent[0], &s.spent[1], &s.moved, &s.pack, &s.two, &s.three} {
		*b = image(*b)
	}
}
