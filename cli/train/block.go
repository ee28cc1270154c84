package train

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/wording"
	"golang.org/x/term"
)

const (
	// minBlockColumns and minBlockRows are the smallest terminal that gets a block:
	// below that nothing of it could be read.
	minBlockColumns = 30
	minBlockRows    = 4
)

// block keeps some lines at the bottom of what is written to a terminal, below
// the lines that scroll. It asks the terminal nothing, reads no key and leaves the
// cursor visible, so that whatever happens to the process the terminal is as it
// was.
type block struct {
	out   *os.File
	shown []string // the lines on the terminal
	width int      // of the terminal when they were drawn
	last  time.Time
}

// newBlock is nil where no block can be shown.
func newBlock(out io.Writer) *block {
	if shell.Columns(out) == 0 {
		return nil
	}
	b := &block{out: out.(*os.File)}
	if width, height := b.size(); width < minBlockColumns || height < minBlockRows {
		return nil
	}
	return b
}

// size returns the terminal's size, or 80 by 24 if the terminal does not say.
func (b *block) size() (width, height int) {
	width, height, err := term.GetSize(int(b.out.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		return 80, 24
	}
	return width, height
}

// draw shows the lines that make returns for the width of the terminal, in the
// place of those before, but no more often than every RedrawEvery unless now is
// set. What does not fit is cut off. If nothing has changed nothing is written.
func (b *block) draw(now bool, make func(width int) []string) {
	if !now && time.Since(b.last) < shell.RedrawEvery {
		return
	}
	b.last = time.Now()
	width, height := b.size()
	lines := make(width)
	// One row is left for the line above. The last column stays free: a terminal
	// may go to the next line when it is written to.
	lines = lines[:min(len(lines), max(height-1, 1))]
	same := width == b.width && len(lines) == len(b.shown)
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], width-1, "…")
		same = same && lines[i] == b.shown[i]
	}
	if same {
		return
	}
	// All at once, for terminals that know how to wait for the end of a picture.
	var s strings.Builder
	s.WriteString(ansi.SetMode(ansi.ModeSynchronizedOutput) + b.back(width))
	for i, line := range lines {
		if i > 0 {
			s.WriteString("\r\n")
		}
		s.WriteString(line + ansi.EraseLineRight)
	}
	s.WriteString(ansi.EraseScreenBelow + ansi.ResetMode(ansi.ModeSynchronizedOutput))
	b.shown, b.width = lines, width
	_, _ = b.out.WriteString(s.String()) // a terminal that has gone must end no work
}

// back moves the cursor, which stands at the end of the last line, to the
// beginning of the first. On a terminal that became narrower lines take several
// rows, since most terminals break them anew.
func (b *block) back(width int) string {
	rows := 0
	for _, line := range b.shown {
		rows += max(1, (ansi.StringWidth(line)+width-1)/width)
	}
	if rows <= 1 {
		return "\r"
	}
	return "\r" + ansi.CursorUp(rows-1)
}

// clear takes the block off the terminal.
func (b *block) clear() {
	if len(b.shown) == 0 {
		return
	}
	width, _ := b.size()
	_, _ = b.out.WriteString(b.back(width) + ansi.EraseScreenBelow)
	b.shown = nil
}

// println writes a line to w above the block, which is drawn again by the next
// draw.
func (b *block) println(w io.Writer, line string) {
	b.clear()
	fmt.Fprintln(w, wording.Plain(line))
}
