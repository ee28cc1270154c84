package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo terminal of the given width. output closes it and
// returns what was written to it.
func terminal(t *testing.T, width uint16) (tty *os.File, output func() string) {
	t.Helper()
	master, tty := pseudoTerminal(t, width)
	all := make(chan string)
	go func() {
		var b strings.Builder
		copyUntilHangUp(&b, master)
		all <- b.String()
	}()
	return tty, func() string {
		return hangUp(tty, all)
	}
}

// hangUp says on tty that nothing follows, waits for what copyUntilHangUp made of
// it at the other end, and closes it. Linux may forget the last of what was written
// if a terminal is closed before that was read.
func hangUp[T any](tty *os.File, ended <-chan T) T {
	defer tty.Close()
	_, _ = tty.WriteString("\x00")
	return <-ended
}

// copyUntilHangUp copies to w what is written to a terminal until hangUp, or
// until nobody holds the terminal.
func copyUntilHangUp(w io.Writer, master *os.File) {
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

// pseudoTerminal is a terminal of the given width and the other end of it, where
// a person would sit.
func pseudoTerminal(t *testing.T, width uint16) (master, tty *os.File) {
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

// screen is what a person sees in the end of what was written to a terminal
// that is wide enough, and the widest line there ever was.
func screen(output string) (lines []string, widest int) {
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

func TestBarStaysOnItsLine(t *testing.T) {
	for _, unit := range []string{"s", "games"} {
		for _, width := range []uint16{minColumns, 80, 100, 200} {
			tty, output := terminal(t, width)
			b := newBar(tty, 1000, unit)
			for i := range 20 {
				b.last = time.Time{} // draw at once
				b.set(i*30, strings.Repeat("a long text ", 20))
				if i == 10 {
					b.println(tty, "a line that stays")
				}
			}
			b.clear()
			raw := output()
			lines, widest := screen(raw)
			if got := strings.Join(lines, "|"); got != "a line that stays|" {
				t.Errorf("%s, %d columns: in the end one sees %q", unit, width, got)
			}
			if widest >= int(width) {
				t.Errorf("%s: a line of %d characters on a terminal of %d columns", unit, widest, width)
			}
			for _, want := range []string{"█", "(570/1000)", "a lo", "…"} {
				if !strings.Contains(raw, want) {
					t.Errorf("%s, %d columns: the bar never showed %q", unit, width, want)
				}
			}
		}
	}
}

func TestNoBarWhereItCannotBe(t *testing.T) {
	narrow, output := terminal(t, minColumns-1)
	b := newBar(narrow, 10, "games")
	b.set(5, "text")
	b.clear()
	if got := output(); got != "" {
		t.Errorf("narrow terminal: %q, want no bar", got)
	}

	var plain strings.Builder
	b = newBar(&plain, 10, "games")
	b.set(4, "too soon")
	b.last = time.Now().Add(-lineEvery)
	b.set(5, "text")
	b.last = time.Now().Add(-lineEvery)
	b.set(10, "the result follows anyway")
	b.println(&plain, "line")
	b.clear()
	if got, want := plain.String(), "5/10 games  text\nline\n"; got != want {
		t.Errorf("no terminal: %q, want %q", got, want)
	}
}

func TestDumbTerminalIsNone(t *testing.T) {
	tty, output := terminal(t, 100)
	t.Setenv("TERM", "dumb")
	if isTerminal(tty) {
		t.Error("TERM=dumb counts as a terminal")
	}
	output()
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		room int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöüß", 3, "äö…"}, {"abc", 1, "…"}, {"abc", 0, "…"}, {"", 0, ""}} {
		if got := cut(c.text, c.room); got != c.want {
			t.Errorf("cut(%q, %d) = %q, want %q", c.text, c.room, got, c.want)
		}
	}
}

func TestColor(t *testing.T) {
	tty, output := terminal(t, 100)
	var plain strings.Builder
	for _, c := range []struct {
		flag, noColor string
		w             io.Writer
		want          bool
	}{
		{"always", "1", &plain, true}, {"never", "", tty, false},
		{"auto", "", tty, true}, {"auto", "1", tty, false}, {"auto", "", &plain, false},
	} {
		t.Setenv("NO_COLOR", c.noColor)
		if got, err := wantColor(c.flag, c.w); got != c.want || err != nil {
			t.Errorf("--color %s, NO_COLOR=%q, terminal %v: %v, %v, want %v", c.flag, c.noColor, isTerminal(c.w), got, err, c.want)
		}
	}
	output()
	if _, err := wantColor("blue", &plain); exitCode(err) != 2 {
		t.Errorf("--color blue: %v, want a usage error", err)
	}
}

// TestMatchOnTerminal wants a bar while games are played and only the result in
// the end.
func TestMatchOnTerminal(t *testing.T) {
	tty, output := terminal(t, 100)
	args := []string{"match", "--game", "connect4", "mcts:sims=8000", "random", "--pairs", "8", "--workers", "1"}
	if err := execute(t.Context(), args, nil, tty, tty); err != nil {
		t.Fatal(err)
	}
	raw := output()
	lines, widest := screen(raw)
	if !strings.Contains(raw, "█") || !strings.Contains(raw, "/16) [") || widest >= 100 {
		t.Errorf("no bar was seen, or one %d columns wide:\n%q", widest, raw)
	}
	if plain := mustCall(t, args...); strings.Join(lines, "\n") != strings.ReplaceAll(plain, "\r", "") {
		t.Errorf("in the end one sees\n%s\nwant\n%s", strings.Join(lines, "\n"), plain)
	}
}
