package mcts

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// randomGame is a tree of positions made up from hashes: up to five actions in
// no regular order, whoever acts next by lot, an end by lot or at maxDepth.
// Its states complain if the search hands them a history that does not fit.
type randomGame struct {
	seed     uint64
	maxDepth int
	chance   bool
	info     engine.Info
}

func newRandomGame(seed uint64, maxDepth int, chance bool) *randomGame {
	g := &randomGame{seed: seed, maxDepth: maxDepth, chance: chance}
	g.info = engine.Info{Name: "random", NumActions: 64, MaxLegal: 5}
	if chance {
		g.info.NumChance = 3
	}
	return g
}

func (g *randomGame) Info() *engine.Info          { return &g.info }
func (g *randomGame) Rules() string               { return fmt.Sprint(g.seed) }
func (g *randomGame) NewHistory() *engine.History { return engine.NewHistory(1) }
func (g *randomGame) NewState() engine.State {
	return &randomState{game: g, hash: mix(g.seed)}
}

func mix(x uint64) uint64 {
	x = (x ^ x>>31) * 0x9e3779b97f4a7c15
	x = (x ^ x>>29) * 0xbf58476d1ce4e5b9
	return x ^ x>>32
}

type randomState struct {
	engine.State // the methods that a search does not call
	game         *randomGame
	hash         uint64
	depth        int
	last         engine.Action // that led here
}

func (s *randomState) lot(what, n uint64) uint64 { return mix(s.hash+what*0x1234567) % n }

func (s *randomState) Actor() engine.Player {
	switch {
	case s.depth >= s.game.maxDepth, s.depth > 1 && s.lot(1, 8) == 0:
		return engine.Nobody
	case s.game.chance && s.lot(2, 3) == 0:
		return engine.Chance
	}
	return engine.Player(s.lot(3, 2))
}

func (s *randomState) Outcome() engine.Outcome {
	if s.Actor() != engine.Nobody {
		return engine.Outcome{}
	}
	return engine.Outcome{Over: true, Winner: []engine.Player{engine.First, engine.Second, engine.Nobody}[s.lot(4, 3)]}
}

func (s *randomState) Legal(dst []engine.Action, h *engine.History) []engine.Action {
	s.check(h)
	n := int(1 + s.lot(5, 5))
	for i := range n {
		dst = append(dst, engine.Action(12*i+int(s.lot(6+uint64(i), 12))))
	}
	return dst
}

func (s *randomState) Chance(dst []engine.Weighted) []engine.Weighted {
	return append(dst, engine.Weighted{Code: 0, Prob: 0.5}, engine.Weighted{Code: 1, Prob: 0.375}, engine.Weighted{Code: 2, Prob: 0.125})
}

func (s *randomState) Apply(a engine.Action, h *engine.History) {
	s.check(h)
	s.hash = mix(s.hash + uint64(a) + 1)
	s.depth++
	s.last = a
	h.Push(s.hash, []uint64{s.hash})
}

// check panics if h is not the line of play to s: one entry for each ply.
func (s *randomState) check(h *engine.History) {
	if h != nil && (h.Len() != s.depth+1 || h.Count(s.hash, []uint64{s.hash}, s.depth) != 1) {
		panic(fmt.Sprintf("history of %d entries at depth %d", h.Len(), s.depth))
	}
}

func (s *randomState) Turn() int                 { return s.depth }
func (s *randomState) CopyFrom(src engine.State) { *s = *src.(*randomState) }
func (s *randomState) Start(h *engine.History) {
	s.hash, s.depth = mix(s.game.seed), 0
	if h != nil {
		h.Clear()
	}
	h.Push(s.hash, []uint64{s.hash})
}

// hashEvaluator evaluates randomGame by lot. Coarse logits make many priors
// equal; values are multiples of 1/16, so that sums of them are exact.
type hashEvaluator struct{ coarse bool }

func (v hashEvaluator) judge(s *randomState, logits []float32) (value float32) {
	for i := range logits {
		logits[i] = float32(s.lot(20+uint64(i), 1000)) / 250
		if v.coarse {
			logits[i] = float32(s.lot(20+uint64(i), 2))
		}
	}
	return float32(s.lot(19, 33))/16 - 1
}

func (v hashEvaluator) Evaluate(leaves []Leaf, offsets []int32, logits []float32, evaluations []Evaluation) error {
	clear(evaluations)
	for i := range leaves {
		evaluations[i].Value = v.judge(leaves[i].State.(*randomState), logits[offsets[i]:offsets[i+1]])
	}
	return nil
}

func start(g engine.Game) (engine.State, *engine.History) {
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	return s, h
}

// must is the tree of a configuration that is valid.
func must(t *Tree, err error) *Tree {
	if err != nil {
		panic(err)
	}
	return t
}

func newRNG(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// run searches t to the end of its budget.
func run(tb testing.TB, g engine.Game, t *Tree, v Evaluator) {
	tb.Helper()
	r := NewRunner(g, v, t.cfg.PendingLeaves)
	for !t.Done() {
		n, err := r.Step(t)
		if err != nil {
			tb.Fatal(err)
		}
		if n == 0 && !t.Done() {
			tb.Fatal("the search is not done and hands out no leaf")
		}
	}
}

// checkTree fails unless t is well formed: edges of a position stand behind the
// edge into it and point back, no virtual visit is left, and visits add up. At
// most loose visits of a position may be missing below it: those made while the
// tree had no room.
func checkTree(tb testing.TB, t *Tree, loose bool) {
	tb.Helper()
	used := index(1)
	for i, e := range t.all() {
		if e.virtual != 0 {
			tb.Fatalf("edge %d has %d virtual visits", i, e.virtual)
		}
		if e.count == 0 {
			continue
		}
		used += index(e.count)
		edges := t.children(e)
		visits := uint32(0)
		for k := range edges {
			visits += edges[k].visits
			if edges[k].parent != i || e.first <= i {
				tb.Fatalf("edge %d points back to %d, want %d", int(e.first)+k, edges[k].parent, i)
			}
			if e.actor != engine.Chance && (k < int(e.seen)) != (edges[k].visits > 0) {
				tb.Fatalf("edge %d of %d with %d visits, but %d were descended", k, e.count, edges[k].visits, e.seen)
			}
			if k > int(e.seen) && ranksBefore(&edges[k], &edges[e.seen]) && e.actor != engine.Chance {
				tb.Fatalf("edges of %d: number %d should stand at %d", i, k, e.seen)
			}
		}
		want := e.visits - 1 // its own evaluation
		if e.actor == engine.Chance {
			want = e.visits
		}
		if visits != want && !(loose && visits < want) {
			tb.Fatalf("edges of %d have %d visits, want %d", i, visits, want)
		}
	}
	if used != index(t.used()) {
		tb.Fatalf("%d edges are reachable, %d are in use", used, t.used())
	}
}
