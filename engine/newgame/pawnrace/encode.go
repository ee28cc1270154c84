package pawnrace

import "github.com/ludozero/ludozero/engine/kit"

// What a network sees must tell apart whatever changes the rest of the game: here where
// the pawns are, and the option, not the number of the turn.
var features = kit.Features(rows, cols, -1, []string{"own pawns", "other pawns"}, []string{"captures ahead"})

// observe writes what the side to move sees, from its seat.
func (s *State) observe(o *kit.Observation) {
	own, other := s.seen()
	o.SetBits(o.Plane(cells), uint64(own))
	o.SetBits(o.Plane(cells), uint64(other))
	o.Flags(s.game.captureAhead)
}

// Encode implements engine.State.
func (s *State) Encode(planes, globals []float32) {
	var o kit.Observation
	s.observe(&o)
	o.Write(planes, globals)
}

// EncodingHash implements engine.State.
func (s *State) EncodingHash() uint64 {
	var o kit.Observation
	s.observe(&o)
	return o.Hash(&features)
}

func mirrorSquare(row, col int) (int, int) { return row, cols - 1 - col }

// SymmetryMask implements engine.State: both, always.
func (s *State) SymmetryMask() uint32 { return 0b11 }

// Transform implements engine.State.
func (s *State) Transform(i int) {
	if i == 0 {
		return
	}
	for side, b := range s.pawns {
		var mirrored uint32
		for col := range cols {
			mirrored |= b >> col & leftColumn << (cols - 1 - col)
		}
		s.pawns[side] = mirrored
	}
}
