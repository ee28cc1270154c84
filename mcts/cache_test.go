package mcts

import (
	"slices"
	"sync"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// enter puts a position in unless it is there.
func enter(c *Cache, key uint64, legal []engine.Action, logits []float32, e Evaluation) {
	if _, place := c.Get(key, legal, make([]float32, len(legal))); place != Known {
		c.Put(place, key, legal, logits, e)
	}
}

func knows(c *Cache, key uint64, legal []engine.Action) bool {
	_, place := c.Get(key, legal, make([]float32, len(legal)))
	return place == Known
}

// TestCacheHoldsWhatWasPut enters positions of one to nine legal actions, with
// keys that often repeat under other actions, and holds each answer to what was
// entered last: a right one or none. The newest are always there.
func TestCacheHoldsWhatWasPut(t *testing.T) {
	const maxLegal = 9
	info := &engine.Info{MaxLegal: maxLegal}
	for _, positions := range []int{1, 2, 5, 64, 1000} {
		c := NewCache(info, positions)
		rng := newRNG(uint64(positions))
		type question struct {
			key   uint64
			start engine.Action
			count int
		}
		legalOf := func(q question) []engine.Action {
			var legal []engine.Action
			for k := range q.count {
				legal = append(legal, q.start+engine.Action(3*k))
			}
			return legal
		}
		answer := func(q question) (logits []float32, e Evaluation) {
			for k := range q.count {
				logits = append(logits, float32(q.key)+float32(k)/16+float32(q.start)/1024)
			}
			return logits, Evaluation{float32(q.key%7) + float32(q.start)/16, float32(q.key%5) + float32(q.count)/16, float32(q.key % 3)}
		}
		hits := 0
		for range 20_000 {
			q := question{rng.Uint64N(400), engine.Action(rng.IntN(2)), 1 + rng.IntN(maxLegal)}
			legal := legalOf(q)
			want, evaluation := answer(q)
			got := make([]float32, len(legal))
			e, place := c.Get(q.key, legal, got)
			if place == Known {
				hits++
				if !slices.Equal(got, want) || e != evaluation {
					t.Fatalf("%d positions: Get(%+v) = %v, %v, want %v, %v", positions, q, got, e, want, evaluation)
				}
				continue
			}
			c.Put(place, q.key, legal, want, evaluation)
			if e, place := c.Get(q.key, legal, got); place != Known || !slices.Equal(got, want) || e != evaluation {
				t.Fatalf("%d positions: Get(%+v) = %v, %v, %d right after Put, want %v, %v, Known", positions, q, got, e, place, want, evaluation)
			}
		}
		if positions == 1000 && hits < 2300 {
			t.Errorf("a cache of %d positions knew %d of 20000, of 7200 different ones", positions, hits)
		}
		q := question{1, 0, 4}
		logits, evaluation := answer(q)
		enter(c, q.key, legalOf(q), logits, evaluation)
		c.Clear()
		if knows(c, q.key, legalOf(q)) {
			t.Errorf("%d positions: a position outlives Clear", positions)
		}
	}
}

// TestCacheComparesLegalActions: one key, four lists of actions.
func TestCacheComparesLegalActions(t *testing.T) {
	c := NewCache(&engine.Info{MaxLegal: 3}, 100)
	lists := [][]engine.Action{{1, 2, 3}, {1, 2, 4}, {1, 2}, {0, 2, 3}}
	for i, legal := range lists {
		if knows(c, 7, legal) {
			t.Errorf("%v is taken for one of %v", legal, lists[:i])
		}
		enter(c, 7, legal, make([]float32, len(legal)), Evaluation{Value: float32(i) / 8})
	}
	for i, legal := range lists {
		if e, place := c.Get(7, legal, make([]float32, len(legal))); place != Known || e.Value != float32(i)/8 {
			t.Errorf("Get(7, %v) = %g, %d, want %g, Known", legal, e.Value, place, float32(i)/8)
		}
	}
}

// TestCacheFills: a cache holds about as many positions as it is made for,
// whatever their keys are like, and the newest of them.
func TestCacheFills(t *testing.T) {
	const positions = 1 << 12
	legal := make([]engine.Action, 20)
	logits := make([]float32, len(legal))
	for name, key := range map[string]func(i uint64) uint64{
		"counted":    func(i uint64) uint64 { return i },
		"in the top": func(i uint64) uint64 { return i << 44 },
		"mixed":      mix,
	} {
		c := NewCache(&engine.Info{MaxLegal: 20}, positions)
		const entered = 3 * positions
		for i := range uint64(entered) {
			enter(c, key(i), legal, logits, Evaluation{})
		}
		there, newest := 0, 0
		for i := range uint64(entered) {
			if knows(c, key(i), legal) {
				there++
				if i >= entered-positions/4 {
					newest++
				}
			}
		}
		if there < positions*3/4 || there > positions || newest < positions/4*95/100 {
			t.Errorf("keys %s: %d of %d positions are there, %d of the %d newest", name, there, positions, newest, positions/4)
		}
	}
}

func TestCacheDoesNotAllocate(t *testing.T) {
	c := NewCache(&engine.Info{MaxLegal: 8}, 64)
	legal, logits := make([]engine.Action, 8), make([]float32, 8)
	key := uint64(0)
	if n := testing.AllocsPerRun(1000, func() {
		key++
		if _, place := c.Get(key, legal, logits); place != Known {
			c.Put(place, key, legal, logits, Evaluation{})
		}
		if _, place := c.Get(key, legal, logits); place != Known {
			t.Fatal("a position is unknown right after Put")
		}
	}); n != 0 {
		t.Errorf("%g allocations, want none", n)
	}
}

// TestCacheIsShared has goroutines enter and look up the same positions in a cache too
// small for them: an answer is the right one or none. The race detector looks, too.
func TestCacheIsShared(t *testing.T) {
	c := NewCache(&engine.Info{MaxLegal: 8}, 64)
	var group sync.WaitGroup
	for seed := range uint64(4) {
		group.Go(func() {
			rng, logits := newRNG(seed), make([]float32, 8)
			for range 5000 {
				key := rng.Uint64N(200)
				legal := []engine.Action{1, 2, 3, 4, 5, 6, 7, 8}[:1+key%8]
				e, place := c.Get(key, legal, logits)
				if place != Known {
					for k := range legal {
						logits[k] = float32(key)
					}
					c.Put(place, key, legal, logits[:len(legal)], Evaluation{Value: float32(key)})
				} else if slices.ContainsFunc(logits[:len(legal)], func(x float32) bool { return x != float32(key) }) || e.Value != float32(key) {
					t.Errorf("position %d: %v, %v", key, logits, e)
					return
				}
			}
		})
	}
	group.Wait()
}
