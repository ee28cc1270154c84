package train

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/internal/pty"
)

// several makes n lines that are wider than any terminal here and name picture
// and line.
func several(picture, n int) func(int) []string {
	return func(int) []string {
		var lines []string
		for i := range n {
			lines = append(lines, fmt.Sprintf("block %d %d ", picture, i)+strings.Repeat("wide ", 50))
		}
		return lines
	}
}

// TestBlockStaysBelowTheLines, whatever its height, and leaves nothing behind.
func TestBlockStaysBelowTheLines(t *testing.T) {
	for _, size := range [][2]int{{minBlockColumns, minBlockRows}, {40, 6}, {80, 24}, {200, 50}} {
		width, height := size[0], size[1]
		e := pty.Emulate(t, width, height)
		b := newBlock(e.TTY)
		want := ""
		for i, n := range []int{3, 1, 5, 2, 0, 4} {
			line := fmt.Sprintf("line %d", i)
			want += line + "\n"
			b.println(e.TTY, line)
			b.draw(true, several(i, n))
			if shown := min(n, height-1); shown > 0 {
				screen := e.See(fmt.Sprintf("block %d %d ", i, shown-1))
				lines := strings.Split(screen, "\n")
				if last := lines[len(lines)-1]; !strings.HasPrefix(last, fmt.Sprintf("block %d %d ", i, shown-1)) || !strings.Contains(screen, fmt.Sprintf("%s\nblock %d 0 wide", line, i)) {
					t.Errorf("%dx%d: below %q a block of %d lines is\n%s", width, height, line, n, screen)
				}
			}
		}
		b.clear()
		text, _ := e.End()
		if all := strings.TrimSuffix(want, "\n"); !strings.HasSuffix(all, text) || text == "" || height > 20 && text != all {
			t.Errorf("%dx%d: in the end one sees\n%s\nwant the end of\n%s", width, height, text, all)
		}
	}
}

// TestBlockFollowsTheWindow when it becomes narrower, lower and larger again.
func TestBlockFollowsTheWindow(t *testing.T) {
	e := pty.Emulate(t, 100, 20)
	b := newBlock(e.TTY)
	for i, size := range [][2]int{{100, 20}, {50, 20}, {50, 5}, {20, 3}, {120, 30}} {
		e.Resize(size[0], size[1])
		b.draw(true, func(width int) []string {
			if width != size[0] {
				t.Errorf("lines are wanted for %d columns, the terminal has %d", width, size[0])
			}
			return several(i, 6)(width)
		})
		screen := e.See(fmt.Sprintf("block %d %d ", i, min(6, size[1]-1)-1))
		for _, line := range strings.Split(screen, "\n") {
			if n := len([]rune(line)); n >= size[0] {
				t.Errorf("%v: a line of %d columns: %q", size, n, line)
			}
		}
		if n := strings.Count(screen, "block "); n != min(6, size[1]-1) {
			t.Errorf("%v: %d lines of the block:\n%s", size, n, screen)
		}
	}
	b.clear()
	e.End()
}

// TestBlockWritesOnlyWhatIsNew and not too often.
func TestBlockWritesOnlyWhatIsNew(t *testing.T) {
	e := pty.Emulate(t, 80, 24)
	b := newBlock(e.TTY)
	began, calls := time.Now(), 0
	for time.Since(began) < 500*time.Millisecond {
		calls++
		b.draw(false, func(int) []string { return []string{fmt.Sprint("call ", calls)} })
		time.Sleep(time.Millisecond)
	}
	for range 20 {
		b.draw(true, func(int) []string { return []string{"the same"} })
	}
	e.See("the same")
	_, raw := e.End()
	if n := strings.Count(raw, "\x1b[J"); n < 3 || n > 8 {
		t.Errorf("%d pictures of %d calls in half a second and 20 of one picture, want about 6", n, calls)
	}
}

// TestNoBlockWhereItCannotBe: plain lines go there.
func TestNoBlockWhereItCannotBe(t *testing.T) {
	for _, size := range [][2]int{{minBlockColumns - 1, 24}, {80, minBlockRows - 1}} {
		if e := pty.Emulate(t, size[0], size[1]); newBlock(e.TTY) != nil {
			t.Errorf("a terminal of %v gets a block", size)
		}
	}
	e := pty.Emulate(t, 80, 24)
	t.Setenv("TERM", "dumb")
	if newBlock(e.TTY) != nil || newBlock(io.Discard) != nil {
		t.Error("a dumb terminal or none gets a block")
	}
}
