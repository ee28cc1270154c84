package diamondchess

import "math/bits"

// Swap implements engine.Swapper. The set-up's squares are not each other's image.
func (s *State) Swap() bool {
	if s.phase == phaseSetup {
		return false
	}
	s.pieces[0], s.pieces[1] = s.pieces[1], s.pieces[0]
	s.spent[0], s.spent[1] = turnBoard(s.spent[1]), turnBoard(s.spent[0])
	s.at = [squares]uint8{}
	for side := range uint8(2) {
		for kind, b := range s.pieces[side] {
			s.pieces[side][kind] = 0
			for b = turnBoard(b); b != 0; b &= b - 1 {
				s.put(side, kind, bits.TrailingZeros64(b))
			}
		}
	}
	for _, b := range []*uint64{&s.moved, &s.pack, &s.two, &s.three} {
		*b = turnBoard(*b)
	}
	s.side ^= 1
	return true
}
