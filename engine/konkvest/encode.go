package konkvest

import (
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

func features() engine.Features {
	both := []string{"own ", "enemy "}
	planes := slices.Concat(
		kit.Names(both, kindNames[:]...),
		[]string{"board", "own base", "enemy base", "own territory", "enemy territory", "no-man's land",
			"own promotional territory", "enemy promotional territory"},
		kit.Names(both, "attacks", "attacks by several", "relocations end"),
	)
	var globals []string
	for _, name := range kit.Names(both, kindNames[:hands]...) {
		globals = append(globals, name+" in reserve / 4")
	}
	for _, k := range formation {
		globals = append(globals, "to place: "+kindNames[k])
	}
	globals = append(globals, "ply / limit", "own run of attacks on the Queen / 4", "enemy run of attacks on the Queen / 4", "position seen before")
	globals = append(globals, variantNames...)
	height, width := hex.Grid()
	f := kit.Features(height, width, slices.Index(planes, "board"), planes, globals)
	f.Constant = []string{"board", "own base", "enemy base"}
	return f
}

// variantNames name what is shown of the options: the variants of a Game.
var variantNames = func() (names []string) {
	for _, o := range options {
		for _, v := range o.Values {
			if o.Name != "formation" && v != o.Default {
				names = append(names, o.Name+"="+v)
			}
		}
	}
	return names
}()

// cells is how many an observation has, inputs the cell of a square.
const cells = rows * 12

var inputs = func() (t [squares]uint8) {
	for i := range hexes {
		t[first+i] = uint8(hex.Input(i))
	}
	return
}()

// grid has the cells of all hexes, as bits.
var grid = func() (t [3]uint64) {
	for i := range hexes {
		t[hex.Input(i)>>6] |= 1 << (hex.Input(i) & 63)
	}
	return
}()

// observe writes what the acting side sees.
func (s *State) observe(o *kit.Observation) {
	plane := func(a set) {
		for first := o.Plane(cells); !a.Empty(); a = a.Rest() {
			o.Set(first + int(inputs[a.First()]))
		}
	}
	both := [2]uint8{s.side, 1 - s.side}
	for i, side := range both {
		first := o.Plane(kinds * cells)
		for of := s.of[side]; !of.Empty(); of = of.Rest() {
			sq := of.First()
			o.Set(first + s.kindOf(side, sq)*cells + int(inputs[seen(uint8(i), sq)]))
		}
	}
	board := o.Plane(cells)
	for i, w := range grid {
		o.SetBits(board+64*i, w)
	}
	plane(kit.Single(base))
	plane(kit.Single(base ^ flip))
	own, enemy := s.wake[s.side], s.wake[1-s.side].Turned()
	plane(own.Minus(enemy))
	plane(enemy.Minus(own))
	plane(own.And(enemy))
	plane(s.promotional(s.side))
	plane(s.promotional(1 - s.side).Turned())
	for i, side := range both {
		once, twice, relocations := s.reach(side)
		if i == 1 {
			once, twice, relocations = once.Turned(), twice.Turned(), relocations.Turned()
		}
		plane(once)
		plane(twice)
		plane(relocations)
	}
	for _, side := range both {
		for _, n := range s.reserve[side] {
			o.Number(float32(n) / 4)
		}
	}
	place := -1
	if s.step < toPlace {
		place = int(s.step) / 4
	}
	o.OneOf(place, len(formation))
	o.Number(float32(s.ply) / float32(s.game.maxPlies))
	for _, side := range both {
		o.Number(float32(min(s.runs[side], 4)) / 4)
	}
	o.Flags(s.seen > 0)
	o.Flags(s.game.variants...)
}

// reach are the squares that one and that several of a side's pieces attack, whoever stands
// there, and those on which pieces could end that may only go to empty ones, as the side
// sees them. A small network learns only slowly which ways are free.
func (s *State) reach(side uint8) (once, twice, relocations set) {
	m := s.game.movement
	taken := s.of[side].Or(s.of[1-side].Turned())
	empty := pad(everywhere.Minus(taken))
	for own := s.of[side]; !own.Empty(); own = own.Rest() {
		sq := own.First()
		class := int(classOf[s.kindOf(side, sq)&15])
		around := empty.around(sq)
		to := m.attacked(class, sq, around, taken)
		once, twice = once.Or(to), twice.Or(once.And(to))
		relocations = relocations.Or(m.relocations(class, sq, around))
	}
	return once, twice, relocations
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

// ways are the ways of all moves under all options: slides of 1 to 11 hexes, a step back,
// two hexes straight ahead or back, and the leaps of a support.
var ways = func() (w []kit.Way) {
	for _, by := range []kit.Way{left, right, frontLeft, frontRight} {
		for n := range 11 {
			w = append(w, times(by, n+1))
		}
	}
	return append(w, backLeft, backRight, ahead, behind, leftLeap, rightLeap, plus(leftLeap, frontLeft), plus(rightLeap, frontRight))
}()

// policyHead: all actions stand on the hex that they start from or place a piece on, moves
// by their way, so that no two actions share a logit.
func policyHead() engine.PolicyHead {
	h := kit.NewHead(numActions, cells)
	for promote, suffix := range []string{"", ", and promote"} {
		for _, w := range ways {
			h.Plane(fmt.Sprintf("move by %+d half hexes, %+d rows", w.X, w.Y) + suffix)
			for from := range hexes {
				if to := hex.Next(from, w); to >= 0 {
					h.Set(hex.Input(from), engine.Action(2*(hexes*from+to)+promote))
				}
			}
		}
	}
	plane := func(name string, action func(on int) int) {
		h.Plane(name)
		for on := range hexes {
			if a := action(on); a < firstPlace || setup.Has(first+on) {
				h.Set(hex.Input(on), engine.Action(a))
			}
		}
	}
	plane("promote here", func(on int) int { return 2*(hexes*on+on) + 1 })
	for kind, name := range kindNames[:hands] {
		plane("summon a "+name, func(on int) int { return firstSummon + hexes*kind + on })
	}
	plane("place here", func(on int) int { return firstPlace + on })
	return h.Policy()
}

// symmetries: left and right can be exchanged.
func symmetries() []engine.Symmetry {
	y := engine.Symmetry{Name: "left for right", Cells: hex.Inputs(hex.Mirror), Actions: make([]engine.Action, numActions)}
	for a := range numActions {
		b := 0
		if a < firstSummon {
			b = 2*(hexes*hex.Mirror(a/2/hexes)+hex.Mirror(a/2%hexes)) + a&1
		} else {
			b = a - (a-firstSummon)%hexes + hex.Mirror((a-firstSummon)%hexes)
		}
		y.Actions[a] = engine.Action(b)
	}
	return []engine.Symmetry{{Name: "identity"}, y}
}

// SymmetryMask implements engine.State.
func (s *State) SymmetryMask() uint32 { return 3 }

// Transform implements engine.State.
func (s *State) Transform(i int) {
	if i == 1 {
		s.rearrange(func(side uint8, sq int) (uint8, int) { return side, int(mirrored[sq]) })
	}
}

// Swap implements engine.Swapper. In the formation the number of decisions made says who
// acts.
func (s *State) Swap() bool {
	if s.step < toPlace {
		return false
	}
	s.rearrange(func(side uint8, sq int) (uint8, int) { return 1 - side, sq })
	s.runs[0], s.runs[1] = s.runs[1], s.runs[0]
	s.side ^= 1
	return true
}

// rearrange stands each piece on another own square of this or the other side, and puts
// reserves on the side of their pieces.
func (s *State) rearrange(place func(side uint8, sq int) (uint8, int)) {
	old := *s
	s.clear()
	s.runs, s.ply, s.side, s.step, s.seen, s.end = old.runs, old.ply, old.side, old.step, old.seen, old.end
	for side := range uint8(2) {
		to, _ := place(side, first)
		for of := old.of[side]; !of.Empty(); of = of.Rest() {
			sq := of.First()
			kind := old.kindOf(side, sq)
			_, sq = place(side, sq)
			s.put(to, kind, sq)
		}
		for kind, n := range old.reserve[side] {
			s.keep(to, kind, int(n))
		}
	}
	s.refresh(0)
	s.refresh(1)
}
