package konreh

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// symmetries are the identity and the mirror, which exchanges left and right:
// letter and digit of every square. The rules do not tell left from right; only
// the set-up of preset micro does.
var symmetries = []engine.Symmetry{{Name: "identity"}, mirror()}

func mirror() engine.Symmetry {
	y := engine.Symmetry{
		Name:    "mirror",
		Cells:   make([]int32, 64),
		Globals: make([]int32, numInGlobals),
		Actions: make([]engine.Action, numActions),
	}
	for c := range y.Cells {
		y.Cells[c] = int32(mirrored(uint8(c)))
	}
	for g := range y.Globals {
		y.Globals[g] = int32(g)
	}
	for l := range int32(4) {
		y.Globals[inLane+l] = inLane + (l ^ 1)
	}
	var plane [numPlanes]int
	plane[planeGive] = planeGive
	for l, first := range slidePlane {
		for k := range maxSteps[l] {
			plane[first+k] = slidePlane[l^1] + k
		}
		plane[planeStep+l] = planeStep + (l ^ 1)
		plane[planeHop+l] = planeHop + (l ^ 1)
	}
	for a := range y.Actions {
		y.Actions[a] = engine.Action(a)
		if a < codeWords {
			y.Actions[a] = engine.Action(64*plane[a>>6]) + engine.Action(mirrored(uint8(a&63)))
		}
	}
	y.Actions[codeLeft], y.Actions[codeRight] = codeRight, codeLeft
	return y
}

// mirrored is a square with letter and digit exchanged.
func mirrored(sq uint8) uint8 { return sq&7<<3 | sq>>3&7 }

// SymmetryMask implements [engine.State]: both, always.
func (s *State) SymmetryMask() uint32 { return 0b11 }

// Transform implements [engine.State].
func (s *State) Transform(i int) {
	if i != 1 {
		return
	}
	for side := range s.occ {
		s.occ[side] = kit.Transpose(s.occ[side])
		s.blues[side] = s.blues[side].turned()
	}
	s.kind[0], s.kind[1] = kit.Transpose(s.kind[0]), kit.Transpose(s.kind[1])
	s.zobrist = s.zobristFromScratch()
	s.square = mirrored(s.square)
	if s.phase == phaseSpecial {
		s.lane ^= 1
	}
}
