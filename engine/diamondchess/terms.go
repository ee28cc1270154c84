package diamondchess

import (
	_ "embed"
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// The terms that positions are judged by. Those of a kind stand in the order of the kinds
// but the town.
const (
	termPieces     = 0                      // pieces of a kind
	termNear       = termPieces + kinds - 1 // steps that pieces of a kind are nearer to the enemy's town than 8
	termHits       = termNear + kinds - 1   // enemy pieces of a kind that an attack could strike
	termSpent      = termHits + kinds - 1   // hits absorbed
	termGuard      = termSpent + 1          // own pieces around the own town
	termSiege      = termGuard + 1          // own pieces up to 2 squares from the enemy's town
	termRiver      = termSiege + 1          // 1 with the orren on the river, where no weapon hurts it
	termHome       = termRiver + 1          // 1 with the herethroy on its own side, where it has its weapon
	termTempo      = termHome + 1           // 1 for the side to act
	termThreatened = termTempo + 1          // 1 if the town of the side to act could be taken now
	numTerms       = termThreatened + 1
)

var termNames = func() (names []string) {
	for _, what := range []string{"pieces_", "near_", "hits_"} {
		for _, k := range kindNames[cani:ziri] {
			names = append(names, what+k)
		}
		names = append(names, what+"ziri")
	}
	return append(names, "spent", "guard", "siege", "river", "home", "tempo", "threatened")
}()

//go:embed weights.txt
var weightsText string

var judging = kit.Judging{
	Terms: termNames, Fitted: engine.MustWeights(termNames, weightsText),
	Count: func(s engine.State, counts []int32) (danger bool) { return s.(*State).countTerms(counts) },
}

var _ engine.Termed = (*Game)(nil)

// countTerms adds up the terms; the town of the side to act may be in danger.
func (s *State) countTerms(counts []int32) (danger bool) {
	s.count(s.side, 1, counts)
	s.count(1-s.side, -1, counts)
	counts[termTempo]++
	if s.threatened(s.side) {
		counts[termThreatened]++
		return true
	}
	return false
}

// near[side] is how many steps nearer than 8 squares are to the town of the other side.
var near = func() (t [2][squares]int32) {
	for side := range t {
		home := homes[1-side]
		for sq := range squares {
			d := max(abs(sq>>3-home>>3), abs(sq&7-home&7))
			t[side][sq] = int32(8 - d)
		}
	}
	return t
}()

func abs(x int) int { return max(x, -x) }

// siege are the squares up to 2 steps from the town of the other side.
var siege = func() (t [2]uint64) {
	for side := range t {
		for sq := range squares {
			if near[side][sq] >= 6 {
				t[side] |= 1 << sq
			}
		}
	}
	return t
}()

// count adds what a side has, times sign.
func (s *State) count(side uint8, sign int32, counts []int32) {
	enemy := 1 - side
	own := &s.pieces[side]
	for kind := cani; kind < kinds; kind++ {
		b := own[kind]
		counts[termPieces+kind-cani] += sign * int32(bits.OnesCount64(b))
		for ; b != 0; b &= b - 1 {
			counts[termNear+kind-cani] += sign * near[side][bits.TrailingZeros64(b)]
		}
	}
	weapon, magic := s.covered(side)
	for kind := cani; kind < kinds; kind++ {
		counts[termHits+kind-cani] += sign * int32(bits.OnesCount64(hurts(kind, weapon, magic)&s.pieces[enemy][kind]))
	}
	counts[termSpent] += sign * int32(bits.OnesCount64(s.spent[side]))
	all := s.of(side)
	if t := own[town]; t != 0 {
		counts[termGuard] += sign * int32(bits.OnesCount64(neighbours[bits.TrailingZeros64(t)&63]&all))
	}
	counts[termSiege] += sign * int32(bits.OnesCount64(siege[side]&(all|own[ziri])))
	counts[termRiver] += sign * int32(bits.OnesCount64(own[orren]&river))
	counts[termHome] += sign * int32(bits.OnesCount64(own[herethroy]&sides[side]))
}

// orthogonal are the squares orthogonally beside those of b, diagonal those diagonally
// beside them.
func orthogonal(b uint64) uint64 { return b<<8 | b>>8 | (b&^lastColumn)<<1 | (b&^firstColumn)>>1 }

func diagonal(b uint64) uint64 {
	b = (b&^lastColumn)<<1 | (b&^firstColumn)>>1
	return b<<8 | b>>8
}

const firstColumn, lastColumn uint64 = 0x0101010101010101, 0x8080808080808080

// threatened tells whether the town of a side could be taken if it were the other's
// turn.
func (s *State) threatened(side uint8) bool {
	b := s.pieces[side][town]
	if b == 0 {
		return false
	}
	sq := bits.TrailingZeros64(b)
	e := &s.pieces[1-side]
	weapons := e[cani] | e[gormoror] | e[khtsoyis] | e[rassimel] | e[herethroy]&sides[1-side]
	magic := (e[orren] | e[rassimel] | e[ziri]) & (neighbours[sq] &^ beside[sq])
	if weapons&beside[sq] != 0 || magic != 0 {
		return true
	}
	if e[sleeth] == 0 {
		return false
	}
	was := s.side
	s.side = 1 - side
	to := s.pounces(bits.TrailingZeros64(e[sleeth]))
	s.side = was
	return to&b != 0
}
