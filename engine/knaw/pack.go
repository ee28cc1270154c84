package knaw

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine/kit"
)

// packedBytes: a space for each piece, two sets of spaces, eight small numbers, the turn.
const packedBytes = sides*pieces + 4*8 + 8 + 2

// Pack implements engine.State.
func (s *State) Pack(dst []byte) []byte {
	dst = append(append(dst, s.at[0][:]...), s.at[1][:]...)
	for _, b := range &s.rolled {
		dst = binary.LittleEndian.AppendUint64(dst, b.lo)
		dst = binary.LittleEndian.AppendUint64(dst, b.hi)
	}
	dst = append(dst, s.dice[0], s.dice[1], s.carried, s.piece, s.barred, s.space, byte(s.phase)|s.die<<4, s.side|byte(s.resolver+1)<<1)
	return binary.LittleEndian.AppendUint16(dst, s.turn)
}

// Unpack implements engine.State.
func (s *State) Unpack(src []byte) error {
	t := &State{game: s.game}
	return kit.Unpack(s, t, src, packedBytes, t.unpack, t.check)
}

func (s *State) unpack(src []byte) error {
	for i, x := range src[:sides*pieces] {
		if x >= spaces {
			return fmt.Errorf("byte %d: space %d", i, x)
		}
		s.at[i/pieces][i%pieces] = x
	}
	src = src[sides*pieces:]
	for side := range s.rolled {
		b := set{binary.LittleEndian.Uint64(src), binary.LittleEndian.Uint64(src[8:])}
		if !b.within(all) {
			return errors.New("a set has more spaces than the board")
		}
		s.rolled[side], src = b, src[16:]
	}
	s.dice, s.carried, s.piece, s.barred, s.space = [2]uint8{src[0], src[1]}, src[2], src[3], src[4], src[5]
	s.phase, s.die = phase(src[6]&15), src[6]>>4
	s.side, s.resolver = src[7]&1, int8(src[7]>>1)-1
	s.turn = binary.LittleEndian.Uint16(src[8:])
	if max(s.dice[0], s.dice[1], s.carried) > 6 || max(s.piece, s.barred) > noPiece || s.space >= spaces || s.phase >= phases || s.die > 1 || s.resolver > 1 {
		return errors.New("a number is out of range")
	}
	s.settleBoth()
	return nil
}
