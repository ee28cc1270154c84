package kit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Line is a position line while it is written or read: words with blanks between, first
// those that every line has, then key=value for what differs from the usual, in a fixed
// order. One description of it gives both ways, so that they cannot disagree:
//
//	func (s *State) line(l *kit.Line) {
//		l.Board(s.board())
//		kit.Choice(l, "side to move", &s.side, "x", "o")
//		kit.Number(l, "turn", &s.turn, maxTurns)
//	}
//
// When a line is read, the first fault is kept, and after it all values stay as they are.
// When one is written the state is only read: what a description works out of its fields it
// sets if [Line.Reading].
type Line struct {
	text    []byte   // written so far
	begin   int      // where the line begins in text
	words   []string // still to be read
	reading bool
	err     error
}

// integer is the type of a field.
type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// AppendLine appends the line that is described.
func AppendLine(dst []byte, describe func(*Line)) []byte {
	l := Line{text: dst, begin: len(dst)}
	describe(&l)
	return l.text
}

// ReadLine reads a line into t, which is described, lets check refuse what was read, and
// sets s to it. The error names the field and the rule.
func ReadLine[S any](s, t *S, line string, describe func(*Line), check func() error) error {
	l := Line{words: strings.Split(line, " "), reading: true}
	if slices.Contains(l.words, "") {
		l.Fail("position %.80q: want words with one blank between", line)
	}
	describe(&l)
	if len(l.words) > 0 {
		l.Fail("field %q: unknown, or out of order", l.words[0])
	}
	if l.err == nil {
		l.err = check()
	}
	if l.err == nil {
		*s = *t
	}
	return l.err
}

// Reading tells whether the line is being read, without a fault so far.
func (l *Line) Reading() bool { return l.reading && l.err == nil }

// Fail notes a fault of a line that is read, unless there was one before.
func (l *Line) Fail(format string, args ...any) {
	if l.Reading() {
		l.err = fmt.Errorf(format, args...)
		l.words = nil
	}
}

func (l *Line) write(words ...string) {
	if len(l.text) > l.begin {
		l.text = append(l.text, ' ')
	}
	for _, w := range words {
		l.text = append(l.text, w...)
	}
}

// Word is a word that every line has: text, which read understands.
func (l *Line) Word(name, text string, read func(word string) error) {
	if !l.reading {
		l.write(text)
	} else if len(l.words) == 0 {
		l.Fail("%s: missing", name)
	} else {
		word := l.words[0]
		l.words = l.words[1:]
		if err := read(word); err != nil {
			l.Fail("%s: %w", name, err)
		}
	}
}

// Choice is a word that every line has: the one of choices that v stands for.
func Choice[T integer](l *Line, name string, v *T, choices ...string) {
	if !l.reading {
		l.write(choices[*v])
		return
	}
	l.Word(name, "", func(word string) error {
		if i := slices.Index(choices, word); i >= 0 {
			*v = T(i)
			return nil
		}
		l.Fail("%s %.40q: want %s", name, word, strings.Join(choices, ", "))
		return nil
	})
}

// Text is key=text, left out if the text is empty. Not called for lines without the key,
// read understands the text.
func (l *Line) Text(key, text string, read func(text string) error) {
	if !l.reading {
		if text != "" {
			l.write(key, "=", text)
		}
		return
	}
	if len(l.words) == 0 || !strings.HasPrefix(l.words[0], key+"=") {
		return
	}
	text = l.words[0][len(key)+1:]
	l.words = l.words[1:]
	if text == "" {
		l.Fail("%s: no value", key)
	} else if err := read(text); err != nil {
		l.Fail("%s=%.60s: %w", key, text, err)
	}
}

// Number is key=v, v from 1 to most, left out if it is 0.
func Number[T integer](l *Line, key string, v *T, most int) {
	text := ""
	if !l.reading && *v != 0 {
		text = strconv.Itoa(int(*v))
	}
	l.Text(key, text, func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || strconv.Itoa(n) != text || n < 1 || n > most {
			return fmt.Errorf("want 1 to %d", most)
		}
		*v = T(n)
		return nil
	})
}

// Flag is key=1, left out if v is false.
func (l *Line) Flag(key string, v *bool) {
	text := ""
	if *v {
		text = "1"
	}
	l.Text(key, text, func(text string) error {
		if *v = text == "1"; !*v {
			return errors.New("want 1")
		}
		return nil
	})
}

// Name is key=word, the one of words that v stands for, left out if v is none.
func Name[T integer](l *Line, key string, v *T, none T, words ...string) {
	text := ""
	if !l.reading && *v != none {
		text = words[*v]
	}
	l.Text(key, text, func(text string) error {
		i := slices.Index(words, text)
		if i < 0 || T(i) == none {
			want := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" })
			return fmt.Errorf("want %s", strings.Join(want, ", "))
		}
		*v = T(i)
		return nil
	})
}

// Letters is a board as text: a letter on each square, a dot on empty ones. Row 0 is the
// bottom.
type Letters struct {
	Rows, Cols int
	At         func(row, col int) byte
	// Known are the letters that a line can have besides the dot; Put is called with the
	// index of each in Known when a line is read.
	Known string
	Put   func(letter, row, col int)
}

// Board is a word that every line has: the rows from the top, with slashes between.
func (l *Line) Board(b Letters) {
	var text []byte
	for row := b.Rows - 1; row >= 0 && !l.reading; row-- {
		for col := range b.Cols {
			text = append(text, b.At(row, col))
		}
		if row > 0 {
			text = append(text, '/')
		}
	}
	l.Word("board", string(text), func(word string) error {
		lines := strings.Split(word, "/")
		if len(lines) != b.Rows {
			l.Fail("board %.80q: want %d rows, with slashes between", word, b.Rows)
		}
		for i, line := range lines {
			if len(line) != b.Cols {
				l.Fail("line %d of the board, %.40q: want %d cells", i+1, line, b.Cols)
			}
			for col := 0; col < b.Cols && l.err == nil; col++ {
				if letter := strings.IndexByte(b.Known, line[col]); letter >= 0 {
					b.Put(letter, b.Rows-1-i, col)
				} else if line[col] != '.' {
					l.Fail("line %d of the board, %.40q: unknown letter %q, want one of %s or a dot", i+1, line, line[col], b.Known)
				}
			}
		}
		return nil
	})
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
