package alphabeta

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
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
	for _, code := range []engine.Action{0, 1<<15 - 1, 1 << 15, engine.MaxActions - 1} {
		e.table.store(6, -120, code, 3, exact)
		if k := e.table.find(6); k.value != -120 || k.action() != code {
			t.Errorf("of code %d: %+v", code, k)
		}
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

// TestLinesOutliveTheTable: what follows the best actions is known still when others have
// written over the whole table, as helpers do that search deeper; legal, as it was.
func TestLinesOutliveTheTable(t *testing.T) {
	g := game(t, "standard")
	rng, turns := rand.New(rand.NewPCG(7, 8)), 0
	e := New(g)
	e.Several(2)
	const searches, depth = 20, 4
	for range searches {
		s, h := newState(g), g.NewHistory()
		wander(s, h, 24, rng)
		e.NewGame()
		e.Search(s, h, s.Legal(nil, h), depth, nil)
		for _, b := range e.Best() {
			whole := e.AppendLine(nil, s, b.Action, depth)
			kept := e.lines[b.Action]
			if len(whole) < 1+len(kept) || !slices.Equal(whole[1:1+len(kept)], kept) {
				t.Errorf("%v does not begin with %v and what was kept, %v", whole, b.Action, kept)
			}
			turns += len(kept)
		}
		e.table.clear()
		for _, b := range e.Best() {
			if line := e.AppendLine(nil, s, b.Action, depth); len(line) != 1+len(e.lines[b.Action]) {
				t.Errorf("%v without the table, kept %v", line, e.lines[b.Action])
			}
		}
	}
	t.Logf("%.2f of %d decisions after the first kept on average", float64(turns)/(2*searches), depth-1)
	if turns < 2*searches*(depth-2) {
		t.Errorf("%d decisions kept after %d best actions", turns, 2*searches)
	}
}
