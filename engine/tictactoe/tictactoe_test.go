package tictactoe

import (
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/pagetest"
)

func newState(t *testing.T, line string) *State {
	t.Helper()
	s := new(State)
	if err := s.ParsePosition(line); err != nil {
		t.Fatalf("ParsePosition(%q): %v", line, err)
	}
	return s
}

func TestOutcome(t *testing.T) {
	for line, want := range map[string]engine.Outcome{
		"xxx/oo./... o": {Over: true, Winner: engine.First, Reason: "line"},
		"xx./ooo/x.. x": {Over: true, Winner: engine.Second, Reason: "line"},
		"xox/xxo/oxo o": {Over: true, Winner: engine.Nobody, Reason: "full"},
		"xxx/xoo/xoo o": {Over: true, Winner: engine.First, Reason: "line"},
		"xo./.x./... o": {},
	} {
		if got := newState(t, line).Outcome(); got != want {
			t.Errorf("%q: Outcome = %+v, want %+v", line, got, want)
		}
	}
}

func TestRefusedPositions(t *testing.T) {
	pagetest.Refused(t, newState(t, "xo./.x./... o"), map[string]string{
		"":                "one blank",
		"xo./.x. o":       "3 rows",
		"xo./.x/... o":    "3 cells",
		"xq./.../... o":   "unknown letter",
		"xx./.../... o":   "as many",
		"o../.../... x":   "as many",
		"xo./.../... o":   "the stones say x",
		"xo./.../... x y": "unknown, or out of order",
		"xxx/ooo/... x":   "the side to move has a line",
		"xxx/ooo/x.. o":   "the side to move has a line",
		"xxx/oo./oox x":   "the side to move has a line",
		"ooo/.x./x.. x":   "as many",
	})
}

func TestRefusedMoves(t *testing.T) {
	s := newState(t, "xo./.x./... o")
	for _, word := range []string{"", "a", "d1", "a4", "a3", "a1b2"} {
		if a, err := s.ParseAction(word, nil); err == nil {
			t.Errorf("ParseAction(%q) = %d, want an error", word, a)
		}
	}
	if _, err := newState(t, "xxx/oo./... o").ParseAction("a1", nil); err == nil {
		t.Error("ParseAction accepts a move after the end")
	}
}

func TestBoard(t *testing.T) {
	got := newState(t, "xo./.x./... o").Board(false)
	want := "3  x o .\n2  . x .\n1  . . .\n   a b c\n"
	if got != want {
		t.Errorf("Board = %q, want %q", got, want)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0})
	f.Add([]byte{7, 0, 0o30, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		var s State
		if s.Unpack(data) != nil {
			if s != (State{}) {
				t.Fatal("a refused position changed the state")
			}
			return
		}
		if got := s.Pack(nil); string(got) != string(data) {
			t.Fatalf("Pack = %x after Unpack(%x)", got, data)
		}
		line := string(s.AppendPosition(nil))
		var u State
		if err := u.ParsePosition(line); err != nil || u != s {
			t.Fatalf("ParsePosition(%q) = %v, another position or an error", line, err)
		}
	})
}
