package connect4

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"github.com/ludozero/ludozero/engine"
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
func (s *State) AppendPosition(dst []byte) []byte {
	for row := rows - 1; row >= 0; row-- {
		for col := range cols {
			dst = append(dst, s.letter(row, col))
		}
		if row > 0 {
			dst = append(dst, '/')
		}
	}
	return append(dst, ' ', "xo"[s.next()])
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

// ParsePosition implements engine.State.
func (s *State) ParsePosition(line string) error {
	grid, side, ok := strings.Cut(line, " ")
	lines := strings.Split(grid, "/")
	if !ok || len(lines) != rows {
		return fmt.Errorf("position %q: want six rows from the top and the side to move", line)
	}
	var t State
	for i, text := range lines {
		if len(text) != cols {
			return fmt.Errorf("row %d %q: want 7 cells", rows-i, text)
		}
		for col := range cols {
			bit := uint64(1) << (stride*col + rows - 1 - i)
			switch text[col] {
			case 'x':
				t.stones[0] |= bit
			case 'o':
				t.stones[1] |= bit
			case '.':
			default:
				return fmt.Errorf("row %d: unknown letter %q, want x, o or a dot", rows-i, text[col])
			}
		}
	}
	for col := range cols {
		stack := t.taken() >> (stride * col) & column
		if stack&(stack+1) != 0 {
			return fmt.Errorf("column %d: a stone hangs over an empty cell", col+1)
		}
	}
	if err := t.finish(); err != nil {
		return fmt.Errorf("board: %w", err)
	}
	if want := info.Sides[t.next()]; side != want {
		return fmt.Errorf("side to move %q: the stones say %s", side, want)
	}
	*s = t
	return nil
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
	var b strings.Builder
	for row := rows - 1; row >= 0; row-- {
		fmt.Fprintf(&b, "%d ", row+1)
		for col := range cols {
			b.WriteByte(' ')
			letter := s.letter(row, col)
			switch {
			case color && letter == 'x':
				b.WriteString("\x1b[31mx\x1b[0m")
			case color && letter == 'o':
				b.WriteString("\x1b[33mo\x1b[0m")
			default:
				b.WriteByte(letter)
			}
		}
		b.WriteByte('\n')
	}
	b.WriteString("   1 2 3 4 5 6 7\n")
	return b.String()
}
