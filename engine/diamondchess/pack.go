package diamondchess

import (
	"errors"
	"fmt"
	"math/bits"
)

// packedBytes: the squares of eleven pieces a side, then flags and counters.
const packedBytes = 2*11 + 11

// Pack implements engine.State.
func (s *State) Pack(dst []byte) []byte {
	var moved, pack uint16
	for side := range uint8(2) {
		i := 0
		for kind, b := range s.pieces[side] {
			for range fullSet[kind] {
				sq := squares
				if b != 0 {
					sq = bits.TrailingZeros64(b)
					b &= b - 1
				}
				dst = append(dst, byte(sq))
				if sq < squares && side == s.side && kind != ziri {
					moved |= uint16(s.moved>>sq&1) << i
					if s.pack>>sq&1 != 0 {
						pack |= uint16(s.packSteps(sq)) << (2 * (i - 1))
					}
				}
				i++
			}
		}
	}
	flags := uint16(s.side) | uint16(s.phase)<<1 | uint16(asBit(s.flown))<<4 | uint16(asBit(s.second))<<5 | uint16(s.strikes)<<6 | uint16(s.passes)<<8
	for _, x := range [...]uint16{moved, pack | s.spentBits()<<6, flags, s.turn, uint16(s.quiet + 1)} {
		dst = append(dst, byte(x), byte(x>>8))
	}
	return append(dst, s.seen)
}

// spentBits has a bit for the gormoror and the rassimel of each side.
func (s *State) spentBits() (b uint16) {
	for side := range 2 {
		for i, kind := range [2]int{gormoror, rassimel} {
			if s.spent[side]&s.pieces[side][kind] != 0 {
				b |= 1 << (2*side + i)
			}
		}
	}
	return b
}

// Unpack implements engine.State.
func (s *State) Unpack(src []byte) error {
	if len(src) != packedBytes {
		return fmt.Errorf("packed position: %d bytes, want %d", len(src), packedBytes)
	}
	word := func(i int) uint16 { return uint16(src[22+2*i]) | uint16(src[23+2*i])<<8 }
	moved, pack, flags := word(0), word(1), word(2)
	t := &State{game: s.game, side: uint8(flags & 1), phase: phase(flags >> 1 & 7), flown: flags>>4&1 != 0, second: flags>>5&1 != 0,
		strikes: uint8(flags >> 6 & 3), passes: uint8(flags >> 8 & 3), turn: word(3), quiet: int16(word(4)) - 1, seen: src[32]}
	if t.phase >= phases || flags>>10 != 0 {
		return errors.New("packed position: unknown phase or flags")
	}
	for side := range uint8(2) {
		i := 0
		for kind := range kinds {
			last := -1
			for range fullSet[kind] {
				sq := int(src[11*int(side)+i])
				if sq > squares || sq < squares && (sq <= last || kind != ziri && t.at[sq] != 0) || last == squares && sq < squares {
					return fmt.Errorf("packed position: byte %d: square %d: want free ones in ascending order", 11*int(side)+i, sq)
				}
				last = sq
				if sq < squares {
					t.put(side, kind, sq)
					if side == t.side && kind != ziri {
						t.moved |= uint64(moved>>i&1) << sq
						if kind == cani {
							t.unpackAllowance(sq, int(pack>>(2*(i-1))&3))
						}
					}
				}
				i++
			}
		}
		for i, kind := range [2]int{gormoror, rassimel} {
			if pack>>(6+2*int(side)+i)&1 != 0 {
				t.spent[side] |= t.pieces[side][kind]
			}
		}
	}
	err := t.check()
	if err == nil && string(t.Pack(nil)) != string(src) {
		err = errors.New("bits for pieces that are gone")
	}
	if err != nil {
		return fmt.Errorf("packed position: %w", err)
	}
	*s = *t
	return nil
}

func (s *State) unpackAllowance(sq, n int) {
	if n > 0 {
		s.pack |= 1 << sq
		s.two |= uint64(n>>1) << sq
		s.three |= uint64(n/3) << sq
	}
}
