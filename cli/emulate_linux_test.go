package cli

import (
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
