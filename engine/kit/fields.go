package kit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Fields reads a position line of words with blanks between: first words that every
// line has, then key=value for what differs from the usual, in a fixed order. The
// first fault is kept; after it all values are zero.
type Fields struct {
	words []string
	err   error
}

// NewFields begins to read a line.
func NewFields(line string) *Fields {
	f := &Fields{words: strings.Split(line, " ")}
	for _, w := range f.words {
		if w == "" {
			f.Fail("position %.80q: want words with one blank between", line)
			break
		}
	}
	return f
}

// Fail notes a fault, unless there was one before.
func (f *Fields) Fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
		f.words = nil
	}
}

// Word is the next word, which every line has.
func (f *Fields) Word(name string) string {
	if len(f.words) == 0 {
		f.Fail("%s: missing", name)
		return ""
	}
	w := f.words[0]
	f.words = f.words[1:]
	return w
}

// Choice is the index in choices of the next word, which every line has.
func (f *Fields) Choice(name string, choices ...string) int {
	w := f.Word(name)
	for i, c := range choices {
		if c == w {
			return i
		}
	}
	f.Fail("%s %.40q: want %s", name, w, strings.Join(choices, ", "))
	return 0
}

// Board reads the next word as rows from the top with slashes between, as [Letters]
// writes them. It calls put for each square that is not empty, with the index of its
// letter in letters; row 0 is the bottom.
func (f *Fields) Board(rows, cols int, letters string, put func(letter, row, col int)) {
	word := f.Word("board")
	lines := strings.Split(word, "/")
	if f.err == nil && len(lines) != rows {
		f.Fail("board %.80q: want %d rows, with slashes between", word, rows)
	}
	for i, line := range lines {
		row := rows - 1 - i
		if f.err == nil && len(line) != cols {
			f.Fail("line %d of the board, %.40q: want %d cells", i+1, line, cols)
		}
		for col := range cols {
			if f.err != nil {
				return
			}
			if line[col] == '.' {
				continue
			}
			letter := strings.IndexByte(letters, line[col])
			if letter < 0 {
				f.Fail("line %d of the board, %.40q: unknown letter %q, want one of %s or a dot", i+1, line, line[col], letters)
				return
			}
			put(letter, row, col)
		}
	}
}

// Value is the value of the next field if it has that key, else "".
func (f *Fields) Value(key string) string {
	if len(f.words) == 0 || !strings.HasPrefix(f.words[0], key+"=") {
		return ""
	}
	value := f.words[0][len(key)+1:]
	f.words = f.words[1:]
	if value == "" {
		f.Fail("%s: no value", key)
	}
	return value
}

// Number is the value of the next field if it has that key, from 1 to most, else 0.
func (f *Fields) Number(key string, most int) int {
	value := f.Value(key)
	if value == "" {
		return 0
	}
	n, err := strconv.Atoi(value)
	if err != nil || strconv.Itoa(n) != value || n < 1 || n > most {
		f.Fail("%s=%.40s: want 1 to %d", key, value, most)
		return 0
	}
	return n
}

// End returns the first fault. Fields that nobody asked for are one.
func (f *Fields) End() error {
	if f.err == nil && len(f.words) > 0 {
		f.err = errors.New("field " + strconv.Quote(f.words[0]) + ": unknown, or out of order")
	}
	return f.err
}

// AppendField appends a blank and key=value, nothing if the value is "".
func AppendField(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	return append(append(append(append(dst, ' '), key...), '='), value...)
}

// AppendNumber appends a blank and key=n, nothing if n is 0.
func AppendNumber(dst []byte, key string, n int) []byte {
	if n == 0 {
		return dst
	}
	return strconv.AppendInt(append(append(append(dst, ' '), key...), '='), int64(n), 10)
}
