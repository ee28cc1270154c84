package alphabeta

import (
	"math/rand/v2"
	"testing"
)

// TestHelpersShareTheTable: a search to a depth with helpers is a search to that depth, counts
// what they looked at, and knows their table; alone again, the engine finds what it found before.
func TestHelpersShareTheTable(t *testing.T) {
	g := game(t, "standard")
	s, h := newState(g), g.NewHistory()
	wander(s, h, 24, rand.New(rand.NewPCG(5, 6)))
	list := s.Legal(nil, h)
	e := New(g)
	want := e.Search(s, h, list, 4, nil)
	e.Help(New(g), New(g))
	for range 3 {
		e.NewGame()
		r := e.Search(s, h, list, 4, nil)
		if r.Depth != 4 || r.Nodes != e.Looked() || r.Nodes <= e.nodes || e.helpers[0].table != e.table {
			t.Errorf("%+v with helpers, %d positions of its own", r, e.nodes)
		}
	}
	e.Help()
	e.NewGame()
	if r := e.Search(s, h, list, 4, nil); r != want {
		t.Errorf("alone again %+v, want %+v", r, want)
	}
}

// TestHelpersEndWithTheSearch when it is stopped: then nobody else counts positions.
func TestHelpersEndWithTheSearch(t *testing.T) {
	g := game(t, "standard")
	s, h := newState(g), g.NewHistory()
	s.Start(h)
	e := New(g)
	e.Help(New(g), New(g), New(g))
	r := e.Search(s, h, s.Legal(nil, h), MaxDepth, func() bool { return e.nodes >= 2000 })
	if r.Nodes < 2000 || r.Nodes != e.Looked() {
		t.Errorf("%+v, %d looked at", r, e.Looked())
	}
	for _, helper := range e.helpers {
		if helper.nodes > 0 && !helper.out {
			t.Error("a helper went to its end")
		}
	}
}

// TestHalvesOfEntries that two engines wrote at the same time belong to no position.
func TestHalvesOfEntries(t *testing.T) {
	e := New(game(t, "standard"))
	e.table.take()
	e.table.store(2, 120, 7, 3, exact)
	if k := e.table.find(2); k.value != 120 || k.move != 7 || k.depth != 3 || k.bound() != exact {
		t.Errorf("%+v", k)
	}
	e.table.store(4, -5, -1, 2, most)
	if k := e.table.find(4); k.value != -5 || k.move != -1 {
		t.Errorf("%+v", k)
	}
	e.table.entries[2].known.Store(e.table.entries[4].known.Load())
	if k := e.table.find(2); k.bound() != none {
		t.Errorf("half of another entry: %+v", k)
	}
}
