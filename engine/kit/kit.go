// Package kit is what the rules of several games are built from: hashing, boards of
// letters, fields of position lines, observations, layouts, words of actions.
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

// Letters is a board as text: a letter on each square, a dot on empty ones. Row 0 is the
// bottom.
type Letters struct {
	Rows, Cols int
	At         func(row, col int) byte
}

// Append appends the rows from the top, separated by slashes, as [Fields.Board] reads
// them.
func (b Letters) Append(dst []byte) []byte {
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
// names. colors has ANSI colours of letters; nil is none.
func (b Letters) Draw(columns string, colors map[byte]string) string {
	var text strings.Builder
	for row := b.Rows - 1; row >= 0; row-- {
		fmt.Fprintf(&text, "%d ", row+1)
		for col := range b.Cols {
			letter := b.At(row, col)
			text.WriteByte(' ')
			if color := colors[letter]; color != "" {
				text.WriteString(color + string(letter) + "\x1b[0m")
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
