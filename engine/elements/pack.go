package elements

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// packedBytes: where each kind is, the copies of both sides, then slot, what is under the
// goal's piece, phase and flags, drafts left, turn and seen.
const packedBytes = kinds + 2*11 + 7

// In a packed position a kind on the board of side 1 is at its square + inDraft + 1.
const packedSide = inDraft + 1

// Pack implements engine.State.
func (s *State) Pack(dst []byte) []byte {
	for _, sq := range s.where {
		if sq < squares && s.of[1].has(int(sq)) {
			sq += packedSide
		}
		dst = append(dst, sq)
	}
	for side := range s.of {
		b := s.copies.and(s.of[side])
		dst = binary.LittleEndian.AppendUint64(dst, b.lo)
		dst = append(dst, byte(b.hi), byte(b.hi>>8), byte(b.hi>>16))
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
	if len(src) != packedBytes {
		return fmt.Errorf("packed position: %d bytes, want %d", len(src), packedBytes)
	}
	rest := src[kinds+22:]
	flags := rest[2]
	t := &State{
		game: s.game, slot: rest[0], under: piece(rest[1]), phase: phase(flags & 15), side: flags >> 4 & 1,
		lead: flags>>5&1 != 0, fresh: flags>>6&1 != 0, drafts: rest[3], turn: binary.LittleEndian.Uint16(rest[4:]), seen: rest[6],
	}
	for kind, at := range src[:kinds] {
		side, sq := uint8(0), int(at)
		if sq >= packedSide {
			side, sq = 1, sq-packedSide
		}
		p := pieceOf(kind, side)
		switch {
		case sq == inDraft && side == 0:
			t.draft |= 1 << kind
			t.where[kind] = inDraft
		case sq < inDraft && sq >= inReserve && side == 0:
			t.store(kind, uint8(sq-inReserve))
		case sq == s.game.goal && p == t.under:
			t.where[kind] = uint8(sq)
		case sq >= squares || t.at[sq] != 0:
			return fmt.Errorf("packed position: byte %d: square %d: want a free one", kind, at)
		default:
			t.put(p, sq)
		}
	}
	for side := range uint8(2) {
		x := src[kinds+11*int(side):]
		b := set{binary.LittleEndian.Uint64(x), uint64(x[8]) | uint64(x[9])<<8 | uint64(x[10])<<16}
		if b.hi>>(squares-64) != 0 || !b.and(t.of[0].or(t.of[1])).empty() {
			return errors.New("packed position: copies of Mirror: want free squares")
		}
		for ; !b.empty(); b = b.rest() {
			t.put(pieceOf(mirror, side)|copyBit, b.first())
		}
	}
	err := t.check()
	if err == nil && string(t.Pack(nil)) != string(src) {
		err = errors.New("bits that mean nothing")
	}
	if err != nil {
		return fmt.Errorf("packed position: %w", err)
	}
	*s = *t
	return nil
}
