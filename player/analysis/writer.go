package analysis

import (
	"bytes"
	"encoding/json"
	"io"
)

// line is an answer on its way out.
type line struct {
	number  uint64
	text    []byte
	bad     bool
	interim bool
}

// writer writes answers, in the order of their lines unless that does not matter.
type writer struct {
	out       io.Writer
	unordered bool
	held      map[uint64]line
	next      uint64
	bad       int
}

// take writes l, and those that waited for it, and returns how many were written.
func (w *writer) take(l line) (n int, err error) {
	if l.interim {
		_, err = w.out.Write(l.text)
		return 0, err
	}
	if w.held[l.number] = l; w.unordered {
		w.next = l.number
	}
	for {
		l, ok := w.held[w.next]
		if !ok {
			return n, nil
		}
		delete(w.held, w.next)
		if l.bad {
			w.bad++
		}
		if _, err := w.out.Write(l.text); err != nil {
			return n, err
		}
		w.next++
		n++
	}
}

// encode writes an object as a line.
func encode(object any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(object) != nil {
		panic("BUG: an object read as JSON cannot be written")
	}
	return b.Bytes()
}
