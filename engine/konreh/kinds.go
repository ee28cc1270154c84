package konreh

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// The kinds of actions that reports count; a kind in this package is one of a piece.
const (
	kindSlide = iota
	kindCapture
	kindBlueCapture
	kindDisplacement
	kindHop
	kindFollowUp
	kindCross
	kindSeed
	kindNoSeed
	kindRooted
	kindPlant
	kindHome
	kindSanctum
	kindApex
	kindGive
	kindBuyback
	kindSwap
	kindHold
	numActionKinds
)

var actionKindNames = []string{
	kindSlide: "slide", kindCapture: "capture", kindBlueCapture: "capture of Blue", kindDisplacement: "Displacement", kindHop: "Hop",
	kindFollowUp: "special after a slide", kindCross: "Blue enters the Cross", kindSeed: "Seed", kindNoSeed: "Seed declined",
	kindRooted: "Blue becomes Rooted", kindPlant: "plant", kindHome: "placement at Home", kindSanctum: "placement on a Sanctum",
	kindApex: "placement on the enemy Apex", kindGive: "Green given up", kindBuyback: "buyback", kindSwap: "swap", kindHold: "hold",
}

// Kinds implements [engine.Classifier].
func (s *State) Kinds() []string { return actionKindNames }

// AppendKinds implements [engine.Classifier].
func (s *State) AppendKinds(dst []int, a engine.Action, after engine.State) []int {
	t := after.(*State)
	own, other := s.side&1, 1-s.side&1
	plane := int(a >> 6)
	special := a < codeWords && plane >= planeStep && plane < planeGive
	was, is := s.blueAt(own), t.blueAt(own)
	onCross := func(at uint8) bool { return at < 64 && s.game.rules.crossStay > 0 && s.game.geo.cross>>at&1 != 0 }
	for k := range numActionKinds {
		of := false
		switch k {
		case kindSlide:
			of = plane < planeStep
		case kindCapture:
			of = bits.OnesCount64(t.occ[other]) < bits.OnesCount64(s.occ[other])
		case kindBlueCapture:
			of = s.blueAt(other) < 64 && t.blueAt(other) == 64
		case kindDisplacement:
			of = special && plane < planeHop
		case kindHop:
			of = special && plane >= planeHop
		case kindFollowUp:
			of = special && s.phase == phaseSpecial
		case kindCross:
			of = !onCross(was) && onCross(is)
		case kindSeed:
			of = a == codeSeed
		case kindNoSeed:
			of = a == codeKeep
		case kindRooted:
			of = t.blues[own].rooted() > s.blues[own].rooted()
		case kindPlant:
			of = s.phase != phasePlace && t.phase == phasePlace
		case kindHome:
			of = a == codeHome
		case kindSanctum:
			of = a == codeLeft || a == codeRight
		case kindApex:
			of = a == codeApex
		case kindGive:
			of = a < codeWords && plane == planeGive || a == codeApex && s.runner == green
		case kindBuyback:
			of = a == codeBuyH || a == codeBuyD
		case kindSwap:
			of = a == codeSwap
		case kindHold:
			of = a == codeHold
		}
		if of {
			dst = append(dst, k)
		}
	}
	return dst
}
