package konkvest

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// Planes of an observation, as the acting side sees the board.
const (
	planeOwn       = 0
	planeEnemy     = kinds
	planeBoard     = 2 * kinds
	planeBase      = planeBoard + 1     // own, enemy
	planeTerritory = planeBase + 2      // own, enemy, no-man's land, own and enemy promotional
	planeReach     = planeTerritory + 5 // see reach: three of the acting side, then three of the other
	planes         = planeReach + 6
)

// Globals of an observation.
const (
	globalReserve = 0
	globalPlace   = globalReserve + 2*hands
	globalPly     = globalPlace + len(formation)
	globalRuns    = globalPly + 1
	globalSeen    = globalRuns + 2
	globalRules   = globalSeen + 1
	globals       = globalRules + 15
)

func planeNames() (names []string) {
	for _, whose := range []string{"own ", "enemy "} {
		for _, k := range kindNames {
			names = append(names, whose+k)
		}
	}
	names = append(names, "board", "own base", "enemy base", "own territory", "enemy territory", "no-man's land",
		"own promotional territory", "enemy promotional territory")
	for _, whose := range []string{"own ", "enemy "} {
		names = append(names, whose+"attacks", whose+"attacks by several", whose+"relocations end")
	}
	return names
}

func globalNames() (names []string) {
	for _, whose := range []string{"own ", "enemy "} {
		for _, k := range kindNames[:hands] {
			names = append(names, whose+k+" in reserve / 4")
		}
	}
	for _, k := range formation {
		names = append(names, "to place: "+kindNames[k])
	}
	names = append(names, "ply / limit", "own run of attacks on the Queen / 4", "enemy run of attacks on the Queen / 4", "position seen before")
	for i := range options {
		o := &options[i]
		if o.Name == "formation" || len(o.Values) == 0 {
			continue
		}
		for _, v := range o.Values[1:] {
			names = append(names, o.Name+"="+v)
		}
	}
	return names
}

func features() engine.Features {
	height, width := hex.Grid()
	f := kit.Features(height, width, planeBoard, planeNames(), globalNames())
	f.Constant = []string{"board", "own base", "enemy base"}
	return f
}

// cells is how many an observation has, inputs the cell of a square.
const cells = rows * 12

var inputs = func() (t [squares]uint8) {
	for i := range hexes {
		t[first+i] = uint8(hex.Input(i))
	}
	return
}()

func observeSet(o *kit.Observation, plane int, a set) {
	for ; !a.none(); a = a.rest() {
		o.Set(plane*cells + int(inputs[a.lowest()]))
	}
}

// observe writes what the acting side sees.
func (s *State) observe(o *kit.Observation) {
	for i, side := range [2]uint8{s.side, 1 - s.side} {
		for of := s.of[side]; !of.none(); of = of.rest() {
			sq := of.lowest()
			o.Set((i*kinds+s.kindOf(side, sq))*cells + int(inputs[seen(uint8(i), sq)]))
		}
		for kind, n := range s.reserve[side] {
			o.Global(globalReserve+i*hands+kind, float32(n)/4)
		}
		o.Global(globalRuns+i, float32(min(s.runs[side], 4))/4)
	}
	observeSet(o, planeBoard, everywhere)
	o.Set(planeBase*cells + int(inputs[base]))
	o.Set((planeBase+1)*cells + int(inputs[base^flip]))
	own, enemy := s.wake[s.side], s.wake[1-s.side].turned()
	observeSet(o, planeTerritory, own.minus(enemy))
	observeSet(o, planeTerritory+1, enemy.minus(own))
	observeSet(o, planeTerritory+2, own.and(enemy))
	observeSet(o, planeTerritory+3, s.promotional(s.side))
	observeSet(o, planeTerritory+4, s.promotional(1-s.side).turned())
	for i, side := range [2]uint8{s.side, 1 - s.side} {
		once, twice, relocations := s.reach(side)
		for j, a := range [3]set{once, twice, relocations} {
			if i == 1 {
				a = a.turned()
			}
			observeSet(o, planeReach+3*i+j, a)
		}
	}
	if s.step < toPlace {
		o.Flag(globalPlace+int(s.step)/4, true)
	}
	g := s.game
	o.Global(globalPly, float32(s.ply)/float32(g.maxPlies))
	o.Flag(globalSeen, s.seen > 0)
	for i, on := range [...]bool{
		g.guardReach == reachLines, g.guardReach == reachBoth, g.generalReach == reachLines, g.generalReach == reachDisc,
		g.heroForward == heroExact, g.heroForward == heroLines, g.lanserSides, g.longLeap, g.wake == wakeColumn, g.wake == wakeRows,
		g.forced, g.cycle == cycleForbids, g.cycle == cycleOff, g.blockedDraws, g.lost,
	} {
		o.Flag(globalRules+i, on)
	}
}

// reach are the squares that one and that several of a side's pieces attack, whoever stands
// there, and those on which pieces could end that may only go to empty ones, as the side
// sees them. A small network learns only slowly which ways are free.
func (s *State) reach(side uint8) (once, twice, relocations set) {
	m := s.game.movement
	taken := s.of[side].or(s.of[1-side].turned())
	empty := everywhere.minus(taken).padded()
	for own := s.of[side]; !own.none(); own = own.rest() {
		sq := own.lowest()
		class := int(classOf[s.kindOf(side, sq)&15])
		around := empty.around(sq)
		to := m.attacked(class, sq, around, taken)
		once, twice = once.or(to), twice.or(once.and(to))
		relocations = relocations.or(m.relocations(class, sq, around))
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

// The policy head: all actions stand on the hex that they start from or place a piece on,
// moves by their way, so that no two actions share a logit.
const (
	headMove    = 0
	headPromote = headMove + 52
	headInPlace = headPromote + 52
	headSummon  = headInPlace + 1
	headPlace   = headSummon + hands
	headPlanes  = headPlace + 1
)

func policyHead() engine.PolicyHead {
	h := engine.PolicyHead{Planes: headPlanes, Cells: make([]int32, numActions), PlaneNames: make([]string, headPlanes)}
	for a := range h.Cells {
		h.Cells[a] = -1
	}
	set := func(plane, on, a int) { h.Cells[a] = int32(plane*cells + hex.Input(on)) }
	for i, w := range ways {
		h.PlaneNames[headMove+i] = fmt.Sprintf("move by %+d half hexes, %+d rows", w.X, w.Y)
		h.PlaneNames[headPromote+i] = h.PlaneNames[headMove+i] + ", and promote"
		for from := range hexes {
			if to := hex.Next(from, w); to >= 0 {
				set(headMove+i, from, 2*(hexes*from+to))
				set(headPromote+i, from, 2*(hexes*from+to)+1)
			}
		}
	}
	h.PlaneNames[headInPlace], h.PlaneNames[headPlace] = "promote here", "place here"
	for on := range hexes {
		set(headInPlace, on, 2*(hexes*on+on)+1)
		if setup.has(first + on) {
			set(headPlace, on, firstPlace+on)
		}
		for kind := range hands {
			h.PlaneNames[headSummon+kind] = "summon a " + kindNames[kind]
			set(headSummon+kind, on, firstSummon+hexes*kind+on)
		}
	}
	return h
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
		for of := old.of[side]; !of.none(); of = of.rest() {
			sq := of.lowest()
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
