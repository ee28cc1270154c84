package knaw

import (
	"encoding/binary"
	"errors"
	"fmt"
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
	if len(src) != packedBytes {
		return fmt.Errorf("packed position: %d bytes, want %d", len(src), packedBytes)
	}
	t := State{game: s.game}
	for i, x := range src[:sides*pieces] {
		if x >= spaces {
			return fmt.Errorf("packed position: byte %d: space %d", i, x)
		}
		t.at[i/pieces][i%pieces] = x
	}
	src = src[sides*pieces:]
	for side := range t.rolled {
		b := set{binary.LittleEndian.Uint64(src), binary.LittleEndian.Uint64(src[8:])}
		if !b.within(all) {
			return errors.New("packed position: a set has more spaces than the board")
		}
		t.rolled[side], src = b, src[16:]
	}
	t.dice, t.carried, t.piece, t.barred, t.space = [2]uint8{src[0], src[1]}, src[2], src[3], src[4], src[5]
	t.phase, t.die = phase(src[6]&15), src[6]>>4
	t.side, t.resolver = src[7]&1, int8(src[7]>>1)-1
	t.turn = binary.LittleEndian.Uint16(src[8:])
	if max(t.dice[0], t.dice[1], t.carried) > 6 || max(t.piece, t.barred) > noPiece || t.space >= spaces || t.phase >= phases || t.die > 1 || t.resolver > 1 {
		return errors.New("packed position: a number is out of range")
	}
	t.settle(0)
	t.settle(1)
	if err := t.check(); err != nil {
		return fmt.Errorf("packed position: %w", err)
	}
	*s = t
	return nil
}
