package konreh

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// The kinds of actions that reports count; a kind in this package is one of a piece.
const (
	sortSlide = iota
	sortCapture
	sortBlueCapture
	sortDisplacement
	sortHop
	sortFollowUp
	sortCross
	sortSeed
	sortNoSeed
	sortRooted
	sortPlant
	sortHome
	sortSanctum
	sortApex
	sortGive
	sortBuyback
	sortSwap
	sortHold
	numSorts
)

var sortNames = []string{
	sortSlide: "slide", sortCapture: "capture", sortBlueCapture: "capture of Blue", sortDisplacement: "Displacement", sortHop: "Hop",
	sortFollowUp: "special after a slide", sortCross: "Blue enters the Cross", sortSeed: "Seed", sortNoSeed: "Seed declined",
	sortRooted: "Blue becomes Rooted", sortPlant: "plant", sortHome: "placement at Home", sortSanctum: "placement on a Sanctum",
	sortApex: "placement on the enemy Apex", sortGive: "Green given up", sortBuyback: "buyback", sortSwap: "swap", sortHold: "hold",
}

// Kinds implements [engine.Sorter].
func (s *State) Kinds() []string { return sortNames }

// AppendKinds implements [engine.Sorter].
func (s *State) AppendKinds(dst []int, a engine.Action, after engine.State) []int {
	t := after.(*State)
	own, other := s.side&1, 1-s.side&1
	plane := int(a >> 6)
	special := a < codeWords && plane >= planeStep && plane < planeGive
	was, is := s.blueAt(own), t.blueAt(own)
	onCross := func(at uint8) bool { return at < 64 && s.game.geo.cross>>at&1 != 0 }
	for k := range numSorts {
		of := false
		switch k {
		case sortSlide:
			of = plane < planeStep
		case sortCapture:
			of = bits.OnesCount64(t.occ[other]) < bits.OnesCount64(s.occ[other])
		case sortBlueCapture:
			of = s.blueAt(other) < 64 && t.blueAt(other) == 64
		case sortDisplacement:
			of = special && plane < planeHop
		case sortHop:
			of = special && plane >= planeHop
		case sortFollowUp:
			of = special && s.phase == phaseSpecial
		case sortCross:
			of = !onCross(was) && onCross(is)
		case sortSeed:
			of = a == codeSeed
		case sortNoSeed:
			of = a == codeKeep
		case sortRooted:
			of = t.blues[own].rooted() > s.blues[own].rooted()
		case sortPlant:
			of = s.phase != phasePlace && t.phase == phasePlace
		case sortHome:
			of = a == codeHome
		case sortSanctum:
			of = a == codeLeft || a == codeRight
		case sortApex:
			of = a == codeApex
		case sortGive:
			of = a < codeWords && plane == planeGive || a == codeApex && s.runner == green
		case sortBuyback:
			of = a == codeBuyH || a == codeBuyD
		case sortSwap:
			of = a == codeSwap
		case sortHold:
			of = a == codeHold
		}
		if of {
			dst = append(dst, k)
		}
	}
	return dst
}
