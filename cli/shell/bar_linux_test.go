package shell

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/internal/pty"
)

func TestBarStaysOnItsLine(t *testing.T) {
	for _, unit := range []string{"s", "games"} {
		for _, width := range []uint16{MinColumns, 80, 100, 200} {
			tty, output := pty.Terminal(t, width)
			b := NewBar(tty, 1000, unit)
			for i := range 20 {
				b.Last = time.Time{} // draw at once
				b.Set(i*30, strings.Repeat("a long text ", 20))
				if i == 10 {
					b.Println(tty, "a line that stays")
				}
			}
			b.Clear()
			raw := output()
			lines, widest := pty.Screen(raw)
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
	narrow, output := pty.Terminal(t, MinColumns-1)
	b := NewBar(narrow, 10, "games")
	b.Set(5, "text")
	b.Clear()
	if got := output(); got != "" {
		t.Errorf("narrow terminal: %q, want no bar", got)
	}

	var plain strings.Builder
	b = NewBar(&plain, 10, "games")
	b.Set(4, "too soon")
	b.Last = time.Now().Add(-LineEvery)
	b.Set(5, "text")
	b.Last = time.Now().Add(-LineEvery)
	b.Set(10, "the result follows anyway")
	b.Println(&plain, "line")
	b.Clear()
	if got, want := plain.String(), "5/10 games  text\nline\n"; got != want {
		t.Errorf("no terminal: %q, want %q", got, want)
	}
}

func TestDumbTerminalIsNone(t *testing.T) {
	tty, output := pty.Terminal(t, 100)
	t.Setenv("TERM", "dumb")
	if IsTerminal(tty) {
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
	tty, output := pty.Terminal(t, 100)
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
		if got, err := WantColor(c.flag, c.w); got != c.want || err != nil {
			t.Errorf("--color %s, NO_COLOR=%q, terminal %v: %v, %v, want %v", c.flag, c.noColor, IsTerminal(c.w), got, err, c.want)
		}
	}
	output()
	if _, err := WantColor("blue", &plain); ExitCode(err) != 2 {
		t.Errorf("--color blue: %v, want a usage error", err)
	}
}
