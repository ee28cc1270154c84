package main

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// lineEvery is how often progress is said where nobody watches a bar.
const lineEvery = 10 * time.Second

// bar shows how much of a known amount of work is done: a bar on a terminal,
// a plain line every lineEvery elsewhere.
type bar struct {
	out   io.Writer
	unit  string
	total int
	shown *progressbar.ProgressBar // nil: no terminal
	last  time.Time
}

func newBar(out io.Writer, total int, unit string) *bar {
	b := &bar{out: out, unit: unit, total: total, last: time.Now()}
	if isTerminal(out) {
		b.shown = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(out),
			progressbar.OptionSetWidth(20),
			progressbar.OptionShowCount(),
			progressbar.OptionSetItsString(unit),
			progressbar.OptionSetPredictTime(unit != "s"), // seconds foretell themselves
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
	}
	return b
}

// set says that done of the total are done.
func (b *bar) set(done int, text string) {
	if b.shown != nil {
		// A terminal that cannot be written to must end no work.
		b.shown.Describe(text)
		_ = b.shown.Set(done)
		return
	}
	if now := time.Now(); now.Sub(b.last) >= lineEvery && done < b.total {
		b.last = now
		fmt.Fprintf(b.out, "%d/%d %s  %s\n", done, b.total, b.unit, text)
	}
}

// println writes a line to w, out of the bar's way.
func (b *bar) println(w io.Writer, line string) {
	b.clear()
	b.last = time.Now()
	fmt.Fprintln(w, line)
}

// clear takes the bar off the terminal.
func (b *bar) clear() {
	if b.shown != nil {
		_ = b.shown.Clear()
	}
}
