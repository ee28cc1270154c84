package konreh

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/ludozero/ludozero/engine"
)

// A packed position is, little-endian: the pieces of A and of B, the two kind
// boards (64 bits each), the Blue states of A and B, quiet turns, turns (32 bits
// each), then one byte each for phase and side (side in bit 7), square, lane (low
// half) and runner (high half), why (low half) with second, progress and swapped
// (bits 4 to 6), and repetition.
const packedBytes = 4*8 + 4*4 + 5

// Pack implements [engine.State].
func (s *State) Pack(dst []byte) []byte {
	le := binary.LittleEndian
	for _, w := range [4]uint64{s.occ[0], s.occ[1], s.kind[0], s.kind[1]} {
		dst = le.AppendUint64(dst, w)
	}
	for _, w := range [4]uint32{uint32(s.blues[0]), uint32(s.blues[1]), uint32(s.quiet), uint32(s.turn)} {
		dst = le.AppendUint32(dst, w)
	}
	flags := byte(s.why)
	for i, f := range [3]bool{s.second, s.progress, s.swapped} {
		if f {
			flags |= 16 << i
		}
	}
	return append(dst, byte(s.phase)|byte(s.side)<<7, s.square, byte(s.lane)|byte(s.runner)<<4, flags, s.repetition)
}

// Unpack implements [engine.State].
func (s *State) Unpack(src []byte) error {
	if len(src) != packedBytes {
		return errors.New("packed position: wrong length")
	}
	le := binary.LittleEndian
	word := func(i int) uint64 { return le.Uint64(src[8*i:]) }
	half := func(i int) uint32 { return le.Uint32(src[32+4*i:]) }
	tail := src[48:]
	t := State{
		game:       s.game,
		occ:        [2]uint64{word(0), word(1)},
		kind:       [2]uint64{word(2), word(3)},
		blues:      [2]blueState{blueState(half(0)), blueState(half(1))},
		quiet:      int32(half(2)),
		turn:       int32(half(3)),
		phase:      phase(tail[0] & 127),
		side:       engine.Side(tail[0] >> 7),
		square:     tail[1],
		lane:       lane(tail[2] & 15),
		runner:     kind(tail[2] >> 4),
		why:        reason(tail[3] & 15),
		second:     tail[3]&16 != 0,
		progress:   tail[3]&32 != 0,
		swapped:    tail[3]&64 != 0,
		repetition: tail[4],
	}
	if tail[3]&128 != 0 || !t.wellFormed() {
		return errors.New("packed position: malformed field")
	}
	if err := t.check(); err != nil {
		return err
	}
	t.zobrist = t.zobristFromScratch()
	*s = t
	return nil
}

// wellFormed reports whether each field of an unpacked position has a value that
// it can take, and those that the phase does not use are 0. check, which
// compares them with each other, relies on that.
func (s *State) wellFormed() bool {
	g := s.game
	onBoard := s.occ[0] | s.occ[1]
	if onBoard&^g.geo.board != 0 || s.occ[0]&s.occ[1] != 0 || (s.kind[0]|s.kind[1])&^onBoard != 0 ||
		s.quiet < 0 || s.quiet > maxCount || s.turn < 0 || s.turn > maxCount ||
		s.phase >= numPhases || s.why >= numReasons || (s.why != whyNone) != (s.phase == phaseOver) ||
		s.repetition == 0 || s.square > g.geo.last || g.geo.board>>s.square&1 == 0 || s.lane > 3 || s.runner >= blue {
		return false
	}
	for _, b := range s.blues {
		r := &g.rules
		exclusion := r.crossExclusion
		if r.crossStay == 0 {
			exclusion = 0
		}
		if bits.Len32(uint32(b)) > blueStateBits || b.rooted() > 2 || b.stay() > r.crossStay || b.exclusion() > exclusion ||
			b.reforge() > r.reforgeTurns || b.ban() > 2 || b.left() > 2 || b.seeds() > r.seedLimit {
			return false
		}
	}
	usesSquare := s.phase == phaseSecond || s.phase == phaseSpecial || s.phase == phaseSeed
	mayBeSecond := s.turn == 1 && g.rules.double() &&
		(s.phase == phaseSecond || s.phase == phaseSpecial || s.phase == phaseSeed || s.phase == phasePlace || s.phase == phaseGreen)
	return (usesSquare || s.square == 0) && (s.phase == phaseSpecial || s.lane == 0) &&
		(s.phase == phasePlace || s.runner == 0) && (!s.second || mayBeSecond) &&
		(s.second || s.phase != phaseSecond)
}
