package diamondchess

import (
	"fmt"
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// Planes of an observation, as the acting side sees the board.
const (
	planeOwn     = 0
	planeEnemy   = kinds
	planeSpent   = 2 * kinds // own gormoror, own rassimel, then the enemy's
	planeRiver   = planeSpent + 4
	planeHome    = planeRiver + 1 // the acting side's squares
	planeMoved   = planeHome + 1
	planePack    = planeMoved + 1 // members that may go at least 1, 2 and 3
	planeNext    = planePack + 3  // where the next piece is set up
	planeThreats = planeNext + 1  // see threats: five of the acting side, then five of the other
	planes       = planeThreats + 10
)

// Globals of an observation.
const (
	globalPhase   = 0
	globalSecond  = int(phases)
	globalFlown   = globalSecond + 1
	globalStrikes = globalFlown + 1 // 1 left, 2 left
	globalHand    = globalStrikes + 2
	globalTurn    = globalHand + 2*(kinds-1)
	globalQuiet   = globalTurn + 1
	globalSeen    = globalQuiet + 1
	globalPassed  = globalSeen + 1
	globalRules   = globalPassed + 1
	globals       = globalRules + 7
)

func planeNames() (names []string) {
	for _, whose := range []string{"own ", "enemy "} {
		for _, k := range kindNames {
			names = append(names, whose+k)
		}
	}
	for _, whose := range []string{"own ", "enemy "} {
		names = append(names, whose+"gormoror has absorbed a hit", whose+"rassimel has absorbed a hit")
	}
	names = append(names, "river", "own side", "moved this turn", "pack: may move", "pack: allowance at least 2", "pack: allowance 3", "next square of the set-up")
	for _, whose := range []string{"own ", "enemy "} {
		for _, what := range []string{"relocations end", "weapons strike", "magic strikes", "sleeth pounces", "targets"} {
			names = append(names, whose+what)
		}
	}
	return names
}

func globalNames() (names []string) {
	for _, p := range phaseNames {
		names = append(names, "phase "+p)
	}
	names = append(names, "second move", "own zi ri has moved this turn", "one strike left", "two strikes left")
	for _, whose := range []string{"own ", "enemy "} {
		for _, k := range kindNames[cani:] {
			names = append(names, whose+k+" in hand, share")
		}
	}
	return append(names, "turn / limit", "turns without effect / limit", "position seen before", "the other side passed",
		"second move optional", "pounce adjacent", "herethroy's target at home", "sacrifice by the piece", "futile attacks", "zi ri let pass", "towns use fords")
}

func features() engine.Features {
	f := kit.Features(size, size, -1, planeNames(), globalNames())
	f.Constant = []string{"river", "own side"}
	return f
}

// observe writes what the acting side sees.
func (s *State) observe(o *kit.Observation) {
	seat := func(plane int, b uint64) {
		if s.side == 1 {
			b = turnBoard(b)
		}
		o.SetBoard(plane, b)
	}
	own, enemy := s.side, 1-s.side
	for kind := range kinds {
		seat(planeOwn+kind, s.pieces[own][kind])
		seat(planeEnemy+kind, s.pieces[enemy][kind])
	}
	for i, side := range [2]uint8{own, enemy} {
		seat(planeSpent+2*i, s.spent[side]&s.pieces[side][gormoror])
		seat(planeSpent+2*i+1, s.spent[side]&s.pieces[side][rassimel])
	}
	o.SetBoard(planeRiver, river)
	o.SetBoard(planeHome, sides[0])
	seat(planeMoved, s.moved)
	seat(planePack, s.pack)
	seat(planePack+1, s.two)
	seat(planePack+2, s.three)
	if s.phase != phaseSetup {
		for i, side := range [2]uint8{own, enemy} {
			r := s.threats(side)
			for j, b := range [5]uint64{r.relocations, r.weapons, r.magic, r.pounces, r.targets} {
				seat(planeThreats+5*i+j, b)
			}
		}
	}
	o.Flag(globalPhase+int(s.phase), true)
	o.Flag(globalSecond, s.second)
	o.Flag(globalFlown, s.flown)
	o.Flag(globalStrikes+int(s.strikes)-1, s.strikes > 0)
	if s.phase == phaseSetup {
		seat(planeNext, 1<<fill[own][s.placed(own)])
		for i, side := range [2]uint8{own, enemy} {
			for kind := cani; kind < kinds; kind++ {
				left := fullSet[kind] - bits.OnesCount64(s.pieces[side][kind])
				o.Global(globalHand+i*(kinds-1)+kind-cani, float32(left)/float32(fullSet[kind]))
			}
		}
	}
	g := s.game
	o.Global(globalTurn, float32(s.turn)/float32(g.maxTurns))
	o.Global(globalQuiet, float32(s.quiet+1)/float32(g.noCapture+1))
	o.Flag(globalSeen, s.seen > 0)
	o.Flag(globalPassed, s.passes > 0)
	for i, on := range [...]bool{g.optional, g.adjacent, g.targetHome, g.piece, g.futile, g.passZiri, g.townFords} {
		o.Flag(globalRules+i, on)
	}
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

// The policy head: relocations stand on the square that a piece leaves, by direction and
// distance, so that no two actions share a logit.
const (
	headLines   = 0                // 8 directions, 1 to 3 squares
	headLeaps   = headLines + 24   // a zi ri's, in the order of knight
	headRiver   = headLeaps + 8    // an orren's, 4 to 7 squares up and down the river
	headAttacks = headRiver + 8    // 8 directions, the piece and the zi ri there
	headPlanes  = headAttacks + 16 // then globals: stop, and the kinds to place
)

func policyHead() engine.PolicyHead {
	h := engine.PolicyHead{Planes: headPlanes, Globals: numActions - actionStop, Cells: make([]int32, numActions), PlaneNames: make([]string, headPlanes)}
	for a := range h.Cells {
		h.Cells[a] = -1
	}
	set := func(plane, from int, a int, name string) {
		h.Cells[a] = int32(plane*squares + from)
		h.PlaneNames[plane] = name
	}
	for from := range squares {
		for d := range 8 {
			for n := 1; n < size; n++ {
				to := kit.Offset(size, size, from, n*rowStep[d], n*colStep[d])
				if to < 0 {
					break
				}
				name := fmt.Sprintf("go %d squares by %+d row %+d column", n, rowStep[d], colStep[d])
				switch {
				case n <= 3:
					set(headLines+3*d+n-1, from, squares*from+to, name)
				case d == 1 || d == 5:
					set(headRiver+n-4+d&4, from, squares*from+to, name)
				}
			}
			if to := next[from][d]; to >= 0 {
				for z, what := range []string{"piece", "zi ri"} {
					set(headAttacks+2*d+z, from, firstAttack+16*from+2*d+z, fmt.Sprintf("attack the %s at %+d row %+d column", what, rowStep[d], colStep[d]))
				}
			}
		}
		for i, k := range knight {
			if to := kit.Offset(size, size, from, k[0], k[1]); to >= 0 {
				set(headLeaps+i, from, squares*from+to, fmt.Sprintf("leap %+d rows %+d columns", k[0], k[1]))
			}
		}
	}
	h.GlobalNames = []string{"stop"}
	for i := range h.Globals {
		h.Cells[actionStop+i] = int32(headPlanes*squares + i)
	}
	for _, k := range kindNames[cani:] {
		h.GlobalNames = append(h.GlobalNames, "place "+k)
	}
	return h
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
	if i == 0 {
		return
	}
	for side := range s.pieces {
		for kind, b := range s.pieces[side] {
			s.pieces[side][kind] = kit.Transpose(b)
		}
		s.spent[side] = kit.Transpose(s.spent[side])
	}
	for _, b := range []*uint64{&s.moved, &s.pack, &s.two, &s.three} {
		*b = kit.Transpose(*b)
	}
	for sq := range squares {
		if m := mirrorSquare(sq); sq < m {
			s.at[sq], s.at[m] = s.at[m], s.at[sq]
		}
	}
}
