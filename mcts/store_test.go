package mcts

import (
	"iter"
	"slices"
	"testing"
	"unsafe"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/elements"
	"github.com/ludozero/ludozero/engine/konreh"
)

// all are the edges in use with their indices.
func (s *store) all() iter.Seq2[index, *edge] {
	return func(yield func(index, *edge) bool) {
		for k, c := range s.chunks[:s.last+1] {
			for i := range c {
				if !yield(s.indexOf(k, i), &c[i]) {
					return
				}
			}
		}
	}
}

// TestGrowthChangesNoAnswer plays games with trees of one slice and with trees of
// chunks so small that the edges of many positions do not fit into what is left of one,
// and compares every search and what Advance keeps.
func TestGrowthChangesNoAnswer(t *testing.T) {
	gaps := 0
	for seed := range uint64(24) {
		g := newRandomGame(seed, 12, seed%2 == 0)
		cfg := DefaultConfig()
		cfg.Search = methods[seed/2%2]
		cfg.Simulations, cfg.Edges = 400, 1<<14
		cfg.PendingLeaves = 1 + int(seed%3)
		fixed, grown := must(New(g, cfg)), must(newTree(g, cfg, 4))
		if grown.shift >= 8 {
			t.Fatalf("chunks of %d edges are too large for this test", 1<<grown.shift)
		}
		s, h := start(g)
		fixed.Reset(Root{State: s, History: h, Rand: newRNG(seed)})
		grown.Reset(Root{State: s, History: h, Rand: newRNG(seed)})
		for s.Actor() != engine.Nobody {
			run(t, g, fixed, hashEvaluator{})
			run(t, g, grown, hashEvaluator{})
			compareTrees(t, fixed, 0, grown, 0)
			checkTree(t, grown, false)
			gaps += grown.holes()
			a := engine.Action(0)
			if s.Actor() != engine.Chance {
				a = fixed.Best()
			}
			s.Apply(a, h)
			fixed.Advance(a)
			grown.Advance(a)
			compareTrees(t, fixed, 0, grown, 0)
			checkTree(t, grown, false)
		}
	}
	if gaps == 0 {
		t.Error("no chunk had places left: this test compared nothing new")
	}
}

// holes is the number of places that were left unused before the last chunk.
func (s *store) holes() (n int) {
	for _, c := range s.chunks[:s.last] {
		n += cap(c) - len(c)
	}
	return n
}

// compareTrees fails unless the subtrees at edges i and k are the same but for places.
func compareTrees(tb testing.TB, x *Tree, i index, y *Tree, k index) {
	tb.Helper()
	e, f := *x.at(i), *y.at(k)
	e.first, e.parent, f.first, f.parent = 0, 0, 0, 0
	if e != f {
		tb.Fatalf("edge %+v, grown %+v", e, f)
	}
	for c := range index(e.count) {
		compareTrees(tb, x, x.at(i).first+c, y, y.at(k).first+c)
	}
}

// TestGrowthEndsAtTheBound: a tree takes memory as it needs it, up to Config.Edges, says
// that it is full, and has room again after Reset without another allocation.
func TestGrowthEndsAtTheBound(t *testing.T) {
	g := game(t, &konreh.Family)
	cfg := DefaultConfig()
	cfg.Simulations, cfg.Edges = 2000, 5<<10
	tree := must(newTree(g, cfg, 11))
	s, h := start(g)
	root := Root{State: s, History: h, Rand: newRNG(1)}
	tree.Reset(root)
	if n := len(tree.chunks); n != 1 {
		t.Fatalf("%d chunks before the first simulation, want 1", n)
	}
	run(t, g, tree, Uniform{})
	st := tree.Stats()
	sizes := []int{}
	for _, c := range tree.chunks {
		sizes = append(sizes, cap(c))
	}
	if want := []int{2 << 10, 2 << 10, 1 << 10}; !slices.Equal(sizes, want) || !st.Full || st.Room != 5<<10 || st.Edges > st.Room || st.Edges < st.Room-150 {
		t.Errorf("chunks of %d edges, %+v, want %d, full", sizes, st, want)
	}
	checkTree(t, tree, true)
	if n := testing.AllocsPerRun(1, func() {
		tree.Reset(root)
		if tree.Stats().Full {
			t.Error("full after Reset")
		}
		run(t, g, tree, Uniform{})
	}); n > 8 { // of run: its buffers
		t.Errorf("%g allocations in a search of a tree that has all its memory", n)
	}
}

// TestUsualRoomIsEnough: where no room is asked for, a search has enough for the widest
// positions of the games here, those of Elements with several pieces in reserve.
func TestUsualRoomIsEnough(t *testing.T) {
	g := game(t, &elements.Family)
	cfg := DefaultConfig()
	cfg.Simulations, cfg.CountReused = 64, true
	tree, rng, widest := must(New(g, cfg)), newRNG(1), 0
	for s, h := start(g); s.Actor() != engine.Nobody; {
		legal := s.Legal(nil, h)
		if widest < len(legal) {
			widest = len(legal)
			tree.Reset(Root{State: s, History: h, Rand: newRNG(1)})
			if run(t, g, tree, Uniform{}); tree.Stats().Full {
				t.Errorf("full where %d actions are legal: %+v", len(legal), tree.Stats())
			}
		}
		s.Apply(legal[rng.IntN(len(legal))], h)
	}
	if widest < 100 {
		t.Errorf("at most %d actions were legal: want a game that is wide", widest)
	}
}

// TestChunkHoldsEveryPosition: the edges of a position are contiguous, so a chunk has
// room for the most that edge.count can say.
func TestChunkHoldsEveryPosition(t *testing.T) {
	if most := 1<<(8*unsafe.Sizeof(edge{}.count)) - 1; 1<<chunkShift < most {
		t.Errorf("a chunk has room for %d edges, want %d", 1<<chunkShift, most)
	}
	const least = 70_000 // its evaluation, all actions and chance outcomes of the largest game
	if s := newStore(1<<20, chunkShift, least); cap(s.chunks[0]) < least {
		t.Errorf("the first chunk has room for %d edges, want %d to expand any root", cap(s.chunks[0]), least)
	}
}
