package pawnrace

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// packedBytes: the pawns of each side in four bytes, least first, then the turn.
const packedBytes = 9

// Pack implements engine.State.
func (s *State) Pack(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, s.pawns[0])
	dst = binary.LittleEndian.AppendUint32(dst, s.pawns[1])
	return append(dst, s.turn)
}

// Unpack implements engine.State.
func (s *State) Unpack(src []byte) error {
	t := &State{game: s.game}
	return kit.Unpack(s, t, src, packedBytes, t.unpack, t.check)
}

func (s *State) unpack(src []byte) error {
	s.pawns = [2]uint32{binary.LittleEndian.Uint32(src), binary.LittleEndian.Uint32(src[4:])}
	s.turn = src[8]
	return nil
}

// maxTurns is more than a game can have: a turn takes one of the pawns a row on.
const maxTurns = 2 * pawns * (rows - 1)

// check refuses positions from outside: everything that the rest of the program takes for
// granted has to hold.
func (s *State) check() error {
	own, other := s.pawns[s.next()], s.pawns[1-s.next()]
	switch {
	case own&other != 0 || (own|other)&^board != 0:
		return errors.New("pawns: one off the board, or two on a square")
	case max(bits.OnesCount32(own), bits.OnesCount32(other)) > pawns:
		return fmt.Errorf("pawns: want at most %d of a side", pawns)
	case own&far[s.next()] != 0 || other == 0:
		return errors.New("pawns: the side to move has won before")
	case s.turn > maxTurns:
		return fmt.Errorf("turn=%d: want at most %d", s.turn, maxTurns)
	}
	return nil
}

func (s *State) board() kit.Letters {
	return kit.Letters{Rows: rows, Cols: cols, At: func(row, col int) byte {
		switch at := cols*row + col; {
		case s.pawns[0]>>at&1 != 0:
			return 'x'
		case s.pawns[1]>>at&1 != 0:
			return 'o'
		}
		return '.'
	}, Known: "xo", Put: func(side, row, col int) { s.pawns[side] |= 1 << (cols*row + col) }}
}

// AppendPosition implements engine.State: the rows from the top, the side to move, and
// the number of turns: "ooooo/ooooo/x..../.xxxx/xxxxx o turn=1".
func (s *State) AppendPosition(dst []byte) []byte { return kit.AppendLine(dst, s.line) }

// ParsePosition implements engine.State.
func (s *State) ParsePosition(line string) error {
	t := &State{game: s.game}
	return kit.ReadLine(s, t, line, t.line, t.check)
}

// line describes a position line, for both ways.
func (s *State) line(l *kit.Line) {
	l.Board(s.board())
	side := s.next()
	kit.Choice(l, "side to move", &side, info.Sides[:]...)
	if kit.Number(l, "turn", &s.turn, maxTurns); side != s.next() {
		l.Fail("turn=%d: %s is to move then", s.turn, info.Sides[s.next()])
	}
}

// AppendAction implements engine.State: the squares that a pawn leaves and goes to, b2c3.
func (s *State) AppendAction(dst []byte, a engine.Action) []byte {
	from, to := s.ends(a)
	return kit.AppendSquare(kit.AppendSquare(dst, cols, from), cols, to)
}

// ParseAction implements engine.State. The error is "WORD: reason", the reason by the
// rules; the page of rules prints it behind moves that are not allowed.
func (s *State) ParseAction(word string, h *engine.History) (engine.Action, error) {
	a, err := kit.ParseWord(s, word, h)
	if err != nil {
		return 0, fmt.Errorf("%.10s: %s", word, s.whyNot(word))
	}
	return a, nil
}

// whyNot says why a word is no legal action.
func (s *State) whyNot(word string) string {
	if len(word) != 4 {
		return "want two squares, such as b2b3"
	}
	from, err := kit.ParseSquare(word[:2], rows, cols)
	to, wrong := kit.ParseSquare(word[2:], rows, cols)
	if err = cmp.Or(err, wrong); err != nil {
		return err.Error()
	}
	side, ahead := s.next(), to/cols-from/cols
	if side == 1 {
		ahead = -ahead
	}
	switch aside := to%cols - from%cols; {
	case s.Outcome().Over:
		return "the game is over"
	case s.pawns[side]>>from&1 == 0:
		return fmt.Sprintf("%s has no pawn on %s", info.Sides[side], word[:2])
	case ahead != 1 || max(aside, -aside) > 1:
		return "pawns go one square ahead, straight or diagonally"
	case s.pawns[side]>>to&1 != 0:
		return "a pawn of one's own is on " + word[2:]
	}
	return "pawns capture diagonally" // all that is left
}

// Board implements engine.State.
func (s *State) Board(color bool) string {
	var colors map[byte]string
	if color {
		colors = map[byte]string{'x': "\x1b[31m", 'o': "\x1b[34m"}
	}
	return s.board().Draw("abcde", colors)
}
