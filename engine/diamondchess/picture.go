package diamondchess

import (
	"math/bits"
	"strconv"
	"strings"
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var (
	_ engine.Pictured   = (*State)(nil)
	_ engine.Explainer  = (*State)(nil)
	_ engine.Classifier = (*State)(nil)
	_ engine.Pacer      = (*State)(nil)
	_ engine.Material   = (*State)(nil)
)

// Layout implements engine.Pictured: the corner 00 is at the bottom.
func (s *State) Layout() *engine.Layout { return layout() }

var layout = sync.OnceValue(func() *engine.Layout {
	l := kit.Diamond(size, size, func(row, col int) string { return squareName(size*row + col) })
	l.Zones = []engine.Zone{{Side: engine.NoSide}, {Name: "river", Sign: "~", Side: engine.NoSide}}
	l.Sides = info.Sides
	l.Kinds = kit.PieceKinds(kindNames[:], func(kind int, side uint8) string { return string(letter(kind, side)) })
	for sq := range l.Cells {
		l.Cells[sq].Zone = int(river >> sq & 1)
	}
	return l
})

// AppendPieces implements engine.Pictured.
func (s *State) AppendPieces(dst []engine.Piece) []engine.Piece {
	for sq := range squares {
		kind, side := s.kindAt(sq)
		if kind >= 0 {
			p := engine.Piece{Cell: sq, Kind: kind, Side: engine.Side(side), Count: 1}
			if s.spent[side]>>sq&1 != 0 {
				p.Tags = append(p.Tags, engine.Tag{Short: "!", Text: "has absorbed its hit"})
			}
			dst = append(dst, p)
		}
		for side := range engine.Side(2) {
			if s.pieces[side][ziri]>>sq&1 != 0 {
				dst = append(dst, engine.Piece{Cell: sq, Kind: ziri, Side: side, Count: 1})
			}
		}
	}
	if s.phase == phaseSetup {
		for side := range uint8(2) {
			for kind := cani; kind < kinds; kind++ {
				if n := fullSet[kind] - bits.OnesCount64(s.pieces[side][kind]); n > 0 {
					dst = append(dst, engine.Piece{Cell: -1, Kind: kind, Side: engine.Side(side), Count: n})
				}
			}
		}
	}
	return dst
}

// AppendMarks implements engine.Pictured.
func (s *State) AppendMarks(dst []engine.Mark, a engine.Action, after engine.State) []engine.Mark {
	t := after.(*State)
	side := engine.Side(s.side)
	from, to := s.ends(a)
	switch {
	case a >= firstPlace:
		return append(dst, engine.Mark{
			Kind: engine.MarkPlace, Side: side, Cells: []int{fill[s.side][s.placed(s.side)]}, From: &engine.Entry{Side: side, Kind: int(a-firstPlace) + cani},
		})
	case a == actionStop:
		return dst
	case a >= firstAttack:
		dst = append(dst, engine.Mark{Kind: engine.MarkStrike, Side: side, Cells: []int{from, to}})
	default:
		dst = append(dst, engine.Mark{Kind: engine.MarkMove, Side: side, Cells: []int{from, to}})
	}
	enemy := 1 - s.side
	for b := s.of(enemy) &^ t.of(enemy); b != 0; b &= b - 1 {
		dst = append(dst, engine.Mark{Kind: engine.MarkRemove, Side: side, Cells: []int{bits.TrailingZeros64(b)}})
	}
	if b := s.pieces[enemy][ziri] &^ t.pieces[enemy][ziri]; b != 0 {
		dst = append(dst, engine.Mark{Kind: engine.MarkRemove, Side: side, Cells: []int{bits.TrailingZeros64(b)}})
	}
	return dst
}

// AppendAsked implements engine.Explainer.
func (s *State) AppendAsked(dst []byte) []byte {
	return append(dst, [...]string{
		phaseSetup: "a piece for the next square of the set-up", phaseStart: "a first move, or an attack", phasePack: "another cani of the pack, or stop",
		phaseSecond: "a second move, with another piece", phaseStrike: "the khtsoyis may strike again, or stop",
	}[s.phase]...)
}

// AppendStatus implements engine.Explainer.
func (s *State) AppendStatus(dst []byte) []byte {
	for side := range uint8(2) {
		var hits []string
		for _, kind := range []int{gormoror, rassimel} {
			if s.spent[side]&s.pieces[side][kind] != 0 {
				hits = append(hits, kindNames[kind])
			}
		}
		if hits != nil {
			dst = append(dst, info.Sides[side]+": "+strings.Join(hits, " and ")+" hit once\n"...)
		}
	}
	if s.strikes > 0 {
		dst = append(dst, "Strikes left to the khtsoyis: "+strconv.Itoa(int(s.strikes))+"\n"...)
	}
	dst = append(dst, "Turns without effect "+strconv.Itoa(max(0, int(s.quiet)))+" of "+strconv.Itoa(s.game.noCapture)...)
	return append(dst, "; turn "+strconv.Itoa(int(s.turn))+" of "+strconv.Itoa(s.game.maxTurns)+"\n"...)
}

// did are the kinds of actions, for reports.
var did = kit.Did{"place", "move", "leap", "pack", "ford", "pounce", "weapon", "magic", "absorbed", "capture", "sacrifice", "stop"}

// Kinds implements engine.Classifier.
func (s *State) Kinds() []string { return did }

// AppendKinds implements engine.Classifier.
func (s *State) AppendKinds(dst []int, a engine.Action, after engine.State) []int {
	t := after.(*State)
	if s.side == 1 {
		a = turnAction(a)
	}
	enemy := 1 - s.side
	kinds := make([]string, 0, 4)
	switch {
	case a >= firstPlace:
		return did.Append(dst, "place")
	case a == actionStop:
		return did.Append(dst, "stop")
	case a >= firstAttack:
		kinds = append(kinds, [2]string{"weapon", "magic"}[a>>1&1])
		if bits.OnesCount64(t.spent[enemy]) > bits.OnesCount64(s.spent[enemy]) {
			kinds = append(kinds, "absorbed")
		}
	case leaps[a>>6]>>(a&63)&1 != 0:
		kinds = append(kinds, "leap")
	case s.of(enemy) != t.of(enemy):
		kinds = append(kinds, "pounce")
	default:
		kinds = append(kinds, "move")
		if s.phase == phasePack {
			kinds = append(kinds, "pack")
		}
		if fords[a>>6]>>(a&63)&1 != 0 {
			kinds = append(kinds, "ford")
		}
	}
	zi := s.pieces[enemy][ziri]
	took := t.pieces[enemy][ziri] != zi
	if s.of(enemy) != t.of(enemy) || took {
		kinds = append(kinds, "capture")
	}
	struck := a >= firstAttack && a&1 != 0 && zi>>next[(a-firstAttack)>>4][a>>1&7]&1 != 0
	if took && !struck && zi&(s.of(s.side)|s.pieces[s.side][ziri]) != 0 {
		kinds = append(kinds, "sacrifice")
	}
	return did.Append(dst, kinds...)
}

// TurnsLeft implements engine.Pacer, by how many pieces are left.
func (s *State) TurnsLeft() int {
	left := 0
	for side := range uint8(2) {
		left += s.placed(side)
	}
	if s.phase == phaseSetup {
		return 2*toPlace - left + 120
	}
	return 20 + 5*left
}

// values of the kinds in units of a cani.
var values = [kinds]float32{40, 1, 2, 3, 2.5, 2.5, 2.5, 4, 2.5}

// Material implements engine.Material: a piece that has absorbed its hit is worth less.
func (s *State) Material(p engine.Player) (sum float32) {
	for kind, b := range s.pieces[p] {
		sum += values[kind] * float32(bits.OnesCount64(b))
	}
	return sum - .5*float32(bits.OnesCount64(s.spent[p]))
}
