package konkvest

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine/kit"
)

// packedBytes: five bits for each hex, four for each kind in reserve, then flags and
// counters.
const (
	packedBoard = (5*hexes + 7) / 8
	packedBytes = packedBoard + hands + 9
)

// Pack implements engine.State.
func (s *State) Pack(dst []byte) []byte {
	bits, n := uint(0), 0
	for i := range hexes {
		kind, side := s.pieceAt(first + i)
		bits |= uint(1+kind+int(side)*kinds) << n
		for n += 5; n >= 8; n -= 8 {
			dst = append(dst, byte(bits))
			bits >>= 8
		}
	}
	dst = append(dst, byte(bits))
	for kind, held := range s.reserve[0] {
		dst = append(dst, held|s.reserve[1][kind]<<4)
	}
	dst = append(dst, s.side|s.step<<1, byte(s.end), s.seen)
	for _, x := range [...]uint16{s.runs[0], s.runs[1], s.ply} {
		dst = binary.LittleEndian.AppendUint16(dst, x)
	}
	return dst
}

// Unpack implements engine.State.
func (s *State) Unpack(src []byte) error {
	t := &State{game: s.game}
	t.clear()
	return kit.Unpack(s, t, src, packedBytes, t.unpack, t.check)
}

func (s *State) unpack(src []byte) error {
	tail := src[packedBoard+hands:]
	word := func(i int) uint16 { return binary.LittleEndian.Uint16(tail[3+2*i:]) }
	s.side, s.step, s.end, s.seen = tail[0]&1, tail[0]>>1, ending(tail[1]), tail[2]
	s.runs, s.ply = [2]uint16{word(0), word(1)}, word(2)
	var queens [2]int
	for i := range hexes {
		x := int(binary.LittleEndian.Uint16(src[5*i/8:])>>(5*i%8)) & 31
		if x > 2*kinds {
			return fmt.Errorf("hex %s: no piece %d", hex.Name(i), x)
		}
		if x > 0 {
			kind, side := (x-1)%kinds, uint8((x-1)/kinds)
			if kind == queen {
				queens[side]++
			}
			s.put(side, kind, seen(side, first+i))
		}
	}
	if queens[0] > 1 || queens[1] > 1 {
		return errors.New("want one Queen a side")
	}
	for side := range uint8(2) {
		for kind := range hands {
			s.keep(side, kind, int(src[packedBoard+kind]>>(4*side)&15))
		}
		s.refresh(side)
	}
	return nil
}

// total is how many pieces of a kind both sides have together at the start.
var total = [hands]int{16, 6, 4, 4, 4, 4}

// check refuses positions that break a rule. Positions need not be reachable.
func (s *State) check() error {
	var n [hands]int
	for side := range uint8(2) {
		for of := s.of[side]; !of.Empty(); of = of.Rest() {
			if kind := plain(s.kindOf(side, of.First())); kind != queen {
				n[kind]++
			}
		}
		for kind, held := range s.reserve[side] {
			n[kind] += int(held)
		}
		if s.held[side] > most {
			return fmt.Errorf("reserve of %s: %d pieces, want at most %d", info.Sides[side], s.held[side], most)
		}
		if s.runs[side] > 0 && s.game.cycle == cycleOff {
			return fmt.Errorf("%s-attacks=%d: want none with queen_cycle=off, which counts no attacks", info.Sides[side], s.runs[side])
		}
		if most := (int(s.ply) + int(side^s.side)) / 2; int(s.runs[side]) > most {
			return fmt.Errorf("%s-attacks=%d: want at most %d after %d actions", info.Sides[side], s.runs[side], most, s.ply)
		}
	}
	for kind, most := range total {
		if n[kind] > most {
			return fmt.Errorf("%d pieces of kind %s: want at most %d of both sides, with the reserves", n[kind], kindNames[kind], most)
		}
	}
	switch {
	case s.queens[0]|s.queens[1] == 0:
		return errors.New("both Queens are gone")
	case s.queens[0] == base^flip && s.queens[1] == base^flip:
		return errors.New("both Queens are on the other's base")
	case int(s.ply) > s.game.maxPlies || int(s.seen) >= s.game.repetition || int(s.seen) > int(s.ply)/2:
		return fmt.Errorf("ply %d, seen %d: beyond what ends the game, or what can have been", s.ply, s.seen)
	case s.step < toPlace:
		return s.checkFormation()
	case s.step > toPlace:
		return fmt.Errorf("%d decisions of the formation: want at most %d", s.step, toPlace)
	}
	return s.checkEnd()
}

// checkFormation refuses positions in the formation that it cannot have led to.
func (s *State) checkFormation() error {
	if s.game.fixed {
		return errors.New("formation: there is none to decide under these rules")
	}
	if s.ply != 0 || s.end != 0 || s.side != s.step&1 {
		return fmt.Errorf("formation: after %d of %d decisions nobody has moved, and %s acts", s.step, toPlace, info.Sides[s.step&1])
	}
	want := State{game: s.game}
	want.Start(nil)
	for side := range uint8(2) {
		var n [kinds]int
		for of := s.of[side].Minus(want.of[side]); !of.Empty(); of = of.Rest() {
			n[s.kindOf(side, of.First())]++
		}
		placed := (int(s.step) + 1 - int(side)) / 2
		for i, kind := range formation {
			if n[kind] != max(0, min(2, placed-2*i)) {
				return fmt.Errorf("formation: %s has %d of kind %s after %d decisions of its own", info.Sides[side], n[kind], kindNames[kind], placed)
			}
		}
		outside := s.of[side].Minus(want.of[side]).Minus(setup)
		if !outside.Empty() || s.of[side].Count() != want.of[side].Count()+placed || s.pawns[side] != want.pawns[side] ||
			s.queens[side] != base || s.reserve[side] != want.reserve[side] {
			return fmt.Errorf("formation: %s has more than its pawns, Queen and supports in reserve and what is placed behind the pawns", info.Sides[side])
		}
	}
	return nil
}

// checkEnd refuses an end that the position does not show, but for those that come of the
// past.
func (s *State) checkEnd() error {
	end := s.end
	s.end = 0
	want := s.finish(nil)
	s.end = end
	past := want == 0 || want == endRepetition || want == endLength
	switch {
	case end == want,
		past && end == endCycle && s.game.cycle == cycleLoses && s.runs[1-s.side] >= 4 && s.seen > 0 && s.attacks(1-s.side),
		past && end == endBlocked && s.forbids() && s.mayBeForbidden():
		return nil
	case want == 0:
		return errors.New("end: the game goes on here")
	}
	return fmt.Errorf("end: the game has ended here, want %s", reasons[want])
}

// mayBeForbidden tells whether every action could come back to a position of the present
// run of attacks.
func (s *State) mayBeForbidden() bool {
	from := *s
	from.end = 0
	for _, a := range from.Legal(nil, nil) {
		t := from
		if t.play(int(a)); t.queens[t.side] == 0 || t.runs[1-t.side] < 4 {
			return false
		}
	}
	return true
}
