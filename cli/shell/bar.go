package shell

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/schollz/progressbar/v3"
)

const (
	// LineEvery is how often progress is said where nobody watches a bar.
	LineEvery = 10 * time.Second
	// RedrawEvery is how often a bar is drawn.
	RedrawEvery = 100 * time.Millisecond
	// BarColumns are the columns of the bar itself, timeColumns of a time such
	// as 10h59m59s.
	BarColumns  = 20
	timeColumns = 9
	// MinColumns is the narrowest terminal that gets a bar: what stands beside
	// it would not fit on one line of a narrower one.
	MinColumns = 70
)

// Bar shows how much of a known amount of work is done: a bar on a terminal,
// a plain line every LineEvery elsewhere.
type Bar struct {
	out   io.Writer
	Unit  string
	Total int
	shown *progressbar.ProgressBar // nil: no terminal
	Last  time.Time                // of the last line or drawing
}

// NewBar returns a bar for total units of work.
func NewBar(out io.Writer, total int, unit string) *Bar {
	b := &Bar{out: out, Unit: unit, Total: total, Last: time.Now()}
	if Columns(out) >= MinColumns {
		b.shown = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(out),
			progressbar.OptionUseANSICodes(true),
			progressbar.OptionSetWidth(BarColumns),
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
func (b *Bar) foretells() bool { return b.Unit != "s" }

// Set says that done of the total are done.
func (b *Bar) Set(done int, text string) {
	now := time.Now()
	text = wording.PlainName(text)
	if b.shown == nil {
		if now.Sub(b.Last) >= LineEvery && done < b.Total {
			b.Last = now
			fmt.Fprintf(b.out, "%d/%d %s  %s\n", done, b.Total, b.Unit, text)
		}
		return
	}
	if now.Sub(b.Last) < RedrawEvery && done < b.Total {
		return
	}
	b.Last = now
	_ = b.shown.Set(done) // a terminal that cannot be written to must end no work
	b.shown.Describe(cut(text, b.room()))
}

// room is how many columns the line has for text: a line that wraps cannot be
// taken off the terminal again.
func (b *Bar) room() int {
	total := fmt.Sprint(b.Total)
	used := len(" 100% || (/) ") + BarColumns + 2*len(total)
	if b.foretells() {
		used += len("[:] ") + 2*timeColumns
	}
	return Columns(b.out) - used - 1 // the cursor stays on the line
}

// Println writes a line to w, out of the bar's way.
func (b *Bar) Println(w io.Writer, line string) {
	b.Clear()
	b.Last = time.Now()
	fmt.Fprintln(w, wording.Plain(line))
}

// Clear takes the bar off the terminal.
func (b *Bar) Clear() {
	if b.shown != nil {
		_ = b.shown.Clear()
	}
}

// Each does n pieces of work one after the other, until ctx ends or one fails. do
// returns what to say once a piece is done.
func (b *Bar) Each(ctx context.Context, n int, do func(i int) (text string, err error)) error {
	defer b.Clear()
	for i := range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, err := do(i)
		if err != nil {
			return err
		}
		b.Set(i+1, text)
	}
	return nil
}

// Shards is a bar of shards, whose number it learns when it begins; see Bar.Each.
func Shards(out io.Writer) func(ctx context.Context, n int, do func(i int) (string, error)) error {
	return func(ctx context.Context, n int, do func(i int) (string, error)) error {
		return NewBar(out, n, "shards").Each(ctx, n, do)
	}
}
