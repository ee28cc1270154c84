package alphabeta

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// allRules are every preset and the options that change who decides when.
var allRules = []string{
	"standard", "letter", "table", "tutor", "basic-cf", "basic-mobilization", "micro", "blitz", "lightning",
	"standard,balance=single", "standard,balance=pie-double", "standard,balance=double-pie",
	"standard,buyback=true,max_turns=60", "standard,seed_limit=1,no_capture_turns=6",
}

func game(t testing.TB, rules string) *konreh.Game {
	t.Helper()
	g, err := konreh.Family.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g.(*konreh.Game)
}

func newState(g *konreh.Game) *konreh.State { return g.NewState().(*konreh.State) }

// position is the position of a line, and its history.
func positionAt(t testing.TB, g *konreh.Game, line string) (*konreh.State, *engine.History) {
	t.Helper()
	s, h := newState(g), g.NewHistory()
	if err := s.ParsePosition(line); err != nil {
		t.Fatal(err)
	}
	s.Begin(h)
	return s, h
}

// wander plays n random decisions from the start, preferring captures and plants
// now and then so that all phases come up.
func wander(s *konreh.State, h *engine.History, n int, rng *rand.Rand) {
	s.Start(h)
	for range n {
		if s.Actor() == engine.Nobody {
			return
		}
		list := s.Legal(nil, h)
		a := list[rng.IntN(len(list))]
		for _, b := range list {
			if f := s.Effect(b); f.Loud() && rng.IntN(3) == 0 {
				a = b
			}
		}
		s.Apply(a, h)
	}
}

// brute is minimax without pruning, table or order, in the view of player: the
// specification of Engine.search.
type brute struct {
	e *Engine // judges, and knows what draws are worth
	h *engine.History
}

func (b *brute) value(s *konreh.State, player engine.Player, last int) int32 {
	actor := s.Actor()
	if actor == engine.Nobody {
		return b.e.final(s, player)
	}
	sign := int32(1)
	if actor != player {
		sign = -1
	}
	if s.BeginsTurn() && s.Turn() >= last {
		return sign * b.quiet(s, 0)
	}
	best := -infinity
	b.each(s, func(engine.Action) bool { return true }, func(next *konreh.State) {
		best = max(best, b.value(next, actor, last))
	})
	return sign * best
}

// quiet is the specification of Engine.quiesce.
func (b *brute) quiet(s *konreh.State, turns int) int32 {
	best, all := -infinity, true
	if s.BeginsTurn() {
		value, danger := b.e.value(s)
		if turns >= quietTurns {
			return value
		}
		if !danger || turns >= dangerTurns {
			best, all = value, false
		}
	}
	actor := s.Actor()
	b.each(s, func(a engine.Action) bool {
		f := s.Effect(a)
		return all || f.Loud()
	}, func(next *konreh.State) {
		t, v := turns, int32(0)
		if next.BeginsTurn() {
			t++
		}
		switch next.Actor() {
		case engine.Nobody:
			v = b.e.final(next, actor)
		case actor:
			v = b.quiet(next, t)
		default:
			v = -b.quiet(next, t)
		}
		best = max(best, v)
	})
	return best
}

func (b *brute) each(s *konreh.State, want func(engine.Action) bool, do func(next *konreh.State)) {
	mark := b.h.Len()
	for _, a := range s.Legal(nil, b.h) {
		if want(a) {
			next := *s
			next.Apply(a, b.h)
			do(&next)
			b.h.Truncate(mark)
		}
	}
}

// TestSearchAgreesWithBruteForce in the values of one, two or three best actions, in
// all phases of all presets.
func TestSearchAgreesWithBruteForce(t *testing.T) {
	positions := 14
	if testing.Short() {
		positions = 5
	}
	midTurn := 0
	for i, rules := range allRules {
		g := game(t, rules)
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		s, h := newState(g), g.NewHistory()
		e := New(g)
		e.plain = true
		for n := range positions {
			wander(s, h, rng.IntN(90), rng)
			if n%3 == 0 {
				for tries := 0; tries < 20 && (s.BeginsTurn() || s.Actor() == engine.Nobody); tries++ {
					wander(s, h, rng.IntN(90), rng)
				}
			}
			if s.Actor() == engine.Nobody {
				continue
			}
			depth := 1 + n%2
			if len(s.Legal(nil, h)) < 14 {
				depth++
			}
			if !s.BeginsTurn() {
				midTurn++
			}
			e.NewGame()
			list := s.Legal(nil, h)
			mark := h.Len()
			several := 1 + n%3
			e.Several(several)
			r := e.Search(s, h, list, depth, nil)
			if h.Len() != mark {
				t.Fatalf("%s: the caller's history has changed", rules)
			}
			if len(list) == 1 {
				continue
			}
			b := &brute{e: e, h: g.NewHistory()}
			b.h.CopyFrom(h)
			values := map[engine.Action]int32{}
			for _, a := range list {
				next := *s
				next.Apply(a, b.h)
				values[a] = b.value(&next, s.Actor(), s.Turn()+r.Depth)
				b.h.Truncate(h.Len())
			}
			ordered := slices.Sorted(maps.Values(values))
			slices.Reverse(ordered)
			found := e.Best()
			if len(found) != min(several, len(list)) || found[0] != (Rated{r.Action, r.Value}) {
				t.Fatalf("%s: %s: %d best actions %v of %d, the choice is %v", rules, s.AppendPosition(nil), several, found, len(list), r)
			}
			for i, x := range found {
				if x.Value != ordered[i] || values[x.Action] != x.Value || slices.ContainsFunc(found[:i], func(y Rated) bool { return y.Action == x.Action }) {
					t.Fatalf("%s: %s: depth %d: %d best are %v, want values %v; %s is worth %d", rules, s.AppendPosition(nil), r.Depth, several, found,
						ordered[:len(found)], s.AppendAction(nil, x.Action), values[x.Action])
				}
			}
		}
	}
	if midTurn < 5 {
		t.Errorf("%d positions in mid-turn: the test is too small", midTurn)
	}
}

// TestSelectiveSearch plays games with all shortcuts on: legal in every phase of
// every preset, the same twice, whatever was searched before.
func TestSelectiveSearch(t *testing.T) {
	for i, rules := range allRules {
		g := game(t, rules)
		play := func(e *Engine) (words []byte) {
			rng := rand.New(rand.NewPCG(9, uint64(i)))
			s, h := newState(g), g.NewHistory()
			e.NewGame()
			s.Start(h)
			for range 70 {
				if s.Actor() == engine.Nobody {
					break
				}
				list := s.Legal(nil, h)
				a := list[rng.IntN(len(list))]
				if rng.IntN(3) > 0 {
					a = e.Search(s, h, list, 3, nil).Action
				}
				if !contains(list, a) {
					t.Fatalf("%s: %s: action %d is not legal", rules, s.AppendPosition(nil), a)
				}
				words = append(s.AppendAction(words, a), ' ')
				s.Apply(a, h)
			}
			return words
		}
		e := New(g)
		first := play(e)
		if second := play(e); string(first) != string(second) {
			t.Errorf("%s: two games from one seed differ:\n%s\n%s", rules, first, second)
		}
		if other := play(New(g)); string(first) != string(other) {
			t.Errorf("%s: two engines differ:\n%s\n%s", rules, first, other)
		}
	}
}

func TestSearchDoesNotAllocate(t *testing.T) {
	g := game(t, "standard,max_turns=600")
	s, h := newState(g), g.NewHistory()
	wander(s, h, 30, rand.New(rand.NewPCG(1, 1)))
	e := New(g)
	list := s.Legal(nil, h)
	e.Several(3)
	search := func() { e.Search(s, h, list, 4, nil) }
	search()
	if n := testing.AllocsPerRun(3, search); n != 0 {
		t.Errorf("%v allocations a search, want 0", n)
	}
}

// TestSearchStops at once when it is told to, with the best it has.
func TestSearchStops(t *testing.T) {
	g := game(t, "standard")
	s, h := newState(g), g.NewHistory()
	s.Start(h)
	e := New(g)
	list := s.Legal(nil, h)
	asked := 0
	r := e.Search(s, h, list, MaxDepth, func() bool { asked++; return asked == 200 })
	if asked != 200 || r.Nodes != 200*NodesPerStop {
		t.Errorf("asked %d times, %d positions: want 200 and %d", asked, r.Nodes, 200*NodesPerStop)
	}
	if r.Depth < 2 {
		t.Errorf("depth %d after %d positions", r.Depth, r.Nodes)
	}
	if whole := New(g).Search(s, h, list, r.Depth, nil); whole.Nodes > r.Nodes {
		t.Errorf("depth %d takes %d positions, yet %d were enough", r.Depth, whole.Nodes, r.Nodes)
	}
	if r := e.Search(s, h, list, MaxDepth, func() bool { return true }); r.Nodes != NodesPerStop || !contains(list, r.Action) {
		t.Errorf("stopped at once: %+v", r)
	}
}

// TestBestOfAStoppedSearch: wherever it was stopped, none of the best actions is worth
// more than the one above, though they may be of different depths.
func TestBestOfAStoppedSearch(t *testing.T) {
	g := game(t, "standard")
	s, h := newState(g), g.NewHistory()
	wander(s, h, 6, rand.New(rand.NewPCG(2, 1)))
	list := s.Legal(nil, h)
	for limit := 1; limit <= 60; limit++ {
		e := New(g)
		e.Several(4)
		asked := 0
		r := e.Search(s, h, list, MaxDepth, func() bool { asked++; return asked == limit })
		best := e.Best()
		if len(best) > 0 && (best[0].Action != r.Action || best[0].Value != r.Value) {
			t.Errorf("stopped after %d: %v is above, %v was chosen", r.Nodes, best[0], r)
		}
		if !slices.IsSortedFunc(best, func(a, b Rated) int { return int(b.Value - a.Value) }) {
			t.Errorf("stopped after %d: %v", r.Nodes, best)
		}
	}
}

func contains(list []engine.Action, a engine.Action) bool { return slices.Contains(list, a) }

// TestFrozen: the engine is a yardstick, so what it plays must not change unseen.
// A change of rules, weights or search gives another number here and makes
// another player, whose figures in docs/yardsticks.md must be measured again.
func TestFrozen(t *testing.T) {
	const want = 0xc1e0ac59c1088f68
	g := game(t, "standard,max_turns=600")
	s, h := newState(g), g.NewHistory()
	e := New(g)
	rng := rand.New(rand.NewPCG(3, 1))
	sum := uint64(0)
	for range 20 {
		wander(s, h, 10+rng.IntN(60), rng)
		if s.Actor() == engine.Nobody {
			continue
		}
		e.NewGame()
		r := e.Search(s, h, s.Legal(nil, h), 4, nil)
		for _, x := range []int64{int64(r.Action), int64(r.Value), r.Nodes} {
			sum = (sum ^ uint64(x)) * 0x100000001b3 // FNV-1a, a word at a time
		}
	}
	if sum != want {
		t.Errorf("signature %#x, want %#x", sum, uint64(want))
	}
}

// BenchmarkSearch counts the positions that a search of depth 5 looks at.
func BenchmarkSearch(b *testing.B) {
	g := game(b, "standard")
	s, h := newState(g), g.NewHistory()
	wander(s, h, 30, rand.New(rand.NewPCG(1, 1)))
	e := New(g)
	list := s.Legal(nil, h)
	nodes := int64(0)
	for b.Loop() {
		e.NewGame()
		nodes += e.Search(s, h, list, 5, nil).Nodes
	}
	b.ReportMetric(float64(nodes)/float64(b.N), "positions/op")
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "positions/s")
}
