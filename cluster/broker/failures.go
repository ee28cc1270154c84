package broker

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// failures is the log of an embedded server, of which only the last errors are kept, for
// the case that it does not start.
type failures struct {
	// lost has the first error after which the server keeps no more parcels.
	lost chan error

	mu    sync.Mutex
	errs  []error
	fatal bool
}

// mostFailures are enough to see why a server does not start.
const mostFailures = 4

func (f *failures) add(format string, v ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.errs = append(f.errs, fmt.Errorf(format, v...))
	f.errs = f.errs[max(0, len(f.errs)-mostFailures):]
}

func (f *failures) err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(f.errs...)
}

// Errorf and Fatalf keep an error; the others are of no interest. They are the server's
// Logger. After a failed write its store refuses all others until it is started again, and
// answers nobody.
func (f *failures) Errorf(format string, v ...any) {
	f.add(format, v...)
	if err := fmt.Errorf(format, v...); strings.Contains(err.Error(), "write error") || strings.Contains(err.Error(), "failed to store") {
		select {
		case f.lost <- err:
		default:
		}
	}
}

// Fatalf keeps an error that ends the server.
func (f *failures) Fatalf(format string, v ...any) {
	f.add(format, v...)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fatal = true
}

func (f *failures) ended() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fatal
}

// Noticef is not kept.
func (f *failures) Noticef(string, ...any) {}

// Warnf is not kept.
func (f *failures) Warnf(string, ...any) {}

// Debugf is not kept.
func (f *failures) Debugf(string, ...any) {}

// Tracef is not kept.
func (f *failures) Tracef(string, ...any) {}
