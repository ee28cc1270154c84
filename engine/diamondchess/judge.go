package diamondchess

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

var (
	_ engine.Judged   = (*Game)(nil)
	_ engine.Searched = (*State)(nil)
)

// BeginsTurn implements engine.Searched.
func (s *State) BeginsTurn() bool { return s.phase == phaseStart || s.phase == phaseSetup }

// SearchKey implements engine.Searched.
func (s *State) SearchKey() uint64 {
	x := uint64(s.turn) | uint64(uint16(s.quiet))<<16 | uint64(s.passes)<<32 | uint64(s.side)<<40 | uint64(s.phase)<<41
	return s.Hash() ^ x*0x9e3779b97f4a7c15
}

// RepeatedSince implements engine.Searched.
func (s *State) RepeatedSince(h *engine.History, from int) bool {
	if h == nil || s.phase != phaseStart {
		return false
	}
	k := s.key()
	return h.Count(s.Hash(), k[:], from) > 1
}

// Loudness implements engine.Searched: attacks by what they take.
func (s *State) Loudness(a engine.Action) (rank int32, loud bool) {
	if a >= actionStop {
		return 0, false
	}
	if s.side == 1 {
		a = turnAction(a)
	}
	enemy := 1 - s.side
	if a < firstAttack {
		to := int(a & 63)
		kind, side := s.kindAt(to)
		if leaps[a>>6]>>to&1 != 0 || (kind < 0 || side != enemy) && s.pieces[enemy][ziri]>>to&1 == 0 {
			return 0, false
		}
		if kind < 0 {
			kind = ziri
		}
		return worth[kind] - 1, true
	}
	a -= firstAttack
	to := int(next[a>>4][a>>1&7])
	if a&1 != 0 {
		return worth[ziri], true
	}
	kind, _ := s.kindAt(to)
	if absorbs(kind, a>>1&1 == 0) && s.spent[enemy]>>to&1 == 0 {
		return spentWorth, true
	}
	return worth[kind], true
}

// worth are the values of the kinds in hundredths of a cani, spentWorth that of a hit
// which has not been absorbed yet.
var worth = [kinds]int32{4000, 100, 180, 220, 210, 230, 240, 420, 230}

const spentWorth = 90

// judge is the engine.Judge of diamond chess: pieces, how near they are to the enemy's
// town, what guards the own one, and how freely the runners move.
type judge struct{}

// NewJudge implements engine.Judged.
func (g *Game) NewJudge() engine.Judge { return judge{} }

// Terms of the judge.
const (
	nearTown  = 6  // for each step that a piece is nearer to the enemy's town than 8
	guardTown = 14 // for each own piece around the own town
	tempo     = 20
	// A town that can be taken at once is all but lost.
	danger = 1500
)

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

// Judge implements engine.Judge.
func (judge) Judge(state engine.State, extra int32) (value int32, inDanger bool) {
	s := state.(*State)
	value = extra + s.count(s.side) - s.count(1-s.side) + tempo
	if s.threatened(s.side) {
		inDanger = true
		value -= danger / 4
	}
	return max(-900_000, min(900_000, value)), inDanger
}

// count is what a side has.
func (s *State) count(side uint8) (sum int32) {
	for kind, b := range s.pieces[side] {
		sum += worth[kind] * int32(bits.OnesCount64(b))
		if kind == town {
			sum += guardTown * int32(bits.OnesCount64(neighbours[bits.TrailingZeros64(b)&63]&s.of(side)))
			continue
		}
		for ; b != 0; b &= b - 1 {
			sum += nearTown * near[side][bits.TrailingZeros64(b)]
		}
	}
	return sum - spentWorth*int32(bits.OnesCount64(s.spent[side]))
}

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
