package wording

import (
	"strings"
	"testing"
	"time"
)

func TestNumbersForPeople(t *testing.T) {
	for got, want := range map[string]string{
		Count(1, "game"): "1 game", Count(int64(0), "game"): "0 games", Count(1200, "game"): "1200 games",
		Grouped(999): "999", Grouped(1000): "1,000", Grouped(-1234567): "-1,234,567",
		Clock(0): "0:00:00", Clock(26*time.Hour + 3*time.Minute + 4900*time.Millisecond): "26:03:04",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	words := strings.Fields("three words überall unbreakable")
	if got, want := Wrap(words, 12, "- ", "  "), "- three\n  words\n  überall\n  unbreakable\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Wrap(words, 13, "", ""), "three words\nüberall\nunbreakable\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Wrap(nil, 5, "a", ""); got != "a\n" {
		t.Errorf("got %q of no words", got)
	}
}

func TestNamesFromOutside(t *testing.T) {
	for name, want := range map[string]string{"runs/a b": "runs/a b", "é": "é", "a\x1b[31m": `"a\x1b[31m"`, "a\x9bm": `"a\x9bm"`, "a\u009bm": `"a\u009bm"`, "a\xff": `"a\xff"`} {
		if got := PlainName(name); got != want {
			t.Errorf("PlainName(%q) = %s, want %s", name, got, want)
		}
	}
	if got, want := Plain("no a\x1b[2J\n\tb\u009b"), "no a\\x1b[2J\n\tb\\u009b"; got != want {
		t.Errorf("Plain = %q, want %q", got, want)
	}
}

func TestQuotedForAShell(t *testing.T) {
	for word, want := range map[string]string{"runs/a@1,b": "runs/a@1,b", "a b": "'a b'", "it's": `'it'\''s'`, "": "''", "a\x1b'\"\\\xff": `$'a\x1b\'"\\\xff'`} {
		if got := Quoted(word); got != want {
			t.Errorf("Quoted(%q) = %s, want %s", word, got, want)
		}
	}
}
