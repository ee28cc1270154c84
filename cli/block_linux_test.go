package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hinshun/vt10x"
	"github.com/ludozero/ludozero/internal/pty"
	"golang.org/x/sys/unix"
)

// emulated is a terminal that a person looks at: what is written to tty is
// applied to a screen.
type emulated struct {
	t      *testing.T
	master *os.File
	tty    *os.File
	screen vt10x.Terminal
	raw    strings.Builder
	done   chan struct{}
}

func emulate(t *testing.T, width, height int) *emulated {
	t.Helper()
	master, tty := pty.Open(t, uint16(width))
	e := &emulated{t: t, master: master, tty: tty, screen: vt10x.New(vt10x.WithSize(width, height)), done: make(chan struct{})}
	e.resize(width, height)
	go func() {
		defer close(e.done)
		pty.CopyUntilHangUp(io.MultiWriter(e.screen, &e.raw), master)
	}()
	return e
}

func (e *emulated) resize(width, height int) {
	if err := unix.IoctlSetWinsize(int(e.master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(height), Col: uint16(width)}); err != nil {
		e.t.Fatal(err)
	}
	e.screen.Resize(width, height)
}

// see waits until the screen shows want and returns its lines, without blank ends.
func (e *emulated) see(want string) string {
	e.t.Helper()
	text := ""
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(5 * time.Millisecond) {
		if text = e.text(); strings.Contains(text, want) {
			return text
		}
	}
	e.t.Fatalf("the screen never showed %q:\n%s", want, text)
	return ""
}

func (e *emulated) text() string {
	var lines []string
	for _, line := range strings.Split(e.screen.String(), "\n") {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// end closes the terminal and returns its last screen and all that was written.
func (e *emulated) end() (text, raw string) {
	pty.HangUp(e.tty, e.done)
	return e.text(), e.raw.String()
}

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
		e := emulate(t, width, height)
		b := newBlock(e.tty)
		want := ""
		for i, n := range []int{3, 1, 5, 2, 0, 4} {
			line := fmt.Sprintf("line %d", i)
			want += line + "\n"
			b.println(e.tty, line)
			b.draw(true, several(i, n))
			if shown := min(n, height-1); shown > 0 {
				screen := e.see(fmt.Sprintf("block %d %d ", i, shown-1))
				lines := strings.Split(screen, "\n")
				if last := lines[len(lines)-1]; !strings.HasPrefix(last, fmt.Sprintf("block %d %d ", i, shown-1)) || !strings.Contains(screen, fmt.Sprintf("%s\nblock %d 0 wide", line, i)) {
					t.Errorf("%dx%d: below %q a block of %d lines is\n%s", width, height, line, n, screen)
				}
			}
		}
		b.clear()
		text, _ := e.end()
		if all := strings.TrimSuffix(want, "\n"); !strings.HasSuffix(all, text) || text == "" || height > 20 && text != all {
			t.Errorf("%dx%d: in the end one sees\n%s\nwant the end of\n%s", width, height, text, all)
		}
	}
}

// TestBlockFollowsTheWindow when it becomes narrower, lower and larger again.
func TestBlockFollowsTheWindow(t *testing.T) {
	e := emulate(t, 100, 20)
	b := newBlock(e.tty)
	for i, size := range [][2]int{{100, 20}, {50, 20}, {50, 5}, {20, 3}, {120, 30}} {
		e.resize(size[0], size[1])
		b.draw(true, func(width int) []string {
			if width != size[0] {
				t.Errorf("lines are wanted for %d columns, the terminal has %d", width, size[0])
			}
			return several(i, 6)(width)
		})
		screen := e.see(fmt.Sprintf("block %d %d ", i, min(6, size[1]-1)-1))
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
	e.end()
}

// TestBlockWritesOnlyWhatIsNew and not too often.
func TestBlockWritesOnlyWhatIsNew(t *testing.T) {
	e := emulate(t, 80, 24)
	b := newBlock(e.tty)
	began, calls := time.Now(), 0
	for time.Since(began) < 500*time.Millisecond {
		calls++
		b.draw(false, func(int) []string { return []string{fmt.Sprint("call ", calls)} })
		time.Sleep(time.Millisecond)
	}
	for range 20 {
		b.draw(true, func(int) []string { return []string{"the same"} })
	}
	e.see("the same")
	_, raw := e.end()
	if n := strings.Count(raw, "\x1b[J"); n < 3 || n > 8 {
		t.Errorf("%d pictures of %d calls in half a second and 20 of one picture, want about 6", n, calls)
	}
}

// TestNoBlockWhereItCannotBe: plain lines go there.
func TestNoBlockWhereItCannotBe(t *testing.T) {
	for _, size := range [][2]int{{minBlockColumns - 1, 24}, {80, minBlockRows - 1}} {
		if e := emulate(t, size[0], size[1]); newBlock(e.tty) != nil {
			t.Errorf("a terminal of %v gets a block", size)
		}
	}
	e := emulate(t, 80, 24)
	t.Setenv("TERM", "dumb")
	if newBlock(e.tty) != nil || newBlock(io.Discard) != nil {
		t.Error("a dumb terminal or none gets a block")
	}
}

// TestTerminalShowsTheRun trains on a terminal: finished stages scroll, the rest
// is below and gone in the end.
func TestTerminalShowsTheRun(t *testing.T) {
	train := func(env ...string) (text, raw string) {
		e := emulate(t, 110, 60)
		c := command(env, "train", "--config", "../configs/tictactoe/tiny.yaml", "--run", t.TempDir()+"/run")
		c.Stdout, c.Stderr = e.tty, e.tty
		if err := c.Run(); err != nil {
			t.Errorf("%v: %v", env, err)
		}
		return e.end()
	}
	text, raw := train("TERM=xterm")
	at := 0
	for _, want := range []string{
		"0:00:00  tictactoe, rules standard", "generation 0 plays: 40 games", "generation 0 learns: step", "generation 1 is rated: ",
		"generation 2 learns: step", "all generations trained", "strength at 16 simulations", "generation 3    against random", "the report is ",
	} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("the screen has no %q after the lines before:\n%s", want, text)
		}
		at += i
	}
	for _, label := range []string{"\nplays  ", "\nlearns  ", "\ntime  ", "\nlosses  ", "█"} {
		if strings.Contains(text, label) {
			t.Errorf("%q is left on the screen:\n%s", label, text)
		}
		if label[0] == '\n' && !strings.Contains(raw, label[1:]) {
			t.Errorf("%q was never shown", label[1:])
		}
	}
	if text, raw := train("TERM=dumb"); strings.Contains(raw, "\x1b") || !strings.Contains(text, "generation 2 learns") {
		t.Errorf("a dumb terminal gets\n%q", raw)
	}
}

// TestInterruptOnATerminal: Ctrl-C takes the block away and says how to go on.
func TestInterruptOnATerminal(t *testing.T) {
	e := emulate(t, 110, 30)
	c := command([]string{"TERM=xterm", "NO_COLOR=1"}, "train", "--config", "../configs/tictactoe/tiny.yaml", "--run", t.TempDir()+"/run",
		"--set", "generations=100000", "--set", "evaluation.during.share=0")
	c.Stdout, c.Stderr = e.tty, e.tty
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	e.see("losses   policy")
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err == nil || c.ProcessState.ExitCode() != 1 {
		t.Errorf("interrupted training ended with %v", err)
	}
	text, raw := e.end()
	if !strings.Contains(text, "interrupted; the newest network is in") || !strings.Contains(text, "the same command goes on") ||
		strings.Contains(text, "\nlosses ") || strings.Contains(text, "█") {
		t.Errorf("in the end one sees\n%s", text)
	}
	if strings.Contains(raw, "\x1b[33m") || strings.Contains(raw, "\x1b[?25l") {
		t.Errorf("with NO_COLOR there is colour, or the cursor was hidden:\n%q", raw)
	}
}
