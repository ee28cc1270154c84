package alphabeta

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine/konreh"
)

// TestRest gives the table back: an engine that has rested has none, and what it searches
// then is what a new one would find, though the table has been another engine's.
func TestRest(t *testing.T) {
	g := game(t, "standard")
	s, h := newState(g), g.NewHistory()
	rng := rand.New(rand.NewPCG(3, 4))
	find := func(e *Engine) Result { return e.Search(s, h, s.Legal(nil, h), 2, nil) }
	one, two := New(g), New(g)
	if one.table.entries != nil {
		t.Error("an engine that has not searched has a table")
	}
	for n := range 8 {
		wander(s, h, 10+5*n, rng)
		if len((*konreh.State).Legal(s, nil, h)) < 2 {
			continue
		}
		for _, e := range []*Engine{one, two} {
			e.NewGame()
			if got, want := find(e), find(New(g)); got != want {
				t.Errorf("after a rest it finds %+v, a new engine %+v", got, want)
			}
			e.Rest()
			if e.Rest(); e.table.entries != nil {
				t.Error("it rests with its table")
			}
		}
	}
}

// TestSetTable: the size is rounded down to a power of two, and stays when the memory is
// given back; the usual one is shared.
func TestSetTable(t *testing.T) {
	for mib, want := range map[int]int{1: 1 << 16, 3: 1 << 17, 8: tableEntries, 17: 1 << 20} {
		e := NewPlain(game(t, "standard"))
		e.SetTable(mib)
		for range 2 {
			e.table.take()
			if got := len(e.table.entries); got != want {
				t.Errorf("%d MiB: %d entries, want %d", mib, got, want)
			}
			e.Rest()
		}
		if e.table.entries != nil {
			t.Errorf("%d MiB: a table is left after Rest", mib)
		}
	}
}
