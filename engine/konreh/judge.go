package konreh

import (
	"math/bits"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// evaluator is Kon'reh's [engine.TermJudge]: a weighted sum of terms.
type evaluator struct {
	weights [numTerms]int32
	// near[d][sq] is the squares up to d steps away from sq.
	near [8][64]uint64
	// plants[k][sq] is T* of a piece of kind k on sq of an empty board.
	plants   [3][64]uint8
	greenCap int
	reforge  int
	// bareDraws tells that a player without a move has drawn.
	bareDraws bool
}

// never is T* of a piece that cannot get there.
const never = 99

var _ engine.Termed = (*Game)(nil)

// NewJudge implements engine.Judged: it judges by the weights in weights.txt.
func (g *Game) NewJudge() engine.Judge { return g.NewTermJudge(fitted) }

// TermNames implements engine.Termed.
func (g *Game) TermNames() []string { return slices.Clone(termNames[:]) }

// NewTermJudge implements engine.Termed.
func (g *Game) NewTermJudge(weights []int32) engine.TermJudge {
	j := &evaluator{weights: [numTerms]int32(weights)}
	j.init(g)
	return j
}

// Weights implements engine.TermJudge.
func (j *evaluator) Weights() []int32 { return slices.Clone(j.weights[:]) }

func (j *evaluator) init(g *Game) {
	size := g.Size()
	j.greenCap, j.reforge, j.bareDraws = g.GreenCap(), g.ReforgeTurns(), !g.StalemateLoses()
	for a := range size {
		for b := range size {
			for x := range size {
				for y := range size {
					for d := max(a-x, x-a) + max(b-y, y-b); d < len(j.near); d++ {
						j.near[d][8*a+b] |= 1 << (8*x + y)
					}
				}
			}
		}
	}
	for k := range j.plants {
		j.fillPlants(k, size)
	}
}

// fillPlants counts moves of kind k backwards: onward exactly k+2 steps,
// homeward up to k+1.
func (j *evaluator) fillPlants(k, size int) {
	onward := k + 2
	t := &j.plants[k]
	for sq := range t {
		t[sq] = never
	}
	// The Apex itself is no move: a piece that stands there must come back.
	apex := 8*(size-1) + size - 1
	reached := map[int]bool{apex: true}
	for turns := uint8(1); len(reached) > 0; turns++ {
		next := map[int]bool{}
		for to := range reached {
			add := func(a, b int) {
				if a >= 0 && b >= 0 && a < size && b < size && t[8*a+b] == never {
					t[8*a+b] = turns
					next[8*a+b] = true
				}
			}
			a, b := to>>3, to&7
			add(a-onward, b)
			add(a, b-onward)
			for n := 1; n < onward; n++ {
				add(a+n, b)
				add(a, b+n)
			}
		}
		reached = next
	}
}

// counts are the terms of a position, the difference between the side to act and
// the other.
type counts [numTerms]int32

// seen is what the evaluation uses of a position besides its counts.
type seen struct {
	// danger tells that the Blue of the side to act could be captured if it were
	// the other's turn.
	danger bool
	// ownBare and otherBare tell which side has no runners left. Such a side loses only
	// by its own mistake: without Blue it has no move, which is a draw. Where that
	// is a loss no side counts as bare.
	ownBare, otherBare bool
}

// measure sets f to the counts of a position where a turn begins.
func (j *evaluator) measure(s *State, f *counts) seen {
	side := s.Side()
	var own, other Measures
	s.Measure(side, &own)
	s.Measure(1-side, &other)
	var theirs counts
	*f = counts{}
	j.count(s, side, &own, &other, f)
	j.count(s, 1-side, &other, &own, &theirs)
	for i := range f {
		f[i] -= theirs[i]
	}
	f[termTempo] = 1
	return seen{
		danger:    (other.Hits|other.SpecialHits)&other.Other[3] != 0,
		ownBare:   j.bareDraws && own.Own[0]|own.Own[1]|own.Own[2] == 0,
		otherBare: j.bareDraws && other.Own[0]|other.Own[1]|other.Own[2] == 0,
	}
}

// count fills in the terms of one side.
func (j *evaluator) count(s *State, side engine.Side, m, o *Measures, f *counts) {
	n := func(b uint64) int32 { return int32(bits.OnesCount64(b)) }
	flag := func(on bool) int32 {
		if on {
			return 1
		}
		return 0
	}
	reds, oranges, greens := n(m.Own[0]), n(m.Own[1]), n(m.Own[2])
	f[termRed], f[termOrange], f[termGreen], f[termBlue] = reds, oranges, greens, n(m.Own[3])
	points := reds + 2*oranges + 3*greens
	if sum := points + n(m.Other[0]) + 2*n(m.Other[1]) + 3*n(m.Other[2]); sum > 0 {
		f[termDominance] = 100 * points / sum
	}
	f[termMobility] = int32(m.Slides)
	hits := m.Hits | m.SpecialHits
	f[termHitsRed], f[termHitsOrange], f[termHitsGreen] = n(hits&m.Other[0]), n(hits&m.Other[1]), n(hits&m.Other[2])
	f[termHitsBlue] = n(hits & m.Other[3])
	f[termStrikes] = n(m.SpecialHits)
	runners := m.Own[0] | m.Own[1] | m.Own[2]
	f[termGuard] = n(runners & j.near[2][0])
	f[termRedRank], f[termOrangeRank], f[termGreenRank] = ranks(m.Own[0]), ranks(m.Own[1]), ranks(m.Own[2])
	switch reds + oranges + greens {
	case 1:
		f[termRunners1] = 1
	case 2:
		f[termRunners2] = 1
	}
	if int(greens+n(m.Other[2])) >= j.greenCap {
		f[termCapLead] = greens
	}
	if m.Other[3] != 0 {
		at := bits.TrailingZeros64(m.Other[3]) & 63
		for d := 1; d < len(j.near); d++ {
			f[termChase] += n(runners & j.near[d][at])
		}
	}
	if m.Reforge > 0 {
		f[termCountdown] = int32(j.reforge - m.Reforge)
		switch m.Reforge - s.PlantTurns(side, m.Reforge) {
		case -1:
			f[termHopeless] = 1
		case 0:
			f[termSlack0] = 1
		case 1:
			f[termSlack1] = 1
		case 2:
			f[termSlack2] = 1
		}
		return
	}
	f[termHop], f[termDisplacement] = flag(m.Hop), flag(m.Displacement)
	f[termCross], f[termStay] = flag(m.Stay > 0), int32(m.Stay)
	f[termExcluded], f[termRooted] = flag(m.Exclusion > 0), flag(m.Rooted)
	f[termHome] = flag(m.Own[3]&1 != 0)
	f[termSeed] = flag(m.Seedable)
	at := bits.TrailingZeros64(m.Own[3]) & 63
	f[termShield] = n(runners & j.near[1][at])
	f[termCrowd] = n((m.Other[0] | m.Other[1] | m.Other[2]) & j.near[2][at])
	best := int32(6)
	for k, t := range [3]uint64{m.Own[0], m.Own[1], m.Own[2]} {
		for ; t != 0; t &= t - 1 {
			best = min(best, int32(j.plants[k][bits.TrailingZeros64(t)&63]))
		}
	}
	f[termReady] = 6 - best
}

// ranks is the sum of the steps of pieces away from a1.
func ranks(b uint64) int32 {
	sum := int32(0)
	for ; b != 0; b &= b - 1 {
		sq := bits.TrailingZeros64(b)
		sum += int32(sq>>3 + sq&7)
	}
	return sum
}

// mostJudged bounds what is no win or loss.
const mostJudged = 900_000

// Count implements engine.TermJudge. Positions say little where Blue is in danger, or
// where a side has no runners.
func (j *evaluator) Count(state engine.State, f []float64) (ok bool) {
	s := state.(*State)
	var n counts
	seen := j.measure(s, &n)
	if seen.danger || seen.ownBare || seen.otherBare {
		return false
	}
	share := 1.0
	if quiet, limit := s.Quiet(); limit > 0 {
		share = float64(2*limit-min(quiet, limit)) / float64(2*limit)
	}
	for i, c := range n {
		f[i] = share * float64(c)
	}
	return true
}

// CountTerms implements engine.TermCounter.
func (j *evaluator) CountTerms(state engine.State, n []int32) (danger bool) {
	return j.measure(state.(*State), (*counts)(n)).danger
}

// bareShare is what is left of a lead over a side that has no runners.
const bareShare = 16

// Judge implements engine.Judge. It evaluates a position where a turn begins, in the view of the player who
// decides. It shrinks the longer nothing has been captured or sown, down to
// a half when the game is drawn for it: the leader should make progress. A
// lead over a bare Blue counts for little: the leader should leave a runner
// and take Blue. extra is added to the terms.
func (j *evaluator) Judge(state engine.State, extra int32) (value int32, danger bool) {
	s, w := state.(*State), &j.weights
	var f counts
	seen := j.measure(s, &f)
	sum := int32(0)
	for i, n := range f {
		sum += n * w[i]
	}
	sum += extra
	if sum > 0 && seen.otherBare || sum < 0 && seen.ownBare {
		sum /= bareShare
	}
	if quiet, limit := s.Quiet(); limit > 0 {
		sum = int32(int64(sum) * int64(2*limit-min(quiet, limit)) / int64(2*limit))
	}
	return max(-mostJudged, min(mostJudged, sum)), seen.danger
}
