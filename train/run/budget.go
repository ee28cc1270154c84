package run

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

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

// withBudget ends ctx when a budget is used up, with usedUp as the cause.
func (r *runner) withBudget(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	look := func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if ctx.Err() != nil || !r.paused.IsZero() { // resume has it look again
			return
		}
		wait, over := r.left()
		if over != "" {
			cancel(over)
			return
		}
		r.budget.Reset(wait)
	}
	r.budget = time.AfterFunc(math.MaxInt64, look)
	look()
	return ctx, func() {
		cancel(nil)
		r.budget.Stop()
	}
}

// left is for how long no budget can be used up, or which one is. The caller holds
// mu and the learning time goes on.
func (r *runner) left() (wait time.Duration, over usedUp) {
	wait = math.MaxInt64
	if b := r.cfg.Budget; b > 0 {
		if wait = b - r.elapsed(); wait <= 0 {
			return 0, "budget"
		}
	}
	if b := r.cfg.CoreBudget; b > 0 {
		left := b - *r.cores.spent()
		if left <= 0 {
			return 0, "core_budget"
		}
		// All processors together take no less than this to spend it.
		wait = min(wait, max(left/time.Duration(runtime.NumCPU()), coreLook))
	}
	return wait, ""
}
