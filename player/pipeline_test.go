package player

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
)

// slowed is an evaluator that is late now and then, so that batches overtake each other.
type slowed struct {
	mcts.Evaluator
	rng *rand.Rand
}

func (s *slowed) Evaluate(leaves []mcts.Leaf, offsets []int32, logits []float32, evaluations []mcts.Evaluation) error {
	for range s.rng.IntN(4) {
		runtime.Gosched()
	}
	if s.rng.IntN(8) == 0 {
		time.Sleep(20 * time.Microsecond)
	}
	return s.Evaluator.Evaluate(leaves, offsets, logits, evaluations)
}

// threadedNet is a player of that many threads, each with a mixer, that share a cache.
func threadedNet(t *testing.T, g engine.Game, cfg mcts.Config, threads, leaves int, cached bool) *net {
	t.Helper()
	var cache *mcts.Cache
	if cached {
		cache = mcts.NewCache(g.Info(), 500)
	}
	made := uint64(0)
	more := func() (mcts.Evaluator, error) {
		made++
		return &slowed{ask(g, &mixer{}, cache, false), rand.New(rand.NewPCG(made, 0))}, nil
	}
	first, _ := more()
	n, err := newNet(g, evaluating{first: first, more: more, threads: threads, leaves: leaves}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestThreadsChangeNoAnswer: a search for a number of simulations depends on the leaves
// that may be pending and on nothing else, in games with chance and without, by either
// method, with a cache that the threads share and without, and so do its proofs.
func TestThreadsChangeNoAnswer(t *testing.T) {
	for _, f := range []*engine.Family{&connect4.Family, &racegame.Family} {
		g := game(t, f)
		for _, leaves := range []int{1, 3, 8, 11, 32, 100} {
			cfg := search(700)
			cfg.Proven = leaves%2 == 0
			if leaves%3 == 2 {
				cfg.Search = mcts.SearchGumbel
			}
			answers := map[string]int{}
			for _, threads := range []int{1, 2, 4} {
				p := threadedNet(t, g, cfg, threads, leaves, leaves > 8)
				s, h := g.NewState(), g.NewHistory()
				s.Start(h)
				rng := rand.New(rand.NewPCG(5, 6))
				text := ""
				for i := range 6 {
					playRandom(s, h, 1, rng)
					if a := s.Actor(); a != engine.First && a != engine.Second {
						continue
					}
					p.NewGame(t.Context(), uint64(i))
					x, err := p.Think(t.Context(), s, h, match.Bounds{})
					if err != nil {
						t.Fatal(err)
					}
					if x.Ending == match.EndLimit && x.Simulations != 700 {
						t.Errorf("%s, %d leaves, %d threads: %d simulations, want 700", g.Info().Name, leaves, threads, x.Simulations)
					}
					x.Time = 0
					text += fmt.Sprintf("%+v\n", x)
				}
				answers[text] = threads
			}
			if len(answers) != 1 {
				t.Errorf("%s, %d leaves: %d different answers of 1, 2 and 4 threads", g.Info().Name, leaves, len(answers))
			}
		}
	}
}

// TestOneThreadSearchesInBatches: with up to a batch of pending leaves the schedule is
// that of mcts.Runner, whose trees are golden.
func TestOneThreadSearchesInBatches(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for _, leaves := range []int{1, 5, groupLeaves} {
		cfg := search(900)
		p := threadedNet(t, g, cfg, 1, leaves, false)
		x, err := p.Think(t.Context(), s, h, match.Bounds{})
		if err != nil {
			t.Fatal(err)
		}
		cfg.PendingLeaves = leaves
		tree, err := mcts.New(g, cfg)
		if err != nil {
			t.Fatal(err)
		}
		tree.Reset(mcts.Root{State: s, History: h})
		if err := mcts.NewRunner(g, &direct{info: g.Info()}, leaves).Run(tree); err != nil {
			t.Fatal(err)
		}
		for i, r := range tree.Root(nil) {
			if m := x.Moves[i]; m.Visits != r.Visits || m.Value != float64(r.Value) {
				t.Errorf("%d leaves: move %+v, want %+v", leaves, m, r)
			}
		}
	}
}

// TestThreadsAreUsed: evaluations of several threads overlap.
func TestThreadsAreUsed(t *testing.T) {
	g := game(t, &connect4.Family)
	var at, most atomic.Int32
	more := func() (mcts.Evaluator, error) { return &counting{&at, &most}, nil }
	first, _ := more()
	n, err := newNet(g, evaluating{first: first, more: more, threads: 4, leaves: 64}, search(2000))
	if err != nil {
		t.Fatal(err)
	}
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	if _, err := n.Think(t.Context(), s, h, match.Bounds{}); err != nil {
		t.Fatal(err)
	}
	if most.Load() != 4 || n.Threads() != 4 {
		t.Errorf("%d of %d threads evaluated at once, want 4", most.Load(), n.Threads())
	}
}

// counting notes how many of its kind evaluate at once.
type counting struct{ at, most *atomic.Int32 }

func (c *counting) Evaluate(leaves []mcts.Leaf, offsets []int32, logits []float32, evaluations []mcts.Evaluation) error {
	now := c.at.Add(1)
	for most := c.most.Load(); now > most && !c.most.CompareAndSwap(most, now); most = c.most.Load() {
	}
	time.Sleep(100 * time.Microsecond)
	c.at.Add(-1)
	return mcts.Uniform{}.Evaluate(leaves, offsets, logits, evaluations)
}

// TestPendingLeavesAreGivenBack: a search that is stopped, broken off or fails with leaves
// pending leaves no goroutine and a tree that is searched on.
func TestPendingLeavesAreGivenBack(t *testing.T) {
	g := game(t, &connect4.Family)
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	goroutines := runtime.NumGoroutine()
	broken := errors.New("broken")
	fails := &mixer{}
	more := func() (mcts.Evaluator, error) { return ask(g, fails, nil, false), nil }
	made := 0
	n, err := newTimedNet(g, evaluating{first: ask(g, &mixer{}, nil, false), leaves: 50, threads: 3, more: func() (mcts.Evaluator, error) {
		if made++; made == 2 {
			return more()
		}
		return ask(g, &mixer{}, nil, false), nil
	}}, timedConfig(mostEdges), pace{limit: time.Hour}, nil)
	if err != nil {
		t.Fatal(err)
	}
	idle := func(what string) {
		t.Helper()
		for range 1000 { // the last goroutine of a group may still be returning
			if runtime.NumGoroutine() <= goroutines {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if now := runtime.NumGoroutine(); now > goroutines {
			t.Errorf("%s: %d goroutines, before %d", what, now, goroutines)
		}
		if n.pipeline.count() != 0 {
			t.Errorf("%s: %d leaves are pending", what, n.pipeline.count())
		}
	}

	ctx, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	x, err := n.Think(ctx, s, h, match.Bounds{Partial: true})
	stop()
	if err != nil || x.Ending != match.EndStopped || x.Simulations < 1 {
		t.Errorf("stopped: %+v, %v", x, err)
	}
	idle("stopped")
	visits := 0
	for _, m := range x.Moves {
		visits += m.Visits
	}
	if visits != x.Simulations-1 {
		t.Errorf("%d visits of moves after %d simulations", visits, x.Simulations)
	}

	ctx, stop = context.WithTimeout(t.Context(), 10*time.Millisecond)
	_, err = n.Think(ctx, s, h, match.Bounds{})
	stop()
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("broken off: %v", err)
	}
	idle("broken off")

	fails.fails = broken
	if _, err = n.Think(t.Context(), s, h, match.Bounds{}); !errors.Is(err, broken) {
		t.Errorf("an evaluation failed: %v", err)
	}
	idle("failed")

	fails.fails = nil
	n.timer.limit = 10 * time.Millisecond
	more2, err := n.Think(t.Context(), s, h, match.Bounds{})
	if err != nil || more2.Ending != match.EndLimit || more2.Simulations < 1 {
		t.Errorf("afterwards: %+v, %v", more2, err)
	}
	idle("afterwards")
	for _, m := range more2.Moves {
		visits -= m.Visits
	}
	if visits >= 0 {
		t.Error("the tree was not kept")
	}
}

func timedConfig(edges int) mcts.Config {
	cfg := mcts.DefaultConfig()
	cfg.Edges = edges
	return cfg
}

// TestSetThreads: the number of threads is changed between searches; searches for a
// number of simulations stay the same, and those for a time have more leaves pending.
func TestSetThreads(t *testing.T) {
	g := game(t, &connect4.Family)
	more := func() (mcts.Evaluator, error) { return ask(g, &mixer{}, nil, false), nil }
	first, _ := more()
	n, err := newTimedNet(g, evaluating{first: first, more: more, threads: 1}, timedConfig(1<<18), pace{limit: time.Hour}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	var last string
	for i, threads := range []int{1, 3, 1, 2} {
		if err := n.SetThreads(threads); err != nil {
			t.Fatal(err)
		}
		want := threads * pendingPerThread
		if threads == 1 {
			want = timedLeaves
		}
		if n.Threads() != threads || len(n.pipeline.leaves) != want {
			t.Errorf("%d threads, %d leaves, want %d, %d", n.Threads(), len(n.pipeline.leaves), threads, want)
		}
		x, err := n.Think(t.Context(), s, h, match.Bounds{Simulations: 300})
		if err != nil {
			t.Fatal(err)
		}
		x.Time = 0
		if text := fmt.Sprintf("%+v", x); i > 0 && text != last {
			t.Errorf("%d threads: %s, before %s", threads, text, last)
		} else {
			last = text
		}
	}
	for _, threads := range []int{0, MaxThreads + 1} {
		if err := n.SetThreads(threads); err == nil {
			t.Errorf("SetThreads(%d) succeeded", threads)
		}
	}
	if n.Threads() != 2 {
		t.Errorf("%d threads after calls that failed, want 2", n.Threads())
	}
}
