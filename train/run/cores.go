package run

import (
	"context"
	"slices"
	"sync"
)

// cores shares processor cores between self-play workers, one for each core, and
// the trainer. Whoever computes holds one. The trainer goes first: it gets the
// next core that is given back or yielded, which takes no longer than a batch of
// self-play; besides it gets those that nobody wants. It gives them back after
// each step and, once a generation, after what makes and measures its network, so
// that workers wait no longer than that. Workers go in the order in which they
// came.
type cores struct {
	mu      sync.Mutex
	free    int
	waiting []int           // workers, first come first
	turn    []chan struct{} // by worker: it was given a core
	trainer chan struct{}   // so was the trainer
	learns  bool            // the trainer waits
}

func newCores(n int) *cores {
	c := &cores{free: n, waiting: make([]int, 0, n), trainer: make(chan struct{}, 1)}
	for range n {
		c.turn = append(c.turn, make(chan struct{}, 1)) // it is given while nobody reads
	}
	return c
}

// Take waits until the worker has a core.
func (c *cores) Take(ctx context.Context, worker int) error {
	c.mu.Lock()
	if c.free > 0 { // then nobody waits
		c.free--
		c.mu.Unlock()
		return nil
	}
	return c.wait(ctx, worker)
}

// Yield lets whoever waits have the worker's core, and waits for another.
func (c *cores) Yield(ctx context.Context, worker int) error {
	c.mu.Lock()
	if !c.learns && len(c.waiting) == 0 {
		c.mu.Unlock()
		return nil
	}
	c.give()
	return c.wait(ctx, worker)
}

// Give hands back the core of a worker.
func (c *cores) Give(int) { c.giveBack(1) }

// wait queues a worker. The caller has locked c.
func (c *cores) wait(ctx context.Context, worker int) error {
	c.waiting = append(c.waiting, worker)
	c.mu.Unlock()
	select {
	case <-c.turn[worker]:
		return nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.waiting, worker); i >= 0 {
		c.waiting = slices.Delete(c.waiting, i, i+1)
	} else { // it was given a core just now
		<-c.turn[worker]
		c.give()
	}
	return ctx.Err()
}

// takeForTraining waits for one core, takes all besides that are free, up to
// most in all, and returns their number.
func (c *cores) takeForTraining(ctx context.Context, most int) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.free > 0 {
		c.free--
	} else {
		c.learns = true
		c.mu.Unlock()
		select {
		case <-c.trainer:
			c.mu.Lock()
		case <-ctx.Done():
			c.mu.Lock()
			if !c.learns {
				<-c.trainer
				c.give()
			}
			c.learns = false
			return 0, ctx.Err()
		}
	}
	n := min(most, 1+c.free)
	c.free -= n - 1
	return n, nil
}

// takeAll waits until every worker has handed its core back, and keeps them all
// until release. Only the trainer may call it.
func (c *cores) takeAll(ctx context.Context) (release func(), err error) {
	held := 0
	for held < len(c.turn) {
		n, err := c.takeForTraining(ctx, len(c.turn)-held)
		if err != nil {
			c.giveBack(held)
			return nil, err
		}
		held += n
	}
	return func() { c.giveBack(held) }, nil
}

// giveBack hands back n cores.
func (c *cores) giveBack(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for range n {
		c.give()
	}
}

// give passes one core on. The caller has locked c.
func (c *cores) give() {
	switch {
	case c.learns:
		c.learns = false
		c.trainer <- struct{}{}
	case len(c.waiting) > 0:
		first := c.waiting[0]
		c.waiting = slices.Delete(c.waiting, 0, 1)
		c.turn[first] <- struct{}{}
	default:
		c.free++
	}
}
