package knaw

import (
	_ "embed"
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var (
	_ engine.Termed   = (*Game)(nil)
	_ engine.Searched = (*State)(nil)
)

// BeginsTurn implements engine.Searched: a turn begins with its roll, before which a Path
// may be declared.
func (s *State) BeginsTurn() bool {
	switch s.phase {
	case phaseDeclare, phaseRoll, phasePostRoll, phasePost:
		return true
	}
	return s.phase == phaseMove && s.barred == noPiece
}

// SearchKey implements engine.Searched.
func (s *State) SearchKey() uint64 { return s.Hash() ^ kit.Mix(uint64(s.turn)) }

// RepeatedSince implements engine.Searched: no rule asks.
func (s *State) RepeatedSince(*engine.History, int) bool { return false }

// Loudness implements engine.Searched: the dice decide what can be done at once, so that
// every position is judged as it stands.
func (s *State) Loudness(engine.Action) (rank int32, loud bool) { return 0, false }

// The terms of the judge, the acting side's less the enemy's.
const (
	termScore     = 0                     // points
	termConnected = termScore + 1         // connected types, by tier
	termMoves     = termConnected + tiers // 1 for the number of moves that a resolution takes at least
	termJumps     = termMoves + pieces    // jumps of those moves
	termInfluence = termJumps + 1         // spaces influenced
	termFreedom   = termInfluence + 1     // first jumps that pieces have
	termTempo     = termFreedom + 1       // 1 for the side to act
)

var termNames = []string{
	"score", "connected_center", "connected_second", "connected_first", "connected_rim",
	"moves:1", "moves:2", "moves:3", "moves:4", "moves:5", "moves:6", "jumps", "influence", "freedom", "tempo",
}

//go:embed weights.txt
var weights string

var judging = kit.Judging{
	Terms: termNames, Fitted: engine.MustWeights(termNames, weights),
	Count: func(state engine.State, counts []int32) (danger bool) {
		s, plans := state.(*State), allPlans()
		s.count(plans, s.side, 1, counts)
		s.count(plans, 1-s.side, -1, counts)
		counts[termTempo] = 1
		return false
	},
}

// plan is what it takes to connect two pieces on a tier.
type plan struct{ moves, jumps uint8 }

// effort compares plans: a move waits for its die, whatever its length.
func (p plan) effort() int { return 4*int(p.moves) + int(p.jumps) }

func (p plan) plus(q plan) plan { return plan{p.moves + q.moves, p.jumps + q.jumps} }

// planTable[k][a][b] is the plan of least effort to connect pieces on a and b on tier
// second + k, on an empty board.
type planTable [tiers - second][spaces][spaces]plan

var allPlans = sync.OnceValue(func() *planTable {
	jumps := table(distances)
	t := new(planTable)
	for k := range t {
		for a := range spaces {
			for b := range spaces {
				best := plan{moves: 3}
				for at := tier[second+k]; !at.empty(); at = at.rest() {
					x := at.first()
					p := plan{jumps: jumps[a][x] + jumps[b][opposite(x)]}
					if a != x {
						p.moves++
					}
					if b != opposite(x) {
						p.moves++
					}
					if best.moves > 2 || p.effort() < best.effort() {
						best = p
					}
				}
				t[k][a][b] = best
			}
		}
	}
	return t
})

// distances are how many jumps lead from a space to each on an empty board.
func distances(x int) (t [spaces]uint8) {
	reached := single(x)
	for n := uint8(1); reached != all; n++ {
		next := reached
		for b := reached; !b.empty(); b = b.rest() {
			next = next.or(beside[b.first()])
		}
		for b := next.minus(reached); !b.empty(); b = b.rest() {
			t[b.first()] = n
		}
		reached = next
	}
	return t
}

// resolution is the plan of least effort to resolve a side: each type on another tier.
func (t *planTable) resolution(at *[pieces]uint8) plan {
	best := plan{moves: 2*pieces + 1}
	for k := range t {
		for l := range t {
			if k == l {
				continue
			}
			p := t[k][at[0]][at[1]].plus(t[l][at[2]][at[3]]).plus(t[len(t)-k-l][at[4]][at[5]])
			if best.moves > pieces || p.effort() < best.effort() {
				best = p
			}
		}
	}
	return best
}

// count adds the terms of a side, times sign.
func (s *State) count(plans *planTable, side uint8, sign int32, counts []int32) {
	at := &s.at[side]
	for piece := 0; piece < pieces; piece += 2 {
		if s.connected(side, piece) {
			for k := range tiers {
				if tier[k].has(int(at[piece])) {
					counts[termConnected+k] += sign
					break
				}
			}
		}
	}
	counts[termScore] += sign * int32(s.score(side))
	if p := plans.resolution(at); p.moves > 0 {
		counts[termMoves+int(p.moves)-1] += sign
		counts[termJumps] += sign * int32(p.jumps)
	}
	counts[termInfluence] += sign * int32(s.influence[side].count())
	counts[termFreedom] += sign * int32(s.influence[side].and(all.minus(s.occupied()).minus(s.influence[1-side])).count())
}
