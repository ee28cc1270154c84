package alphabeta

import (
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestRepetitionInTheSearchIsADraw, which the player at the root likes less than
// an even game; before the root only the third time counts.
func TestRepetitionInTheSearchIsADraw(t *testing.T) {
	g := game(t, "standard,balance=single")
	e := New(g)
	s, h := newState(g), g.NewHistory()
	s.Start(h)
	var words = []string{"d1f1", "h5f5", "f1e1", "f5g5", "e1d1", "g5h5"}
	for _, w := range words {
		a, err := s.ParseAction(w, h)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(a, h)
	}
	e.Search(s, h, s.Legal(nil, h), 1, nil) // sets up e
	if e.since != len(words) {
		t.Fatalf("the root is entry %d, want %d", e.since, len(words))
	}
	before := e.after(s, engine.First, e.start+1, -infinity, infinity, 1)
	e.since = 0
	if got := e.after(s, engine.First, e.start+1, -infinity, infinity, 1); got != -contempt || before == -contempt {
		t.Errorf("value %d, %d before the root: want %d here alone", got, before, -contempt)
	}
	if got := e.after(s, engine.Second, e.start+1, -infinity, infinity, 1); got != contempt {
		t.Errorf("value %d for the other player, want %d", got, contempt)
	}
}

// TestDrawsBelongToTheKey: what is known from searches for one player must not be
// taken for the other's, to whom draws are worth something else.
func TestDrawsBelongToTheKey(t *testing.T) {
	g := game(t, "standard")
	s, h := newState(g), g.NewHistory()
	s.Start(h)
	e := New(g)
	e.Search(s, h, s.Legal(nil, h), 2, nil)
	if e.table.find(e.key(s)).bound() != none {
		t.Fatal("the root is in the table: nobody needs it there")
	}
	next := *s
	next.Apply(s.Legal(nil, h)[0], e.hist)
	if e.table.find(e.key(&next)).bound() == none {
		t.Fatal("a position of the search is not in the table")
	}
	e.root = engine.Second
	if e.table.find(e.key(&next)).bound() != none {
		t.Error("the other player finds it too")
	}
}

// TestWinsCountFromThePosition in the table, from the root in the search.
func TestWinsCountFromThePosition(t *testing.T) {
	for _, c := range []struct{ value, height, stored int32 }{
		{win - 5, 3, win - 2}, {5 - win, 3, 2 - win}, {120, 3, 120}, {-judged, 3, -judged},
	} {
		if got := toTable(c.value, c.height); got != c.stored {
			t.Errorf("toTable(%d, %d) = %d, want %d", c.value, c.height, got, c.stored)
		}
		if got := fromTable(c.stored, c.height); got != c.value {
			t.Errorf("fromTable(%d, %d) = %d, want %d", c.stored, c.height, got, c.value)
		}
	}
}
