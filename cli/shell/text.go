package shell

import (
	"encoding/json"
	"io"
	"os"
	"strconv"
	"strings"
)

// IsDir tells whether there is a folder at path.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// WriteLine writes v as one line of JSON.
func WriteLine(w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) }

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

// ParseRun reads RUN or RUN@GENERATION, which is -1 if none is named; a folder may have
// an @ in its name.
func ParseRun(word string) (dir string, generation int) {
	if at := strings.LastIndexByte(word, '@'); at > 0 && !IsDir(word) {
		if n, err := strconv.ParseUint(word[at+1:], 10, 31); err == nil {
			return word[:at], int(n)
		}
	}
	return word, -1
}
