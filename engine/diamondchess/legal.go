package diamondchess

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// Legal implements engine.State.
func (s *State) Legal(dst []engine.Action, _ *engine.History) []engine.Action {
	if s.Outcome().Over {
		return dst
	}
	begin := len(dst)
	switch s.phase {
	case phaseSetup:
		for kind := cani; kind < kinds; kind++ {
			if bits.OnesCount64(s.pieces[s.side][kind]) < fullSet[kind] {
				dst = append(dst, engine.Action(firstPlace+kind-cani))
			}
		}
		return dst
	case phaseStrike:
		return append(s.strikeActions(dst, bits.TrailingZeros64(s.pieces[s.side][khtsoyis])), actionStop)
	case phaseStart:
		dst = s.moves(dst, true)
		dst = s.attacks(dst)
	default:
		dst = s.moves(dst, false)
	}
	if len(dst) == begin || s.phase == phasePack || s.phase == phaseSecond && s.game.optional {
		dst = append(dst, actionStop)
	}
	return dst
}

// moves appends relocations, and pounces, in ascending order.
func (s *State) moves(dst []engine.Action, pounce bool) []engine.Action {
	var to [squares]uint64 // by square as the acting side sees it
	var from uint64
	add := func(sq int, b uint64) {
		if b == 0 {
			return
		}
		if s.side == 1 {
			sq, b = squares-1-sq, turnBoard(b)
		}
		from |= 1 << sq
		to[sq] |= b
	}
	s.relocations(func(_, sq int, b uint64) { add(sq, b) })
	if b := s.pieces[s.side][sleeth]; pounce && b != 0 {
		sq := bits.TrailingZeros64(b)
		add(sq, s.pounces(sq))
	}
	for ; from != 0; from &= from - 1 {
		sq := bits.TrailingZeros64(from)
		for b := to[sq]; b != 0; b &= b - 1 {
			dst = append(dst, engine.Action(squares*sq+bits.TrailingZeros64(b)))
		}
	}
	return dst
}

// attacks appends the attacks of all pieces, in ascending order of the squares that they
// stand on as the acting side sees them.
func (s *State) attacks(dst []engine.Action) []engine.Action {
	own := &s.pieces[s.side]
	b := own[cani] | own[gormoror] | own[khtsoyis] | own[herethroy] | own[orren] | own[rassimel] | own[ziri]
	if s.side == 1 {
		b = turnBoard(b)
	}
	for ; b != 0; b &= b - 1 {
		sq := bits.TrailingZeros64(b)
		if s.side == 1 {
			sq = squares - 1 - sq
		}
		dst = s.strikeActions(dst, sq)
	}
	return dst
}

// strikeActions appends the attacks from a square, those of the acting side.
func (s *State) strikeActions(dst []engine.Action, sq int) []engine.Action {
	kind, side := s.kindAt(sq)
	if kind >= 0 && side != s.side {
		kind = -1 // a zi ri's host
	}
	weapon := kind == cani || kind == gormoror || kind == khtsoyis || kind == rassimel || kind == herethroy && sides[s.side]>>sq&1 != 0
	magic := kind == orren || kind == rassimel || s.pieces[s.side][ziri]>>sq&1 != 0
	if s.phase == phaseStrike {
		magic = false
	}
	if !weapon && !magic {
		return dst
	}
	enemies := s.of(1-s.side) | s.pieces[1-s.side][ziri]
	if enemies&neighbours[sq] == 0 {
		return dst
	}
	seat, turn := sq, 0
	if s.side == 1 {
		seat, turn = squares-1-sq, 4
	}
	for d := range 8 {
		dir := (d + turn) & 7
		to := int(next[sq][dir])
		if to < 0 || enemies>>to&1 == 0 || dir&1 == 0 && !weapon || dir&1 == 1 && !magic {
			continue
		}
		if kind == herethroy && dir&1 == 0 && s.game.targetHome && sides[s.side]>>to&1 == 0 {
			continue
		}
		base := engine.Action(firstAttack + 16*seat + 2*d)
		if target, owner := s.kindAt(to); target >= 0 && owner != s.side && (s.game.futile || !resists(target, to, dir&1 == 0)) {
			dst = append(dst, base)
		}
		if s.pieces[1-s.side][ziri]>>to&1 != 0 && (s.game.futile || dir&1 == 0) {
			dst = append(dst, base+1)
		}
	}
	return dst
}

// strikesFrom tells whether the khtsoyis on a square has a target.
func (s *State) strikesFrom(sq int) bool {
	was := s.phase
	s.phase = phaseStrike
	var buffer [16]engine.Action
	n := len(s.strikeActions(buffer[:0], sq))
	s.phase = was
	return n > 0
}
