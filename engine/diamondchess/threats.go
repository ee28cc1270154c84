package diamondchess

import "math/bits"

// threats are what a side could do if it were to begin a turn now. A small network learns only
// slowly where straight ways end that other pieces block.
type threats struct {
	relocations    uint64 // squares on which its pieces could end
	weapons, magic uint64 // squares that it could strike, whoever stands there
	pounces        uint64 // squares on which its sleeth could take a piece
	targets        uint64 // enemy pieces that it could take, or whose flag it could spend
}

// threats looks at the position as if a side were to begin a turn.
func (s *State) threats(side uint8) (r threats) {
	t := *s
	t.side, t.phase, t.moved, t.flown = side, phaseStart, 0, false
	t.relocations(func(_, _ int, to uint64) { r.relocations |= to })
	r.weapons, r.magic = t.covered(side)
	if b := t.pieces[side][sleeth]; b != 0 {
		r.pounces = t.pounces(bits.TrailingZeros64(b))
	}
	for kind, b := range t.pieces[1-side] {
		r.targets |= b & hurts(kind, r.weapons, r.magic)
	}
	r.targets |= r.pounces
	return r
}

// covered are the squares that a side's weapons and its magic could strike.
func (s *State) covered(side uint8) (weapons, magic uint64) {
	own := &s.pieces[side]
	home := orthogonal(own[herethroy] & sides[side])
	if s.game.targetHome {
		home &= sides[side]
	}
	return orthogonal(own[cani]|own[gormoror]|own[khtsoyis]|own[rassimel]) | home, diagonal(own[orren] | own[rassimel] | own[ziri])
}

// hurts are those squares of weapons and magic on which they hurt a piece of a kind.
func hurts(kind int, weapons, magic uint64) uint64 {
	switch kind {
	case herethroy:
		return magic
	case orren:
		return weapons&^river | magic
	case ziri:
		return weapons
	}
	return weapons | magic
}
