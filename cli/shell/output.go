package shell

import (
	"io"
	"sync"
)

// Output is what a command prints to. It remembers its first error, so that a command
// need not look at every line it prints to fail on a full disk.
type Output struct {
	io.Writer
	mu  sync.Mutex
	err error
}

// NewOutput returns an output that prints to w.
func NewOutput(w io.Writer) *Output { return &Output{Writer: w} }

func (o *Output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = err
		}
	}
	return n, err
}

// Err returns the first error of a Write.
func (o *Output) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}
