package pagetest

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// Refused reads position lines into a state: each error must have the words beside it, and
// the state must stay as it is.
func Refused(t *testing.T, s engine.State, lines map[string]string) {
	t.Helper()
	before, packed := string(s.AppendPosition(nil)), string(s.Pack(nil))
	for line, want := range lines {
		if err := s.ParsePosition(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("position %q: %v, want it to say %q", line, err, want)
		}
		if after := string(s.AppendPosition(nil)); after != before || string(s.Pack(nil)) != packed {
			t.Fatalf("after %q the state is %q", line, after)
		}
	}
}

// Says checks that an error has the wanted words, or is nil if they are "". what is said of
// it first.
func Says(t *testing.T, err error, want string, what ...any) {
	t.Helper()
	if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("%v: %v, want it to say %q", what, err, want)
	}
}

// At returns a state at a position line, at the start for "", with a history that begins
// there.
func At(t testing.TB, g engine.Game, line string) (engine.State, *engine.History) {
	t.Helper()
	s, h := g.NewState(), g.NewHistory()
	if line != "" {
		if err := s.ParsePosition(line); err != nil {
			t.Fatal(line, err)
		}
	}
	s.Begin(h)
	return s, h
}
