package pty

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hinshun/vt10x"
	"golang.org/x/sys/unix"
)

// Emulated is a terminal that a person looks at: what is written to TTY is applied
// to a screen.
type Emulated struct {
	TTY    *os.File
	t      *testing.T
	master *os.File
	screen vt10x.Terminal
	raw    strings.Builder
	done   chan struct{}
}

// Emulate opens a terminal of the given size in characters; End closes it.
func Emulate(t *testing.T, width, height int) *Emulated {
	t.Helper()
	master, tty := Open(t, uint16(width))
	e := &Emulated{TTY: tty, t: t, master: master, screen: vt10x.New(vt10x.WithSize(width, height)), done: make(chan struct{})}
	e.Resize(width, height)
	go func() {
		defer close(e.done)
		CopyUntilHangUp(io.MultiWriter(e.screen, &e.raw), master)
	}()
	return e
}

// Resize changes the size of the terminal and its screen.
func (e *Emulated) Resize(width, height int) {
	if err := unix.IoctlSetWinsize(int(e.master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(height), Col: uint16(width)}); err != nil {
		e.t.Fatal(err)
	}
	e.screen.Resize(width, height)
}

// See waits until the screen shows want and returns its lines, without blank ends.
func (e *Emulated) See(want string) string {
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

func (e *Emulated) text() string {
	var lines []string
	for _, line := range strings.Split(e.screen.String(), "\n") {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// End closes the terminal and returns its last screen and all that was written.
func (e *Emulated) End() (text, raw string) {
	HangUp(e.TTY, e.done)
	return e.text(), e.raw.String()
}
