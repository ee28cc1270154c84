// Package pty is a pseudo terminal for tests of what people see.
package pty

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// Terminal opens a pseudo terminal of the given width. output closes it and
// returns what was written to it.
func Terminal(t *testing.T, width uint16) (tty *os.File, output func() string) {
	t.Helper()
	master, tty := Open(t, width)
	all := make(chan string)
	go func() {
		var b strings.Builder
		CopyUntilHangUp(&b, master)
		all <- b.String()
	}()
	return tty, func() string {
		return HangUp(tty, all)
	}
}

// HangUp says on tty that nothing follows, waits for what CopyUntilHangUp made of
// it at the other end, and closes it. Linux may forget the last of what was written
// if a terminal is closed before that was read.
func HangUp[T any](tty *os.File, ended <-chan T) T {
	defer tty.Close()
	_, _ = tty.WriteString("\x00")
	return <-ended
}

// CopyUntilHangUp copies to w what is written to a terminal until HangUp, or
// until nobody holds the terminal.
func CopyUntilHangUp(w io.Writer, master *os.File) {
	b := make([]byte, 4096)
	for {
		n, err := master.Read(b)
		text, _, ended := bytes.Cut(b[:n], []byte{0})
		_, _ = w.Write(text)
		if ended || err != nil {
			return
		}
	}
}

// Open opens a terminal of the given width; master is its other end, where a person
// would sit.
func Open(t *testing.T, width uint16) (master, tty *os.File) {
	t.Helper()
	t.Setenv("TERM", "xterm")
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("this machine: no pseudo terminal: ", err)
	}
	t.Cleanup(func() { master.Close() })
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: width})
	}
	if err != nil {
		t.Skip("this machine: no pseudo terminal: ", err)
	}
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("this machine: no pseudo terminal: ", err)
	}
	t.Cleanup(func() { tty.Close() })
	return master, tty
}

var escapes = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)

// Screen is what a person sees in the end of what was written to a terminal
// that is wide enough, and the widest line there ever was.
func Screen(output string) (lines []string, widest int) {
	for _, line := range strings.Split(output, "\n") {
		var shown []rune
		for _, part := range strings.Split(strings.TrimSuffix(line, "\r"), "\r") {
			n := utf8.RuneCountInString(escapes.ReplaceAllString(part, ""))
			widest = max(widest, n)
			if before, after, ok := strings.Cut(part, "\x1b[2K"); ok {
				shown, part = nil, strings.Repeat(" ", utf8.RuneCountInString(before))+after
			}
			part = escapes.ReplaceAllString(part, "")
			if n < len(shown) {
				part += string(shown[n:])
			}
			shown = []rune(part)
		}
		lines = append(lines, strings.TrimRight(string(shown), " "))
	}
	return lines, widest
}
