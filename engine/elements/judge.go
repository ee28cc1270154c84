package elements

import (
	_ "embed"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var (
	_ engine.Termed   = (*Game)(nil)
	_ engine.Searched = (*State)(nil)
)

// BeginsTurn implements engine.Searched: the second stage of a turn is judged by itself, so
// that a search need not try all placements behind a capture.
func (s *State) BeginsTurn() bool { return s.fresh || s.phase == phasePlace }

// SearchKey implements engine.Searched.
func (s *State) SearchKey() uint64 {
	x := uint64(s.turn) << 1
	if s.fresh {
		x |= 1
	}
	return s.Hash() ^ x*0x9e3779b97f4a7c15
}

// RepeatedSince implements engine.Searched.
func (s *State) RepeatedSince(h *engine.History, from int) bool {
	if h == nil || !s.fresh {
		return false
	}
	k := s.key()
	return h.Count(s.Hash(), k[:], from) > 1
}

// Loudness implements engine.Searched: captures, and landing on the goal.
func (s *State) Loudness(a engine.Action) (rank int32, loud bool) {
	to := 0
	switch {
	case a < firstSwap:
		to = int(a % squares)
	case a >= firstTake && a < actionStop:
		to = int(a - firstTake)
	case a >= firstShadow && a < firstBring:
		to = int(a - firstShadow)
	default:
		return 0, false
	}
	p := s.at[to]
	if p == 0 {
		return 0, to == s.game.goal && a < actionStop
	}
	if p.side() == s.side { // the goal, and the game
		return engine.MaxWeight, true
	}
	return judging.Fitted[termBoard+p.kind()], true
}

// The terms of the judge.
const (
	termBoard       = 0                  // a piece of a kind on the board
	termReserve     = kinds              // in the reserve
	termCenter      = iota + 2*kinds - 2 // steps by which pieces are nearer to the goal than 4
	termMobility                         // squares that pieces can go to
	termHits                             // enemies that they can take
	termFrozen                           // pieces next to Ice
	termGoal                             // a piece on the goal
	termReach                            // pieces that can go to the goal
	termThreat                           // who acted next would win
	termTerritories                      // territories under control
	termNext                             // the territory whose turn comes next
	termTempo                            // whose turn it is, in its first stage
	termStage                            // in its second
	terms
)

var termNames = func() (names []string) {
	for _, where := range []string{"board:", "reserve:"} {
		for kind := range kinds {
			names = append(names, where+kindWord(kind))
		}
	}
	return append(names, "center", "mobility", "hits", "frozen", "goal", "reach", "threat", "territories", "next", "tempo", "stage")
}()

//go:embed weights.txt
var weightsFile string

var judging = kit.Judging{
	Terms: termNames, Fitted: engine.MustWeights(termNames, weightsFile),
	Count: func(s engine.State, counts []int32) bool { return s.(*State).count(counts) },
}

// count adds what the acting side has of each term less what the other has, and tells
// whether the other side would win if it were to act.
func (s *State) count(counts []int32) (danger bool) {
	g := s.game
	counts[termTempo] = 1
	if s.phase != phaseAct {
		counts[termTempo], counts[termStage] = 0, 1
	}
	for sign, side := int32(1), s.side; ; sign, side = -1, 1-side {
		v := s.view(side)
		var reach, sunReaches int32
		for b := v.own; !b.Empty(); b = b.Rest() {
			sq := b.First()
			kind := s.at[sq].kind()
			counts[termBoard+kind] += sign
			counts[termCenter] += sign * g.center[sq]
			if v.frozen.Has(sq) {
				counts[termFrozen] += sign
				continue
			}
			to := s.targets(sq, &v)
			if kind == shadow {
				to = s.haunts(&v)
			}
			counts[termMobility] += sign * int32(to.Count())
			counts[termHits] += sign * int32(to.And(v.enemy).Count())
			if to.Has(g.goal) {
				reach++
				if kind == sun && !g.sunOne {
					sunReaches = 1
				}
			}
		}
		counts[termReach] += sign * reach
		holds := v.own.Has(g.goal)
		if holds {
			counts[termGoal] += sign
		}
		if threat := sunReaches > 0 || holds && reach > 0; threat {
			counts[termThreat] += sign
			danger = sign < 0 && s.phase == phaseAct
		}
		for kind := range kinds {
			counts[termReserve+kind] += sign * int32(s.reserve[side]>>kind&1)
		}
		for i, t := range g.order[s.slot] {
			if s.controls(side, int(t)) {
				counts[termTerritories] += sign
				if i == 0 {
					counts[termNext] += sign
				}
			}
		}
		if sign < 0 {
			return danger
		}
	}
}
