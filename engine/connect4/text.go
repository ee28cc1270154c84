package connect4

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

const packedBytes = 7

// Pack implements engine.State: the 49-bit key, least byte first.
func (s *State) Pack(dst []byte) []byte {
	k := s.key()
	for range packedBytes {
		dst = append(dst, byte(k))
		k >>= 8
	}
	return dst
}

// Unpack implements engine.State.
func (s *State) Unpack(src []byte) error {
	if len(src) != packedBytes {
		return fmt.Errorf("packed position: %d bytes, want %d", len(src), packedBytes)
	}
	var k uint64
	for i, b := range src {
		k |= uint64(b) << (8 * i)
	}
	if k>>(stride*cols) != 0 {
		return errors.New("packed position: bits beyond the board")
	}
	var t State
	for c := range cols {
		v := k >> (stride * c) & (1<<stride - 1)
		if v == 0 {
			return fmt.Errorf("packed position: column %d has no height", c+1)
		}
		height := bits.Len64(v) - 1
		stones := uint64(1)<<height - 1
		t.stones[0] |= v & stones << (stride * c)
		t.stones[1] |= ^v & stones << (stride * c)
	}
	if err := t.finish(); err != nil {
		return fmt.Errorf("packed position: %w", err)
	}
	*s = t
	return nil
}

// finish derives turn and status from the stones and refuses positions that
// break a rule.
func (s *State) finish() error {
	x, o := bits.OnesCount64(s.stones[0]), bits.OnesCount64(s.stones[1])
	if x != o && x != o+1 {
		return fmt.Errorf("%d x and %d o: want as many, or one x more", x, o)
	}
	s.turn = uint8(x + o)
	last := s.stones[1-s.next()]
	switch {
	case hasFour(s.stones[s.next()]):
		return errors.New("the side to move has a line of four")
	case hasFour(last):
		if !s.oneStoneMadeIt(last) {
			return errors.New("lines of four that no last stone completed")
		}
		s.status = four
	case s.turn == cells:
		s.status = drawn
	}
	return nil
}

// oneStoneMadeIt reports whether b has a stone on top of a column without which
// it has no line.
func (s *State) oneStoneMadeIt(b uint64) bool {
	for c := range cols {
		stone := (s.taken()>>(stride*c)&column + 1) >> 1 << (stride * c)
		if b&stone != 0 && !hasFour(b&^stone) {
			return true
		}
	}
	return false
}

// AppendPosition implements engine.State: rows 6 to 1 of x, o and dots, then
// the side to move (after the end: the side whose turn it would be).
func (s *State) AppendPosition(dst []byte) []byte { return kit.AppendLine(dst, s.line) }

// ParsePosition implements engine.State.
func (s *State) ParsePosition(line string) error {
	t := new(State)
	return kit.ReadLine(s, t, line, t.line, t.finish)
}

// line describes a position line.
func (s *State) line(l *kit.Line) {
	l.Board(s.board())
	for col := range cols {
		if stack := s.taken() >> (stride * col) & column; stack&(stack+1) != 0 {
			l.Fail("column %d: a stone hangs over an empty cell", col+1)
		}
	}
	next := engine.Side(bits.OnesCount64(s.taken()) & 1)
	side := next
	if kit.Choice(l, "side to move", &side, info.Sides[:]...); side != next && s.finish() == nil {
		l.Fail("side to move %s: the stones say %s", info.Sides[side], info.Sides[next])
	}
}

func (s *State) board() kit.Letters {
	return kit.Letters{Rows: rows, Cols: cols, At: s.letter, Known: "xo", Put: func(side, row, col int) { s.stones[side] |= 1 << (stride*col + row) }}
}

func (s *State) letter(row, col int) byte {
	bit := uint64(1) << (stride*col + row)
	switch {
	case s.stones[0]&bit != 0:
		return 'x'
	case s.stones[1]&bit != 0:
		return 'o'
	}
	return '.'
}

// AppendAction implements engine.State: the column, 1 to 7.
func (s *State) AppendAction(dst []byte, a engine.Action) []byte {
	return append(dst, '1'+byte(a))
}

// ParseAction implements engine.State.
func (s *State) ParseAction(word string, _ *engine.History) (engine.Action, error) {
	if len(word) != 1 || word[0] < '1' || word[0] > '7' {
		return 0, fmt.Errorf("move %q: want a column, 1 to 7", word)
	}
	a := engine.Action(word[0] - '1')
	switch {
	case s.status != open:
		return 0, fmt.Errorf("move %s: the game is over", word)
	case s.taken()&(top&(column<<(stride*a))) != 0:
		return 0, fmt.Errorf("move %s: the column is full", word)
	}
	return a, nil
}

// Board implements engine.State.
func (s *State) Board(color bool) string {
	var colors map[byte]string
	if color {
		colors = map[byte]string{'x': "\x1b[31m", 'o': "\x1b[33m"}
	}
	return s.board().Draw("1234567", colors)
}
