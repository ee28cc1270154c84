package cluster

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"sync"
	"time"

	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/train/plan"
)

// pause waits for that time, or returns the error of ctx.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

func sumOfFile(path string) (string, error) {
	b, err := input.Read(path, input.Large)
	return plan.SHA256(b), err
}

// rateSpan is the time over which speeds are shown.
const rateSpan = 10 * time.Second

// rate is a speed that fades: what came rateSpan ago counts 1/e. It is safe for
// concurrent use.
type rate struct {
	mu  sync.Mutex
	sum float64
	at  time.Time
}

func (r *rate) add(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fade()
	r.sum += float64(n)
}

func (r *rate) perSecond() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fade()
	return r.sum / rateSpan.Seconds()
}

// fade brings the sum to the present. The caller has locked r.
func (r *rate) fade() {
	now := time.Now()
	if !r.at.IsZero() {
		r.sum *= math.Exp(-now.Sub(r.at).Seconds() / rateSpan.Seconds())
	}
	r.at = now
}
