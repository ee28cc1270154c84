package diamondchess

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/ludozero/ludozero/engine/kit"
)

// packedBytes: the squares of eleven pieces a side, then flags and counters.
const packedBytes = 2*len(eleven) + 11

// eleven are the kinds of a side's pieces.
var eleven = [...]int{town, cani, cani, cani, gormoror, khtsoyis, herethroy, orren, rassimel, sleeth, ziri}

// Pack implements engine.State.
func (s *State) Pack(dst []byte) []byte {
	var moved, pack uint16
	for side := range uint8(2) {
		left := s.pieces[side]
		for i, kind := range eleven {
			sq := bits.TrailingZeros64(left[kind]) // squares without one
			left[kind] &= left[kind] - 1
			dst = append(dst, byte(sq))
			if side == s.side && kind != ziri {
				moved |= uint16(s.moved>>sq&1) << i
			}
			if side == s.side && kind == cani && s.pack>>sq&1 != 0 {
				pack |= uint16(s.packSteps(sq)) << (2 * (i - 1))
			}
		}
	}
	flags := uint16(s.side) | uint16(s.phase)<<1 | uint16(asBit(s.flown))<<4 | uint16(asBit(s.second))<<5 | uint16(s.strikes)<<6 | uint16(s.passes)<<8
	for _, x := range [...]uint16{moved, pack | s.spentBits()<<6, flags, s.turn, uint16(s.quiet + 1)} {
		dst = binary.LittleEndian.AppendUint16(dst, x)
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
	t := &State{game: s.game}
	return kit.Unpack(s, t, src, packedBytes, t.unpack, t.check)
}

func (s *State) unpack(src []byte) error {
	word := func(i int) uint16 { return binary.LittleEndian.Uint16(src[22+2*i:]) }
	moved, pack, flags := word(0), word(1), word(2)
	s.side, s.phase, s.flown, s.second = uint8(flags&1), phase(flags>>1&7), flags>>4&1 != 0, flags>>5&1 != 0
	s.strikes, s.passes, s.turn, s.quiet, s.seen = uint8(flags>>6&3), uint8(flags>>8&3), word(3), int16(word(4))-1, src[32]
	if s.phase >= phases {
		return fmt.Errorf("phase %d: want 0 to %d", s.phase, phases-1)
	}
	for at, sq := range src[:2*len(eleven)] {
		side, i := uint8(at/len(eleven)), at%len(eleven)
		kind := eleven[i]
		if sq == squares {
			continue
		}
		if sq > squares || kind != ziri && s.at[sq] != 0 {
			return fmt.Errorf("byte %d: square %d: want a free one", at, sq)
		}
		s.put(side, kind, int(sq))
		if side == s.side {
			s.moved |= uint64(moved>>i&1) << sq
		}
		if side == s.side && kind == cani {
			s.unpackAllowance(int(sq), int(pack>>(2*(i-1))&3))
		}
	}
	for i, kind := range [2]int{gormoror, rassimel} {
		for side := range s.spent {
			s.spent[side] |= uint64(pack>>(6+2*side+i)&1) * s.pieces[side][kind]
		}
	}
	return nil
}

func (s *State) unpackAllowance(sq, n int) {
	if n > 0 {
		s.pack |= 1 << sq
		s.two |= uint64(n>>1) << sq
		s.three |= uint64(n/3) << sq
	}
}
