package konkvest

import (
	_ "embed"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var (
	_ engine.Termed   = (*Game)(nil)
	_ engine.Searched = (*State)(nil)
)

// BeginsTurn implements engine.Searched: every decision is a turn.
func (s *State) BeginsTurn() bool { return true }

// SearchKey implements engine.Searched.
func (s *State) SearchKey() uint64 {
	return s.Hash() ^ kit.Mix(uint64(s.ply)|uint64(s.runs[0])<<16|uint64(s.runs[1])<<32)
}

// RepeatedSince implements engine.Searched. A chase of the Queen does not lead to a draw,
// but is lost, or forbidden, by who goes on with it.
func (s *State) RepeatedSince(h *engine.History, from int) bool {
	if h == nil || s.step < toPlace || s.game.cycle != cycleOff && max(s.runs[0], s.runs[1]) >= 2 {
		return false
	}
	k := s.key()
	return h.Count(s.Hash(), k[:], from) > 1
}

// Loudness implements engine.Searched: captures by what they take, and the Queen on the
// enemy base.
func (s *State) Loudness(a engine.Action) (rank int32, loud bool) {
	if a >= firstSummon {
		return 0, false
	}
	x := int(a)
	from, to := x/2/hexes, x/2%hexes
	if p := s.at[seen(s.side, first+to)]; p != 0 && from != to {
		return 16*worth[(p-1)&15] - worth[s.kindOf(s.side, first+from)], true
	}
	return 16 * worth[queen], first+to == base^flip && s.kindOf(s.side, first+from) == queen
}

// worth ranks captures.
var worth = [16]int32{1, 2, 2, 3, 3, 4, 100, 3, 3, 3, 5, 5}

// The terms of the judge: pieces on the board and in reserve, then what follows.
const (
	termBoard     = 0                   // by class, the Queen's place for the next
	termQueenRow  = termBoard + queen   // rows that the Queen is away from its own side
	termReserve   = termBoard + classes // by kind
	termTerritory = termReserve + hands // hexes of captured territory
	termPromote   = termTerritory + 1   // hexes of promotional territory
	termPawnRows  = termPromote + 1     // rows that pawns have advanced
	termRows      = termPawnRows + 1    // rows that other pieces have
	termChase     = termRows + 1        // nearness to the enemy Queen: 6 less the distance, over pieces
	termGuard     = termChase + 1       // own pieces beside the Queen
	termAttack    = termGuard + 1       // 1 with the enemy Queen under attack
	termTempo     = termAttack + 1      // 1 for the side to act
	numTerms      = termTempo + 1
)

var termNames = func() (names []string) {
	for class, name := range classNames {
		if class == queen {
			name = "queen_row"
		}
		names = append(names, name)
	}
	for _, name := range kindNames[:hands] {
		names = append(names, "reserve_"+name)
	}
	return append(names, "territory", "promotional", "pawn_rows", "rows", "chase", "home_guard", "attack", "tempo")
}()

//go:embed weights.txt
var weights string

var judging = kit.Judging{Terms: termNames, Fitted: engine.MustWeights(termNames, weights), Count: count}

// near[q][sq] is how much nearer than 6 steps two squares are.
var near = func() (t [squares][squares]uint8) {
	for i := range hexes {
		for j := range hexes {
			w := hex.Way(i, j)
			aside, on := max(w.X, -w.X), max(w.Y, -w.Y)
			t[first+i][first+j] = uint8(max(0, 6-on-max(0, aside-on)/2))
		}
	}
	return
}()

// count implements the terms: see kit.NewTerms.
func count(state engine.State, counts []int32) (danger bool) {
	s := state.(*State)
	s.tally(s.side, 1, counts)
	s.tally(1-s.side, -1, counts)
	counts[termTempo] = 1
	if s.attacks(s.side) {
		counts[termAttack]++
	}
	if s.attacks(1 - s.side) {
		counts[termAttack]--
		return true
	}
	return false
}

// tally adds the terms of a side, times sign.
func (s *State) tally(side uint8, sign int32, counts []int32) {
	chased, home := &near[s.queens[1-side]^flip], &near[s.queens[side]]
	var rows, pawnRows, chase, guard int32
	for of := s.of[side]; !of.Empty(); of = of.Rest() {
		sq := of.First()
		class := int(classOf[s.kindOf(side, sq)&15])
		row := int32(hexRow[sq])
		switch class {
		case queen:
			counts[termQueenRow] += sign * row
			continue
		case pawn:
			pawnRows += row
		default:
			rows += row
		}
		counts[termBoard+class] += sign
		chase += int32(chased[sq])
		guard += int32(home[sq] / 5)
	}
	for kind, n := range s.reserve[side] {
		counts[termReserve+kind] += sign * int32(n)
	}
	captured := s.captured(side)
	counts[termTerritory] += sign * int32(captured.Count())
	if !s.pawns[side].Empty() {
		captured = captured.And(beyond)
	}
	counts[termPromote] += sign * int32(captured.Count())
	counts[termPawnRows] += sign * pawnRows
	counts[termRows] += sign * rows
	counts[termChase] += sign * chase
	counts[termGuard] += sign * guard
}

var hexRow = func() (t [squares]uint8) {
	for i := range hexes {
		t[first+i] = uint8(hex.Row(i))
	}
	return
}()
