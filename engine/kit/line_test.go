package kit

import (
	"errors"
	"strings"
	"testing"
)

// fields has one of each field that a line can have.
type fields struct {
	stones [2]uint
	side   uint8
	word   string
	turn   int16
	lead   bool
	end    uint8
	owner  int8
}

func (f *fields) line(l *Line) {
	l.Board(Letters{Rows: 2, Cols: 3, Known: "xo", At: func(row, col int) byte {
		at := 3*row + col
		return ".xo"[f.stones[0]>>at&1+2*(f.stones[1]>>at&1)]
	}, Put: func(letter, row, col int) { f.stones[letter] |= 1 << (3*row + col) }})
	Choice(l, "side", &f.side, "south", "north")
	l.Text("word", f.word, func(text string) error {
		if f.word = text; text == "bad" {
			return errors.New("want another")
		}
		return nil
	})
	Number(l, "turn", &f.turn, 300)
	l.Flag("lead", &f.lead)
	Name(l, "end", &f.end, 0, "", "fire", "water")
	Name(l, "owner", &f.owner, -1, "south", "north")
}

// TestLines: what is written reads back, and each fault is refused by its field.
func TestLines(t *testing.T) {
	read := func(line string) (f fields, err error) {
		t := fields{owner: -1}
		err = ReadLine(&f, &t, line, t.line, func() error {
			if t.turn == 13 {
				return errors.New("turn 13")
			}
			return nil
		})
		return f, err
	}
	for _, line := range []string{
		"x.o/... south", ".../..x north", "xxx/ooo north word=a turn=300 lead=1 end=fire owner=north", "xxx/ooo north end=water owner=south",
	} {
		f, err := read(line)
		if err != nil {
			t.Errorf("%q: %v", line, err)
		}
		if got := string(AppendLine([]byte("before "), f.line)); got != "before "+line {
			t.Errorf("%q is written as %q", line, got)
		}
	}
	for line, want := range map[string]string{
		"":                            `position ""`,
		"x.o/...  south":              "one blank",
		"x.o/...":                     "side: missing",
		"x.o south":                   "want 2 rows",
		"x.o/.. south":                "line 2 of the board",
		"x.o/..z south":               "unknown letter 'z', want one of xo or a dot",
		"x.o/... west":                `side "west": want south, north`,
		"x.o/... south turn":          `field "turn": unknown`,
		"x.o/... south turn=":         "turn: no value",
		"x.o/... south turn=0":        "turn=0: want 1 to 300",
		"x.o/... south turn=301":      "turn=301: want 1 to 300",
		"x.o/... south turn=01":       "turn=01: want",
		"x.o/... south turn=13":       "turn 13",
		"x.o/... south lead=2":        "lead=2: want 1",
		"x.o/... south end=earth":     "end=earth: want fire, water",
		"x.o/... south owner=x":       "owner=x: want south, north",
		"x.o/... south word=bad":      "word=bad: want another",
		"x.o/... south lead=1 turn=2": "out of order",
		"x.o/... south turn=2 turn=2": "out of order",
	} {
		if _, err := read(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want it to say %q", line, err, want)
		}
	}
}

// TestObservationIsNamed: an observation that has more or fewer inputs than names is
// found out, by Write and by Hash.
func TestObservationIsNamed(t *testing.T) {
	f := Features(8, 8, -1, Names([]string{"own ", "enemy "}, "men"), Names([]string{"rule "}, "a", "b", "c"))
	for planes := range 4 {
		for globals := range 5 {
			var o Observation
			o.Boards(true, make([]uint64, planes)...)
			o.OneOf(-1, globals)
			said := func(do func()) (said bool) {
				defer func() { said = recover() != nil }()
				do()
				return false
			}
			right := planes == f.Planes && globals == f.Globals
			if said(func() { o.Hash(&f) }) == right || said(func() { o.Write(make([]float32, 128), make([]float32, 3)) }) == right {
				t.Errorf("%d planes and %d globals for %d and %d names", planes, globals, f.Planes, f.Globals)
			}
		}
	}
}

// TestObservationOrder: planes and globals stand in the order in which they are written.
func TestObservationOrder(t *testing.T) {
	var o Observation
	o.Boards(false, 1, 2)
	o.Boards(true, 1)
	o.Set(o.Plane(64) + 5)
	o.Number(.5)
	o.OneOf(1, 3)
	o.Flags(true, false)
	planes, globals := make([]float32, 4*64), make([]float32, 6)
	o.Write(planes, globals)
	for i, x := range planes {
		if want := i == 0 || i == 64+1 || i == 2*64+63 || i == 3*64+5; (x == 1) != want {
			t.Errorf("input %d is %v", i, x)
		}
	}
	for i, want := range []float32{.5, 0, 1, 0, 1, 0} {
		if globals[i] != want {
			t.Errorf("global %d is %v, want %v", i, globals[i], want)
		}
	}
}
