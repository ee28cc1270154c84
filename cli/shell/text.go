package shell

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Count is a number with its noun.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// PercentOf is a share of a number in per cent.
func PercentOf(n, of int) string { return Percent(float64(n) / float64(of)) }

// Percent is a share in per cent.
func Percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// OrDash is text, or a dash if it is empty.
func OrDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// PlainName quotes a name that would spoil the table.
func PlainName(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// IsRegular tells whether there is a regular file at path.
func IsRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// OneLine writes joined errors on one line, without control characters, which
// names in them may have.
func OneLine(err error) string {
	line := strings.Join(strings.Fields(strings.ReplaceAll(err.Error(), "\n", "; ")), " ")
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, line)
}

// IsDir tells whether there is a folder at path.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// WriteLine writes v as one line of JSON.
func WriteLine(w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) }

// Elapsed writes a duration as h:mm:ss.
func Elapsed(t time.Duration) string {
	s := int(t.Seconds())
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// cut shortens text to the given number of columns.
func cut(text string, room int) string {
	r := []rune(text)
	if len(r) <= room {
		return text
	}
	return string(r[:max(room-1, 0)]) + "…"
}

// AutoText says what the settings that were auto have become; "" if there were none.
func AutoText(settled []string) string {
	if len(settled) == 0 {
		return ""
	}
	return strings.Join(settled, ", ") + " (auto)"
}
