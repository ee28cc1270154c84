package bench

import (
	"context"
	"sync"
	"time"
)

// gate lets the workers of a job compute while it is open. They stop at the end
// of a batch, so that a job can be measured in slices between others. It is the
// job's selfplay.Cores.
type gate struct {
	mu      sync.Mutex
	change  sync.Cond // of open and of holding
	open    bool
	over    bool // the job's context has ended
	holding int
	since   []time.Time   // by worker, of those that hold a core
	busy    time.Duration // of all workers, since the gate was opened
}

// newGate returns a closed gate. The end of ctx wakes those who wait at it.
func newGate(ctx context.Context, workers int) *gate {
	g := &gate{since: make([]time.Time, workers)}
	g.change.L = &g.mu
	context.AfterFunc(ctx, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.over = true // the workers' own contexts, made from it, may end a moment later
		g.change.Broadcast()
	})
	return g
}

// Take waits until the gate is open.
func (g *gate) Take(ctx context.Context, worker int) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.enter(ctx, worker)
}

// Yield waits until the gate is open, if it is not.
func (g *gate) Yield(ctx context.Context, worker int) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open {
		return nil
	}
	g.leave(worker)
	return g.enter(ctx, worker)
}

// Give says that the worker computes no more.
func (g *gate) Give(worker int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.leave(worker)
}

func (g *gate) enter(ctx context.Context, worker int) error {
	for !g.open && !g.over && ctx.Err() == nil {
		g.change.Wait()
	}
	if g.over {
		return context.Canceled
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	g.holding++
	g.since[worker] = time.Now()
	return nil
}

func (g *gate) leave(worker int) {
	g.holding--
	g.busy += time.Since(g.since[worker])
	g.change.Broadcast()
}

func (g *gate) start() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open, g.busy = true, 0
	g.change.Broadcast()
}

// stop closes the gate, waits until nobody computes, and returns for how long
// the workers did since start, all together.
func (g *gate) stop() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = false
	for g.holding > 0 {
		g.change.Wait()
	}
	return g.busy
}
