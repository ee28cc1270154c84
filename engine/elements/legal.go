package elements

import (
	"math/bits"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// Legal implements engine.State.
func (s *State) Legal(dst []engine.Action, _ *engine.History) []engine.Action {
	if s.Outcome().Over {
		return dst
	}
	v := s.view(s.side)
	switch s.phase {
	case phaseAct:
		return s.actions(dst, &v)
	case phaseLeaf, phaseMoon:
		sq := int(s.where[actors[s.phase]])
		dst = appendTo(dst, squares*sq, s.targets(sq, &v))
	case phaseFire:
		dst = appendTo(dst, squares*int(s.where[fire]), s.steps(&v))
	case phasePush:
		dst = s.appendPushes(dst, &v)
	case phaseWind:
		return s.winds(dst, &v)
	case phaseCopy:
		return appendTo(append(dst, actionStop), firstCopy, s.copySites())
	default:
		return s.supplies(dst)
	}
	return append(dst, actionStop)
}

// appendTo appends the actions that begin with a number and go by square.
func appendTo(dst []engine.Action, first int, to set) []engine.Action {
	for w := to.Lo; w != 0; w &= w - 1 {
		dst = append(dst, engine.Action(first+bits.TrailingZeros64(w)))
	}
	for w := to.Hi; w != 0; w &= w - 1 {
		dst = append(dst, engine.Action(first+64+bits.TrailingZeros64(w)))
	}
	return dst
}

// actions appends what is legal in the phase act.
func (s *State) actions(dst []engine.Action, v *view) []engine.Action {
	able := s.able(v)
	begin := len(dst)
	for b := able; !b.Empty(); b = b.Rest() {
		sq := b.First()
		dst = appendTo(dst, squares*sq, s.targets(sq, v))
	}
	if s.may(balance, able) {
		dst = appendTo(dst, firstSwap, s.balanced(v))
	}
	if s.may(leaf, able) {
		dst = appendTo(dst, firstLeaf, s.relieved(v))
	}
	if s.may(moon, able) {
		for d := range 8 {
			if from, _ := s.pulled(d, v); from >= 0 {
				dst = append(dst, engine.Action(firstPull+d))
			}
		}
	}
	if s.may(power, able) {
		dst = s.appendPushes(dst, v)
	}
	if s.may(wood, able) {
		dst = appendTo(dst, firstTake, s.felled(v))
	}
	stop := len(dst)
	dst = append(dst, actionStop)
	if s.may(wind, able) && s.blows(v) {
		dst = append(dst, actionWind)
	}
	if s.leads(able, v) {
		dst = append(dst, actionLead)
	}
	if s.may(shadow, able) {
		dst = appendTo(dst, firstShadow, s.haunts(v))
	}
	if s.game.mustAct && len(dst)-begin > 1 {
		dst = slices.Delete(dst, stop, stop+1)
	}
	return dst
}

// may tells whether the piece of a kind is among those that may act.
func (s *State) may(kind int, able set) bool {
	return s.onBoard(kind) && able.Has(int(s.where[kind]))
}

// blows tells whether Wind has a guest that can move.
func (s *State) blows(v *view) bool {
	for b := s.guests(v); !b.Empty(); b = b.Rest() {
		if !s.blown(b.First(), v).Empty() {
			return true
		}
	}
	return false
}

// leads tells whether Leadership may give its action to a piece that can use it.
func (s *State) leads(able set, v *view) bool {
	if s.territory() < 0 || s.lead || !s.may(leadership, able) {
		return false
	}
	s.lead = true
	can := s.acts(v)
	s.lead = false
	return can
}

func (s *State) appendPushes(dst []engine.Action, v *view) []engine.Action {
	for d := range 8 {
		if from, _ := s.pushed(d, v); from >= 0 {
			dst = append(dst, engine.Action(firstPush+d))
		}
	}
	return dst
}

// winds appends what is legal in the phase wind.
func (s *State) winds(dst []engine.Action, v *view) []engine.Action {
	if s.game.bring {
		dst = append(dst, actionStop)
		for b := s.guests(v); !b.Empty(); b = b.Rest() {
			guest := b.First()
			to := s.blown(guest, v)
			for d, sq := range step[0][s.where[wind]] {
				if sq >= 0 && to.Has(int(sq)) {
					dst = append(dst, engine.Action(firstBring+8*guest+d))
				}
			}
		}
		return dst
	}
	for b := s.guests(v); !b.Empty(); b = b.Rest() {
		guest := b.First()
		dst = appendTo(dst, squares*guest, s.blown(guest, v))
	}
	return append(dst, actionStop)
}

// brought is from where and to where an action lets Wind bring a piece.
func (s *State) brought(a engine.Action) (from, to int) {
	a -= firstBring
	return int(a >> 3), int(step[0][s.where[wind]][a&7])
}

// supplies appends what is legal in the phases place and draft.
func (s *State) supplies(dst []engine.Action) []engine.Action {
	if s.phase == phasePlace {
		if s.game.mayPass {
			dst = append(dst, actionStop)
		}
		near, wide := s.sites()
		for w := s.reserve[s.side]; w != 0; w &= w - 1 {
			kind := bits.TrailingZeros32(w)
			to := near
			if kind == freedom {
				to = wide
			}
			dst = appendTo(dst, firstPlace+squares*kind, to)
		}
	}
	if s.drafting() {
		for w := s.draft; w != 0; w &= w - 1 {
			dst = append(dst, engine.Action(firstDraft+bits.TrailingZeros32(w)))
		}
	}
	return dst
}

// drafting tells whether a piece can be drafted.
func (s *State) drafting() bool {
	return s.draft != 0 && s.room(s.side) > 0 && !(s.game.noDraft && s.territory() >= 0)
}

// choice tells whether the phase has an action besides stop: others close by themselves.
func (s *State) choice() bool {
	switch s.phase {
	case phasePlace:
		if s.drafting() {
			return true
		}
		near, wide := s.sites()
		r := s.reserve[s.side]
		return r&^(1<<freedom) != 0 && !near.Empty() || r>>freedom&1 != 0 && !wide.Empty()
	case phaseDraft:
		return s.drafts > 0 && s.drafting()
	case phaseCopy:
		return !s.copySites().Empty()
	}
	v := s.view(s.side)
	if s.phase == phaseAct {
		return s.acts(&v)
	}
	sq := int(s.where[actors[s.phase]])
	if v.frozen.Has(sq) {
		return false
	}
	switch s.phase {
	case phaseFire:
		return !s.steps(&v).Empty()
	case phasePush:
		return s.pushes(&v)
	case phaseWind:
		return s.blows(&v)
	}
	return !s.targets(sq, &v).Empty()
}

func (s *State) pushes(v *view) bool {
	for d := range 8 {
		if from, _ := s.pushed(d, v); from >= 0 {
			return true
		}
	}
	return false
}

// acts tells whether a piece can act.
func (s *State) acts(v *view) bool {
	able := s.able(v)
	for b := able; !b.Empty(); b = b.Rest() {
		if !s.targets(b.First(), v).Empty() {
			return true
		}
	}
	if s.may(shadow, able) && !s.haunts(v).Empty() || s.may(balance, able) && !s.balanced(v).Empty() ||
		s.may(leaf, able) && !s.relieved(v).Empty() || s.may(wood, able) && !s.felled(v).Empty() ||
		s.may(power, able) && s.pushes(v) || s.may(wind, able) && s.blows(v) || s.leads(able, v) {
		return true
	}
	if s.may(moon, able) {
		for d := range 8 {
			if from, _ := s.pulled(d, v); from >= 0 {
				return true
			}
		}
	}
	return false
}
