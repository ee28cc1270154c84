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
