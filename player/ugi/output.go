package ugi

import (
	"io"
	"sync"
)

// output is written to by the commands and by a search.
type output struct {
	mu     sync.Mutex
	w      io.Writer
	failed error
}

// line writes one line at once.
func (o *output) line(text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed == nil {
		_, o.failed = io.WriteString(o.w, text+"\n")
	}
}

func (o *output) err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.failed
}
