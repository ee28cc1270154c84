package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

const (
	// lineEvery is how often progress is said where nobody watches a bar,
	// redrawEvery how often a bar is drawn.
	lineEvery   = 10 * time.Second
	redrawEvery = 100 * time.Millisecond
	// barColumns are the columns of the bar itself, timeColumns of a time such
	// as 10h59m59s.
	barColumns  = 20
	timeColumns = 9
	// minColumns is the narrowest terminal that gets a bar: what stands beside
	// it would not fit on one line of a narrower one.
	minColumns = 70
)

// bar shows how much of a known amount of work is done: a bar on a terminal,
// a plain line every lineEvery elsewhere.
type bar struct {
	out   io.Writer
	unit  string
	total int
	shown *progressbar.ProgressBar // nil: no terminal
	last  time.Time                // of the last line or drawing
}

func newBar(out io.Writer, total int, unit string) *bar {
	b := &bar{out: out, unit: unit, total: total, last: time.Now()}
	if columns(out) >= minColumns {
		b.shown = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(out),
			progressbar.OptionUseANSICodes(true),
			progressbar.OptionSetWidth(barColumns),
			progressbar.OptionShowCount(),
			progressbar.OptionShowDescriptionAtLineEnd(),
			progressbar.OptionSetElapsedTime(b.foretells()),
			progressbar.OptionSetPredictTime(b.foretells()),
			progressbar.OptionClearOnFinish(),
		)
	}
	return b
}

// foretells tells whether the bar shows times; seconds foretell themselves.
func (b *bar) foretells() bool { return b.unit != "s" }

// set says that done of the total are done.
func (b *bar) set(done int, text string) {
	now := time.Now()
	if b.shown == nil {
		if now.Sub(b.last) >= lineEvery && done < b.total {
			b.last = now
			fmt.Fprintf(b.out, "%d/%d %s  %s\n", done, b.total, b.unit, text)
		}
		return
	}
	if now.Sub(b.last) < redrawEvery && done < b.total {
		return
	}
	b.last = now
	_ = b.shown.Set(done) // a terminal that cannot be written to must end no work
	b.shown.Describe(cut(text, b.room()))
}

// room is how many columns the line has for text: a line that wraps cannot be
// taken off the terminal again.
func (b *bar) room() int {
	total := fmt.Sprint(b.total)
	used := len(" 100% || (/) ") + barColumns + 2*len(total)
	if b.foretells() {
		used += len("[:] ") + 2*timeColumns
	}
	return columns(b.out) - used - 1 // the cursor stays on the line
}

// cut shortens text to the given number of columns.
func cut(text string, room int) string {
	r := []rune(text)
	if len(r) <= room {
		return text
	}
	return string(r[:max(room-1, 0)]) + "…"
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
