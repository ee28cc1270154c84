// Package kit is what the rules of several games are built from: hashing, boards of
// letters, words of actions.
package kit

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// Mix spreads a word over 64 bits: the finaliser of SplitMix64 (Steele, Lea and Flood
// 2014), a bijection.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Stones is a board of stones as text: x of side 0, o of side 1, a dot on empty cells.
// Row 0 is the bottom.
type Stones struct {
	Rows, Cols int
	// At returns the letter of a cell.
	At func(row, col int) byte
}

// Append appends the rows from the top, separated by slashes.
func (b Stones) Append(dst []byte) []byte {
	for row := b.Rows - 1; row >= 0; row-- {
		for col := range b.Cols {
			dst = append(dst, b.At(row, col))
		}
		if row > 0 {
			dst = append(dst, '/')
		}
	}
	return dst
}

// Draw draws the board with the numbers of its rows, over the line of its columns'
// names. colors are the ANSI colours of x and o, or empty.
func (b Stones) Draw(columns string, colors [2]string) string {
	var text strings.Builder
	for row := b.Rows - 1; row >= 0; row-- {
		fmt.Fprintf(&text, "%d ", row+1)
		for col := range b.Cols {
			letter := b.At(row, col)
			text.WriteByte(' ')
			if side := strings.IndexByte("xo", letter); side >= 0 && colors[side] != "" {
				text.WriteString(colors[side] + string(letter) + "\x1b[0m")
			} else {
				text.WriteByte(letter)
			}
		}
		text.WriteByte('\n')
	}
	text.WriteString("  ")
	for _, name := range []byte(columns) {
		text.Write([]byte{' ', name})
	}
	text.WriteByte('\n')
	return text.String()
}

// ParseStones reads rows as Append writes them, a space and the side to move, which it
// returns. It calls place for each stone. form describes the line in errors.
func ParseStones(line string, rows, cols int, form string, place func(side, row, col int)) (side string, err error) {
	board, side, ok := strings.Cut(line, " ")
	lines := strings.Split(board, "/")
	if !ok || len(lines) != rows {
		return "", fmt.Errorf("position %q: want %s", line, form)
	}
	for i, text := range lines {
		row := rows - 1 - i
		if len(text) != cols {
			return "", fmt.Errorf("row %d %q: want %d cells", row+1, text, cols)
		}
		for col := range cols {
			switch text[col] {
			case 'x':
				place(0, row, col)
			case 'o':
				place(1, row, col)
			case '.':
			default:
				return "", fmt.Errorf("row %d: unknown letter %q, want x, o or a dot", row+1, text[col])
			}
		}
	}
	return side, nil
}

// ParseWord returns the legal action that s writes as word. It writes them all: for
// games with few actions.
func ParseWord(s engine.State, word string, h *engine.History) (engine.Action, error) {
	for _, a := range engine.AppendPossible(nil, new([]engine.Weighted), s, h) {
		if string(s.AppendAction(nil, a)) == word {
			return a, nil
		}
	}
	return 0, fmt.Errorf("move %q is not possible here", word)
}
