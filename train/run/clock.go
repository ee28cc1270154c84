package run

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/ludozero/ludozero/internal/coretime"
	"github.com/ludozero/ludozero/train/plan"
)

// coreLook is how often the core time is looked at near its end.
const coreLook = 5 * time.Millisecond

// usedUp is the cause of a context that ends with a budget of the run: its key,
// which is the reason of the StopEvent.
type usedUp string

func (u usedUp) Error() string { return string(u) + " is used up" }

// checkCoreBudget refuses a core budget where the core time is unknown for the
// given reason.
func checkCoreBudget(c *plan.Config, why string) error {
	if c.CoreBudget == 0 {
		return nil
	}
	return fmt.Errorf("core_budget: %v: want 0s, since the core time is unknown: %s; budget and generations limit the run", c.CoreBudget, why)
}

// clock measures the learning time of a run and the core time spent on it, over
// all processes that worked on it, and ends the work when a budget is used up. It
// is safe for concurrent use.
type clock struct {
	timeBudget, coreBudget time.Duration // 0: no limit

	mu     sync.Mutex
	began  time.Time
	paused time.Time     // since when the learning time stands still; zero: it does not
	before time.Duration // learning time of earlier processes
	cores  coreTime
	budget *time.Timer // looks whether a budget is used up; nil: there is none
}

// restore continues from the times of earlier processes; coreTime is nil if it is
// unknown. Nothing counts before begin.
func (c *clock) restore(elapsed time.Duration, coreTime *time.Duration) {
	c.before = elapsed
	c.cores.resume(coreTime)
}

// begin starts the learning time.
func (c *clock) begin() {
	c.began = time.Now()
	c.cores.start()
}

// pause stops the learning time, and with it the budgets.
func (c *clock) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.paused = time.Now()
	c.cores.stop()
}

// resume starts the learning time again.
func (c *clock) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.began = c.began.Add(time.Since(c.paused))
	c.paused = time.Time{}
	c.cores.start()
	if c.budget != nil {
		c.budget.Reset(0)
	}
}

// running tells whether the learning time is not paused.
func (c *clock) running() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.paused.IsZero()
}

// elapsed is the learning time.
func (c *clock) elapsed() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read()
}

// spent is the core time, nil if it is unknown.
func (c *clock) spent() *time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cores.spent()
}

// read is elapsed for a caller that has locked c.
func (c *clock) read() time.Duration {
	switch {
	case c.began.IsZero():
		return c.before
	case !c.paused.IsZero():
		return c.before + c.paused.Sub(c.began)
	}
	return c.before + time.Since(c.began)
}

// withBudget ends ctx when a budget is used up, with usedUp as the cause.
func (c *clock) withBudget(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	look := func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if ctx.Err() != nil || !c.paused.IsZero() { // resume has it look again
			return
		}
		wait, over := c.left()
		if over != "" {
			cancel(over)
			return
		}
		c.budget.Reset(wait)
	}
	c.budget = time.AfterFunc(math.MaxInt64, look)
	look()
	return ctx, func() {
		cancel(nil)
		c.budget.Stop()
	}
}

// left is for how long no budget can be used up, or which one is. The caller has
// locked c and the learning time is not paused.
func (c *clock) left() (wait time.Duration, over usedUp) {
	wait = math.MaxInt64
	if c.timeBudget > 0 {
		if wait = c.timeBudget - c.read(); wait <= 0 {
			return 0, "budget"
		}
	}
	if c.coreBudget > 0 {
		left := c.coreBudget - *c.cores.spent()
		if left <= 0 {
			return 0, "core_budget"
		}
		// All processors together take at least this long to spend it.
		wait = min(wait, max(left/time.Duration(runtime.NumCPU()), coreLook))
	}
	return wait, ""
}

// coreTime counts what processors spend on this process while it learns: the time
// of one core. It is what was done and not what the machine had to offer, so that
// a run beside others on the same cores counts no more than a run alone, and a
// worker that waits counts nothing. The zero value knows nothing.
type coreTime struct {
	known  bool
	before time.Duration // of earlier processes
	// began is the reading that this process counts from, stopped the one that it
	// counts to while it does not learn, -1 while it does.
	began, stopped time.Duration
}

// resume goes on from what earlier processes have spent, nil if that is unknown:
// then it stays so. It does not count before start.
func (c *coreTime) resume(before *time.Duration) {
	if before == nil {
		return
	}
	now, ok := coretime.Process()
	*c = coreTime{known: ok, before: *before, began: now, stopped: now}
}

// start counts from now on, stop no longer.
func (c *coreTime) start() {
	now, _ := coretime.Process()
	c.began += now - c.stopped
	c.stopped = -1
}

func (c *coreTime) stop() { c.stopped, _ = coretime.Process() }

// spent is the time of all processes, nil if it is unknown.
func (c *coreTime) spent() *time.Duration {
	if !c.known {
		return nil
	}
	now := c.stopped
	if now < 0 {
		now, _ = coretime.Process()
	}
	d := c.before + now - c.began
	return &d
}
