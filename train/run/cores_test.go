package run

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestTrainerGoesFirst: the trainer gets the next core that is offered though a
// worker came before it, workers follow in the order in which they came, and who
// does not wait takes nothing.
func TestTrainerGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, ctx := newCores(3), context.Background()
		take := func(worker int) {
			if err := c.Take(ctx, worker); err != nil {
				t.Error(err)
			}
		}
		take(0)
		if n, err := c.takeForTraining(ctx, 3); n != 2 || err != nil {
			t.Fatalf("takeForTraining = %d, %v of two free cores, want both", n, err)
		}
		var mu sync.Mutex
		var order []string
		note := func(who string) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, who)
		}
		for _, worker := range []int{2, 1} {
			go func() {
				take(worker)
				note([]string{"zero", "one", "two"}[worker])
				time.Sleep(time.Second)
				c.Give(worker)
			}()
			synctest.Wait()
		}
		c.giveBack(1) // a step of training is over: worker 2 goes on
		synctest.Wait()
		c.giveBack(1) // and worker 1
		go func() {
			n, err := c.takeForTraining(ctx, 3)
			if n != 1 || err != nil {
				t.Errorf("takeForTraining = %d, %v, want the one core that was offered", n, err)
			}
			note("trainer")
			time.Sleep(time.Second)
			c.giveBack(n)
		}()
		synctest.Wait()
		if err := c.Yield(ctx, 0); err != nil {
			t.Error(err)
		}
		note("zero")
		mu.Lock()
		if want := []string{"two", "one", "trainer", "zero"}; !slices.Equal(order, want) {
			t.Errorf("cores were had by %v, want %v", order, want)
		}
		mu.Unlock()
		time.Sleep(2 * time.Second)
		if err := c.Yield(ctx, 0); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if c.free != 2 {
			t.Errorf("%d cores are free, want 2", c.free)
		}
	})
}

// TestCoresAreNotOversubscribed lets workers and a trainer compute for random
// times, some of them cancelled while they wait: never are there more at work
// than cores, and in the end all cores are free.
func TestCoresAreNotOversubscribed(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		synctest.Test(t, func(t *testing.T) {
			c := newCores(n)
			var busy, cancelled, steps atomic.Int64
			work := func(cores int, r *rand.Rand) {
				if b := busy.Add(int64(cores)); b > int64(n) {
					t.Errorf("%d of %d cores are at work", b, n)
				}
				time.Sleep(time.Duration(1 + r.IntN(20)))
				busy.Add(-int64(cores))
			}
			ended := make(chan struct{})
			for worker := range n {
				go func() {
					defer func() { ended <- struct{}{} }()
					r := rand.New(rand.NewPCG(1, uint64(worker)))
					held := false
					for range 500 {
						ctx, cancel := context.WithTimeout(context.Background(), time.Duration(5+r.IntN(40)))
						ask := c.Take
						if held {
							ask = c.Yield
						}
						err := ask(ctx, worker)
						cancel()
						if held = err == nil; !held {
							cancelled.Add(1)
							continue
						}
						work(1, r)
						if r.IntN(5) == 0 {
							c.Give(worker)
							held = false
						}
					}
					if held {
						c.Give(worker)
					}
				}()
			}
			go func() {
				defer func() { ended <- struct{}{} }()
				r := rand.New(rand.NewPCG(2, 0))
				for range 300 {
					ctx, cancel := context.WithTimeout(context.Background(), time.Duration(5+r.IntN(20)))
					k, err := c.takeForTraining(ctx, n)
					cancel()
					if err != nil {
						cancelled.Add(1)
						continue
					}
					steps.Add(1)
					work(k, r)
					c.giveBack(k)
				}
			}()
			for range n + 1 {
				<-ended
			}
			if c.free != n || len(c.waiting) != 0 || c.learns {
				t.Errorf("%d of %d cores are free in the end, %d workers and the trainer (%v) wait", c.free, n, len(c.waiting), c.learns)
			}
			if cancelled.Load() == 0 || steps.Load() < 100 {
				t.Errorf("%d waits were cancelled and %d steps taken, want some and most of 300", cancelled.Load(), steps.Load())
			}
		})
	}
}

func TestCoresDoNotAllocate(t *testing.T) {
	c, ctx := newCores(1), context.Background()
	stop, ended := make(chan struct{}), make(chan struct{})
	other := newCores(2)
	other.free = 1 // one core for two workers, who hand it to each other
	go func() {
		defer close(ended)
		_ = other.Take(ctx, 1)
		for {
			select {
			case <-stop:
				other.Give(1)
				return
			default:
				_ = other.Yield(ctx, 1)
			}
		}
	}()
	if err := other.Take(ctx, 0); err != nil {
		t.Fatal(err)
	}
	n := testing.AllocsPerRun(1000, func() {
		_ = c.Take(ctx, 0)
		_ = c.Yield(ctx, 0)
		c.Give(0)
		k, _ := c.takeForTraining(ctx, 1)
		c.giveBack(k)
		_ = other.Yield(ctx, 0)
	})
	other.Give(0)
	close(stop)
	<-ended
	if n != 0 {
		t.Errorf("%g allocations, want none", n)
	}
}

func TestWaitForCoreEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCores(2)
		ctx, cancel := context.WithCancel(context.Background())
		if n, err := c.takeForTraining(ctx, 2); n != 2 || err != nil {
			t.Fatal(n, err)
		}
		errs := make(chan error, 2)
		go func() { errs <- c.Take(ctx, 1) }()
		go func() {
			_, err := c.takeForTraining(ctx, 2)
			errs <- err
		}()
		synctest.Wait()
		cancel()
		for range 2 {
			if err := <-errs; !errors.Is(err, context.Canceled) {
				t.Errorf("a wait ends with %v, want %v", err, context.Canceled)
			}
		}
		c.giveBack(2)
		if c.free != 2 {
			t.Errorf("%d cores are free, want 2", c.free)
		}
	})
}
