package alphabeta

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// same judges every position alike and counts how often it is asked.
type same struct {
	value  int32
	danger bool
	asked  int
}

func (j *same) Judge(engine.State, int32) (int32, bool) {
	j.asked++
	return j.value, j.danger
}

// TestPruningTrustsTheJudge by so much a turn, but not about danger or against a proof, and asks
// it once about a position.
func TestPruningTrustsTheJudge(t *testing.T) {
	g := game(t, "standard")
	s, h := newState(g), g.NewHistory()
	s.Start(h)
	for _, c := range []struct {
		value  int32
		danger bool
		depth  int
		alpha  int32
		limit  int32
		want   bound
	}{
		{value: cutMargin + 1, depth: 1, limit: cutMargin + 1, want: least},
		{value: cutMargin, depth: 1, want: none},
		{value: mostCut*cutMargin + 8, depth: mostCut, alpha: 7, limit: mostCut*cutMargin + 8, want: least},
		{value: 5000, depth: max(mostCut, mostQuiet) + 1, want: none},
		{value: 5000, danger: true, depth: 1, want: none},
		{value: 5000, depth: 1, alpha: judged, want: none},
		{value: -quietMargin, depth: 1, limit: 0, want: most},
		{value: 1 - quietMargin, depth: 1, want: none},
		{value: -mostQuiet * quietMargin, depth: mostQuiet, limit: 0, want: most},
		{value: -5000, danger: true, depth: 1, want: none},
		{value: -5000, depth: 1, alpha: -judged - 1, want: none},
	} {
		j := &same{value: c.value, danger: c.danger}
		e := NewPruning(g, j)
		for range 2 {
			if limit, b := e.bounded(s, c.depth, c.alpha); limit != c.limit || b != c.want {
				t.Errorf("%+v: limit %d, bound %d", c, limit, b)
			}
		}
		if j.asked > 1 {
			t.Errorf("%+v: the judge was asked %d times", c, j.asked)
		}
		if _, b := NewWith(g, j).bounded(s, c.depth, c.alpha); b != none {
			t.Errorf("%+v: an engine that does not prune leaves something out", c)
		}
	}
}

// TestPruningSavesPositions, and finds the same again after NewGame.
func TestPruningSavesPositions(t *testing.T) {
	full, pruned := int64(0), int64(0)
	for i := range 40 {
		g := game(t, allRules[i%len(allRules)])
		s, h := newState(g), g.NewHistory()
		wander(s, h, 20+2*i, rand.New(rand.NewPCG(9, uint64(i))))
		if s.Actor() == engine.Nobody {
			continue
		}
		list := s.Legal(nil, h)
		e := NewPruning(g, g.NewJudge())
		got := e.Search(s, h, list, 4, nil)
		full, pruned = full+New(g).Search(s, h, list, 4, nil).Nodes, pruned+got.Nodes
		e.NewGame()
		if again := e.Search(s, h, list, 4, nil); again != got {
			t.Errorf("%s: %+v, then %+v", s.AppendPosition(nil), got, again)
		}
	}
	if pruned*10 > full*8 {
		t.Errorf("%d positions instead of %d", pruned, full)
	}
}

// TestPruningKeepsProofs: wins that are proven without it at the same depth are found.
func TestPruningKeepsProofs(t *testing.T) {
	wins := 0
	published(t, func(g *konreh.Game, s *konreh.State, h *engine.History) {
		list := s.Legal(nil, h)
		want := New(g).Search(s, h, list, 3, nil)
		if !Proven(want.Value) || want.Value < 0 {
			return
		}
		if got := NewPruning(g, g.NewJudge()).Search(s, h, list, 3, nil); got.Value != want.Value {
			t.Errorf("%s: %+v, want %+v", s.AppendPosition(nil), got, want)
		}
		wins++
	})
	if wins < 100 {
		t.Errorf("only %d wins", wins)
	}
}
