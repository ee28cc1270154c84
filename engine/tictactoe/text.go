package tictactoe

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

const packedBytes = 4

// Pack implements engine.State: the cells of x, then those of o, each as a
// little-endian 16-bit set.
func (s *State) Pack(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint16(dst, s.stones[0])
	return binary.LittleEndian.AppendUint16(dst, s.stones[1])
}

// Unpack implements engine.State.
func (s *State) Unpack(src []byte) error {
	if len(src) != packedBytes {
		return fmt.Errorf("packed position: %d bytes, want %d", len(src), packedBytes)
	}
	t := State{stones: [2]uint16{binary.LittleEndian.Uint16(src), binary.LittleEndian.Uint16(src[2:])}}
	if t.taken() > full || t.stones[0]&t.stones[1] != 0 {
		return errors.New("packed position: a stone off the board or two on one cell")
	}
	if err := t.check(); err != nil {
		return fmt.Errorf("packed position: %w", err)
	}
	*s = t
	return nil
}

// check refuses positions that no game reaches.
func (s *State) check() error {
	x, o := bits.OnesCount16(s.stones[0]), bits.OnesCount16(s.stones[1])
	if x != o && x != o+1 {
		return fmt.Errorf("%d x and %d o: want as many, or one x more", x, o)
	}
	if hasLine(s.stones[s.next()]) {
		return errors.New("the side to move has a line")
	}
	// The last stone is on every line of the side that has just moved.
	last := s.stones[1-s.next()]
	if !hasLine(last) {
		return nil
	}
	for b := last; b != 0; b &= b - 1 {
		if !hasLine(last &^ (b & -b)) {
			return nil
		}
	}
	return errors.New("two lines that no single stone completed")
}

// AppendPosition implements engine.State: rows 3, 2, 1 of x, o and dots, then
// the side to move (after the end: the side whose turn it would be).
func (s *State) AppendPosition(dst []byte) []byte { return kit.AppendLine(dst, s.line) }

// ParsePosition implements engine.State.
func (s *State) ParsePosition(line string) error {
	t := new(State)
	return kit.ReadLine(s, t, line, t.line, t.check)
}

// line describes a position line.
func (s *State) line(l *kit.Line) {
	l.Board(s.board())
	side := s.next()
	if kit.Choice(l, "side to move", &side, info.Sides[:]...); side != s.next() && s.check() == nil {
		l.Fail("side to move %s: the stones say %s", info.Sides[side], info.Sides[s.next()])
	}
}

func (s *State) board() kit.Letters {
	return kit.Letters{Rows: size, Cols: size, At: s.letter, Known: "xo", Put: func(side, row, col int) { s.stones[side] |= 1 << (row*size + col) }}
}

func (s *State) letter(row, col int) byte {
	switch cell := row*size + col; {
	case s.stones[0]>>cell&1 != 0:
		return 'x'
	case s.stones[1]>>cell&1 != 0:
		return 'o'
	}
	return '.'
}

// AppendAction implements engine.State: column letter and row digit, "b2".
func (s *State) AppendAction(dst []byte, a engine.Action) []byte {
	return kit.AppendSquare(dst, size, int(a))
}

// ParseAction implements engine.State.
func (s *State) ParseAction(word string, _ *engine.History) (engine.Action, error) {
	cell, err := kit.ParseSquare(word, size, size)
	a := engine.Action(cell)
	switch {
	case err != nil:
		return 0, fmt.Errorf("move: %w", err)
	case s.over():
		return 0, fmt.Errorf("move %s: the game is over", word)
	case s.taken()>>a&1 != 0:
		return 0, fmt.Errorf("move %s: the cell is taken", word)
	}
	return a, nil
}

// Board implements engine.State.
func (s *State) Board(color bool) string {
	var colors map[byte]string
	if color {
		colors = map[byte]string{'x': "\x1b[31m", 'o': "\x1b[34m"}
	}
	return s.board().Draw("abc", colors)
}
