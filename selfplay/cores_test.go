package selfplay

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/ludozero/ludozero/engine/enginetest/racegame"
)

// fakeCores hands out any number of cores and notes who holds one.
type fakeCores struct {
	t      *testing.T
	mu     sync.Mutex
	held   map[int]bool
	yields int
	fail   int // the ask that fails
	asks   int
	asked  func() // if set, called at each
}

func (c *fakeCores) ask(worker int, held bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held[worker] != held {
		c.t.Errorf("worker %d asks for a core, holding one: %v", worker, !held)
	}
	c.asks++
	if c.asked != nil {
		c.asked()
	}
	c.held[worker] = c.asks != c.fail
	if !c.held[worker] {
		return errTest
	}
	return nil
}

func (c *fakeCores) Take(_ context.Context, worker int) error { return c.ask(worker, false) }

func (c *fakeCores) Yield(_ context.Context, worker int) error {
	c.yields++
	return c.ask(worker, true)
}

func (c *fakeCores) Give(worker int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.held[worker] {
		c.t.Errorf("worker %d gives back a core that it does not hold", worker)
	}
	c.held[worker] = false
}

func (c *fakeCores) count() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, held := range c.held {
		if held {
			n++
		}
	}
	return n
}

// pausing is a Range of which no game is to be had between two of them.
type pausing struct {
	Range
	pause   int64
	resumed chan struct{}
	waiting func()
}

func (p *pausing) Next() (Assignment, bool) {
	if p.taken.Load() >= p.pause {
		select {
		case <-p.resumed:
		default:
			return Assignment{}, false
		}
	}
	return p.Range.Next()
}

func (p *pausing) Wait(ctx context.Context) (bool, error) {
	p.waiting()
	select {
	case <-p.resumed:
		return p.taken.Load() < int64(p.Count), nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// TestCoresAreHeldForWorkOnly: a worker evaluates with a core in hand, offers it
// between batches, has none while it waits for games, and leaves none behind,
// whatever ends it.
func TestCoresAreHeldForWorkOnly(t *testing.T) {
	for name, c := range map[string]struct {
		failAsk, failBatch int
		cancel             bool
		want               error
	}{
		"to the end": {}, "an ask fails": {failAsk: 40, want: errTest}, "a batch fails": {failBatch: 40, want: errTest},
		"cancelled": {cancel: true, want: context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := racegame.New()
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				cores := &fakeCores{t: t, held: map[int]bool{}, fail: c.failAsk}
				j, batches := job(g, 1, 20), 0
				source := &pausing{Range: Range{Count: 20}, pause: 7, resumed: make(chan struct{})}
				source.Player = player(&hashNetwork{g.Info(), func(int) error {
					if batches++; batches == c.failBatch {
						return errTest
					}
					if n := cores.count(); n != 1 {
						t.Errorf("%d cores are held at work, want 1", n)
					}
					return nil
				}})
				source.waiting = func() {
					if n := cores.count(); n != 0 {
						t.Errorf("%d cores are held while waiting for games, want none", n)
					}
				}
				j.Source, j.Cores = source, cores
				games, ended := 0, make(chan error, 1)
				go func() {
					ended <- Run(ctx, quick(), j, func(*Finished) error { games++; return nil })
				}()
				synctest.Wait()
				if c.want == nil && games != 7 {
					t.Errorf("%d games were played before the pause, want 7", games)
				}
				if c.cancel {
					cancel()
				} else {
					close(source.resumed)
				}
				if err := <-ended; !errors.Is(err, c.want) {
					t.Errorf("Run = %v, want %v", err, c.want)
				}
				if n := cores.count(); n != 0 {
					t.Errorf("%d cores were not given back", n)
				}
				if c.want == nil && (games != 20 || cores.yields < 50) {
					t.Errorf("%d games, the core was offered %d times; want 20, many", games, cores.yields)
				}
			})
		})
	}
}
