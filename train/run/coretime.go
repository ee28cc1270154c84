package run

import (
	"time"

	"github.com/ludozero/ludozero/internal/coretime"
)

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
