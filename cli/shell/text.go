package shell

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/wording"
)

// IsDir tells whether there is a folder at path.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// WantFile refuses what --flag names if no file can be written there: before the work whose
// result it is to hold.
func WantFile(flag, path string) error {
	switch {
	case path == "-":
		return Usagef("--%s -: want a file; one of that name is ./-", flag)
	case IsDir(path):
		return Usagef("--%s %s: it is a folder: want a file", flag, wording.PlainName(path))
	}
	target, err := atomicfile.Target(path)
	if err != nil {
		return fmt.Errorf("--%s %w", flag, err)
	}
	f, err := os.CreateTemp(filepath.Dir(target), "ludozero-*")
	if err != nil {
		why := err
		if path := (*fs.PathError)(nil); errors.As(err, &path) {
			why = path.Err // the name is not the user's
		}
		return fmt.Errorf("--%s %s: no file can be written in its folder: %w", flag, wording.PlainName(path), why)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
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
