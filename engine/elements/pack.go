package elements

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine/kit"
)

// packedBytes: where each kind is, the copies of both sides, then slot, what is under the
// goal's piece, phase and flags, drafts left, turn and seen.
const packedBytes = kinds + 2*11 + 7

// In a packed position a kind on the board of side 1 is at its square + inDraft + 1.
const packedSide = inDraft + 1

// Pack implements engine.State.
func (s *State) Pack(dst []byte) []byte {
	for _, sq := range s.where {
		if sq < squares && s.of[1].Has(int(sq)) {
			sq += packedSide
		}
		dst = append(dst, sq)
	}
	for side := range s.of {
		b := s.copies.And(s.of[side])
		dst = binary.LittleEndian.AppendUint64(dst, b.Lo)
		dst = append(dst, byte(b.Hi), byte(b.Hi>>8), byte(b.Hi>>16))
	}
	flags := byte(s.phase) | s.side<<4
	if s.lead {
		flags |= 1 << 5
	}
	if s.fresh {
		flags |= 1 << 6
	}
	dst = append(dst, s.slot, byte(s.under), flags, s.drafts)
	return append(binary.LittleEndian.AppendUint16(dst, s.turn), s.seen)
}

// Unpack implements engine.State.
func (s *State) Unpack(src []byte) error {
	t := &State{game: s.game}
	return kit.Unpack(s, t, src, packedBytes, t.unpack, t.check)
}

func (s *State) unpack(src []byte) error {
	rest := src[kinds+22:]
	flags := rest[2]
	s.slot, s.under, s.phase, s.side = rest[0], piece(rest[1]), phase(flags&15), flags>>4&1
	s.lead, s.fresh, s.drafts, s.turn, s.seen = flags>>5&1 != 0, flags>>6&1 != 0, rest[3], binary.LittleEndian.Uint16(rest[4:]), rest[6]
	for kind, at := range src[:kinds] {
		side, sq := uint8(0), int(at)
		if sq >= packedSide {
			side, sq = 1, sq-packedSide
		}
		p := pieceOf(kind, side)
		switch {
		case sq == inDraft && side == 0:
			s.draft |= 1 << kind
			s.where[kind] = inDraft
		case sq < inDraft && sq >= inReserve && side == 0:
			s.store(kind, uint8(sq-inReserve))
		case sq == s.game.goal && p == s.under:
			s.where[kind] = uint8(sq)
		case sq >= squares || s.at[sq] != 0:
			return fmt.Errorf("byte %d: square %d: want a free one", kind, at)
		default:
			s.put(p, sq)
		}
	}
	for side := range uint8(2) {
		x := src[kinds+11*int(side):]
		b := set{Lo: binary.LittleEndian.Uint64(x), Hi: uint64(x[8]) | uint64(x[9])<<8 | uint64(x[10])<<16}
		if b.Hi>>(squares-64) != 0 || !b.And(s.of[0].Or(s.of[1])).Empty() {
			return errors.New("copies of Mirror: want free squares")
		}
		for ; !b.Empty(); b = b.Rest() {
			s.put(pieceOf(mirror, side)|copyBit, b.First())
		}
	}
	return nil
}
