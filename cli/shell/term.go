package shell

import (
	"io"
	"os"

	"golang.org/x/term"
)

// IsTerminal tells whether w is a terminal that a person looks at.
func IsTerminal(w io.Writer) bool { return Columns(w) > 0 }

// Columns is the width of the terminal w, 0 if w is none. Where the terminal
// does not say, most are 80 wide.
func Columns(w io.Writer) int {
	if o, ok := w.(*Output); ok {
		w = o.Writer
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return 0
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		return width
	}
	return 80
}

// WantColor resolves a --color flag for output to w. NO_COLOR turns "auto" off.
func WantColor(flag string, w io.Writer) (bool, error) {
	switch flag {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return IsTerminal(w) && os.Getenv("NO_COLOR") == "", nil
	}
	return false, Usagef("--color %q: want auto, always or never", flag)
}
